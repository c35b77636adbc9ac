"""Word relations of a language, and the index of one page.

Words are the token keys of `klopt.text.tokens`, so a lexicon entry holds for all forms of a
word. An index is immutable and holds only arrays, strings and numbers, so that it can be written to
a file; what is quick to derive from those is computed on first use.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicons
from klopt.text.components import component_key
from klopt.text.plain import Span
from klopt.text.reader import Reading
from klopt.text.stems import LONGEST_CHARS
from klopt.text.tokens import Tokenizer
from klopt.text.values import LITERAL_SIGNS
from klopt.verification.units import Integers, Layout, Units, distinct, layout_of, units_of

SAME: Final = 1000
"""Likeness of a word to itself; in thousandths, so that sums are exact."""
SYNONYM: Final = 900
COMPOUND: Final = 700
STEM: Final = 600

_RIVAL_PART_CHARS: Final = 3
"""Characters of each part of a compound with a rival, at least."""

WEIGHTS: Final = 1000
"""Weight of a word that no sentence has; in thousandths, so that sums are exact."""
MIN_WEIGHT: Final = 0.05
LITERAL_WEIGHT: Final = 2
"""Factor of a number, key or code compared with an equally rare word."""
LONGEST_HEADING_CHARS: Final = 80
MAX_ABOVE: Final = 40
"""Words of each sentence above a guide that tell its subject."""
MAX_KNOWN: Final = 16_384
"""Words whose rivals are cached, least recently used first out."""

PART_CHARS: Final = 5
"""Characters of a part of a compound, or of a shared beginning, at least."""
COMPOUND_EXTRA_CHARS: Final = 2
STEM_SHARE: Final = 0.7
"""Share of the shorter word that two words of one stem have in common, from the start."""


def rarity(count: float, total: int) -> int:
    """Return the weight of a word by the number of sentences that have it, of ``total``.

    >>> rarity(0, 10), rarity(10, 10)
    (1000, 220)
    """
    weight = math.log(1 + total / (0.5 + count)) / math.log(1 + 2 * total)
    return round(WEIGHTS * max(weight, MIN_WEIGHT))


class Relations:
    """Synonyms of one language, and words that exclude each other.

    Attributes:
        allowed_names: Keys of the names that the company's lexicon ``product_names`` allows even
            if no page has them.
        allowed_words: The words of these names.
        measures: Words for a measure: "long" in "how long".
        free: Words for a price of nothing.
        currencies: Words for currencies, for which their signs stand too.

    >>> from klopt import lexicons
    >>> tables = lexicons.load("nl")
    >>> dutch = Tokenizer(tables)
    >>> relations = Relations(tables, dutch)
    >>> dutch.key("connectie") in relations.synonyms(dutch.key("verbindingen"))
    True
    >>> relations.exclude(dutch.key("groen"), dutch.key("rood")), relations.exclude("#2", "#2")
    (True, False)
    """

    def __init__(self, lexicons: Lexicons, tokenizer: Tokenizer) -> None:
        key = tokenizer.key
        names = lexicons.get("product_names")
        allowed = () if names is None else names.lists["allowed"]
        self.allowed_names = frozenset(map(component_key, allowed))
        self.allowed_words = frozenset(key(word) for name in allowed for word in name.split())
        measures = lexicons["measures"].lists
        self.measures = frozenset(map(key, measures["after_how"]))
        self.free = frozenset(map(key, measures["free"]))
        self.currencies = tokenizer.currencies
        self._synonyms: dict[str, tuple[str, ...]] = {}
        self._opposites: dict[str, frozenset[str]] = {}
        # The first part of a word is not stemmed: "aan", whose stem is "an".
        self._heads: dict[str, frozenset[str]] = {}
        self._members: dict[str, tuple[str, int]] = {}
        self._lists: dict[str, list[str]] = {}
        for _, _, group in _groups(lexicons, "synonyms"):
            keys = tuple(dict.fromkeys(map(key, group)))
            for word in keys:
                self._synonyms[word] = tuple(dict.fromkeys((*self._synonyms.get(word, ()), *keys)))
        antonyms = lexicons.get("antonyms")
        for pair in antonyms.pairs if antonyms is not None else ():
            one, other = frozenset(map(key, pair.one)), frozenset(map(key, pair.other))
            for side, against in ((one, other - one), (other, one - other)):
                for word in side:
                    self._opposites[word] = self._opposites.get(word, frozenset()) | against
            first, second = one.union(pair.one), other.union(pair.other)
            for side, against in ((first, second - first), (second, first - second)):
                for word in side:
                    self._heads[word] = self._heads.get(word, frozenset()) | against
        for name, number, group in _groups(lexicons, "contrasts"):
            for word in map(key, group):
                if word not in self._members:
                    self._members[word] = name, number
                    self._lists.setdefault(name, []).append(word)

        self.rivals = lru_cache(MAX_KNOWN)(self._rivals_of)

    def synonyms(self, word: str) -> tuple[str, ...]:
        """Return the words of its synonym groups, itself included."""
        return self._synonyms.get(word, ())

    def opposites(self, word: str) -> frozenset[str]:
        """Return the antonyms of a word."""
        return self._opposites.get(word, frozenset())

    def has_rival(self, word: str) -> bool:
        """Return whether other words may exclude it."""
        return (
            word[0] in LITERAL_SIGNS
            or word in self._members
            or word in self._opposites
            or any(True for _ in self._parts(word))
        )

    def exclude(self, first: str, second: str) -> bool:
        """Return whether two words exclude each other.

        So do compounds whose first parts are antonyms ("inkoopfactuur", "verkoopfactuur"), and
        Dutch verbs with a particle ("aanstaan", "uitstaan").
        """
        if first[0] in LITERAL_SIGNS and first[0] == second[0]:
            return first != second
        if second in self.opposites(first):
            return True
        if any(
            second.endswith(tail) and second.removesuffix(tail) in self._heads[head]
            for head, tail in self._parts(first)
        ):
            return True
        mine, theirs = self._members.get(first), self._members.get(second)
        if mine is None or theirs is None:
            return False
        return mine[0] == theirs[0] and mine[1] != theirs[1]

    def _rivals_of(self, word: str) -> tuple[str, ...]:
        """Return the words that exclude it, except numbers, keys and code."""
        rivals = [*self.opposites(word)]
        for head, tail in self._parts(word):
            rivals += [other + tail for other in self._heads[head]]
        member = self._members.get(word)
        if member is not None:
            name, number = member
            rivals += [other for other in self._lists[name] if self._members[other][1] != number]
        return tuple(rivals)

    def _parts(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield the word split after a first part that has an antonym: "inkoop", "factuur"."""
        longest = min(len(word) - _RIVAL_PART_CHARS, LONGEST_CHARS)
        for cut in range(_RIVAL_PART_CHARS, longest + 1):
            if word[:cut] in self._heads:
                yield word[:cut], word[cut:]


