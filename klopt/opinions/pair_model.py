"""A model of pairs of texts in a folder on this machine: ONNX, a tokenizer, what its labels mean.

Nothing is downloaded, no weights are read from outside the folder, and no code of a model is run:
ONNX Runtime knows the operators that it comes with and no others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.learnt import softmax
from klopt.errors import ConfigurationError, KloptError
from klopt.extras import needs
from klopt.opinions.model_folder import ModelFolder, listed
from klopt.scoring.profile import MOST_THREADS
from klopt.scoring.second_opinion import RELATIONS, Relation

if TYPE_CHECKING:
    from types import ModuleType

    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

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
_LOGITS: Final = "logits"
_SHOWN_CHARS: Final = 12
_LONGEST_TOLD_CHARS: Final = 300

Floats: TypeAlias = NDArray[np.float64]


class ModelFailedError(KloptError):
    """The model gives nothing for a pair of texts, or nothing that can be used."""


@dataclass(frozen=True, eq=False)
class Chances:
    """What a model says of a pair of texts, as chances of `RELATIONS`.

    The rows are one for the pair, shape ``(1, 3)``, or one for each token of the second text, whose
    starts and ends are then `spans`, shape ``(n, 2)``.
    """

    rows: Floats
    spans: NDArray[np.int64] | None
    n_tokens: int


class PairModel:
    """Says what a first text says of a second one, or of each token of it.

    A pair is run by itself and never filled up: where numbers are rounded to whole ones by the
    largest of all, what stands beside a pair would show in what is said of it, and running several
    together saves a twentieth. Safe to use from several threads, and in processes that are forked
    off: each makes a session of its own.

    Attributes:
        signature: What the chances depend on, without ``|``.
        of_tokens: Whether it speaks of each token of a second text.
        longest_tokens: So many tokens of a pair are read, those that open and close it included.
        n_added: How many tokens open, part and close a pair.

    Raises:
        ConfigurationError: No model is there, or not one that can be asked.
        ExtraMissingError: onnxruntime or tokenizers is not installed.
    """

    def __init__(
        self, folder: Path, labels: Mapping[str, Relation] | None = None, threads: int = 1
    ) -> None:
        self._runtime, library = _libraries()
        found = ModelFolder.read(folder, labels or {})
        if not 1 <= threads <= MOST_THREADS:
            raise ConfigurationError(f"threads = {threads}: allowed are 1 to {MOST_THREADS}")
        places = found.places or LONGEST_TOKENS
        self.longest_tokens = min(LONGEST_TOKENS, places - SPARE_TOKENS)
        self._path, self._threads = found.model, threads
        self._sessions: dict[int, InferenceSession] = {}
        self._tokenizer = _tokenizer(library, found.tokenizer)
        self._inputs = {
            given.name: np.int32 if given.type == "tensor(int32)" else np.int64
            for given in self._session.get_inputs()
            if given.name in _INPUTS
        }
        outputs = [given.name for given in self._session.get_outputs()]
        if _LOGITS not in outputs and len(outputs) != 1:
            told = f"the model gives {listed(outputs)}; one must be {_LOGITS}"
            raise ConfigurationError(f"{found.model}: {told}")
        self._output = _LOGITS if _LOGITS in outputs else outputs[0]
        self._tokenizer.enable_truncation(self.longest_tokens)
        self.n_added = self._tokenizer.num_special_tokens_to_add(True)
        self._relations = np.array(
            [[one == other for other in RELATIONS] for one in found.meanings], float
        )
        self._try()
        versions = ",".join(f"{one.__name__}:{one.__version__}" for one in (self._runtime, library))
        self.signature = (
            f"encoder:{found.digest[:_SHOWN_CHARS]},labels:{'/'.join(found.meanings)},"
            f"threads:{threads},{versions}"
        )

    def tokens(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each token of a text."""
        first = self._tokenizer.encode(_sendable(text), add_special_tokens=False)
        return [span for part in (first, *first.overflowing) for span in part.offsets]

    def chances(self, first: str, second: str) -> Chances:
        """What the first text says of the second; what does not fit is cut off the longer one.

        Raises:
            ModelFailedError: Nothing, or nothing that can be used.
        """
        pair = self._tokenizer.encode(_sendable(first), _sendable(second))
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
        try:
            found = np.asarray(self._session.run([self._output], feed)[0])
        except Exception as error:  # those of onnxruntime share no narrower class
            raise ModelFailedError(f"fails: {_told(error)}") from None
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise ModelFailedError("gives numbers that are not finite")
        labels = len(self._relations)
        if found.dtype.kind != "f" or found.shape not in ((1, labels), (1, len(pair), labels)):
            raise ModelFailedError(
                f"gives numbers of type {found.dtype} and shape {found.shape} for {len(pair)} "
                f"tokens; allowed is a number for each of the {labels} labels, of the pair or of "
                "each token"
            )
        logits: NDArray[np.floating[Any]] = found[0]
        return logits

    def _try(self) -> None:
        """One pair as long as they get, so that what does not fit is known before the first row."""
        try:
            self.of_tokens = self.chances("klopt " * self.longest_tokens, "dat?").spans is not None
        except ModelFailedError as error:
            raise ConfigurationError(
                f"{self._path}: the model {error} (tried with a pair of {self.longest_tokens} "
                "tokens)"
            ) from None

    @property
    def _session(self) -> InferenceSession:
        """That of this process: a forked one has nothing of its parent's threads and locks.

        Its parent's stays, since to end that would wait for threads that are not there.
        """
        found = self._sessions.get(os.getpid())
        return found or self._sessions.setdefault(os.getpid(), self._make())

    def _make(self) -> InferenceSession:
        options = self._runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.use_deterministic_compute = True
        options.log_severity_level = 4
        options.add_session_config_entry("session.load_model_format", "ONNX")
        try:
            return self._runtime.InferenceSession(
                self._path, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # those of onnxruntime share no narrower class
            raise ConfigurationError(
                f"{self._path}: the model cannot be loaded, and may be cut off or of another "
                f"kind: {_told(error)}"
            ) from None


def _libraries() -> tuple[ModuleType, ModuleType]:
    """ONNX Runtime and the library of tokenizers."""
    with needs("encoder", "a local encoder needs onnxruntime and tokenizers"):
        return import_module("onnxruntime"), import_module("tokenizers")


def _tokenizer(library: ModuleType, path: Path) -> Tokenizer:
    try:
        found: Tokenizer = library.Tokenizer.from_buffer(path.read_bytes())
    except ValueError as error:
        raise ConfigurationError(f"{path}: {_told(error)}") from None
    found.no_padding()
    return found


def _sendable(text: str) -> str:
    """A text without lone surrogates, which a tokenizer does not take; as long as it was."""
    return text.encode("utf-8", "replace").decode()


def _told(error: Exception) -> str:
    """What a library says, in one line."""
    return " ".join(str(error).split())[:_LONGEST_TOLD_CHARS]
