"""Which masked part of a text is which masked part of its translation."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from klopt.translation.masks import MARKER, NO_MARK

__all__ = ["Glossary", "Masked", "Pairing", "mark_lost", "only_names", "pair_masks", "with_marks"]

LEAST_LIKENESS: Final = 0.2
"""From this likeness on, two names among several are taken to be each other's."""

KNOWN_LIKENESS: Final = 0.5
KNOWN_COUNT: Final = 3
"""A name that was met so often, and so constantly, with one other belongs to it."""

MOST_COMPARED: Final = 50
"""With more names left on a side, the glossary is not asked for every two of them."""

FEWEST_CHARS: Final = 3
"""A shorter name is too likely to stand in a text as something else."""

_EQUAL_ONLY: Final = frozenset({"number", "version", "option", "bracket"})
"""Kinds that nobody translates: two that differ do not stand for each other."""

_COMPONENTS: Final = frozenset({"name", "code"})
_AS_NUMBER: Final = frozenset({"number", "version"})
_SPELLING: Final = str.maketrans({",": ".", " ": "", "\u00a0": "", "+": ""})
_GROUPED: Final = regex.compile(r"\d{1,3}(?:\.\d{3})+(?!\d)", regex.VERSION1)


class Glossary:
    """Which names are each other's translation, learnt from where each is the other's only partner.

    Args:
        pairs: Source key and target key of each time that two names were met so.

    >>> glossary = Glossary([("opslaan", "save"), ("opslaan", "save"), ("map", "save")])
    >>> glossary.likeness("opslaan", "save"), glossary.likeness("opslaan", "open")
    (0.8, 0.0)
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._counts = Counter(pairs)
        self._sources, self._targets = Counter[str](), Counter[str]()
        for (source, target), count in self._counts.items():
            self._sources[source] += count
            self._targets[target] += count
        self._known = {
            source: target
            for (source, target), count in self._counts.items()
            if count >= KNOWN_COUNT and self.likeness(source, target) > KNOWN_LIKENESS
        }
        self._known_targets = frozenset(self._known.values())

    def likeness(self, source: str, target: str) -> float:
        """Dice's coefficient: twice the count of both over the sum of the counts of each, 0-1."""
        count = self._counts[source, target]
        return 2 * count / (self._sources[source] + self._targets[target]) if count else 0.0

    def contradicts(self, source: str, target: str) -> bool:
        """Whether both are known to belong to others."""
        return (
            self._known.get(source, target) != target
            and target in self._known_targets
            and self.likeness(source, target) < LEAST_LIKENESS
        )

    def known(self, source: str) -> str | None:
        """The target key that a source key belongs to, or None when that is not sure."""
        return self._known.get(source)