def _groups(lexicons: Lexicons, name: str) -> Iterable[tuple[str, int, tuple[str, ...]]]:
    """Return the groups of a lexicon: list, number in the list, words."""
    lexicon = lexicons.get(name)
    named: Mapping[str, tuple[tuple[str, ...], ...]] = lexicon.word_groups if lexicon else {}
    return (
        (one, number, group) for one, groups in named.items() for number, group in enumerate(groups)
    )


@dataclass(frozen=True, eq=False)
class PageIndex:
    """The index of one page.

    Attributes:
        reading: Its plain text with offsets, sentences, components and guides.
        units: Its sentences as integers.
        counts: The number of sentences that have each word, shape ``(n_words,)``.
        weights: The weight of each word on this page, in thousandths; see `rarity`.
        title: The words of its first sentence.
        headings: The words of its headings and of its second sentence.
        solution: The words of the part under a heading such as "Solution", up to one such as
            "Related information" or the end; empty without such a part.
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
        """The possible passages of the page, and the context of each sentence."""
        return layout_of(self.reading, self.units, self.paths)

    @cached_property
    def postings(self) -> tuple[Integers, Integers]:
        """The first posting of each word, ``counts`` long, and the sentences of all postings."""
        units = self.units
        sizes = np.diff(np.append(units.offsets, len(units.tokens)))
        order = np.argsort(units.tokens, kind="stable")
        sentences = np.repeat(np.arange(len(units)), sizes)[order]
        return np.cumsum(self.counts) - self.counts, sentences

    def runs(self, length: int) -> frozenset[tuple[str, ...]]:
        """Return all runs of ``length`` consecutive content words."""
        known = self._runs.get(length)
        if known is None:
            known = self._runs[length] = frozenset(runs_of(self.units, length))
        return known

    @cached_property
    def _runs(self) -> dict[int, frozenset[tuple[str, ...]]]:
        return {}

    @cached_property
    def _by_ends(self) -> tuple[dict[str, list[tuple[str, int]]], list[tuple[str, int]]]:
        """The longer words by their first `PART_CHARS` characters; and all of them reversed."""
        firsts, backwards = dict[str, list[tuple[str, int]]](), list[tuple[str, int]]()
        for word, number in sorted(self.units.ids.items()):
            if len(word) >= PART_CHARS and word[0] not in LITERAL_SIGNS:
                firsts.setdefault(word[:PART_CHARS], []).append((word, number))
                backwards.append((word[::-1], number))
        return firsts, sorted(backwards)

    @cached_property
    def above_guides(self) -> list[Integers]:
        """For each guide the words of the title, of the headings above it and of its lead-in."""
        return [self._above(guide.start, guide.end) for guide in self.reading.guides]

    def _above(self, start: int, end: int) -> Integers:
        numbers = self.units.numbers(start, end)
        if not numbers:
            return self.title[:MAX_ABOVE]
        first = numbers.start
        leading = {0, *self.paths[first], max(0, first - 1)}
        words = [self.units.of(unit)[:MAX_ABOVE] for unit in sorted(leading) if unit < first]
        return distinct(np.concatenate(words)) if words else np.empty(0, np.int64)

    def named_at(self, key: str) -> Span | None:
        """Return where the page names a component, marked ones first; None if it does not."""
        known = self._places.get(key)
        return self.reading.folded.find(key) if known is None else known

    def sets_apart(self, key: str) -> bool:
        """Return whether the page marks a component as one."""
        return key in self._places

    def names(self, key: str) -> bool:
        """Return whether the page names a component or has its name as whole words."""
        return self.named_at(key) is not None

    @cached_property
    def _places(self) -> dict[str, Span]:
        places: dict[str, Span] = {}
        for component in self.reading.components:
            places.setdefault(component.key, Span(component.start, component.end))
        return places

    def like(self, word: str, relations: Relations) -> dict[int, int]:
        """Return the similar words of the page: integer → likeness in thousandths.

        Similar are the same word, a synonym, a compound and its last part, and words with the same
        beginning; words that exclude each other are not.
        """
        ids = self.units.ids
        likes: dict[int, int] = {}
        own = ids.get(word)
        if own is not None:
            likes[own] = SAME
        for other in relations.synonyms(word):
            if other in ids:
                likes.setdefault(ids[other], SYNONYM)
        if word[0] in LITERAL_SIGNS:
            return likes
        if len(word) >= PART_CHARS:
            self._add_parts(word, likes)
        for other in relations.opposites(word):
            if other in ids:
                likes.pop(ids[other], None)
        return likes

    def _add_parts(self, word: str, likes: dict[int, int]) -> None:
        ids = self.units.ids
        for tail in tails(word):
            if tail in ids:
                likes.setdefault(ids[tail], COMPOUND)
        firsts, backwards = self._by_ends
        end = word[::-1]
        for at in range(bisect_left(backwards, (end, -1)), len(backwards)):
            other, number = backwards[at]
            if not other.startswith(end):
                break
            if len(other) >= len(word) + 2:
                likes.setdefault(number, COMPOUND)
        for other, number in firsts.get(word[:PART_CHARS], ()):
            if number not in likes:
                likeness = stem_likeness(word, other)
                if likeness:
                    likes[number] = likeness


@dataclass(frozen=True, slots=True)
class Context:
    """A page of a turn: its name in evidence, its index and its address."""

    page: str
    index: PageIndex
    address: str = ""


def index_page(reading: Reading, lexicons: Lexicons) -> PageIndex:
    """Return the index of a page."""
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
        _distinct(headings),
        _distinct(_solution(reading, units, lexicons)),
        tuple(_paths(levels, _label_ends(reading, units), len(units))),
    )


def _distinct(numbers: Integers) -> Integers:
    """Return distinct integers in order; ``np.unique`` would import ``numpy.ma``, in 20 ms."""
    return np.flatnonzero(np.bincount(numbers))


def runs_of(units: Units, length: int) -> list[tuple[str, ...]]:
    """Return all runs of ``length`` consecutive content words, in order, with repetitions."""
    words = [units.words[number] for number in units.sequence.tolist()]
    return list(zip(*(words[start:] for start in range(length)), strict=False))


def tails(word: str) -> Iterator[str]:
    """Yield the last parts of a word that may be words themselves.

    >>> list(tails("netwerkkabel"))[-2:]
    ['kkabel', 'kabel']
    """
    if len(word) <= LONGEST_CHARS:
        for cut in range(COMPOUND_EXTRA_CHARS, len(word) - PART_CHARS + 1):
            yield word[cut:]


def stem_likeness(first: str, second: str) -> int:
    """Return the likeness of two words with the same beginning.

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


