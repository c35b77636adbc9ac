"""The pages that fit a question best: its words looked up, what they say of each page added up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.indexing.postings import POSTING, WEIGHTS, Weights, parts_of, word_number
from klopt.matching.language import Language
from klopt.reading.markup import read_text
from klopt.reading.text import PlainText
from klopt.records import Page

_TITLE_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that was found.

    Attributes:
        page: The page.
        score: BM25, or with vectors `klopt.indexing.vectors.WORDS_COUNT` times that and the cosine
            of the page's best passage. Higher fits better; to compare within one question and one
            index only.
    """

    page: Page
    score: float

    @property
    def title(self) -> str | None:
        r"""The page's title, or else the first heading near its beginning; None without either.

        >>> FoundPage(Page("# Wifi\n\nKlik op **Netwerk**.", "wifi.md"), 1.0).title
        'Wifi'
        """
        if self.page.title is not None:
            return self.page.title
        return title_in(read_text(self.page.text[:_TITLE_CHARS], self.page.format))


def title_in(plain: PlainText) -> str | None:
    """The first heading of a text, or None."""
    headings = (block for block in plain.blocks if block.kind == "heading")
    return next((plain.text[block.start : block.end].strip() for block in headings), None)


class Searcher:
    """Looks words up. Safe to use from several threads."""

    def __init__(
        self,
        words: NDArray[Any],
        read: Callable[[int, int, int], bytes],
        page_count: int,
        weights: Weights = WEIGHTS,
    ) -> None:
        self._parts = weights.parts
        self._words = words
        self._numbers = np.ascontiguousarray(words["word"])
        self._read = read
        self._page_count = page_count

    def ranked(self, question: str, language: Language, k: int) -> list[tuple[int, float]]:
        """The numbers of the pages that fit best, and how well; of two alike the first."""
        return best(self.scores(question, language), k)

    def scores(self, question: str, language: Language) -> NDArray[np.float64]:
        """How well each page fits, 0 for one without a word of the question."""
        scores = np.zeros(self._page_count)
        for word, weight in self._wanted(question, language).items():
            row = self._row(word, language.code)
            if row is not None:
                _, start, count, its_sum = row
                postings = np.frombuffer(self._read(start, count, its_sum), POSTING)
                if postings["page"].max(initial=0) >= self._page_count:
                    raise ValueError("a posting is of no page")
                if not np.isfinite(postings["impact"]).all():
                    raise ValueError("an impact is no number")
                scores[postings["page"]] += weight * postings["impact"]
        return scores

    def _wanted(self, question: str, language: Language) -> Mapping[str, float]:
        tokens = language.reader.read(question).tokens
        wanted: defaultdict[str, float] = defaultdict(float)
        for number in tokens.running:
            word = tokens.keys[number]
            wanted[word] += 1.0
            if not self._parts:
                continue
            for part in parts_of(word, lambda piece: self._row(piece, language.code) is not None):
                wanted[part] += self._parts
        return wanted

    def _row(self, word: str, language: str) -> tuple[int, int, int, int] | None:
        number = word_number(word, language)
        at = int(np.searchsorted(self._numbers, np.uint64(number)))
        if at == len(self._words) or self._numbers[at] != number:
            return None
        row: tuple[int, int, int, int] = self._words[at].item()
        return row


def best(scores: NDArray[np.float64], k: int) -> list[tuple[int, float]]:
    """The numbers of the highest scores that are not 0, and these; of two alike the first."""
    some = np.flatnonzero(scores)
    if len(some) > k:
        least = np.partition(scores[some], len(some) - k)[len(some) - k]
        some = some[scores[some] >= least]
    order = some[np.argsort(-scores[some], kind="stable")][:k]
    return list(zip(order.tolist(), scores[order].tolist(), strict=True))
