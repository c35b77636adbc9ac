"""Which pages have which words, and what each says of a page: BM25, worked out when it is built.

A page is a bag of its words with content, as `klopt.reading.tokens` compares them; those of its
title and headings count more. A compound also counts as its parts where both are words of the
pages ("netwerkkabel": "netwerk", "kabel").
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from klopt.matching.index import PageIndex, tails
from klopt.matching.units import Integers
from klopt.reading.tokens import LITERAL_SIGNS

POSTING: Final = np.dtype([("page", "<u4"), ("impact", "<f4")])
WORD: Final = np.dtype([("word", "<u8"), ("start", "<u4"), ("count", "<u4"), ("sum", "<u4")])
"""One row of the table of words, sorted: its number, and its postings with their checksum."""

_HEAD_CHARS: Final = 3
_LINKS: Final = ("", "s", "e", "en", "-")
"""What may stand between the parts of a compound."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What BM25 is worked out with.

    Attributes:
        k1: How soon a word that is repeated stops counting more.
        b: How far a long page counts less, 0 to 1.
        title: How many times more a word of the title counts; see `PageIndex.title`.
        headings: Of a heading.
        parts: What a part of a compound counts, beside the whole; 0 does not split.
    """

    k1: float = 1.5
    b: float = 0.75
    title: float = 2.0
    headings: float = 1.0
    parts: float = 0.5


WEIGHTS: Final = Weights()


def word_number(word: str, language: str) -> int:
    """The number by which a word of a language is looked up, the same on every machine."""
    named = f"{language}\0{word}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), "little")


def parts_of(word: str, is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """The two parts of a compound that are known words, the longest last part first.

    >>> parts_of("personeelsdossier", {"personeel", "dossier"}.__contains__)
    ('personeel', 'dossier')
    >>> parts_of("dossier", {"personeel", "dossier"}.__contains__)
    ()
    """
    if word[:1] in LITERAL_SIGNS:
        return ()
    for tail in tails(word):
        if is_known(tail):
            head = word.removesuffix(tail)
            for link in _LINKS:
                bare = head.removesuffix(link)
                if head.endswith(link) and len(bare) >= _HEAD_CHARS and is_known(bare):
                    return bare, tail
    return ()


class Bags:
    """The words of pages of one language, collected page by page."""

    def __init__(self, language: str, weights: Weights) -> None:
        self._language = language
        self._weights = weights
        self._words: dict[str, int] = {}
        self._bags: list[tuple[Integers, NDArray[np.float64], Integers]] = []

    def add(self, index: PageIndex, pages: Iterable[int]) -> None:
        """A text, and the numbers of the pages that have it."""
        units, weights = index.units, self._weights
        counts = np.bincount(units.sequence, minlength=len(units.words)).astype(np.float64)
        counts[np.unique(index.title)] += weights.title
        counts[np.unique(index.headings)] += weights.headings
        words = [self._words.setdefault(word, len(self._words)) for word in units.words]
        self._bags.append((np.array(words, np.int64), counts, np.array(list(pages), np.int64)))

    def postings(self) -> Iterator[tuple[int, NDArray[np.void]]]:
        """The number of each word, and its postings by page."""
        if not self._words:
            return
        repeated = [
            (words, counts, np.full(len(words), page), np.full(len(words), counts.sum()))
            for words, counts, pages in self._bags
            for page in pages.tolist()
        ]
        words, counts, pages, lengths = map(np.concatenate, zip(*repeated, strict=True))
        total = len(repeated)
        mean = sum(float(counts.sum()) for _, counts, _, _ in repeated) / total or 1.0
        words, counts, pages, lengths = self._split(words, counts, pages, lengths)
        frequency = np.bincount(words, minlength=len(self._words))
        rarity = np.log1p((total - frequency + 0.5) / (frequency + 0.5))
        k1, b = self._weights.k1, self._weights.b
        norm = counts + k1 * (1 - b + b * lengths / mean)
        postings = np.empty(len(words), POSTING)
        postings["page"] = pages
        postings["impact"] = rarity[words] * counts * (k1 + 1) / norm
        ends = np.cumsum(frequency)
        for word, start, end in zip(self._words, ends - frequency, ends, strict=True):
            yield word_number(word, self._language), postings[start:end]

    def _split(
        self,
        words: Integers,
        counts: NDArray[np.float64],
        pages: Integers,
        lengths: NDArray[np.float64],
    ) -> tuple[Integers, NDArray[np.float64], Integers, NDArray[np.float64]]:
        """With the parts of compounds, each word once a page, sorted by word and page."""
        parts = np.full((2, len(self._words)), -1)
        if self._weights.parts:
            for word, number in self._words.items():
                for side, part in enumerate(parts_of(word, self._words.__contains__)):
                    parts[side, number] = self._words[part]
        columns = [(words, counts, pages, lengths)]
        for part_of in parts:
            has = part_of[words] >= 0
            share = counts[has] * self._weights.parts
            columns.append((part_of[words][has], share, pages[has], lengths[has]))
        words, counts, pages, lengths = map(np.concatenate, zip(*columns, strict=True))
        key = words * (int(pages.max(initial=0)) + 1) + pages
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        summed = np.bincount(place, counts, minlength=len(first)).astype(np.float64)
        return words[first], summed, pages[first], lengths[first]


def tables_of(bags: Iterable[Bags]) -> tuple[bytes, bytes]:
    """The table of words, and the postings that it points to."""
    rows, parts, start = [], [], 0
    every = (posting for bag in bags for posting in bag.postings())
    for number, postings in sorted(every, key=itemgetter(0)):
        part = postings.tobytes()
        rows.append((number, start, len(postings), crc32(part)))
        parts.append(part)
        start += len(postings)
    return np.array(rows, WORD).tobytes(), b"".join(parts)
