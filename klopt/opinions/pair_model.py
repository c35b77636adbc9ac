"""A model of pairs of texts in a folder on this machine: ONNX, a tokenizer, what its labels mean.

It is run as klopt's own is (`klopt.opinions.pair_session`); no weights are read from outside the
folder of the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.learnt import softmax
from klopt.errors import ConfigurationError
from klopt.opinions.model_folder import ModelFolder, listed
from klopt.opinions.pair_session import ModelFailedError, PairSession, libraries
from klopt.scoring.second_opinion import RELATIONS, Relation

if TYPE_CHECKING:
    from tokenizers import Encoding

__all__ = ["LONGEST_TOKENS", "Chances", "ModelFailedError", "PairModel"]

LONGEST_TOKENS: Final = 512
"""A pair is read in so many tokens at most: what it takes grows with their square."""
SPARE_TOKENS: Final = 2
"""RoBERTa counts two places that are for no token."""
DECIMALS: Final = 4
"""Chances are rounded to so many decimals, so that no order of adding shows."""

_INPUTS: Final = {
    "input_ids": "ids",
    "attention_mask": "attention_mask",
    "token_type_ids": "type_ids",
}
_KINDS: Final = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_LOGITS: Final = "logits"
_NEEDED: Final = ("a local encoder", "encoder")
_SHOWN_CHARS: Final = 12
_MOST_SHOWN: Final = 8

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Chances:
    """What a model says of a pair of texts.

    Attributes:
        rows: The chances of `klopt.scoring.second_opinion.RELATIONS`: a row for the pair, shape
            ``(1, 3)``, or one for each token of the second text.
        spans: Start and end of each of these tokens, shape ``(n, 2)``; None with a row for the
            pair.
        n_tokens: How many tokens the pair has.
    """

    rows: Floats
    spans: NDArray[np.int64] | None
    n_tokens: int


class PairModel:
    """Says what a first text says of a second one, or of each token of it.

    A pair is run by itself and never filled up, so that its chances do not depend on others. Safe
    to use from several threads.

    Attributes:
        signature: What the chances depend on, without ``|``.
        of_tokens: Whether it speaks of each token of a second text.
        longest_tokens: So many tokens of a pair are read, those that open and close it included.

    Args:
        folder: With ``model.onnx`` or ``onnx/model.onnx``, ``tokenizer.json``, ``config.json``.
        labels: What its labels mean; only those whose names klopt does not know, or takes for
            something else, need to be there.
        threads: A pair is computed on so many.

    Raises:
        ConfigurationError: No model is there, or not one that can be asked.
        ExtraMissingError: onnxruntime or tokenizers is not installed.
    """

    def __init__(
        self, folder: Path, labels: Mapping[str, Relation] | None = None, threads: int = 1
    ) -> None:
        libraries(*_NEEDED)
        found = ModelFolder.read(folder, labels or {})
        places = found.places or LONGEST_TOKENS
        self.longest_tokens = min(LONGEST_TOKENS, places - SPARE_TOKENS)
        self._session = PairSession(found.model, found.tokenizer, threads, *_NEEDED)
        self._session.tokenizer.enable_truncation(self.longest_tokens)
        self._inputs = _inputs(found.model, self._session.inputs)
        self._output = _output(found.model, self._session.outputs)
        self._relations = np.array(
            [[one == other for other in RELATIONS] for one in found.meanings], float
        )
        self._try(found.model)
        versions = ",".join(f"{name}:{one}" for name, one in self._session.versions.items())
        self.signature = (
            f"encoder:{found.digest[:_SHOWN_CHARS]},labels:{'/'.join(found.meanings)},"
            f"threads:{threads},{versions}"
        )

    @property
    def n_added(self) -> int:
        """How many tokens open, part and close a pair."""
        return self._session.tokenizer.num_special_tokens_to_add(True)

    def tokens(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each token of a text."""
        return self._session.spans(text)

    def chances(self, first: str, second: str) -> Chances:
        """What the first text says of the second; what does not fit is cut off the longer one.

        Raises:
            ModelFailedError: Nothing, or nothing that can be used.
        """
        pair = self._session.encode(first, second)
        logits = self._logits(pair)
        rows = np.round(softmax(np.atleast_2d(logits).astype(float), 1) @ self._relations, DECIMALS)
        if logits.ndim == 1:
            return Chances(rows, None, len(pair))
        own = [number for number, side in enumerate(pair.sequence_ids) if side == 1]
        return Chances(rows[own], np.array(pair.offsets)[own], len(pair))

    def _logits(self, pair: Encoding) -> NDArray[np.floating[Any]]:
        """Shape ``(n_labels,)`` or ``(n_tokens, n_labels)``."""
        feed: dict[str, NDArray[Any]] = {
            name: np.array([getattr(pair, _INPUTS[name])], kind)
            for name, kind in self._inputs.items()
        }
        (found,) = self._session.run([self._output], feed)
        labels = len(self._relations)
        if found.dtype.kind != "f" or found.shape not in ((1, labels), (1, len(pair), labels)):
            raise ModelFailedError(
                f"gives numbers of type {found.dtype} and shape {found.shape} for {len(pair)} "
                f"tokens; allowed is a number for each of the {labels} labels, of the pair or of "
                "each token"
            )
        logits: NDArray[np.floating[Any]] = found[0]
        return logits

    def _try(self, path: Path) -> None:
        """One pair as long as they get, so that what does not fit is known before the first row."""
        try:
            self.of_tokens = self.chances("klopt " * self.longest_tokens, "dat?").spans is not None
        except ModelFailedError as error:
            raise ConfigurationError(
                f"{path}: the model {error} (tried with a pair of {self.longest_tokens} tokens)"
            ) from None


def _inputs(path: Path, met: Mapping[str, str]) -> dict[str, type]:
    """The numbers that each input is made of."""
    if (
        "input_ids" not in met
        or not set(met) <= set(_INPUTS)
        or not set(met.values()) <= set(_KINDS)
    ):
        told = ", ".join(f"{name} {kind}" for name, kind in list(met.items())[:_MOST_SHOWN])
        raise ConfigurationError(
            f"{path}: the model takes {told or 'nothing'}; allowed are {', '.join(_INPUTS)}, each "
            f"{' or '.join(_KINDS)}, input_ids always"
        )
    return {name: _KINDS[kind] for name, kind in met.items()}


def _output(path: Path, names: Sequence[str]) -> str:
    if _LOGITS in names or len(names) == 1:
        return _LOGITS if _LOGITS in names else names[0]
    raise ConfigurationError(f"{path}: the model gives {listed(names)}; one must be {_LOGITS}")
