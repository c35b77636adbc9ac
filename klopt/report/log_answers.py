"""An answer of a scored log, for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from klopt.measurement import Evidence, Measurement
from klopt.reading.markup import read_text
from klopt.records import MESSAGE_TYPES
from klopt.report.evidence import sentences
from klopt.report.log_figures import ANSWER_CHARS, QUESTION_CHARS, Kept
from klopt.report.view import Sentence
from klopt.report.wording import brief
from klopt.scoring.explanation import decimal, said_in
from klopt.scoring.statements import CheckedStatement, Words

_LINE_CHARS: Final = 120
_PAGES: Final = 8

T = TypeVar("T", Evidence, Words)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer on the page.

    Attributes:
        number: Its place, from 1.
        id: The turn's.
        verdict: Its code.
        score: As it is written.
        kind: The code of its message type.
        kind_name: The same in words.
        day: When it was given, in words; empty where that is not known.
        line: The question, or what is known of it, in one line.
        question: Whole; empty without the log.
        sentences: The answer, beside the pages.
        is_cut: Whether there is more of it.
        is_whole: Whether it is the answer itself, not its statements alone.
        why: The explanation.
        language: Of question and answer; empty where it is not one of ours.
        told_in: The language of the explanation.
        pages: Those behind it.
        count: How often it was given.
    """

    number: int
    id: str
    verdict: str
    score: str
    kind: str
    kind_name: str
    day: str
    line: str
    question: str
    sentences: tuple[Sentence, ...]
    is_cut: bool
    is_whole: bool
    why: str
    language: str
    told_in: str
    pages: tuple[str, ...]
    count: int


def made(number: int, one: Kept, kind: str, day: str, language: str) -> Answer:
    """An answer as it stands on the page.

    Args:
        number: Its place, from 1.
        one: The row, and what the log says of it.
        kind: Its message type, in words.
        day: When it was given, in words.
        language: Of the page.
    """
    row, asked = one.row, one.asked
    answer, statements, measured = asked.answer[:ANSWER_CHARS], row.statements, row.measurements
    if not answer:
        answer, statements, measured = _restored(row.statements, row.measurements)
    told = sentences(
        read_text(answer, "auto" if asked.answer else "plain"),
        statements,
        measured,
        row.explanation,
        row.language,
        is_sent=row.verdict == "send",
    )
    return Answer(
        number=number,
        id=brief(row.id, 40),
        verdict=row.verdict,
        score=decimal(row.score or 0.0, language),
        kind=row.message_type if row.message_type in MESSAGE_TYPES else "",
        kind_name=kind,
        day=day,
        line=brief(asked.question or answer, _LINE_CHARS),
        question=asked.question[:QUESTION_CHARS],
        sentences=told,
        is_cut=len(asked.answer) > ANSWER_CHARS,
        is_whole=bool(asked.answer),
        why=row.explanation[:QUESTION_CHARS],
        language=row.language if row.language in ("nl", "en") else "",
        told_in=said_in(row.language),
        pages=tuple(brief(page) for page in row.pages[:_PAGES]),
        count=one.count,
    )


def _restored(
    statements: Sequence[CheckedStatement], measured: Mapping[str, Measurement]
) -> tuple[str, tuple[CheckedStatement, ...], dict[str, Measurement]]:
    """As much of an answer as its statements hold, a line each, with what was found in it."""
    lines, moved, at = [], [], 0
    for one in statements:
        if at > ANSWER_CHARS:
            break
        text = " ".join(one.text.split())
        wrong = one.wrong if len(text) == len(one.text) else ()
        moved.append(replace(one, text=text, start=at, end=at + len(text), wrong=wrong))
        lines.append(text)
        at += len(text) + 1
    answer = "\n".join(lines)
    found = {
        name: replace(one, evidence=tuple(_moved(each, answer, 0) for each in one.evidence))
        for name, one in measured.items()
    }
    return answer, tuple(moved), found


def _moved(one: T, text: str, at: int) -> T:
    """Words at their place in another text; at no place where they are not in it."""
    start = text.find(" ".join(one.text.split()))
    start, length = (at + start, len(one.text)) if start >= 0 else (at, 0)
    return replace(one, start=start, end=start + length)
