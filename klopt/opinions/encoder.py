"""A second opinion by a small model of inference in a folder on this machine.

Nothing is downloaded, no weights are read from further files, and no code of a model is run:
ONNX Runtime knows the operators that it comes with and no others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt import lexicons
from klopt.comparing import LABELS, Says
from klopt.comparing.learnt import softmax
from klopt.embedding.runtime import Net, in_one_line, libraries, read_tokenizer, sendable
from klopt.errors import ConfigurationError, KloptError
from klopt.models.calls import Usage
from klopt.opinions.model_folder import ModelFolder, listed
from klopt.opinions.opinion import Asked, Said
from klopt.scoring.profile import MOST_THREADS
from klopt.scoring.second_opinion import SaidOfStatement

if TYPE_CHECKING:
    from tokenizers import Encoding

MOST_PAIRS: Final = 64
"""So many pairs of texts are run for one answer,"""
LONGEST_CHARS: Final = 20_000
"""so much of one text is looked at,"""
LONGEST_QUESTION_CHARS: Final = 1_000
"""and so much of a question before a statement."""
LONGEST_TOKENS: Final = 512
"""A pair is read in so many tokens at most: what it takes grows with their square."""

_UNUSED_PLACES: Final = 2
"""RoBERTa counts two places that are for no token."""
_DECIMALS: Final = 4
"""Chances are rounded to so many decimals, so that no order of adding shows."""
_INPUTS: Final = {
    "input_ids": "ids",
    "attention_mask": "attention_mask",
    "token_type_ids": "type_ids",
}
_LOGITS: Final = "logits"
_DIGITS: Final = 12

_Chances: TypeAlias = NDArray[np.float64]
"""What a passage says of a statement, as chances of `LABELS`: shape ``(3,)``."""


class ModelFailedError(KloptError):
    """The model gives nothing for a pair of texts, or nothing that can be used."""


class Encoder:
    """Holds statements against passages by a model that was trained to; safe for several threads.

    The model labels pairs of texts (inference: entailment, contradiction, neutral). It is given a
    passage and the statement, after the question where that opens with a yes or a no; of a pair
    that is longer than the model reads, the longer text is cut. Pairs are run one by one and never
    filled up: where numbers are rounded to whole ones by the largest of all, what stands beside a
    pair would show in what is said of it, and running several together saves a twentieth.

    Args:
        folder: With ``model.onnx`` or ``onnx/model.onnx``, ``tokenizer.json``, ``config.json``.
        labels: What its labels mean; only those whose names klopt does not know, or takes for
            something else, need to be there.
        threads: A pair is computed on so many.
        most_ms: No further pair of texts is run for an answer that took longer.

    Raises:
        ConfigurationError: No model is there, or not one that can be asked.
        ExtraMissingError: onnxruntime or tokenizers is not installed.
    """

    def __init__(
        self,
        folder: Path,
        labels: Mapping[str, Says] | None = None,
        threads: int = 1,
        *,
        most_ms: float = math.inf,
    ) -> None:
        runtime, library = libraries("a local encoder")
        files = ModelFolder.read(folder, labels or {})
        if not 1 <= threads <= MOST_THREADS:
            raise ConfigurationError(f"threads = {threads}: allowed are 1 to {MOST_THREADS}")
        self._most_seconds = most_ms / 1000
        self._tokenizer = read_tokenizer(library, files.tokenizer)
        self._net = Net(runtime, files.model, threads)
        session = self._net.session
        self._inputs = {
            given.name: np.int32 if given.type == "tensor(int32)" else np.int64
            for given in session.get_inputs()
            if given.name in _INPUTS
        }
        outputs = [given.name for given in session.get_outputs()]
        if _LOGITS not in outputs and len(outputs) != 1:
            told = f"the model gives {listed(outputs)}; one must be {_LOGITS}"
            raise ConfigurationError(f"{files.model}: {told}")
        self._output = _LOGITS if _LOGITS in outputs else outputs[0]
        self._relations = np.array(
            [[meaning == other for other in LABELS] for meaning in files.meanings], float
        )
        longest = min(LONGEST_TOKENS, (files.places or LONGEST_TOKENS) - _UNUSED_PLACES)
        self._tokenizer.enable_truncation(longest)
        try:  # as long as pairs get, so that what does not fit is known before the first row
            self._chances(self._pair("klopt " * longest, "dat?"))
        except ModelFailedError as error:
            told = f"the model {error} (tried with a pair of {longest} tokens)"
            raise ConfigurationError(f"{files.model}: {told}") from None
        versions = ",".join(
            f"{module.__name__}:{module.__version__}" for module in (runtime, library)
        )
        self.name = f"encoder {folder.resolve().name}"
        self.signature = (
            f"encoder:{files.digest[:_DIGITS]},labels:{'/'.join(files.meanings)},"
            f"threads:{threads},{versions}"
        )

    def ask(self, asked: Asked) -> Said:
        """What passages say of each statement that has one; problems tell what was not read."""
        start = time.perf_counter()
        problems: list[str] = []
        said: list[SaidOfStatement | None] = [None] * len(asked.statements)
        count = token_count = 0
        failed: tuple[str, str] | None = None
        for number, pair in self._pairs(asked):
            if count == MOST_PAIRS:
                problems.append(f"only the first {MOST_PAIRS} pairs of texts are read")
                break
            if time.perf_counter() - start > self._most_seconds:
                failed = "timeout", f"{count} pairs of texts took too long"
                break
            if pair.overflowing:
                told = f"only the beginning of statement {number + 1}, or of its passage, is read"
                problems.append(told)
            try:
                said[number] = _said(self._chances(pair))
            except ModelFailedError as error:
                failed = "internal", f"the model {error}"
                break
            count, token_count = count + 1, token_count + len(pair)
        seconds = time.perf_counter() - start
        usage = Usage(token_count, cost_usd=0.0, seconds=seconds, calls=count)
        if failed is None and not count:
            failed = "nothing_to_ask", "no statement has a passage to be held against"
        if failed is not None:
            return Said(usage=usage, reason_code=failed[0], reason=failed[1])
        return Said(statements=tuple(said), usage=usage, problems=tuple(problems))

    def _pairs(self, asked: Asked) -> Iterator[tuple[int, Encoding]]:
        """The numbers of statements that have words, and passages with words, each as a pair."""
        for number, one in enumerate(asked.statements):
            text = one.text
            if _opens(text):
                text = f"{asked.turn.question[:LONGEST_QUESTION_CHARS]} {text}"
            pair = self._pair(one.passage.text if one.passage else "", text)
            if one.text.strip() and {0, 1} <= set(pair.sequence_ids):
                yield number, pair

    def _pair(self, first: str, second: str) -> Encoding:
        """Two texts as the model reads them; what does not fit is cut off the longer one."""
        return self._tokenizer.encode(
            sendable(first, LONGEST_CHARS), sendable(second, LONGEST_CHARS)
        )

    def _chances(self, pair: Encoding) -> _Chances:
        """What the first text says of the second, or a `ModelFailedError`."""
        feed: dict[str, NDArray[Any]] = {
            name: np.array([getattr(pair, _INPUTS[name])], kind)
            for name, kind in self._inputs.items()
        }
        try:
            found = np.asarray(self._net.session.run([self._output], feed)[0])
        except Exception as error:  # those of onnxruntime share no narrower class
            raise ModelFailedError(f"fails: {in_one_line(error)}") from None
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            raise ModelFailedError("gives numbers that are not finite")
        labels = len(self._relations)
        if found.dtype.kind != "f" or found.shape != (1, labels):
            raise ModelFailedError(
                f"gives numbers of type {found.dtype} and shape {found.shape} for a pair of texts; "
                f"allowed is a number for each of the {labels} labels"
            )
        chances: _Chances = softmax(found.astype(float), 1)[0] @ self._relations
        return np.round(chances, _DECIMALS)


def _said(chances: _Chances) -> SaidOfStatement:
    supported, contradicted, not_stated = map(float, chances)
    if supported > 0.5:
        return SaidOfStatement("supported", supported)
    fault: Says = "contradicted" if contradicted > not_stated else "not_stated"
    return SaidOfStatement(fault, round(1 - supported, _DECIMALS))


def _opens(statement: str) -> bool:
    """Whether it opens with a yes or a no, in any language that klopt has tables of."""
    return any(
        lexicons.load_one(language, name).phrases["openings"].match(statement, 0)
        for language in lexicons.languages()
        for name in ("confirmations", "negations")
    )