def _heading_levels(reading: Reading, units: Units) -> dict[int, int]:
    """Return the level of each sentence that is a heading."""
    levels: dict[int, int] = {}
    for block in reading.plain.blocks:
        if block.kind == "heading":
            levels.update(dict.fromkeys(units.numbers(block.start, block.end), block.level))
    return levels


def _label_ends(reading: Reading, units: Units) -> dict[int, int]:
    """Return for each sentence that is the label of a tab the first sentence after the tab."""
    labels: dict[tuple[int, int], int] = {}
    ends: dict[int, int] = {}
    for block in reading.plain.blocks:
        if block.tab is not None and (own := units.numbers(block.start, block.end)):
            ends[labels.setdefault(block.tab, own[0])] = own[-1] + 1
    return ends


def _paths(
    levels: dict[int, int], label_ends: dict[int, int], count: int
) -> Iterator[tuple[int, ...]]:
    path: tuple[int, ...] = ()
    behind = {*label_ends.values()}
    for unit in range(count):
        if unit in behind:  # headings in a tab end with the tab
            ended = (n for n, heading in enumerate(path) if label_ends.get(heading, count) <= unit)
            path = path[: next(ended, len(path))]
        level = levels.get(unit)
        if level is not None:
            path = tuple(one for one in path if one in label_ends or levels[one] < level)
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
    """Return the number of the first sentence that is a heading of a kind."""
    patterns = lexicons["solutions"].group(group)
    for unit in range(begin, len(units)):
        text = reading.plain.text[units.starts[unit] : units.ends[unit]]
        if len(text) <= LONGEST_HEADING_CHARS and any(pattern.search(text) for pattern in patterns):
            return unit
    return None
