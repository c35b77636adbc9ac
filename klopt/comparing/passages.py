"""Where the pages speak of what a statement says: the few best places, over all pages.

A place is one to four sentences that follow one another, with the headings above them. It is the
better the more of the statement's words it has, each with its weight, words that are like them
included; what only a heading has counts for a part, and so does what it has of the question, for
the steps for printing on one side are no answer about two sides, though both stand on one page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.matching.index import PageIndex
from klopt.matching.match import Match
from klopt.matching.relations import SAME

__all__ = ["Passage", "passages_of"]

LONGEST: Final = 4
"""A place has at most so many sentences."""

HEADING: Final = 600
"""What a word counts that stands in a heading above the place, in thousandths."""
QUESTION: Final = 250
"""What the question's words count together, against 1,000 for the statement's."""
EACH_SENTENCE: Final = 30
"""What each further sentence of a place costs, in thousandths."""


@dataclass(frozen=True, slots=True, order=True)
class Passage:
    """A place of a page.

    Attributes:
        page: The number of the page.
        first: The number of its first sentence.
        last: That of its last.
        share: How much of the statement's weight it has, 0 to 1.
    """

    page: int
    first: int
    last: int
    share: float

    def span(self, match: Match) -> tuple[int, int]:
        """First plain character and end on its page."""
        units = match.contexts[self.page].index.units
        return units.starts[self.first], units.ends[self.last]


def passages_of(match: Match, rows: Sequence[int], most: int) -> list[list[Passage]]:
    """For each statement of an answer the best places, the best first.

    Args:
        match: The answer on its pages.
        rows: The statements, by number of the sentence.
        most: So many at most; of two that overlap by half, only the better one.

    Returns:
        One list for each statement; empty where no page has a word of it.
    """
    if not rows:
        return []
    words = np.concatenate([match.answer.of(unit) for unit in rows])
    starts = np.cumsum([0, *(len(match.answer.of(unit)) for unit in rows[:-1])])
    weights = match.weights[words][:, None]
    totals = np.add.reduceat(weights[:, 0], starts)[:, None]
    found: list[list[tuple[int, int, Passage]]] = [[] for _ in rows]
    # Of equals the place of the first text by the alphabet goes first: no order of pages shows.
    texts = [context.index.reading.plain.text for context in match.contexts]
    ranks = {
        page: rank for rank, page in enumerate(sorted(range(len(texts)), key=texts.__getitem__))
    }
    for page, context in enumerate(match.contexts):
        if not len(context.index.units):
            continue
        likes = match.likes[page].astype(np.int32)
        above = _above(likes, context.index)
        asked = _windows(likes[match.asked], above[match.asked]) if len(match.asked) else []
        asked_weights = match.weights[match.asked][:, None]
        for length, gains in enumerate(_windows(likes[words], above[words])):
            shares = np.add.reduceat(gains * weights, starts, axis=0) // totals
            points = shares - EACH_SENTENCE * length
            across = _across(context.index, length, points.shape[1])
            if asked:
                of_question = (asked[length] * asked_weights).sum(axis=0)
                points = points + of_question * QUESTION // (SAME * max(1, asked_weights.sum()))
            points[:, across] = shares[:, across] = 0
            for row in range(len(rows)):
                for first in np.argsort(-points[row], kind="stable")[: 2 * most].tolist():
                    share = int(shares[row, first])
                    if share:
                        place = Passage(page, first, first + length, share / SAME)
                        found[row].append((-int(points[row, first]), ranks[page], place))
    return [_apart([place for *_, place in sorted(places)], most) for places in found]


def _above(likes: NDArray[Any], index: PageIndex) -> NDArray[Any]:
    """Shape as ``likes``: the likest word of the title and of the headings above a sentence."""
    above = np.zeros_like(likes)
    by_path: dict[tuple[int, ...], list[int]] = {}
    for unit, path in enumerate(index.paths):
        by_path.setdefault(path, []).append(unit)
    for path, units in by_path.items():
        headings = list(dict.fromkeys((0, *path)))
        above[:, units] = likes[:, headings].max(axis=1, keepdims=True)
    return above * HEADING // SAME


def _across(index: PageIndex, length: int, count: int) -> NDArray[np.bool_]:
    """Which places of so many further sentences have a heading after their first sentence."""
    headings = np.zeros(len(index.paths) + 1, np.int64)
    headings[[one + 1 for one in {one for path in index.paths for one in path}]] = 1
    before = np.cumsum(headings)
    found: NDArray[np.bool_] = before[length + 1 :][:count] > before[1:][:count]
    return found


def _windows(likes: NDArray[Any], above: NDArray[Any]) -> list[NDArray[Any]]:
    """For each length from one sentence the likest word of each place, by its first sentence."""
    found = [np.maximum(likes, above)]
    for length in range(1, min(LONGEST, likes.shape[1])):
        found.append(np.maximum(found[-1][:, :-1], likes[:, length:]))
    return found


def _apart(places: Sequence[Passage], most: int) -> list[Passage]:
    """The first places of which no two share half of the shorter one."""
    kept: list[Passage] = []
    for one in places:
        for other in kept:
            common = min(one.last, other.last) - max(one.first, other.first) + 1
            shorter = min(one.last - one.first, other.last - other.first) + 1
            if other.page == one.page and 2 * common > shorter:
                break
        else:
            kept.append(one)
            if len(kept) == most:
                break
    return kept
