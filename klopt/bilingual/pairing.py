"""Which masked part of a text is which masked part of its translation."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, TypeAlias

import regex

from klopt.translation.masks import MARKER, NO_MARK

KNOWN_COUNT: Final = 3
"""A name that was met so often with one other, and mostly with that, belongs to it."""

FEWEST_CHARS: Final = 3
"""A shorter name is too likely to stand in a text as something else."""

_EQUAL_ONLY: Final = frozenset({"number", "version", "option", "bracket"})
"""Kinds that nobody translates: two that differ do not stand for each other."""

_COMPONENTS: Final = ("name", "code")
_AS_NUMBER: Final = frozenset({"number", "version"})
_SPELLING: Final = str.maketrans({",": ".", " ": "", "\u00a0": "", "+": ""})
_GROUPED: Final = regex.compile(r"\d{1,3}(?:\.\d{3})+(?!\d)", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class Masked:
    """What stands at a mark: ``name``, ``key``, ``code`` or other; and what it is compared by."""

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


_Key: TypeAlias = Callable[[Masked], object]
_text: Final = attrgetter("text")
_family_and_key: Final = attrgetter("family", "key")


def glossary(sides: Iterable[tuple[Sequence[Masked], Sequence[Masked]]]) -> dict[str, str]:
    """Source key → target key of names, from where each was often the other's only partner."""
    counts = Counter[tuple[str, str]]()
    for source, target in sides:
        own, theirs = ({one.key for one in side if one.kind == "name"} for side in (source, target))
        if len(own - theirs) == len(theirs - own) == 1:
            (name,), (translation,) = own - theirs, theirs - own
            counts[name, translation] += 1
    own_totals, their_totals = Counter[str](), Counter[str]()
    for (name, translation), count in counts.items():
        own_totals[name] += count
        their_totals[translation] += count
    return {
        name: translation
        for (name, translation), count in counts.items()
        if count >= KNOWN_COUNT and 4 * count > own_totals[name] + their_totals[translation]
    }


def pair_masks(
    source: Sequence[Masked], target: Sequence[Masked], known: Mapping[str, str]
) -> list[int | None]:
    """For each mask of a translation, the one of its source that it stands for, from 0, or None.

    What is written alike comes first, then what is the same number or name in another spelling.
    Of what is left, names go with names, keys and code with keys and code, and so on, and at last
    names with keys: those that are known first, then in order where both sides have as many left.
    Numbers, versions and options that differ are never paired, nor names known to be others'.

    >>> dutch = [Masked("name", "Opslaan", "opslaan"), Masked.literal("number", "2,5")]
    >>> english = [Masked.literal("number", "2.5"), Masked("name", "Save", "save")]
    >>> pair_masks(dutch, english, {})
    [1, 0]
    """
    partners: list[int | None] = [None] * len(target)

    def left(kinds: Collection[str] | None) -> tuple[list[int], list[int]]:
        paired = {*partners}
        own = [number for number in range(len(source)) if number not in paired]
        theirs = [place for place in range(len(target)) if partners[place] is None]
        if kinds is None:
            return own, theirs
        own = [number for number in own if source[number].family in kinds]
        return own, [place for place in theirs if target[place].family in kinds]

    def pair(own_key: _Key, their_key: _Key, kinds: Collection[str] | None = None) -> None:
        own, theirs = left(kinds)
        waiting: dict[object, deque[int]] = defaultdict(deque)
        for number in own:
            waiting[own_key(source[number])].append(number)
        for place in theirs:
            if same := waiting.get(their_key(target[place])):
                partners[place] = same.popleft()

    pair(_text, _text)
    pair(_family_and_key, _family_and_key)
    families = dict.fromkeys(one.family for one in source if one.kind not in _EQUAL_ONLY)
    others = set(known.values())
    for kinds in (*((family,) for family in families), _COMPONENTS):
        pair(lambda one: known.get(one.key), lambda one: one.key, kinds)
        own, theirs = left(kinds)
        for number, place in zip(own, theirs, strict=True) if len(own) == len(theirs) else ():
            wanted, key = known.get(source[number].key), target[place].key
            if wanted in (None, key) or key not in others:
                partners[place] = number
    return partners


def with_marks(text: str, masked: Sequence[Masked], partners: Sequence[int | None]) -> str:
    """A masked translation with the marks of its source; what has no partner is written out."""

    def written(match: regex.Match[str]) -> str:
        number = int(match[1]) - 1
        partner = partners[number]
        if partner is not None:
            return f"⟦{partner + 1}⟧"
        return masked[number].text.translate(NO_MARK)

    return MARKER.sub(written, text)


def mark_lost(text: str, number: int, masked: Masked, known: Mapping[str, str]) -> str | None:
    """A translation with the mark of a name that it writes as words; None where it does not.

    A help page sets **Bluetooth** apart in Dutch and writes it plainly in English. It, or what it
    is known as, has to stand there just once outside the marks.
    """
    if masked.kind not in _COMPONENTS:
        return None
    for words in (masked.text, known.get(masked.key, "")):
        if len(words) < FEWEST_CHARS or MARKER.search(words):
            continue
        pattern = rf"(?<![\w⟦]){regex.escape(words, special_only=True)}(?![\w⟧])"
        places = [match.span() for match in regex.finditer(pattern, text, regex.IGNORECASE)]
        if len(places) == 1:
            start, end = places[0]
            return f"{text[:start]}⟦{number + 1}⟧{text[end:]}"
    return None
