"""Which masked part of a text is which masked part of its translation."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from klopt.translation.masks import MARKER, NO_MARK

_EQUAL_ONLY: Final = frozenset({"number", "version", "option", "bracket"})
"""Kinds that nobody translates: two that differ do not stand for each other."""

_NAMES: Final = frozenset({"name", "code"})
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


def pair_masks(source: Sequence[Masked], target: Sequence[Masked]) -> list[int | None]:
    """For each mask of a translation, the one of its source that it stands for, from 0, or None.

    What is written alike comes first, then what is the same number or name in another spelling.
    Of what is left, names go with names, keys and code with keys and code, and so on, and at last
    names with keys: in order, where both sides have as many left. Numbers, versions and options
    that differ are never paired.

    >>> dutch = [Masked("name", "Opslaan", "opslaan"), Masked.literal("number", "2,5")]
    >>> english = [Masked.literal("number", "2.5"), Masked("name", "Save", "save")]
    >>> pair_masks(dutch, english)
    [1, 0]
    """
    partners: list[int | None] = [None] * len(target)

    def left(is_wanted: Callable[[Masked], bool]) -> tuple[list[int], list[int]]:
        paired = {*partners}
        own = [n for n, mask in enumerate(source) if n not in paired and is_wanted(mask)]
        return own, [n for n, mask in enumerate(target) if partners[n] is None and is_wanted(mask)]

    def pair_equal(key: Callable[[Masked], object]) -> None:
        own, theirs = left(lambda mask: True)
        waiting: dict[object, deque[int]] = defaultdict(deque)
        for number in own:
            waiting[key(source[number])].append(number)
        for place in theirs:
            if same := waiting[key(target[place])]:
                partners[place] = same.popleft()

    pair_equal(lambda mask: mask.text)
    pair_equal(lambda mask: (mask.family, mask.key))
    families = dict.fromkeys(mask.family for mask in source if mask.kind not in _EQUAL_ONLY)
    for kinds in (*(frozenset({family}) for family in families), _NAMES):
        own, theirs = left(lambda mask, kinds=kinds: mask.family in kinds)  # type: ignore[misc]
        if len(own) == len(theirs):
            for number, place in zip(own, theirs, strict=True):
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
