"""Search by words: BM25 scores of the pages that have a question's words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.retrieval.postings import WEIGHTS, Weights, parts_of, word_number
from klopt.text.plain import PlainText
from klopt.types import Page
from klopt.verification.index import PageIndex
from klopt.verification.language import Language

TITLE_CHARS: Final = 200
_HEADING_SHARE: Final = 1e-3


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page found for a question, its score and its title, or first heading.

    The score, higher is better, is BM25, or with vectors the cosine of the page's best passage plus
    `klopt.retrieval.vectors.BM25_WEIGHT` times BM25; comparable within one question and one index.
    """

    page: Page
    score: float
    title: str | None


def title_in(plain: PlainText) -> str | None:
    """Return the first heading of a text, or None."""
    headings = (block for block in plain.blocks if block.kind == "heading")
    texts = (" ".join(plain.text[block.start : block.end].split()) for block in headings)
    return next((text[:TITLE_CHARS] for text in texts if text), None)


class Searcher:
    """Scores pages by the words of a question; a `ValueError` for tables that are invalid."""

    def __init__(
        self,
        words: NDArray[Any],
        postings: NDArray[Any],
        page_count: int,
        weights: Weights = WEIGHTS,
    ) -> None:
        self._words, self._postings = words, postings
        self._numbers = np.ascontiguousarray(words["word"])
        self._page_count, self._weights = page_count, weights
        ends = words["start"].astype(np.int64) + words["count"]
        if (ends > len(postings)).any() or (postings["page"] >= page_count).any():
            raise ValueError("a word or posting points outside the index")
        if not np.isfinite(postings["impact"]).all():
            raise ValueError("an impact is not a number")

    def scores(self, question: str, language: Language) -> NDArray[np.float64]:
        """Return the score of each page; 0 for a page without a word of the question."""
        scores = np.zeros(self._page_count)
        for word, weight in self.wanted(question, language).items():
            if (place := self._place(word, language.code)) is not None:
                postings = self._postings[place]
                scores[postings["page"]] += weight * postings["impact"]
        return scores

    def best_unit(self, question: str, language: Language, index: PageIndex) -> int:
        """Return the sentence with most of a question, rare words first; a heading at last."""
        units, weights = index.units, np.zeros(len(index.units.words))
        for word, weight in self.wanted(question, language).items():
            number, place = units.ids.get(word), self._place(word, language.code)
            if number is not None and place is not None:
                weights[number] = weight * np.log1p(self._page_count / (place.stop - place.start))
        sums = np.add.reduceat(np.append(weights[units.tokens], 0.0), units.offsets)
        headings = [unit for path in index.paths for unit in path]
        sums[headings] *= _HEADING_SHARE
        return int(sums.argmax())

    def wanted(self, question: str, language: Language) -> Mapping[str, float]:
        """Return the words of a question, and their parts, with the weight of each."""
        tokens = language.reader.read(question).tokens
        wanted: defaultdict[str, float] = defaultdict(float)
        for number in tokens.running:
            word = tokens.keys[number]
            wanted[word] += 1.0
            if share := self._weights.parts:
                for part in parts_of(word, lambda one: self._place(one, language.code) is not None):
                    wanted[part] += share
        return wanted

    def _place(self, word: str, language: str) -> slice | None:
        """The postings of a word, or None where no page has it."""
        number = word_number(word, language)
        at = int(np.searchsorted(self._numbers, np.uint64(number)))
        if at == len(self._words) or self._numbers[at] != number:
            return None
        _, start, count = self._words[at].item()
        return slice(start, start + count)


def best(scores: NDArray[np.float64], k: int) -> list[tuple[int, float]]:
    """Return position and value of the k highest scores above 0; equal ones by position."""
    found = np.flatnonzero(scores)
    if len(found) > k:
        least = np.partition(scores[found], len(found) - k)[len(found) - k]
        found = found[scores[found] >= least]
    order = found[np.argsort(-scores[found], kind="stable")][:k]
    return list(zip(order.tolist(), scores[order].tolist(), strict=True))
