"""Search by words: BM25 scores of the pages that have a question's words."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.text.plain import PlainText
from klopt.text.values import LITERAL_SIGNS
from klopt.types import Page
from klopt.verification.index import PageIndex, tails
from klopt.verification.language import Language
from klopt.verification.units import Integers

_Floats: TypeAlias = NDArray[np.float64]

POSTING: Final = np.dtype([("page", "<u4"), ("impact", "<f4")])
WORD: Final = np.dtype([("word", "<u8"), ("start", "<u4"), ("count", "<u4")])
"""One row of the table of words, sorted by number, with its place in the table of postings."""

_HEAD_CHARS: Final = 3
_NAME_CHARS: Final = 300
_NAME_SIGNS: Final = re.compile(r"\.\w{1,8}\Z|[/\\_.-]+")  # ending, and signs between words
_LINKS: Final = ("", "s", "e", "en", "-")  # Linking letters between the parts of a compound


@dataclass(frozen=True, slots=True)
class Weights:
    """Parameters of BM25, and occurrences added for a word of the title or a heading.

    A part of a compound counts as ``parts`` occurrences; 0 does not split compounds.
    """

    k1: float = 2.5
    b: float = 0.75
    title: float = 8.0
    headings: float = 1.0
    name: float = 2.0
    parts: float = 0.5
    rarity: float = 0.7


WEIGHTS: Final = Weights()


def word_number(word: str, language: str) -> int:
    """Return the 64-bit hash of a word of a language, the same on every machine."""
    named = f"{language}\0{word}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), "little")


def parts_of(word: str, is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the two known words that make up a compound, with the longest last part.

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
    """The words of all pages in one language."""

    def __init__(self, language: Language, weights: Weights) -> None:
        self._language = language
        self._weights = weights
        self._words: dict[str, int] = {}
        self._bags: list[tuple[Integers, _Floats, _Floats, Integers, _Floats]] = []

    def numbers(self, words: Iterable[str]) -> Integers:
        """Return the number of each word; new words get the next ones."""
        known = [self._words.setdefault(word, len(self._words)) for word in words]
        return np.array(known, np.int64)

    def add(self, index: PageIndex, page: Page, number: int) -> None:
        """Add a page under its number."""
        own, weights = self.numbers(index.units.words), self._weights
        title = self._words_of(page.title) if page.title else own[np.unique(index.title)]
        fields = (
            (title, weights.title),
            (own[np.unique(index.headings)], weights.headings),
            (self._words_of(_NAME_SIGNS.sub(" ", page.id)), weights.name),
        )
        words = np.unique(np.concatenate([own, *(words for words, _ in fields)]))
        counts, extra = np.zeros((2, len(words)))
        counts[np.searchsorted(words, own)] = np.bincount(index.units.sequence, minlength=len(own))
        for named, weight in fields:
            extra[np.searchsorted(words, named)] += weight
        lengths = np.full(len(words), counts.sum())
        self._bags.append((words, counts, extra, np.full(len(words), number), lengths))

    def _words_of(self, name: str) -> Integers:
        """The distinct content words of a title or file name."""
        tokens = self._language.reader.read(name[:_NAME_CHARS], "plain").tokens
        return np.unique(self.numbers(tokens.keys[at] for at in tokens.running))

    def postings(self) -> Iterator[tuple[int, NDArray[np.void]]]:
        """Yield the hash of each word and its postings, sorted by page."""
        if not self._words:
            return
        words, counts, extra, pages, lengths = map(np.concatenate, zip(*self._bags, strict=True))
        total = len(self._bags)
        mean = sum(float(bag[1].sum()) for bag in self._bags) / total or 1.0
        k1, b = self._weights.k1, self._weights.b
        counts = counts / (1 - b + b * lengths / mean) + extra
        words, counts, pages = self._split(words, counts, pages)
        frequency = np.bincount(words, minlength=len(self._words))
        rarity = np.log1p((total - frequency + 0.5) / (frequency + 0.5)) ** self._weights.rarity
        postings = np.empty(len(words), POSTING)
        postings["page"] = pages
        postings["impact"] = rarity[words] * counts * (k1 + 1) / (counts + k1)
        ends = np.cumsum(frequency)
        for word, start, end in zip(self._words, ends - frequency, ends, strict=True):
            yield word_number(word, self._language.code), postings[start:end]

    def _split(
        self, words: Integers, counts: _Floats, pages: Integers
    ) -> tuple[Integers, _Floats, Integers]:
        """Add the parts of compounds; each word once a page, sorted by word and page."""
        parts = np.full((2, len(self._words)), -1)
        if self._weights.parts:
            for word, number in self._words.items():
                for side, part in enumerate(parts_of(word, self._words.__contains__)):
                    parts[side, number] = self._words[part]
        columns = [(words, counts, pages)]
        for part_of in parts:
            has = part_of[words] >= 0
            columns.append((part_of[words][has], counts[has] * self._weights.parts, pages[has]))
        words, counts, pages = map(np.concatenate, zip(*columns, strict=True))
        key = words * (int(pages.max(initial=0)) + 1) + pages
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        summed = np.bincount(place, counts, len(first)).astype(np.float64)
        return words[first], summed, pages[first]


def tables_of(bags: Iterable[Bags]) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """Return the table of words and the postings that it points to."""
    rows, tables, start = [], [np.zeros(0, POSTING)], 0
    every = (posting for bag in bags for posting in bag.postings())
    for number, postings in sorted(every, key=itemgetter(0)):
        rows.append((number, start, len(postings)))
        tables.append(postings)
        start += len(postings)
    return np.array(rows, WORD), np.concatenate(tables)


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
