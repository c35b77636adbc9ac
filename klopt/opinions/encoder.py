"""A second opinion by a small model in a folder on this machine, which reads two texts together."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from klopt import lexicons
from klopt.models.calls import Usage
from klopt.opinions.opinion import Asked, Said
from klopt.opinions.pair_model import DECIMALS, Chances, Floats, ModelFailedError, PairModel
from klopt.scoring.second_opinion import RELATIONS, Relation, SaidOfStatement

__all__ = ["Encoder"]

MOST_PAIRS: Final = 64
"""So many pairs of texts are run for one answer,"""
MOST_WINDOWS: Final = 8
"""so many of them for one passage,"""
LONGEST_CHARS: Final = 20_000
"""and so much of one text is looked at."""
SPARE_TOKENS: Final = 4
"""A piece of a text may have more tokens by itself than within the text."""
_SUPPORTED, _CONTRADICTED, _NOT_STATED = map(
    RELATIONS.index, ("supported", "contradicted", "not_stated")
)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two texts that are read together, and where each statement, by number, is in the second."""

    first: str
    second: str
    spans: Mapping[int, tuple[int, int]]


class Encoder:
    """Holds statements against passages by a model that was trained to; safe for several threads.

    One that labels pairs (inference: entailment, contradiction, neutral) is given a passage and the
    statement, after the question where it opens with a yes or a no. One that labels tokens
    (detection of hallucinations) is given the question with the passages, and the statements one
    after the other; a statement is as true as its least supported token. A passage that is longer
    than the model reads is read in windows that overlap, and the window counts that states most,
    for or against.

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
        labels: Mapping[str, Relation] | None = None,
        threads: int = 1,
        *,
        most_ms: float = math.inf,
    ) -> None:
        self._model = PairModel(folder, labels, threads)
        self._most_seconds = most_ms / 1000
        self.name = f"encoder {folder.resolve().name}"
        self.signature = self._model.signature
        self._half = (self._model.longest_tokens - self._model.n_added) // 2

    def ask(self, asked: Asked) -> Said:
        """What passages say of each statement that has one; problems tell what was not read."""
        start = time.perf_counter()
        problems: list[str] = []
        rows: defaultdict[int, list[Floats]] = defaultdict(list)
        count = n_tokens = 0
        failed: tuple[str, str] | None = None
        for pair in self._pairs(asked, problems):
            if count == MOST_PAIRS:
                problems.append(f"only the first {MOST_PAIRS} pairs of texts are read")
                break
            if time.perf_counter() - start > self._most_seconds:
                failed = "timeout", f"{count} pairs of texts took too long"
                break
            try:
                chances = self._model.chances(pair.first, pair.second)
            except ModelFailedError as error:
                failed = "internal", f"the model {error}"
                break
            count, n_tokens = count + 1, n_tokens + chances.n_tokens
            for number, span in pair.spans.items():
                rows[number] += _weakest(chances, span)
        seconds = time.perf_counter() - start
        usage = Usage(n_tokens, cost_usd=0.0, seconds=seconds, calls=count)
        if failed is not None:
            return Said(usage=usage, reason_code=failed[0], reason=failed[1])
        said = tuple(_said(rows[number]) for number in range(len(asked.statements)))
        if not any(said):
            none = "no statement has a passage to be held against"
            return Said(usage=usage, reason_code="nothing_to_ask", reason=none)
        return Said(statements=said, usage=usage, problems=tuple(dict.fromkeys(problems)))

    def _pairs(self, asked: Asked, problems: list[str]) -> Iterator[_Pair]:
        statements = {
            number: self._cut(one.text, self._half, f"statement {number + 1}", problems)
            for number, one in enumerate(asked.statements)
            if one.passage
        }
        question = self._cut(asked.turn.question, self._half // 2, "the question", problems)
        before = f"{question}\n\n" if self._model.of_tokens else ""
        for group in self._groups(statements):
            spans: dict[int, tuple[int, int]] = {}
            second = ""
            for number in group:
                second += " " * bool(second) + statements[number]
                spans[number] = (len(second) - len(statements[number]), len(second))
            passages = "\n".join(
                dict.fromkeys(asked.statements[number].passage for number in group)
            )
            if not self._model.of_tokens and _opens(second):
                second = f"{question} {second}"
            taken = len(self._model.tokens(before + second))
            room = max(1, 2 * self._half - taken - SPARE_TOKENS)
            for window in self._windows(passages, room, problems):
                yield _Pair(before + window, second, spans)

    def _groups(self, statements: Mapping[int, str]) -> Iterator[list[int]]:
        """The numbers of the statements that are read together."""
        group: list[int] = []
        size = 0
        for number, text in statements.items():
            length = len(self._model.tokens(text))
            if not length:
                continue
            if group and (not self._model.of_tokens or size + length > self._half):
                yield group
                group, size = [], 0
            group.append(number)
            size += length
        if group:
            yield group

    def _windows(self, passage: str, room: int, problems: list[str]) -> Iterator[str]:
        spans = self._model.tokens(passage[:LONGEST_CHARS])
        overlap = room // 4
        starts = range(0, len(spans) - overlap, room - overlap) if len(spans) > room else (0,)
        if len(starts) > MOST_WINDOWS or len(passage) > LONGEST_CHARS:
            problems.append("only the beginning of a long passage is read")
        for start in starts[:MOST_WINDOWS] if spans else ():
            yield passage[spans[start][0] : spans[start:][:room][-1][1]]

    def _cut(self, text: str, most: int, what: str, problems: list[str]) -> str:
        spans = self._model.tokens(text[:LONGEST_CHARS])
        if len(spans) <= most and len(text) <= LONGEST_CHARS:
            return text
        problems.append(f"only the beginning of {what} is read")
        return text[: spans[:most][-1][1]] if spans else ""


def _opens(statement: str) -> bool:
    """Whether it opens with a yes or a no, in any language that klopt has tables of."""
    return any(
        lexicons.load_one(language, name).phrases["openings"].match(statement, 0)
        for language in lexicons.languages()
        for name in ("confirmations", "negations")
    )


def _weakest(chances: Chances, span: tuple[int, int]) -> list[Floats]:
    """The row that stands for a stretch of the second text; none where that has no tokens."""
    if chances.spans is None:
        return [chances.rows[0]]
    starts, ends = chances.spans.T
    rows = chances.rows[(starts < span[1]) & (ends > span[0]) & (starts < ends)]
    return [rows[rows[:, _SUPPORTED].argmin()]] if len(rows) else []


def _said(rows: list[Floats]) -> SaidOfStatement | None:
    """What the window says that states most."""
    if not rows:
        return None
    row = min(rows, key=lambda one: float(one[_NOT_STATED]))
    supported = float(row[_SUPPORTED])
    if supported > 0.5:
        return SaidOfStatement("supported", supported)
    fault: Relation = "contradicted" if row[_CONTRADICTED] > row[_NOT_STATED] else "not_stated"
    return SaidOfStatement(fault, round(1 - supported, DECIMALS))
