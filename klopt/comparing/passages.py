"""Where the pages speak of what a statement says: the best places, over all pages.

A place is one to three sentences that follow one another, a row of a table, or a step, each with
what stands above it (`klopt.matching.units`). It is the better the more of the statement's words
it has, each with its weight, words that are like them included; what only stands above counts for
a part, and so does what it has of the question, for the steps for printing on one side are no
answer about two sides, though both stand on one page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.matching.index import SAME
from klopt.matching.match import Match
from klopt.matching.units import Integers

__all__ = ["Passage", "best_places"]

HEADING: Final = 600
"""What a word counts that stands above the place, in thousandths."""
QUESTION: Final = 500
"""What the question's words count together, against 1,000 for the statement's."""
EACH_SENTENCE: Final = 30
"""What each further sentence of a place costs, in thousandths."""
OF_HEADING: Final = 100
"""What a place costs that is a heading: what it says counts for what stands under it."""
BLOCK_CELLS: Final = 4_000_000
"""So many cells of a table are looked at in one go, which bounds memory on long texts."""

_NOWHERE: Final = -(1 << 30)


@dataclass(frozen=True, slots=True)
class Passage:
    """A place of a page.

    Attributes:
        page: The number of the page.
        first: The number of its first sentence.
        last: That of its last.
        share: How much of the statement's weight it has, 0 to 1.
        span: First plain character and end on its page.
    """

    page: int
    first: int
    last: int
    share: float
    span: tuple[int, int]


def best_places(match: Match, rows: Sequence[int]) -> list[Passage | None]:
    """For each statement of an answer its best place; None where no page has a word of it.

    Args:
        match: The answer on its pages.
        rows: The statements, by number of the sentence.
    """
    if not rows:
        return []
    words = np.concatenate([match.answer.of(unit) for unit in rows])
    starts = np.cumsum([0, *(len(match.answer.of(unit)) for unit in rows[:-1])])
    best: list[Passage | None] = [None] * len(rows)
    most = [_NOWHERE] * len(rows)
    # Of equals the place of the first text by the alphabet goes first: no order of pages shows.
    texts = [context.index.reading.plain.text for context in match.contexts]
    for page in sorted(range(len(texts)), key=texts.__getitem__):
        units, layout = match.contexts[page].index.units, match.contexts[page].index.layout
        firsts, lasts = layout.places
        if not len(firsts):
            continue
        costs = EACH_SENTENCE * (lasts - firsts) + OF_HEADING * layout.headings[firsts]
        beside = _of_question(match, page) - costs
        for block, own, offsets in _blocks_of(words, starts, len(firsts)):
            weights = match.weights[own][:, None]
            totals = np.add.reduceat(weights[:, 0], offsets)[:, None]
            shares = np.add.reduceat(_gains(match, page, own) * weights, offsets, axis=0) // totals
            points = shares + beside
            points[shares == 0] = _NOWHERE
            _leave_out(points, match, page, rows[block])
            for number, at in enumerate(points.argmax(axis=1).tolist()):
                row, gained = block.start + number, int(points[number, at])
                if gained > most[row]:
                    first, last = int(firsts[at]), int(lasts[at])
                    share = int(shares[number, at]) / SAME
                    span = units.starts[first], units.ends[last]
                    best[row], most[row] = Passage(page, first, last, share, span), gained
    return best


def _blocks_of(
    tokens: Integers, offsets: Integers, width: int
) -> Iterator[tuple[slice, Integers, Integers]]:
    """Runs of segments whose words times a width are at most `BLOCK_CELLS`, one segment at least.

    Yields:
        The segments, their words, and where each begins among those.
    """
    ends = np.append(offsets[1:], len(tokens))
    start = 0
    while start < len(offsets):
        most = offsets[start] + max(1, BLOCK_CELLS // max(1, width))
        stop = max(start + 1, int(np.searchsorted(ends, most, side="right")))
        first, last = int(offsets[start]), int(ends[stop - 1])
        yield slice(start, stop), tokens[first:last], offsets[start:stop] - first
        start = stop


def _gains(match: Match, page: int, words: NDArray[Any]) -> NDArray[Any]:
    """Shape ``(n_words, n_places)``: the likest word of each place, and of what is around it."""
    layout = match.contexts[page].index.layout
    likes = match.likes[page][words]
    firsts, lasts = layout.places
    own, offsets, numbers = layout.read_with
    above = np.maximum.reduceat(likes[:, own], offsets, axis=1).astype(np.int32) * HEADING // SAME
    gains = above[:, numbers[firsts]]
    for numbers in (firsts, (firsts + lasts) // 2, lasts):
        np.maximum(gains, likes[:, numbers], out=gains)
    return gains


def _of_question(match: Match, page: int) -> NDArray[Any]:
    """Shape ``(n_places,)``: what each place has of the question."""
    weights = match.weights[match.asked]
    total = SAME * max(1, int(weights.sum()))
    shares: NDArray[Any] = weights @ _gains(match, page, match.asked) * QUESTION // total
    return shares


def _leave_out(points: NDArray[Any], match: Match, page: int, rows: Sequence[int]) -> None:
    """Takes away the rows of tables beside the one that a statement or its question names."""
    layout = match.contexts[page].index.layout
    if not layout.keys:
        return
    firsts, _ = layout.places
    asked = frozenset(match.question.words)
    for number, unit in enumerate(rows):
        stated = frozenset(match.answer.words[word] for word in match.answer.of(unit).tolist())
        others = layout.others(stated, asked)
        if others:
            points[number, np.isin(firsts, others)] = _NOWHERE
