"""Find numbers of a claim that the pages give for something else, anywhere on the pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt._internal.cached import cached_property
from klopt.text.tokens import LITERAL_SIGNS
from klopt.verification.findings import Finding, Span
from klopt.verification.match import Match
from klopt.verification.passages import Passage
from klopt.verification.words import FLAGS, Side

__all__ = ["NumberMismatches"]

AROUND: Final = 12
"""Words of its sentence on either side of a number that describe it."""
LEAST_AROUND: Final = 2
"""Shared words from which two numbers describe the same thing."""
LEAST_SHARE: Final = 0.5
"""Share of shared words from which two numbers describe the same thing."""
MOST_FIGURES: Final = 32
"""Numbers of a claim, numbers of a passage, and places of one number that are compared."""
YEARS: Final = range(1900, 2100)
_NUMBER, _STOP = FLAGS.index("number"), FLAGS.index("stop")


class NumberMismatches:
    """The numbers of one answer's claims that the pages state of something else.

    Args:
        match: The answer on its pages.
        answer: The words of the answer.
        pages: The words of the pages.
    """

    def __init__(self, match: Match, answer: Side, pages: Sequence[Side]) -> None:
        self._match, self._answer, self._pages = match, answer, pages

    def of(self, unit: int, place: Passage) -> list[Finding]:
        """Return a number of a claim that the page states of something else, and the right one.

        "The manager gets a notice 7 days ahead", where the page says 30 days ahead and keeps the
        old key for 7: the words around the claim's number surround another number of days on the
        page, and fewer of them surround the same number on any page.

        Args:
            unit: The number of the claim's sentence.
            place: Its passage.
        """
        units = self._match.answer
        stated = self._answer.between(units.starts[unit], units.ends[unit])
        page = self._pages[place.page]
        own = list(islice(_figures(self._answer, stated), MOST_FIGURES))
        if not own:
            return []
        there = list(islice(_figures(page, page.between(*place.span)), MOST_FIGURES))
        own_numbers = {figure.word for figure in own}
        for figure in own:
            rivals = [
                (len(figure.around & other.around), other.span)
                for other in there
                if _may_replace(other, figure) and other.word not in own_numbers
            ]
            most, span = max(rivals, key=itemgetter(0), default=(0, figure.span))
            alike = self._known.get((figure.word, figure.counted), ())
            nearer = max((len(figure.around & one.around) for one in alike), default=-1)
            if most > nearer and most >= max(LEAST_AROUND, LEAST_SHARE * len(figure.around)):
                return [Finding("figure", "against", figure.span, span)]
        return []

    @cached_property
    def _known(self) -> dict[tuple[str, str], list[_Figure]]:
        """Number and what it counts → its places on the pages."""
        places_of: dict[tuple[str, str], list[_Figure]] = defaultdict(list)
        for side in self._pages:
            for figure in _all_figures(side):
                places = places_of[figure.word, figure.counted]
                if len(places) < MOST_FIGURES:
                    places.append(figure)
        return places_of


_FIGURES: Final = WeakKeyDictionary[Side, list["_Figure"]]()
"""The numbers of each page, cached with the page."""


def _all_figures(page: Side) -> list[_Figure]:
    """Return the `_figures` of a page from the cache."""
    known = _FIGURES.get(page)
    if known is None:
        known = _FIGURES[page] = list(_figures(page, slice(0, len(page.ids))))
    return known


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number with what it counts and the words around it.

    Attributes:
        span: Plain start and end of both.
        word: The number, with its sign.
        counted: What it counts: the sign before it or the word after it.
        around: The content words near it in its sentence.
    """

    span: Span
    word: str
    counted: str
    around: frozenset[str]


def _figures(side: Side, numbers: slice) -> Iterator[_Figure]:
    """Yield the numbers that count something, among some words of a text."""
    for at in (numbers.start + np.flatnonzero(side.flags[numbers, _NUMBER])).tolist():
        word = side.words[side.ids[at]]
        if word[0] != LITERAL_SIGNS[0] or "-" in word:
            continue
        near = [
            n
            for n in range(max(0, at - AROUND), min(len(side.ids), at + AROUND + 1))
            if side.sentences[n] == side.sentences[at] and not side.flags[n, _STOP]
        ]
        is_sign = at - 1 in near and side.ends[at - 1] - side.starts[at - 1] == 1
        unit = at - 1 if is_sign else next((n for n in near if at < n <= at + 2), None)
        if unit is None or side.words[side.ids[unit]][0] == LITERAL_SIGNS[0]:
            continue
        counted = side.words[side.ids[unit]]
        around = {side.words[side.ids[n]] for n in near} - {counted}
        span = int(side.starts[min(at, unit)]), int(side.ends[max(at, unit)])
        yield _Figure(span, word, counted, frozenset(w for w in around if w[0] != LITERAL_SIGNS[0]))


def _may_replace(other: _Figure, figure: _Figure) -> bool:
    """Return whether two numbers count the same; years only compare with years."""
    if other.counted != figure.counted or other.word == figure.word:
        return False
    return _is_year(other.word) == _is_year(figure.word)


def _is_year(word: str) -> bool:
    return word[1:].isdecimal() and int(word[1:]) in YEARS
