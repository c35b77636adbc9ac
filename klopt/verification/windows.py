"""Overlapping windows of a page's text, and the windows nearest to a claim.

An encoder reads a claim beside a window: up to `WORDS` words of consecutive sentences, with the
headings above them. Windows depend on the page alone, so they are tokenized once a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.text.reader import Reading
from klopt.verification.units import Integers, Layout, Units

if TYPE_CHECKING:
    from klopt.verification.match import Match

__all__ = ["WORDS", "Window", "nearest", "windows_of"]

WORDS: Final = 64
"""Maximum words of a window, its headings not counted; a longer sentence is a window of its own."""
HEADING_WORDS: Final = 24
"""Maximum words of the headings above a window."""
SAME: Final = 1000
"""Likeness of a word to itself, as in `klopt.verification.index`."""
QUESTION: Final = 0.25
"""Weight of the question's words beside those of the claim."""


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of a page.

    Attributes:
        first: The number of the first sentence.
        last: The number of the last sentence.
        text: The headings above them and their text.
        span: Plain start and end on the page.
    """

    first: int
    last: int
    text: str
    span: tuple[int, int]


def windows_of(reading: Reading, units: Units, layout: Layout) -> list[Window]:
    r"""Return the windows of a page, in order; each sentence is in one or two of them.

    >>> from klopt import Page, lexicons
    >>> from klopt.verification.language import Language
    >>> english = Language(lexicons.load("en"))
    >>> page = english.page(Page("# Saving\n\nPress Ctrl+S. The file is stored at once."))
    >>> [window.text for window in page.windows]
    ['Saving Press Ctrl+S. The file is stored at once.']
    """
    text = reading.plain.text
    spans = list(zip(units.starts, units.ends, strict=True))
    sizes = [text.count(" ", *span) + 1 for span in spans]
    windows: list[Window] = []
    first, count = 0, len(spans)
    while first < count:
        last, words = first, sizes[first]
        while last + 1 < count and words + sizes[last + 1] <= WORDS:
            last += 1
            words += sizes[last]
        span = units.starts[first], units.ends[last]
        above = [text[slice(*spans[unit])].split() for unit in layout.above[first]]
        headings = [word for words in above for word in words][:HEADING_WORDS]
        windows.append(
            Window(first, last, " ".join((*headings, *text[slice(*span)].split())), span)
        )
        if last + 1 == count:
            break
        half = first + 1
        while half < last and sum(sizes[first:half]) * 2 < words:
            half += 1
        first = half if last > first else last + 1
    return windows


def nearest(match: Match, units: Sequence[int], most: int = 2) -> list[list[tuple[int, int]]]:
    """Return the windows that share most of each claim's words, best first.

    Args:
        match: The answer on its pages.
        units: The claims, by number of their sentence.
        most: Maximum windows of a claim; neighbouring windows overlap, so one of them counts.

    Returns:
        For each claim the page number and window number of each window; empty if no page has a
        word of the claim.
    """
    candidates: list[list[tuple[float, str, int, int]]] = [[] for _ in units]
    asked = match.question_words
    for number, context in enumerate(match.contexts):
        found = context.index.windows
        if not found:
            continue
        own = [_sentences(context.index.layout, window) for window in found]
        flat, starts = np.concatenate(own), np.cumsum([0, *map(len, own)])[:-1]
        likes = np.maximum.reduceat(match.likes[number].T.take(flat, axis=0), starts, axis=0)
        beside = QUESTION * _share(match, likes, asked)
        for row, unit in enumerate(units):
            shares = _share(match, likes, match.answer.of(unit))
            points = np.where(shares > 0, shares + beside, 0.0)
            for at in np.argsort(-points, kind="stable")[: 3 * most].tolist():
                if points[at] > 0:
                    candidates[row].append((-points[at], found[at].text, number, at))
    return [_apart(sorted(some), most) for some in candidates]


def _sentences(layout: Layout, window: Window) -> Integers:
    """Return the sentences of a window and those above it."""
    return np.array([*layout.above[window.first], *range(window.first, window.last + 1)])


def _share(match: Match, likes: NDArray[Any], words: Integers) -> NDArray[np.float64]:
    """Return the weighted share of some words that each window has, 0 to 1."""
    weights = match.weights[words]
    shares: NDArray[np.float64] = (likes[:, words] * weights).sum(axis=1) / max(
        1, int(weights.sum()) * SAME
    )
    return shares


def _apart(ranked: list[tuple[float, str, int, int]], most: int) -> list[tuple[int, int]]:
    """Return the best windows of which no two are neighbours."""
    kept: list[tuple[int, int]] = []
    for _, _, page, at in ranked:
        if len(kept) < most and all(page != one or abs(at - other) > 1 for one, other in kept):
            kept.append((page, at))
    return kept
