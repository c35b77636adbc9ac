"""The words of a text while they are being read: what becomes `klopt.reading.tokens.Tokens`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import itemgetter
from typing import Final, TypeVar

__all__ = ["LITERAL_SIGNS", "Draft", "Kind"]

LITERAL_SIGNS: Final = ("#", "@")
"""What the key of a number (``#``) and of a key or code (``@``) begins with: they match only
themselves."""


class Kind(IntEnum):
    """What a word is."""

    WORD = 0
    NUMBER = 1
    KEY = 2
    CODE = 3
    COMPONENT = 4
    """A word of a component's name."""
    PARTICLE = 5
    """A particle that was joined with its verb."""


@dataclass(slots=True)
class Draft:
    """The words read so far; the lists are those of `klopt.reading.tokens.Tokens`.

    Attributes:
        text: Where they stand.
        gone: Words that have become part of the one before them.
        signs: Signs that are words too: before which word, its key, where it stands.
    """

    text: str
    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    stops: bytearray = field(default_factory=bytearray)
    gone: set[int] = field(default_factory=set)
    signs: list[tuple[int, str, int]] = field(default_factory=list)

    def add(self, key: str, start: int, end: int, kind: Kind, stop: int) -> None:
        """A word behind all others."""
        self.keys.append(key)
        self.starts.append(start)
        self.ends.append(end)
        self.kinds.append(kind)
        self.stops.append(stop)

    def written(self, number: int) -> str:
        """A word as it stands in the text, in lower case; nothing where there is none."""
        if not 0 <= number < len(self.keys):
            return ""
        return self.text[self.starts[number] : self.ends[number]].lower()

    def count(self, first: int, last: int, figures: str) -> None:
        """Makes one number of some words in a row."""
        self.keys[first] = f"#{figures}"
        self.kinds[first], self.stops[first] = Kind.NUMBER, 0
        self.join(first, last)

    def join(self, first: int, last: int) -> None:
        """Makes some words in a row a part of the first one."""
        self.ends[first] = self.ends[last]
        self.gone.update(range(first + 1, last + 1))

    def settle(self) -> None:
        """Leaves out what is gone, and puts in the signs."""
        edits: list[tuple[int, int, tuple[str, int] | None]]
        edits = [(number, number + 1, None) for number in self.gone]
        edits += [(number, number, (key, place)) for number, key, place in self.signs]
        if not edits:
            return
        edits.sort(key=itemgetter(0, 1))
        cuts = [edit[:2] for edit in edits]
        signs = [edit[2] for edit in edits]
        self.keys = _edited(self.keys, cuts, [one and [one[0]] for one in signs])
        self.starts = _edited(self.starts, cuts, [one and [one[1]] for one in signs])
        self.ends = _edited(self.ends, cuts, [one and [one[1] + 1] for one in signs])
        self.kinds = _edited(self.kinds, cuts, [one and bytearray(1) for one in signs])
        self.stops = _edited(self.stops, cuts, [one and bytearray(1) for one in signs])


_List = TypeVar("_List", list[str], list[int], bytearray)


def _edited(
    whole: _List, cuts: Sequence[tuple[int, int]], instead: Sequence[_List | None]
) -> _List:
    """A list with something, or nothing, instead of some of its stretches, in order."""
    found, at = whole[:0], 0
    for (start, end), new in zip(cuts, instead, strict=True):
        found += whole[at:start]
        if new is not None:
            found += new
        at = end
    found += whole[at:]
    return found
