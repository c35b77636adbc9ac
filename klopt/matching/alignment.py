"""Which sentence of which page says what a sentence of the answer says, and how completely.

A sentence of the answer is *covered* by sentences of a page in so far as its words, each with
its weight, stand there or are like words that do (`klopt.matching.likeness`). Rare words weigh
more than those that every sentence has; numbers, keys and code weigh more than words.

Words that stand elsewhere on the page count for a part: an answer says "the panel" where the
page has named it three sentences earlier.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from klopt.matching.index import Index, Indexes
from klopt.matching.likeness import Synonyms
from klopt.matching.relevance import relevance
from klopt.matching.units import LITERAL_SIGNS, Unit, units_of
from klopt.reading.parse import Parse
from klopt.reading.reader import Reading

ELSEWHERE: Final = 0.4
"""What a word counts that stands on the page but not in the sentence."""
PAIR: Final = 0.97
"""What the coverage by two sentences together counts, against that by one."""
LITERAL_WEIGHT: Final = 1.5
LEAST_WEIGHT: Final = 0.1
EQUAL: Final = 1e-9
"""Shares that differ by less are the same: sums come out otherwise in another order."""
MOST_PLACES: Final = 200
"""From about so many sentences of a page on, only those with its rarest words are looked at."""

Likes: TypeAlias = Mapping[str, Mapping[str, float]]
Matches: TypeAlias = dict[int, dict[str, tuple[float, str]]]
"""Number of a sentence → word → how like, and the likest word of the sentence."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """The place on one page that covers a sentence best.

    Attributes:
        share: How much of the sentence's weight is covered, 0 to 1.
        units: The one or two sentences of the page; none when nothing is like it.
    """

    share: float
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Resembling:
    """A sentence of a page that says something like a sentence of the answer.

    Attributes:
        share: How like the two are, above 0 to 1.
        page: The page's number.
        unit: Its sentence.
    """

    share: float
    page: int
    unit: Unit


@dataclass(frozen=True)
class AlignedPage:
    """One page, seen from an answer.

    Attributes:
        page: Its id.
        index: Its text.
        likes: Token of the turn → tokens of the page that are like it.
    """

    page: str
    index: Index
    likes: Likes

    def has(self, key: str) -> float:
        """How like the likest word of the page is: 0 to 1."""
        return max(self.likes[key].values(), default=0.0)

    def matches(self, keys: Iterable[str]) -> Matches:
        """The page's sentences that have words like some words.

        A sentence of a help page stands among a hundred others. On a page of thousands, words
        that stand in more than `MOST_PLACES` sentences add to those that rarer words have found,
        and find no more, so that the time grows with the length of the answer alone.

        Args:
            keys: Words of the answer or the question.

        Returns:
            Number of the sentence → word → how like, and the likest word of the sentence.
        """
        found: Matches = {}
        pairs = [
            (key, word, likeness) for key in keys for word, likeness in self.likes[key].items()
        ]
        places = self.index.places
        for key, word, likeness in sorted(pairs, key=lambda pair: len(places[pair[1]])):
            numbers: Iterable[int] = places[word]
            if len(found) >= MOST_PLACES or len(places[word]) > MOST_PLACES:
                known = _shared(places[word], found)
                is_full = len(found) >= MOST_PLACES
                numbers = known if known or is_full else places[word][:MOST_PLACES]
            for number in numbers:
                words = found.setdefault(number, {})
                if key not in words or likeness > words[key][0]:
                    words[key] = (likeness, word)
        return found


class Alignment:
    """One answer beside its question and its pages; what is costly is done when asked for.

    Args:
        question: The question.
        answer: The answer.
        pages: Page ids with their indexes, in the given order.
        synonyms: Those of the language.
    """

    def __init__(
        self,
        question: Index,
        answer: Index,
        pages: Iterable[tuple[str, Index]],
        synonyms: Synonyms,
    ) -> None:
        self.question = question
        self.answer = answer
        keys = dict.fromkeys((*answer.places, *question.places))
        self.pages = tuple(
            AlignedPage(page, index, {key: index.vocabulary.like(key, synonyms) for key in keys})
            for page, index in pages
        )
        self._weights: dict[str, float] = {}
        self._page_weights: dict[str, float] = {}
        self._whole_weights: dict[tuple[int, int], float] = {}
        self._aligned: dict[tuple[tuple[str, ...], int], Aligned] = {}
        self._matched: dict[tuple[tuple[str, ...], int], Matches] = {}
        self._resembling: dict[tuple[str, ...], list[Resembling]] = {}

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The sentences of the answer that have words, without greetings and the like."""
        fillers = set(self.answer.reading.fillers)
        spans = {(one.start, one.end) for one in fillers}
        return tuple(
            unit for unit in self.answer.units if unit.keys and (unit.start, unit.end) not in spans
        )

    @cached_property
    def _unit_count(self) -> int:
        return max(1, sum(len(page.index.units) for page in self.pages))

    def weight(self, key: str) -> float:
        """How much a word counts: the rarer it is in the sentences of the pages, the more."""
        weight = self._weights.get(key)
        if weight is None:
            counts: dict[str, float] = {}
            for page in self.pages:
                for word, likeness in page.likes[key].items():
                    count = likeness * len(page.index.places[word])
                    counts[word] = counts.get(word, 0.0) + count
            weight = self._rarity(max(counts.values(), default=0.0))
            if key.startswith(LITERAL_SIGNS):
                weight *= LITERAL_WEIGHT
            self._weights[key] = weight
        return weight

    def page_weight(self, key: str) -> float:
        """How much a word of a page counts."""
        weight = self._page_weights.get(key)
        if weight is None:
            count = sum(len(page.index.places.get(key, ())) for page in self.pages)
            weight = self._page_weights[key] = self._rarity(count)
        return weight

    def _rarity(self, count: float) -> float:
        total = self._unit_count
        rarity = math.log(1 + total / (0.5 + count)) / math.log(1 + 2 * total)
        return max(rarity, LEAST_WEIGHT)

    def unit_weight(self, unit: Unit) -> float:
        """The weight of a sentence's words together."""
        return sum(self.weight(key) for key in unit.keys)

    @cached_property
    def places(self) -> tuple[tuple[Aligned, ...], ...]:
        """Shape ``(n_units, n_pages)``: where each page covers each sentence best."""
        return tuple(
            tuple(self._align_once(unit.keys, number) for number in range(len(self.pages)))
            for unit in self.units
        )

    def asked(self, page: AlignedPage) -> Aligned:
        """Where a page covers the question best."""
        return self._align(tuple(self.question.places), self.pages.index(page))

    def _align_once(self, keys: tuple[str, ...], number: int) -> Aligned:
        known = self._aligned.get((keys, number))
        if known is None:
            known = self._aligned[keys, number] = self._align(keys, number)
        return known

    def _matches(self, keys: tuple[str, ...], at: int) -> Matches:
        """The sentences of a page that have words like some words, in order."""
        known = self._matched.get((keys, at))
        if known is None:
            found = self.pages[at].matches(keys)
            known = self._matched[keys, at] = dict(sorted(found.items()))
        return known

    def _align(self, keys: tuple[str, ...], at: int) -> Aligned:
        """The sentence, or two that follow one another, that cover the words best."""
        page = self.pages[at]
        base = total = 0.0
        elsewhere: dict[str, float] = {}
        for key in keys:
            weight = self.weight(key)
            total += weight
            elsewhere[key] = ELSEWHERE * page.has(key)
            base += weight * elsewhere[key]
        gains = {
            number: {
                key: self.weight(key) * (likeness - elsewhere[key])
                for key, (likeness, _) in words.items()
                if likeness > elsewhere[key]
            }
            for number, words in self._matches(keys, at).items()
        }
        if not total or not gains:
            return Aligned(base / total if total else 0.0, ())
        best = -1.0
        units: tuple[int, ...] = ()
        for number, found in gains.items():
            own = sum(found.values())
            share = (base + own) / total
            if share > best:
                best, units = share, (number,)
            following = gains.get(number + 1)
            if following is not None:
                both = own + sum(
                    gain - found.get(key, 0.0)
                    for key, gain in following.items()
                    if gain > found.get(key, 0.0)
                )
                share = PAIR * (base + both) / total
                if share > best:
                    best, units = share, (number, number + 1)
        return Aligned(min(1.0, best), tuple(page.index.units[number] for number in units))

    @cached_property
    def support(self) -> tuple[float, ...]:
        """For each page, how much of the whole answer it covers, sentence by sentence: 0 to 1."""
        weights = [self.unit_weight(unit) for unit in self.units]
        total = sum(weights)
        if not total:
            return tuple(0.0 for _ in self.pages)
        return tuple(
            sum(
                weight * row[number].share for weight, row in zip(weights, self.places, strict=True)
            )
            / total
            for number in range(len(self.pages))
        )

    @cached_property
    def best_pages(self) -> tuple[AlignedPage, ...]:
        """The page that covers most of the answer, with those that cover as much; none of none."""
        highest = max(self.support, default=0.0)
        return tuple(
            page
            for page, share in zip(self.pages, self.support, strict=True)
            if share >= highest - EQUAL
        )

    def resembling(self, unit: Unit) -> list[Resembling]:
        """The sentences of the pages that share words with a sentence of the answer.

        Unlike `places`, which asks only whether the answer's words are there, this asks whether
        the two sentences say the same: the harmonic mean of what the page's sentence covers of
        the answer's, and the answer's of the page's. The likest comes first; of equals, the one
        that stands first.
        """
        found = self._resembling.get(unit.keys)
        if found is None:
            found = [
                Resembling(self._resemblance(unit, at, number, words), at, page.index.units[number])
                for at, page in enumerate(self.pages)
                for number, words in self._matches(unit.keys, at).items()
            ]
            found.sort(key=lambda one: -one.share)
            self._resembling[unit.keys] = found
        return found

    def _resemblance(
        self, unit: Unit, page: int, number: int, words: Mapping[str, tuple[float, str]]
    ) -> float:
        whole = self._whole_weights.get((page, number))
        if whole is None:
            keys = self.pages[page].index.units[number].keys
            whole = self._whole_weights[page, number] = sum(map(self.page_weight, keys))
        covers = sum(self.weight(key) * words[key][0] for key in unit.keys if key in words)
        theirs = dict.fromkeys(words[key][1] for key in unit.keys if key in words)
        covered = sum(map(self.page_weight, theirs))
        return _harmonic_mean(covers / self.unit_weight(unit), covered / whole)

    def coverage(self, keys: Iterable[str], page: AlignedPage, words: Iterable[str]) -> float:
        """How much of some words' weight a set of words of a page covers: 0 to 1."""
        having = words if isinstance(words, frozenset | set) else frozenset(words)
        total = covered = 0.0
        for key in keys:
            weight = self.weight(key)
            total += weight
            covered += weight * max(
                (likeness for word, likeness in page.likes[key].items() if word in having),
                default=0.0,
            )
        return covered / total if total else 0.0

    @cached_property
    def relevance(self) -> tuple[float, ...]:
        """For each page, the chance that it is the one which the question is about; sums to 1."""
        return relevance(self)


