"""Find pages that repeat the text of other pages; a search would list both."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.retrieval.skipped import SkippedPage
from klopt.types import Page
from klopt.verification.units import Integers, Units

Sentences: TypeAlias = NDArray[np.uint64]
"""The distinct sentences of a page as hashes of their content words."""

REPEATED_SHARE: Final = 0.9
"""Share of a page's sentences on other pages from which it may be a print page of those."""
LEAST_PAGES: Final = 3
"""Pages that a print page contains, each at most half as long as it."""
LEAST_SENTENCES: Final = 10
"""A shorter page is no print page."""
MOST_CANDIDATES: Final = 20
"""Pages examined, the longest first."""
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


def sentences_of(units: Units, numbers: Integers) -> Sentences:
    """Return the distinct sentences of a page, by the number of each word in all pages."""
    if not len(units):
        return np.empty(0, np.uint64)
    mixed = (numbers[units.tokens].astype(np.uint64) + np.uint64(1)) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX
    return np.unique(np.add.reduceat(mixed, units.offsets))


class Repeated:
    """The pages of an index, as they are read."""

    def __init__(self) -> None:
        self._texts: dict[bytes, list[int]] = {}
        self._sentences: dict[int, Sentences] = {}

    def add(self, number: int, text: str, sentences: Sentences) -> None:
        """Add the read text and the sentences of a page."""
        digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        self._texts.setdefault(digest, []).append(number)
        self._sentences[number] = sentences

    def found(self, pages: Sequence[Page]) -> dict[int, SkippedPage]:
        """Return the pages to leave out of a search; of equal ones the first is searched."""
        repeated: dict[int, SkippedPage] = {}
        for numbers in self._texts.values():
            first, *others = sorted(numbers)
            for number in others:
                repeated[number] = SkippedPage(pages[number].id, "same_text", pages[first].id)
        for number, count in self._print_pages(set(repeated)).items():
            repeated[number] = SkippedPage(pages[number].id, "compilation", f"{count:,} pages")
        return repeated

    def _print_pages(self, without: set[int]) -> dict[int, int]:
        """The pages that consist of others, and the number of those."""
        numbers = [number for number in sorted(self._sentences) if number not in without]
        if len(numbers) <= LEAST_PAGES:
            return {}
        sizes = np.array([len(self._sentences[number]) for number in numbers])
        every = np.concatenate([self._sentences[number] for number in numbers])
        owners = np.repeat(np.arange(len(numbers)), sizes)
        _, place, counts = np.unique(every, return_inverse=True, return_counts=True)
        repeated = np.bincount(owners, counts[place] > 1, len(numbers))
        is_likely = (repeated >= REPEATED_SHARE * sizes) & (sizes >= LEAST_SENTENCES)
        likely = np.flatnonzero(is_likely)
        found: dict[int, int] = {}
        for row in likely[np.argsort(-sizes[likely], kind="stable")][:MOST_CANDIDATES].tolist():
            own = np.bincount(owners, np.isin(every, self._sentences[numbers[row]]), len(numbers))
            is_part = (own >= REPEATED_SHARE * sizes) & (sizes > 0) & (2 * sizes <= sizes[row])
            if is_part.sum() >= LEAST_PAGES and sizes[is_part].sum() >= sizes[row] / 2:
                found[numbers[row]] = int(is_part.sum())
        return found
