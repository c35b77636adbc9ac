"""An answer as the page of the review shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.reading.markup import read_text
from klopt.records import MESSAGE_TYPES, Turn
from klopt.report.log_answers import QUESTION_CHARS, Answer
from klopt.report.log_answers import shown as in_sentences
from klopt.report.log_page import texts as log_texts
from klopt.report.scored import Asked, ScoredRow
from klopt.report.view import Piece
from klopt.scoring.assessment import Assessment

ANSWER_CHARS: Final = 20_000
_PAGES: Final = 8
_PAGE_CHARS: Final = 20_000


@dataclass(frozen=True, slots=True)
class GivenPage:
    """A page that the bot was given: its name, and its text without markup."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer, and what stands beside it.

    Attributes:
        row: What klopt makes of it.
        question: What was asked.
        answer: Its sentences beside the passages.
        words: The answer to the letter, character by character, with the untrue words marked.
        is_cut: Whether there is more of it.
        pages: Those that the bot was given.
    """

    row: ScoredRow
    question: str
    answer: Answer
    words: tuple[Piece, ...]
    is_cut: bool
    pages: tuple[GivenPage, ...]


def shown(turn: Turn, found: Assessment, untrue: Sequence[str]) -> Shown:
    """An answer for the page.

    Args:
        turn: What was asked and answered.
        found: What klopt makes of it.
        untrue: The words of it that a person marked.
    """
    row = ScoredRow.from_mapping(found.to_dict())
    answer = in_sentences(row, Asked(turn.question, turn.answer))
    pages = tuple(
        GivenPage(one.title or one.id, read_text(one.text[:_PAGE_CHARS], one.format).text)
        for one in turn.pages[:_PAGES]
    )
    text = turn.answer[:ANSWER_CHARS]
    return Shown(
        row,
        turn.question[:QUESTION_CHARS],
        answer,
        tuple(_marked(text, untrue)),
        len(turn.answer) > ANSWER_CHARS,
        pages,
    )


def substring(answer: str, span: str) -> str | None:
    """The words of an answer between two places, ``START-END``, without the space around them.

    >>> substring("Klik op **Bewaren**.", "7-18"), substring("Kort.", "3-99"), substring("", "x")
    ('**Bewaren*', None, None)
    """
    found = re.fullmatch(r"(\d{1,9})-(\d{1,9})", span, re.ASCII)
    if found is None:
        return None
    start, end = map(int, found.groups())
    return answer[start:end].strip() or None if start < end <= len(answer) else None


def kinds(language: str) -> list[tuple[str, str]]:
    """The message types, each with its name."""
    words = log_texts(language)["kinds"]
    return [(one, words[one]) for one in MESSAGE_TYPES]


def _marked(text: str, untrue: Sequence[str]) -> Iterator[Piece]:
    """The text in pieces; together they have its very characters, but for a space for a CR."""
    text = text.replace("\r", " ")  # which HTML would drop
    wanted = [re.escape(one.replace("\r", " ")) for one in sorted(untrue, key=len, reverse=True)]
    spans = [one.span() for one in re.finditer("|".join(wanted), text)] if wanted else []
    at = 0
    for start, end in spans:
        yield Piece(text[at:start])
        yield Piece(text[start:end], "untrue")
        at = end
    yield Piece(text[at:])