@dataclass(frozen=True, slots=True)
class Masked:
    """What stands at a mark.

    Attributes:
        kind: ``name``, ``key`` or ``code`` for a component, else the kind of the mask.
        text: As written.
        key: What it is compared by.
    """

    kind: str
    text: str
    key: str

    @classmethod
    def literal(cls, kind: str, text: str) -> Masked:
        """What is no component; a number's key is the same with decimal comma and point.

        >>> Masked.literal("number", "10.000").key == Masked.literal("number", "10,000").key
        True
        """
        if kind not in _AS_NUMBER:
            return cls(kind, text, text)
        spelt = text.translate(_SPELLING)
        return cls("number", text, _GROUPED.sub(lambda match: match[0].replace(".", ""), spelt, 1))

    @property
    def family(self) -> str:
        """The kinds that may stand for each other: a key is code in a language without tables."""
        return "code" if self.kind == "key" else self.kind


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which masks of a translation stand for which of its source.

    Attributes:
        partners: For each mask of the translation, the one of the source that it stands for, from
            0, or None. No two have the same.
        is_doubtful: Whether several were paired by their order alone, or a name, key or code of
            either side has no partner.
    """

    partners: tuple[int | None, ...]
    is_doubtful: bool


def pair_masks(source: Sequence[Masked], target: Sequence[Masked], glossary: Glossary) -> Pairing:
    """Pairs the masks of a text with those of its translation.

    What is written alike comes first, then what is the same number or name in another spelling.
    Of what is left, names go with names, keys and code with keys and code, and so on, and at last
    names with keys: by the glossary, then in order where both sides have as many left, or as many
    between two pairs. Numbers, versions and options that differ are never paired, nor names that
    the glossary knows to belong to others.

    Args:
        source: The masks of the text, in order.
        target: Those of its translation.
        glossary: What is known of names.

    >>> dutch = [Masked("name", "Opslaan", "opslaan"), Masked.literal("number", "2,5")]
    >>> english = [Masked.literal("number", "2.5"), Masked("name", "Save", "save")]
    >>> pair_masks(dutch, english, Glossary()).partners
    (1, 0)
    """
    search = _Search(source, target, glossary)
    search.pair_equal(lambda masked: masked.text)
    search.pair_equal(lambda masked: (masked.family, masked.key))
    families = dict.fromkeys(one.family for one in source if one.kind not in _EQUAL_ONLY)
    for family in families:
        search.pair_left(frozenset({family}))
    search.pair_left(_COMPONENTS)
    partners = tuple(search.found.get(one) for one in range(len(target)))
    is_doubtful = search.is_by_order or search.has_left(_COMPONENTS)
    return Pairing(partners, is_doubtful)


def only_names(source: Sequence[Masked], target: Sequence[Masked]) -> tuple[str, str] | None:
    """The keys of the one name on each side that is written otherwise on the other, or None."""
    keys = [[one.key for one in side if one.kind == "name"] for side in (source, target)]
    own = [one for one in keys[0] if one not in keys[1]]
    theirs = [one for one in keys[1] if one not in keys[0]]
    return (own[0], theirs[0]) if len(own) == len(theirs) == 1 else None


def with_marks(text: str, masked: Sequence[Masked], partners: Sequence[int | None]) -> str:
    """A masked translation with the marks of its source; what has no partner is written out.

    Args:
        text: The translation with its own marks.
        masked: What stands at them.
        partners: For each of them the mask of the source that it stands for, from 0, or None.

    >>> with_marks("Wait ⟦1⟧ s.", [Masked.literal("number", "5")], [None])
    'Wait 5 s.'
    """

    def written(match: regex.Match[str]) -> str:
        number = int(match[1]) - 1
        partner = partners[number]
        if partner is not None:
            return f"⟦{partner + 1}⟧"
        return masked[number].text.translate(NO_MARK)

    return MARKER.sub(written, text)


class _Search:
    """The masks of both sides, with what was paired so far: target → source."""

    def __init__(
        self, source: Sequence[Masked], target: Sequence[Masked], glossary: Glossary
    ) -> None:
        self.source, self.target, self.glossary = source, target, glossary
        self.found: dict[int, int] = {}
        self.is_by_order = False

    def pair_equal(self, key: Callable[[Masked], object]) -> None:
        """Pairs what has the same key, the first with the first."""
        waiting: dict[object, deque[int]] = defaultdict(deque)
        for one in self._own():
            waiting[key(self.source[one])].append(one)
        for other in self._theirs():
            if same := waiting.get(key(self.target[other])):
                self.found[other] = same.popleft()

    def pair_left(self, families: frozenset[str]) -> None:
        """Pairs what is left of some families: by the glossary, then in order.

        In order where both sides have as many left; else within what stands between two pairs.
        """
        self._pair_known(families)
        own, theirs = self._own(families), self._theirs(families)
        if len(own) == len(theirs):
            self._pair_in_order(own, theirs)
            return
        own_paired, their_paired = sorted(self.found.values()), sorted(self.found)
        partners = [self.found[one] for one in their_paired]
        end = len(self.source)
        own_gaps = _gaps(own, own_paired, [-1, *own_paired, end])
        their_gaps = _gaps(theirs, their_paired, [-1, *partners, end])
        for gap in own_gaps.keys() & their_gaps.keys():
            if len(own_gaps[gap]) == len(their_gaps[gap]):
                self.is_by_order = True
                self._pair_in_order(own_gaps[gap], their_gaps[gap])

    def has_left(self, families: frozenset[str]) -> bool:
        """Whether something of these families has no partner."""
        return bool(self._own(families) or self._theirs(families))

    def _pair_known(self, families: frozenset[str]) -> None:
        own, theirs = self._own(families), self._theirs(families)
        if max(len(own), len(theirs)) > MOST_COMPARED:
            return
        likeness = {
            (one, other): self.glossary.likeness(self.source[one].key, self.target[other].key)
            for one in own
            for other in theirs
        }
        taken = set[int]()
        for one, other in sorted(likeness, key=lambda two: -likeness[two]):
            if likeness[one, other] < LEAST_LIKENESS:
                break
            if one not in taken and other not in self.found:
                self.found[other] = one
                taken.add(one)

    def _pair_in_order(self, own: Sequence[int], theirs: Sequence[int]) -> None:
        self.is_by_order |= len(own) > 1
        for one, other in zip(own, theirs, strict=True):
            if not self.glossary.contradicts(self.source[one].key, self.target[other].key):
                self.found[other] = one

    def _own(self, families: frozenset[str] | None = None) -> list[int]:
        return _left(self.source, frozenset(self.found.values()), families)

    def _theirs(self, families: frozenset[str] | None = None) -> list[int]:
        return _left(self.target, self.found.keys(), families)


def _left(
    masks: Sequence[Masked], taken: Collection[int], families: frozenset[str] | None
) -> list[int]:
    """The masks that have no partner, of some families or of all."""
    return [
        number
        for number, one in enumerate(masks)
        if number not in taken and (families is None or one.family in families)
    ]


def _gaps(
    left: Iterable[int], paired: Sequence[int], partners: Sequence[int]
) -> dict[tuple[int, int], list[int]]:
    """Between which pairs these masks of one side stand, told by the masks of the source."""
    gaps: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one in left:
        place = bisect(paired, one)
        gaps[partners[place], partners[place + 1]].append(one)
    return gaps


def mark_lost(text: str, lost: Sequence[tuple[int, Masked]], glossary: Glossary) -> tuple[str, int]:
    """A translation with marks where it writes names of its source as words.

    A help page sets **Bluetooth** apart in Dutch and writes it plainly in English. Without a mark
    the name would stand there as a word of the translation, unlike in other sentences.

    Args:
        text: The translation, with the marks that were paired.
        lost: The masks of the source without a mark, each with its number from 0.
        glossary: What is known of names.

    Returns:
        The text, and how many were found: the name itself, or what the glossary knows it as, where
        it stands just once outside the marks.

    >>> glossary = Glossary([("opslaan", "save")] * 3)
    >>> mark_lost("Then click Save in Wifi.", [(0, Masked("name", "Opslaan", "opslaan"))], glossary)
    ('Then click ⟦1⟧ in Wifi.', 1)
    """
    found_count = 0
    for number, masked in lost:
        if masked.kind not in _COMPONENTS:
            continue
        known = (masked.text, glossary.known(masked.key))
        for words in filter(None, dict.fromkeys(known)):
            place = _only_place(text, words)
            if place is not None:
                text = f"{text[: place[0]]}⟦{number + 1}⟧{text[place[1] :]}"
                found_count += 1
                break
    return text, found_count


def _only_place(text: str, words: str) -> tuple[int, int] | None:
    """Where the words stand, when they do so once; marks are no words."""
    if len(words) < FEWEST_CHARS or MARKER.search(words):
        return None
    pattern = rf"(?<![\w⟦]){regex.escape(words, special_only=True)}(?![\w⟧])"
    spans = [match.span() for match in regex.finditer(pattern, text, regex.IGNORECASE)]
    return spans[0] if len(spans) == 1 else None
