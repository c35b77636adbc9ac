"""What speaks against a statement as a whole: another row, its opposite, another's number.

The families look at a statement beside one place. These look at what else its page says, so that
what stands on the page but not of this is told too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt.cached import cached_property
from klopt.comparing.findings import Finding, Span
from klopt.comparing.passages import Passage
from klopt.comparing.words import FLAGS, Side, bit_of
from klopt.matching.index import SYNONYM
from klopt.matching.match import Match
from klopt.matching.units import Units
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = ["Contradictions"]

MOST_ELSEWHERE: Final = 0.5
"""So much of what a statement says beside the key must stand in the other row, not in its own."""
LEAST_TURNED: Final = 3
"""A sentence with fewer words of content is not held for another one turned round."""
AROUND: Final = 12
"""So many words of its sentence on either side of a number say what it is a number of."""
LEAST_AROUND: Final = 2
"""With fewer of them beside the other number, the two are not numbers of one thing."""
LEAST_SHARE: Final = 0.5
"""Nor with a smaller share of them."""
MOST_FIGURES: Final = 32
"""So many numbers of a statement, of a place, and places of one number, are looked at."""
YEARS: Final = range(1900, 2100)
_Content = tuple[list[str], bool]
_OPENS: Final = bit_of("yes", "no")
_NUMBER, _STOP, _NEGATED, _CONDITIONAL = map(
    FLAGS.index, ("number", "stop", "negated", "conditional")
)


class Contradictions:
    """What speaks against the statements of one answer beyond their words beside their places.

    Args:
        match: The answer on its pages.
        answer: The answer's words.
        pages: Those of the pages.
    """

    def __init__(self, match: Match, answer: Side, pages: Sequence[Side]) -> None:
        self._match, self._answer, self._pages = match, answer, pages

    def of(self, unit: int, place: Passage) -> tuple[Finding, ...]:
        """What speaks against a statement, by the number of its sentence, at its place."""
        units = self._match.answer
        span = units.starts[unit], units.ends[unit]
        stated = self._answer.between(*span)
        otherwise = (
            ("row", span, self._other_row(unit, place)),
            ("turned", span, self._opposite(stated, place)),
            ("figure", *(self._other_number(stated, place) or (span, None))),
        )
        return tuple(Finding(kind, "against", own, at) for kind, own, at in otherwise if at)

    def _other_row(self, unit: int, place: Passage) -> Span | None:
        """The row that a statement names, where most of what it says stands in another row.

        In one of the same table, beside the key; and less of it in the row itself.
        """
        match = self._match
        keys = match.contexts[place.page].index.layout.keys
        rows = next((rows for rows in keys if place.first in rows), None)
        if rows is None:
            return None
        words, asked = match.answer.words, {*match.question.words, *rows[place.first]}
        numbers = match.answer.of(unit).tolist()
        own = [number for number in numbers if words[number] not in asked]
        if not own or not rows[place.first] <= {words[number] for number in numbers}:
            return None
        here = match.likes[place.page][own] >= SYNONYM
        weights = match.weights[own]
        most = max(int(weights @ (here[:, row] & ~here[:, place.first])) for row in rows)
        kept = int(weights @ here[:, place.first])
        is_other = most > kept and most >= MOST_ELSEWHERE * int(np.sum(weights))
        return place.span if is_other else None

    def _opposite(self, stated: slice, place: Passage) -> Span | None:
        """The sentence of its place that a statement is but for a negation.

        None where another sentence of the page says the same. A sentence with a condition is left
        alone: "you can't, otherwise" says what "you must" says.
        """
        own = _content(self._answer, stated)
        if own is None or len(own[0]) < LEAST_TURNED:
            return None
        units, opposite = self._match.contexts[place.page].index.units, (own[0], not own[1])
        contents = _all_contents(self._pages[place.page], units)
        near = range(place.first, place.last + 1)
        turned = next((unit for unit in near if contents[unit] == opposite), None)
        if turned is None or own in contents:
            return None
        return units.starts[turned], units.ends[turned]

    def _other_number(self, stated: slice, place: Passage) -> tuple[Span, Span] | None:
        """A number that a page has of something else, beside the one that its place has there.

        "The manager is told 7 days ahead", where the page tells him 30 days ahead and keeps the
        old key for 7: the words around the statement's number stand around another number of
        days, and fewer of them around its own on any page.
        """
        page = self._pages[place.page]
        own = list(islice(_figures(self._answer, stated), MOST_FIGURES))
        if not own:
            return None
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
                return figure.span, span
        return None

    @cached_property
    def _known(self) -> dict[tuple[str, str], list[_Figure]]:
        """Number and what it counts → where the pages have it."""
        places_of: dict[tuple[str, str], list[_Figure]] = defaultdict(list)
        for side in self._pages:
            for figure in _all_figures(side):
                places = places_of[figure.word, figure.counted]
                if len(places) < MOST_FIGURES:
                    places.append(figure)
        return places_of


_CONTENTS: Final = WeakKeyDictionary[Side, list["_Content | None"]]()
_FIGURES: Final = WeakKeyDictionary[Side, list["_Figure"]]()
"""What stands on pages is known again for as long as they are."""


def _all_contents(page: Side, units: Units) -> list[_Content | None]:
    """The `_content` of each sentence of a page."""
    known = _CONTENTS.get(page)
    if known is None:
        spans = zip(units.starts, units.ends, strict=True)
        known = _CONTENTS[page] = [_content(page, page.between(*span)) for span in spans]
    return known


def _all_figures(page: Side) -> list[_Figure]:
    """The `_figures` of a page."""
    known = _FIGURES.get(page)
    if known is None:
        known = _FIGURES[page] = list(_figures(page, slice(0, len(page.ids))))
    return known


def _content(side: Side, words: slice) -> _Content | None:
    """The words of a sentence that carry content, and whether it is negated; None with a condition.

    A "No" that opens it answers something else.
    """
    flags, ids = side.flags[words], side.ids[words]
    if flags[:, _CONDITIONAL].any():
        return None
    stop, negated = flags[:, _STOP] > 0, flags[:, _NEGATED] > 0
    opens = (side.qualifiers[words] & _OPENS > 0) & (np.arange(len(ids)) == 0)
    kept = ids[~(stop | negated | opens)].tolist()
    return sorted(side.words[number] for number in kept), bool((negated & ~opens).any())


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number with what it counts and what stands around it.

    Attributes:
        span: Plain start and end of both.
        word: The number, with its sign.
        counted: The sign before it or the word after it: what it is a number of.
        around: The words of its sentence that are near and have content.
    """

    span: Span
    word: str
    counted: str
    around: frozenset[str]


def _figures(side: Side, numbers: slice) -> Iterator[_Figure]:
    """The numbers that count something, in a stretch of a text."""
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
    """Whether two numbers count the same; a year counts nothing that another number does."""
    if other.counted != figure.counted or other.word == figure.word:
        return False
    return _is_year(other.word) == _is_year(figure.word)


def _is_year(word: str) -> bool:
    return word[1:].isdecimal() and int(word[1:]) in YEARS
