"""What the passages of pages mean: how near each page is to a question, in whatever language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.embedding.encoder import LONGEST_CHARS, WIDTH, TextEncoder, Vector, WholeNumbers
from klopt.indexing.search import title_in
from klopt.reading.text import PlainText
from klopt.records import Page

PASSAGE: Final = np.dtype([("record", "<u4"), ("vector", "i1", WIDTH)])
"""A passage of a page: the record of the page, in rising order, and what it means."""

PASSAGE_WORDS: Final = 90
MOST_PASSAGES: Final = 64
"""So much of a page is read for its vectors."""
WORDS_COUNT: Final = 0.003
"""What a point of BM25 counts beside likeness, which lies between 0.7 and 1."""
_AT_ONCE: Final = 8_192


def passages_of(page: Page, plain: PlainText) -> list[str]:
    r"""A page's text cut into pieces of `PASSAGE_WORDS`, each after the page's title.

    >>> from klopt.reading.markup import read_text
    >>> page = Page("# Wifi\n\nKlik op **Uit**.", "wifi.md")
    >>> passages_of(page, read_text(page.text))
    ['Wifi. Wifi Klik op Uit.']
    """
    title = (page.title or title_in(plain) or page.id or "")[:LONGEST_CHARS]
    words = plain.text.split()
    starts = range(0, len(words), PASSAGE_WORDS)[:MOST_PASSAGES]
    return [f"{title}. {' '.join(words[at : at + PASSAGE_WORDS])}" for at in starts]


def vectors_of(page: Page, plain: PlainText) -> WholeNumbers:
    """What each passage of a page means; shape ``(n, 384)``."""
    encoder = TextEncoder.shipped()
    found = [encoder.passage(text) for text in passages_of(page, plain)]
    return np.array(found, np.int8).reshape(-1, WIDTH)


class Likeness:
    """How near the pages of an index are to a question.

    Args:
        passages: As they stand in the file, of kind `PASSAGE`.
        records: The record of each page.

    Raises:
        ValueError: The passages are not in the order of their records.
    """

    def __init__(self, passages: NDArray[np.void], records: NDArray[np.int64]) -> None:
        self._vectors: WholeNumbers = passages["vector"]
        self._lengths = self._blockwise(lambda some: np.linalg.norm(some, axis=1)).clip(min=1)
        owners = passages["record"].astype(np.int64)
        if (np.diff(owners) < 0).any():
            raise ValueError("the passages are in no order")
        self._records, self._starts = np.unique(owners, return_index=True)
        self._rows = np.searchsorted(self._records, records)
        self._rows[self._rows == len(self._records)] = 0
        self._has_any = np.isin(records, self._records)

    def of(self, question: Vector) -> NDArray[np.float64]:
        """The cosine of the best passage of each page; 0 for a page without text."""
        if not len(self._records):
            return np.zeros(len(self._rows))
        cosines = self._blockwise(lambda some: some @ question) / self._lengths
        best = np.maximum.reduceat(cosines, self._starts)
        return np.where(self._has_any, best[self._rows], 0.0)

    def _blockwise(self, function: Callable[[NDArray[np.float32]], NDArray[np.float32]]) -> Vector:
        """A number for each vector, some of them at a time, so that few are wide at once."""
        blocks = range(0, len(self._vectors), _AT_ONCE)
        wide = (self._vectors[at : at + _AT_ONCE].astype(np.float32) for at in blocks)
        return np.concatenate([np.zeros(0, np.float32), *map(function, wide)])
