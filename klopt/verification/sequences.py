"""Find steps of an answer in another order than on the page, in lists and in prose."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
import regex

from klopt.lexicons import Lexicons
from klopt.text.reader import Reading
from klopt.verification.findings import Finding, Span
from klopt.verification.index import PageIndex
from klopt.verification.match import Match
from klopt.verification.units import Integers

__all__ = ["steps_out_of_order"]

LEAST_LIKE: Final = 0.7
"""Smallest share of a step's words in the page's step that it is aligned with."""
MARGIN: Final = 0.25
"""Smallest lead of that step over every other step of the page."""
LEAST_PLACED: Final = 0.6
"""Smallest share of the steps that are aligned with steps of the page."""
LONG_CHARS: Final = 5
"""A shorter word, such as "then", marks the next step only where it opens a clause."""
LONGEST_LINK: Final = 6
MOST_STEPS: Final = 30
MOST_SEQUENCES: Final = 12
"""Steps of a sequence, and sequences of a text, that are compared, at most."""
_MARKS: Final = ",;:"
_Steps = list[Span]


def steps_out_of_order(match: Match, lexicons: Lexicons) -> list[Finding]:
    """Return the steps of an answer that precede a step which comes first on a page.

    Args:
        match: The answer on its pages.
        lexicons: Of its language.
    """
    found, answer = list[Finding](), match.answer_reading
    for steps in islice(_sequences(answer, lexicons), MOST_SEQUENCES):
        rows = [_words(answer, step, match.words) for step in steps]
        most, early = 0, list[tuple[Span, Span]]()
        for page, context in enumerate(match.contexts):
            others = _sequences_of(context.index, lexicons)
            groups = [words for other in others for words in other.words]
            shares = match.covered(rows, groups, page) if groups else []
            first = 0
            for other in others:
                last = first + len(other.steps)
                placed = _placed(steps, [row[first:last] for row in shares], other.steps)
                if len(placed) > max(most, 1, LEAST_PLACED * len(steps) - 1e-9):
                    most, early = len(placed), _early(placed)
                first = last
        found += [Finding("sequence", "against", *pair) for pair in early]
    return found


@dataclass(frozen=True, slots=True)
class _Sequence:
    """A sequence of a page: the spans of its steps, and the integers of each step's words."""

    steps: _Steps
    words: list[Integers]


_KNOWN: Final = WeakKeyDictionary[PageIndex, dict[Lexicons, list[_Sequence]]]()


def _sequences_of(index: PageIndex, lexicons: Lexicons) -> list[_Sequence]:
    """Return the sequences of a page from a cache."""
    by_lexicons = _KNOWN.get(index)
    if by_lexicons is None:
        by_lexicons = _KNOWN[index] = {}
    known = by_lexicons.get(lexicons)
    if known is None:
        reading, ids = index.reading, index.units.ids
        known = by_lexicons[lexicons] = [
            _Sequence(steps, [_words(reading, step, ids) for step in steps])
            for steps in islice(_sequences(reading, lexicons), MOST_SEQUENCES)
        ]
    return known


def _placed(
    steps: _Steps, shares: Sequence[Sequence[float]], others: _Steps
) -> list[tuple[int, Span, Span]]:
    """Return the aligned steps: number on the page, span in the answer, span on the page."""
    placed = []
    for step, row in zip(steps, shares, strict=True):
        best, *rest = sorted(row, reverse=True)
        if best >= LEAST_LIKE and (not rest or best - rest[0] >= MARGIN):
            at = row.index(best)
            placed.append((at, step, others[at]))
    return placed


def _early(placed: Sequence[tuple[int, Span, Span]]) -> list[tuple[Span, Span]]:
    """Return each step whose next one comes before it on the page."""
    return [(one[1], one[2]) for one, other in pairwise(placed) if other[0] < one[0]]


def _words(reading: Reading, span: Span, numbers: dict[str, int]) -> Integers:
    keys = (reading.tokens.keys[at] for at in reading.tokens.content(*span))
    return np.array([*dict.fromkeys(numbers[key] for key in keys if key in numbers)], np.int64)


def _sequences(reading: Reading, lexicons: Lexicons) -> Iterator[_Steps]:
    """Yield the sequences of a text: its guides, and sentences with "then"."""
    for guide in reading.guides:
        if len(guide.steps) <= MOST_STEPS:
            yield [(step.start, step.end) for step in guide.steps]
    text, phrases = reading.plain.text, lexicons["reversals"].phrases
    joining = phrases["joining"]
    after = [one.start() for one in phrases["then"].finditer(text) if _follows(text, one, joining)]
    if not after:
        return
    starts = [sentence.start for sentence in reading.sentences]
    unordered = sorted(
        one.start()
        for name in ("after", "before", "conditions")
        for one in phrases[name].finditer(text)
    )
    for number in sorted({bisect_left(starts, at + 1) - 1 for at in after}):
        if number < 0:
            continue
        sentence = reading.sentences[number]
        span = sentence.start, sentence.end
        at = bisect_left(unordered, span[0])
        if at < len(unordered) and unordered[at] < span[1]:
            continue
        run = list(_cut(text, span, joining))
        if 1 < len(run) <= MOST_STEPS:
            yield run


def _follows(text: str, then: regex.Match[str], joining: regex.Pattern[str]) -> bool:
    """Return whether a "then" marks the next step rather than the result of a condition."""
    before = text[max(0, then.start() - LONGEST_LINK) : then.start()].rstrip()
    links = any(one.end() == len(before) for one in joining.finditer(before))
    return len(then[0]) >= LONG_CHARS or links or before.endswith(tuple(_MARKS))


def _cut(text: str, span: Span, joining: regex.Pattern[str]) -> Iterator[Span]:
    """Yield the spans of a sentence that may be steps."""
    marks = (
        (at, at + 1) for at in range(*span) if text[at] in _MARKS and text[at + 1 : at + 2] == " "
    )
    start = span[0]
    for first, last in sorted([*marks, *(one.span() for one in joining.finditer(text, *span))]):
        yield start, first
        start = last
    yield start, span[1]
