"""Which masked part of a text is which masked part of its translation."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from klopt.bilingual.glossary import LEAST_LIKENESS, Glossary
from klopt.translation.masks import MARKER, NO_MARK

__all__ = ["Masked", "Pairing", "only_names", "pair_masks", "with_marks"]

MOST_COMPARED: Final = 50
"""With more names left on a side, the glossary is not asked for every two of them."""

_EQUAL_ONLY: Final = frozenset({"number", "version", "option", "bracket"})
"""Kinds that nobody translates: two that differ do not stand for each other."""

_COMPONENTS: Final = frozenset({"name", "code"})
_AS_NUMBER: Final = frozenset({"number", "version"})
_SPELLING: Final = str.maketrans({",": ".", " ": "", "\u00a0": "", "+": ""})
_GROUPED: Final = regex.compile(r"\d{1,3}(?:\.\d{3})+(?!\d)", regex.VERSION1)


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
        return cls("number", text, _GROUPED.sub(_without_points, text.translate(_SPELLING), 1))

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
        lost_count: Masks of the source that nothing stands for.
        is_doubtful: Whether several were paired by their order alone, or a name, key or code of
            either side has no partner.
    """

    partners: tuple[int | None, ...]
    lost_count: int
    is_doubtful: bool


def pair_masks(
    source: Sequence[Masked], target: Sequence[Masked], glossary: Glossary | None = None
) -> Pairing:
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
    >>> pair_masks(dutch, english).partners
    (1, 0)
    """
    search = _Search(source, target, glossary or Glossary({}))
    search.pair_equal(lambda masked: masked.text)
    search.pair_equal(lambda masked: (masked.family, masked.key))
    families = dict.fromkeys(one.family for one in source if one.kind not in _EQUAL_ONLY)
    for family in families:
        search.pair_left(frozenset({family}))
    search.pair_left(_COMPONENTS)
    partners = tuple(search.found.get(one) for one in range(len(target)))
    is_doubtful = search.is_by_order or search.has_left(_COMPONENTS)
    return Pairing(partners, len(source) - len(search.found), is_doubtful)


def only_names(source: Sequence[Masked], target: Sequence[Masked]) -> tuple[str, str] | None:
    """The keys of the one name on each side that is written otherwise on the other, or None."""
    keys = [[one.key for one in side if one.kind == "name"] for side in (source, target)]
    own = [one for one in keys[0] if one not in keys[1]]
    theirs = [one for one in keys[1] if one not in keys[0]]
    return (own[0], theirs[0]) if len(own) == len(theirs) == 1 else None


def with_marks(text: str, masked: Sequence[Masked], pairing: Pairing) -> str:
    """A masked translation with the marks of its source; what has no partner is written out.

    Args:
        text: The translation with its own marks.
        masked: What stands at them.
        pairing: With the source.

    >>> with_marks("Wait ⟦1⟧ s.", [Masked.literal("number", "5")], Pairing((None,), 0, False))
    'Wait 5 s.'
    """

    def written(match: regex.Match[str]) -> str:
        number = int(match[1]) - 1
        partner = pairing.partners[number]
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
        own_gaps, their_gaps = self._own_gaps(own), self._their_gaps(theirs)
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
        known = [
            (likeness, one, other)
            for one in own
            for other in theirs
            if (likeness := self._likeness(one, other)) >= LEAST_LIKENESS
        ]
        taken = set[int]()
        for _, one, other in sorted(known, key=lambda three: -three[0]):
            if one not in taken and other not in self.found:
                self.found[other] = one
                taken.add(one)

    def _pair_in_order(self, own: Sequence[int], theirs: Sequence[int]) -> None:
        self.is_by_order |= len(own) > 1
        for one, other in zip(own, theirs, strict=True):
            if not self.glossary.contradicts(self.source[one].key, self.target[other].key):
                self.found[other] = one

    def _likeness(self, one: int, other: int) -> float:
        return self.glossary.likeness(self.source[one].key, self.target[other].key)

    def _own(self, families: frozenset[str] | None = None) -> list[int]:
        taken = set(self.found.values())
        return [
            number
            for number, one in enumerate(self.source)
            if number not in taken and (families is None or one.family in families)
        ]

    def _theirs(self, families: frozenset[str] | None = None) -> list[int]:
        return [
            number
            for number, one in enumerate(self.target)
            if number not in self.found and (families is None or one.family in families)
        ]

    def _own_gaps(self, own: Iterable[int]) -> dict[tuple[int, int], list[int]]:
        """Between which paired masks of the source these stand."""
        paired = [-1, *sorted(self.found.values()), len(self.source)]
        gaps: dict[tuple[int, int], list[int]] = defaultdict(list)
        for one in own:
            place = bisect(paired, one)
            gaps[paired[place - 1], paired[place]].append(one)
        return gaps

    def _their_gaps(self, theirs: Iterable[int]) -> dict[tuple[int, int], list[int]]:
        """The same for the target, told by the masks of the source that its pairs stand for."""
        paired = sorted(self.found)
        partners = [-1, *(self.found[one] for one in paired), len(self.source)]
        gaps: dict[tuple[int, int], list[int]] = defaultdict(list)
        for one in theirs:
            place = bisect(paired, one)
            gaps[partners[place], partners[place + 1]].append(one)
        return gaps


def _without_points(match: regex.Match[str]) -> str:
    return match[0].replace(".", "")