def _harmonic_mean(first: float, second: float) -> float:
    return 2 * first * second / (first + second) if first + second else 0.0


def _shared(numbers: tuple[int, ...], found: Mapping[int, object]) -> list[int]:
    """The sentences that are in both, by way of the shorter; numbers are in order."""
    if len(numbers) <= len(found):
        return [number for number in numbers if number in found]
    return [number for number in found if _holds(numbers, number)]


def _holds(numbers: tuple[int, ...], number: int) -> bool:
    at = bisect_left(numbers, number)
    return at < len(numbers) and numbers[at] == number


def align(
    question: Reading,
    answer: Reading,
    pages: Iterable[tuple[str, Reading]],
    *,
    parser: Callable[[Reading], Parse],
    indexes: Indexes,
    synonyms: Synonyms,
) -> Alignment:
    """An answer beside its question and pages; the pages' indexes are remembered.

    Args:
        question: The question.
        answer: The answer.
        pages: Page ids with their readings, in the given order.
        parser: Reading → parse.
        indexes: Those of the pages seen so far.
        synonyms: Those of the language.
    """
    asked, answered = (
        Index(text, parser(text), units_of(text, parser(text))) for text in (question, answer)
    )
    read = ((page, indexes.of(reading, parser(reading))) for page, reading in pages)
    return Alignment(asked, answered, read, synonyms)
