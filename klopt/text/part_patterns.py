"""The parts of an answer, and the patterns that find them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

import regex

from klopt._internal import shipped
from klopt.lexicons import Lexicons
from klopt.text.plain import PlainText, Span

PartKind: TypeAlias = Literal[
    "opener",
    "lead_in",
    "claim",
    "step",
    "heading",
    "source",
    "closing",
    "question_back",
    "disclaimer",
    "admission",
]
KINDS: Final[tuple[PartKind, ...]] = get_args(PartKind)
GROUPS: Final[Mapping[str, PartKind]] = {
    "disclaimer": "disclaimer",
    "signature": "disclaimer",
    "source": "source",
    "question_back": "question_back",
    "closing": "closing",
    "contact_details": "closing",
    "details_below": "closing",
    "contact": "closing",
    "lead_in": "lead_in",
    "attribution": "lead_in",
    "label": "heading",
    "opener": "opener",
    "assent": "opener",
}
"""The groups of patterns in the order in which they are tried, and the kind that each makes."""
WORD: Final = regex.compile(r"[\p{L}\p{N}]\w*+", regex.VERSION1)
_BEFORE: Final = regex.compile(r"[*_~`\[]{1,3}+\Z", regex.VERSION1)
_AFTER: Final = regex.compile(r"(?:[*_~`]++|\](?:\([^()\s]{0,2000}+\))?+)++", regex.VERSION1)
"""Markup directly before or after the words of a part."""
_OTHER_GROUPS: Final = (
    ("sources", "source", r"\s?:[^\n]{0,300}+"),
    ("closings", "closing", r"(?=\s?[,.!?:;–—]|\W*\Z)"),
    ("openers", "opener", r"(?=\s?[,.!?:;–—]|\W*\Z)"),
)
"""For languages without lexicons: a list of phrases, its group, and what follows a phrase."""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A stretch of an answer.

    Attributes:
        kind: See `KINDS`.
        start: First character in the original answer, from 0.
        end: Character after the last one.
    """

    kind: PartKind
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class AnswerParts:
    """An answer in its parts.

    Attributes:
        parts: In order, not overlapping; together they hold every letter and digit of the answer.
        verified: The answer without the parts that are not verified.
    """

    parts: tuple[AnswerPart, ...]
    verified: PlainText


@dataclass(slots=True)
class PartSpan:
    """A stretch of plain text; ``group`` names the patterns that matched it."""

    kind: PartKind
    start: int
    end: int
    block: int
    group: str = ""


@cache
def _other_languages() -> Mapping[str, Mapping[str, list[str]]]:
    table = shipped.table("klopt.lexicons", "other_languages.toml")
    return {name: table[name] for name, _, _ in _OTHER_GROUPS}


def expressions(
    language: str, lexicons: Lexicons | None, text: str
) -> Sequence[tuple[str, regex.Pattern[str]]]:
    """Return the group and expression of patterns that may match, in order."""
    if lexicons is None:
        return _other_expressions(language)
    likely = lexicons["answer_parts"].likely(text, *GROUPS)
    return [(pattern.group, pattern.expression) for pattern in likely]


@cache
def _other_expressions(language: str) -> tuple[tuple[str, regex.Pattern[str]], ...]:
    made = []
    for name, group, ending in _OTHER_GROUPS:
        phrases = _other_languages()[name].get(language)
        if phrases:
            source = rf"(?i)\L<phrases>{ending}"
            made.append((group, regex.compile(source, regex.VERSION1, phrases=phrases)))
    return tuple(made)


def parts_of(
    answer: PlainText,
    text: PlainText,
    pieces: Sequence[PartSpan],
    sources: Sequence[Span],
    markers: Mapping[int, int],
) -> Iterator[AnswerPart]:
    """The parts in original offsets; a claim with a citation inside is several."""
    cited = [AnswerPart("source", *answer.original(one.start, one.end)) for one in sources]
    found = [*cited]
    starts, at = [part.start for part in cited], 0
    for piece in pieces:
        start, end = text.original(piece.start, piece.end)
        if start in markers:
            start = markers[start]
        at = bisect_left(starts, start)
        for part in cited[at : bisect_left(starts, end)]:
            if WORD.search(answer.source, start, part.start):
                found.append(AnswerPart(piece.kind, start, part.start))
            start = part.end
        if WORD.search(answer.source, start, end):
            found.append(AnswerPart(piece.kind, start, end))
    last = 0
    for part in sorted(found, key=lambda one: (one.start, one.end)):
        if part.end > last:
            start = max(part.start, last)
            words = answer.source[start : part.end]
            start += len(words) - len(words.lstrip())
            end = start + len(words.strip())
            if markup := _BEFORE.search(answer.source, max(last, start - 3), start):
                start = markup.start()
            if markup := _AFTER.match(answer.source, end):
                end = markup.end()
            yield replace(part, start=start, end=end)
            last = end
