"""One page ready to be searched: made once from its text, and never changed.

It holds arrays, strings and numbers only, so that it can be written to a file; what is quickly
made from those is made when it is first asked for.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from klopt.lexicons import Lexicons
from klopt.matching.layout import Layout, layout_of
from klopt.matching.relations import COMPOUND, SAME, STEM, SYNONYM, Relations
from klopt.matching.units import Integers, Units, units_of
from klopt.reading.forms import LONGEST_CHARS
from klopt.reading.reader import Reading
from klopt.reading.text import Span
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = [
    "LITERAL_WEIGHT",
    "WEIGHTS",
    "Context",
    "PageIndex",
    "index_page",
    "rarity",
    "runs_of",
    "tails",
]

WEIGHTS: Final = 1000
"""What the weight of a word is counted in, so that sums are exact: 1000 for one that stands
nowhere, less the more sentences have it, and never under `LEAST_WEIGHT` of that."""
LEAST_WEIGHT: Final = 0.05
LITERAL_WEIGHT: Final = 2
"""How many times as much a number, a key or code counts as a word that is as rare."""
LONGEST_HEADING_CHARS: Final = 80

PART_CHARS: Final = 5
"""A part of a compound, or a common beginning, has at least so many characters."""
COMPOUND_EXTRA_CHARS: Final = 2
STEM_SHARE: Final = 0.7
"""Two words of one stem share at least this much of the shorter one, from its start."""


def rarity(count: float, total: int) -> int:
    """What a word counts that stands in so many of all sentences: the rarer, the more.

    >>> rarity(0, 10), rarity(10, 10)
    (1000, 220)
    """
    weight = math.log(1 + total / (0.5 + count)) / math.log(1 + 2 * total)
    return round(WEIGHTS * max(weight, LEAST_WEIGHT))


@dataclass(frozen=True, eq=False)
class PageIndex:
    """One page.

    Attributes:
        reading: Its plain text with the way back, sentences, components, guides.
        units: Its sentences with words, as integers.
        counts: In how many sentences each word stands, shape ``(n_words,)``.
        weights: What each word counts on this page, in thousandths; see `rarity`.
        title: The words of its first sentence: what the page is about.
        headings: Those of its headings, and of its second sentence, which says it in other words.
        solution: Those of the part under a heading such as "Solution", to one such as "Related
            information" or the end; empty without such a part.
        paths: For each sentence the numbers of the headings above it, outermost first.
    """

    reading: Reading
    units: Units
    counts: Integers
    weights: Integers
    title: Integers
    headings: Integers
    solution: Integers
    paths: tuple[tuple[int, ...], ...]

    @cached_property
    def layout(self) -> Layout:
        """Which of its sentences may be one place, and what each is read with."""
        return layout_of(self.reading, self.units, self.paths)

    def runs(self, length: int) -> frozenset[tuple[str, ...]]:
        """All runs of so many words with content; looked up again where they were asked before."""
        known = self._runs.get(length)
        if known is None:
            known = self._runs[length] = frozenset(runs_of(self.units, length))
        return known

    @cached_property
    def _runs(self) -> dict[int, frozenset[tuple[str, ...]]]:
        return {}

    @cached_property
    def _forwards(self) -> list[tuple[str, int]]:
        return sorted((word, number) for number, word in self._long_words())

    @cached_property
    def _backwards(self) -> list[tuple[str, int]]:
        return sorted((word[::-1], number) for number, word in self._long_words())

    def _long_words(self) -> Iterator[tuple[int, str]]:
        for number, word in enumerate(self.units.words):
            if len(word) >= PART_CHARS and word[0] not in LITERAL_SIGNS:
                yield number, word

    def place(self, key: str) -> Span | None:
        """Where it names a component; a component goes before mere words. None when nowhere."""
        known = self._places.get(key)
        return self.reading.folded.find(key) if known is None else known

    def sets_apart(self, key: str) -> bool:
        """Whether it names a component as one, and not merely in words."""
        return key in self._places

    def names(self, key: str) -> bool:
        """Whether it names a component, or has its name as whole words."""
        return self.place(key) is not None

    @cached_property
    def _places(self) -> dict[str, Span]:
        found: dict[str, Span] = {}
        for one in self.reading.components:
            found.setdefault(one.key, Span(one.start, one.end))
        return found

    def like(self, word: str, relations: Relations) -> dict[int, int]:
        """The words of the page that are like a word: integer → likeness in thousandths.

        The same word, a synonym, a compound and its last part, or words of one beginning; words
        that exclude each other are not alike, however much they have in common.

        Args:
            word: A key of `klopt.reading.tokens`.
            relations: Of the page's language.
        """
        ids = self.units.ids
        found: dict[int, int] = {}
        own = ids.get(word)
        if own is not None:
            found[own] = SAME
        for other in relations.synonyms(word):
            if other in ids:
                found.setdefault(ids[other], SYNONYM)
        if word[0] in LITERAL_SIGNS:
            return found
        if len(word) >= PART_CHARS:
            self._add_parts(word, found)
        for other in relations.opposites(word):
            if other in ids:
                found.pop(ids[other], None)
        return found

    def _add_parts(self, word: str, found: dict[int, int]) -> None:
        ids = self.units.ids
        for tail in tails(word):
            if tail in ids:
                found.setdefault(ids[tail], COMPOUND)
        for other, number in _starting(self._backwards, word[::-1]):
            if len(other) >= len(word) + 2:
                found.setdefault(number, COMPOUND)
        for other, number in _starting(self._forwards, word[:PART_CHARS]):
            if number not in found:
                likeness = stem_likeness(word, other)
                if likeness:
                    found[number] = likeness


@dataclass(frozen=True, slots=True)
class Context:
    """A page of a turn: the name that evidence gives it, and what it says."""

    page: str
    index: PageIndex


def index_page(reading: Reading, lexicons: Lexicons) -> PageIndex:
    """The index of a page.

    Args:
        reading: The page.
        lexicons: The tables of its language; of ``solutions``, the groups are matched against a
            whole sentence, so a heading is found with and without markup.
    """
    units = units_of(reading, lexicons)
    counts = np.bincount(units.tokens, minlength=len(units.words))
    weights = [rarity(count, max(1, len(units))) for count in counts.tolist()]
    levels = _heading_levels(reading, units)
    first = [units.of(unit) for unit in range(min(2, len(units)))]
    none = np.empty(0, np.int64)
    headings = np.concatenate([none, *first[1:], *(units.of(unit) for unit in levels)])
    return PageIndex(
        reading,
        units,
        counts,
        np.array(weights, np.int64),
        first[0] if first else none,
        np.unique(headings),
        np.unique(_solution(reading, units, lexicons)),
        tuple(_paths(levels, len(units))),
    )


def runs_of(units: Units, length: int) -> list[tuple[str, ...]]:
    """All runs of so many words with content, in order, each place counted."""
    words = [units.words[number] for number in units.sequence.tolist()]
    return list(zip(*(words[start:] for start in range(length)), strict=False))


def tails(word: str) -> Iterator[str]:
    """The last parts of a word that may be words of their own.

    >>> list(tails("netwerkkabel"))[-2:]
    ['kkabel', 'kabel']
    """
    if len(word) <= LONGEST_CHARS:
        for cut in range(COMPOUND_EXTRA_CHARS, len(word) - PART_CHARS + 1):
            yield word[cut:]


def stem_likeness(first: str, second: str) -> int:
    """How like two words with one beginning are.

    >>> stem_likeness("verwijderen", "verwijdering"), stem_likeness("computer", "compact")
    (600, 0)
    """
    shorter, longer = sorted((first, second), key=len)
    if len(longer) - len(shorter) >= COMPOUND_EXTRA_CHARS and longer.startswith(shorter):
        return COMPOUND
    shared = next(
        (at for at, pair in enumerate(zip(shorter, longer, strict=False)) if pair[0] != pair[1]),
        len(shorter),
    )
    return STEM if shared >= STEM_SHARE * len(shorter) else 0


def _starting(words: list[tuple[str, int]], beginning: str) -> Iterator[tuple[str, int]]:
    """The words with a beginning, of a sorted list."""
    for at in range(bisect_left(words, (beginning, -1)), len(words)):
        if not words[at][0].startswith(beginning):
            return
        yield words[at]


def _heading_levels(reading: Reading, units: Units) -> dict[int, int]:
    """Number of a sentence that is a heading → its level."""
    found: dict[int, int] = {}
    for block in reading.plain.blocks:
        if block.kind == "heading":
            found.update(dict.fromkeys(units.numbers(block.start, block.end), block.level))
    return found


def _paths(levels: dict[int, int], count: int) -> Iterator[tuple[int, ...]]:
    path: tuple[int, ...] = ()
    for unit in range(count):
        level = levels.get(unit)
        if level is not None:
            path = tuple(one for one in path if levels[one] < level)
        yield path
        if level is not None:
            path = (*path, unit)


def _solution(reading: Reading, units: Units, lexicons: Lexicons) -> Integers:
    start = _first_heading(reading, units, lexicons, "solution", 0)
    if start is None:
        return np.empty(0, np.int64)
    end = _first_heading(reading, units, lexicons, "after_solution", start + 1)
    last = len(units) if end is None else end
    if start + 1 >= last:
        return np.empty(0, np.int64)
    return np.concatenate([units.of(unit) for unit in range(start + 1, last)])


def _first_heading(
    reading: Reading, units: Units, lexicons: Lexicons, group: str, begin: int
) -> int | None:
    """The number of the first sentence that is a heading of a kind."""
    patterns = lexicons["solutions"].group(group)
    for unit in range(begin, len(units)):
        text = reading.plain.text[units.starts[unit] : units.ends[unit]]
        if len(text) <= LONGEST_HEADING_CHARS and any(one.search(text) for one in patterns):
            return unit
    return None
