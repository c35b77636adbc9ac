"""Where the pages speak of what a statement says: the best place, over all pages.

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
_NOWHERE: Final = -(1 << 30)


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


def passages_of(match: Match, rows: Sequence[int]) -> list[Passage | None]:
    """For each statement of an answer the best place; None where no page has a word of it.

    Args:
        match: The answer on its pages.
        rows: The statements, by number of the sentence.
    """
    if not rows:
        return []
    words = np.concatenate([match.answer.of(unit) for unit in rows])
    starts = np.cumsum([0, *(len(match.answer.of(unit)) for unit in rows[:-1])])
    weights = match.weights[words][:, None]
    totals = np.add.reduceat(weights[:, 0], starts)[:, None]
    asked_weights = match.weights[match.asked]
    asked_total = SAME * max(1, int(asked_weights.sum()))
    found: list[list[tuple[int, int, Passage]]] = [[] for _ in rows]
    # Of equals the place of the first text by the alphabet goes first: no order of pages shows.
    texts = [context.index.reading.plain.text for context in match.contexts]
    ranks = np.argsort(np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int64))
    for page, rank in enumerate(ranks.tolist()):
        index = match.contexts[page].index
        if not len(index.units):
            continue
        likes = match.likes[page].astype(np.int32)
        above = _above(likes, index)
        asked = _windows(likes[match.asked], above[match.asked])
        for length, gains in enumerate(_windows(likes[words], above[words])):
            shares = np.add.reduceat(gains * weights, starts, axis=0) // totals
            of_question = asked_weights @ asked[length] * QUESTION // asked_total
            points = shares - EACH_SENTENCE * length + of_question
            points[(shares == 0) | _across(index, length, points.shape[1])] = _NOWHERE
            best = points.argmax(axis=1)
            for row, first in enumerate(best.tolist()):
                if points[row, first] > _NOWHERE:
                    place = Passage(page, first, first + length, int(shares[row, first]) / SAME)
                    found[row].append((-int(points[row, first]), rank, place))
    return [min(places)[-1] if places else None for places in found]


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
