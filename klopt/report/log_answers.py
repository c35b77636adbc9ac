"""An answer of a scored log, sentence by sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from klopt.reading.markup import read_text
from klopt.records import Evidence
from klopt.report.evidence import Sentence, sentences
from klopt.report.scored import AskedRow, ScoredRow

QUESTION_CHARS: Final = 1000
ANSWER_CHARS: Final = 6000
"""So much of a question and of an answer is shown."""


_read: Final = lru_cache(128)(read_text)
"""A bot gives many an answer more than once, to questions of other words."""


class ShownAnswer(NamedTuple):
    """What was answered, as far as it is known, and its sentences beside the pages."""

    text: str
    sentences: tuple[Sentence, ...]


def shown(row: ScoredRow, asked: AskedRow) -> ShownAnswer:
    """An answer as it stands on the page; its statements alone where the log is not there."""
    text = asked.answer[:ANSWER_CHARS]
    if not text:
        text, row = _restored(row)
    told = sentences(
        _read(text, "auto" if asked.answer else "plain"),
        row.statements,
        row.measurements,
        row.explanation,
        row.language,
        is_sent=row.verdict == "send",
    )
    return ShownAnswer(text, told)


def _restored(row: ScoredRow) -> tuple[str, ScoredRow]:
    """As much of an answer as its statements hold, a line each, with what was found in it."""
    lines, moved, at = [], [], 0
    for statement in row.statements:
        if at > ANSWER_CHARS:
            break
        text = " ".join(statement.text.split())
        wrong = statement.wrong if len(text) == len(statement.text) else ()
        moved.append(replace(statement, text=text, start=at, end=at + len(text), wrong=wrong))
        lines.append(text)
        at += len(text) + 1
    answer = "\n".join(lines)
    found = {
        name: replace(
            measurement, evidence=tuple(_moved(each, answer) for each in measurement.evidence)
        )
        for name, measurement in row.measurements.items()
    }
    return answer, replace(row, statements=tuple(moved), measurements=found)


def _moved(evidence: Evidence, text: str) -> Evidence:
    """Words at their place in another text; at no place where they are not in it."""
    start = text.find(" ".join(evidence.text.split()))
    start, length = (start, len(evidence.text)) if start >= 0 else (0, 0)
    return replace(evidence, start=start, end=start + length)
