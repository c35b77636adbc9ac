"""Find the best passage of a claim among all pages.

A passage is one to three consecutive sentences, a row of a table, or a step, each with the headings
above it (`klopt.verification.units`). Its score is the weighted share of the claim's words, or
similar ones, that it has; words in headings and words of the question count for less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.verification.index import SAME
from klopt.verification.match import Match
from klopt.verification.units import Integers

__all__ = ["Passage", "best_places"]

HEADING: Final = 600
"""Factor of a word in a heading above the passage, in thousandths."""
QUESTION: Final = 500
"""Factor of the question's words together; the claim's count 1,000."""
EACH_SENTENCE: Final = 30
"""Cost of each further sentence of a passage, in thousandths."""
OF_HEADING: Final = 100
"""Cost of a passage that is a heading."""
BLOCK_CELLS: Final = 4_000_000
"""Cells of a matrix that is computed at once, which bounds memory."""

_NOWHERE: Final = -(1 << 30)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a page that a claim is compared with.

    Attributes:
        page: The number of the page.
        first: The number of its first sentence.
        last: The number of its last sentence.
        share: The weighted share of the claim's words that it has, 0 to 1.
        span: Plain start and end on its page.
    """

    page: int
    first: int
    last: int
    share: float
    span: tuple[int, int]


def best_places(match: Match, rows: Sequence[int]) -> list[Passage | None]:
    """Return the best passage of each claim; None where no page has a word of it.

    Args:
        match: The answer on its pages.
        rows: The claims, by number of their sentence.
    """
    if not rows:
        return []
    claims = [match.answer.of(unit) for unit in rows]
    words, starts = np.concatenate(claims), np.cumsum([0, *map(len, claims[:-1])])
    best: list[Passage | None] = [None] * len(rows)
    most = [_NOWHERE] * len(rows)
    # Ties go to the first text by the alphabet, so that the order of pages does not matter.
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
    """Yield runs of segments whose words times a width are at most `BLOCK_CELLS`.

    Yields:
        The segments, at least one, their words, and where each begins among those.
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
    """Return the highest likeness of each word in each passage, shape ``(n_words, n_passages)``."""
    layout = match.contexts[page].index.layout
    likes = match.likes[page][words]
    firsts, lasts = layout.places
    own, offsets, numbers = layout.read_with
    # Along rows: numpy gathers whole rows much faster than columns.
    highest = np.maximum.reduceat(likes.T.take(own, axis=0), offsets, axis=0)
    above = highest.T.astype(np.int32) * HEADING // SAME
    gains = above.take(numbers[firsts], axis=1)
    for numbers in (firsts, (firsts + lasts) // 2, lasts):
        np.maximum(gains, likes[:, numbers], out=gains)
    return gains


def _of_question(match: Match, page: int) -> NDArray[Any]:
    """Return each passage's share of the question, shape ``(n_passages,)``."""
    weights = match.weights[match.question_words]
    total = SAME * max(1, int(weights.sum()))
    # Not as a matrix product: numpy has no fast one for integers.
    gained = (_gains(match, page, match.question_words) * weights[:, None]).sum(axis=0)
    shares: NDArray[Any] = gained * QUESTION // total
    return shares


def _leave_out(points: NDArray[Any], match: Match, page: int, rows: Sequence[int]) -> None:
    """Exclude the table rows beside the one that a claim or its question names."""
    layout = match.contexts[page].index.layout
    if not layout.keys:
        return
    firsts, _ = layout.places
    in_question = frozenset(match.question.words)
    for number, unit in enumerate(rows):
        stated = frozenset(match.answer.words[word] for word in match.answer.of(unit).tolist())
        others = layout.others(stated, in_question)
        if others:
            points[number, np.isin(firsts, others)] = _NOWHERE
