"""The words of a text before amounts are normalised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import itemgetter
from typing import Final

from klopt.text.values import AmountMark

LITERAL_SIGNS: Final = ("#", "@")
"""First characters of the keys of numbers (``#``) and of keys and code (``@``)."""


class Kind(IntEnum):
    """The kind of a word."""

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
    """The words read so far; the lists are those of `klopt.text.tokens.Tokens`.

    Attributes:
        text: Where they stand.
        marks: The role in amounts of each word.
        joined: Words that are part of the one before them.
        signs: Signs to insert: index of the next word, key and place.
    """

    text: str
    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    stops: bytearray = field(default_factory=bytearray)
    marks: list[AmountMark | None] = field(default_factory=list)
    joined: set[int] = field(default_factory=set)
    signs: list[tuple[int, str, int]] = field(default_factory=list)

    def add(
        self, key: str, start: int, end: int, kind: Kind, stop: int, mark: AmountMark | None = None
    ) -> None:
        """Append a word."""
        self.keys.append(key)
        self.starts.append(start)
        self.ends.append(end)
        self.kinds.append(kind)
        self.stops.append(stop)
        self.marks.append(mark)

    def written(self, number: int) -> str:
        """Return a word as written, in lower case; empty outside the text."""
        if not 0 <= number < len(self.keys):
            return ""
        return self.text[self.starts[number] : self.ends[number]].lower()

    def count(self, first: int, last: int, figures: str) -> None:
        """Join successive words into one number."""
        self.keys[first] = f"#{figures}"
        self.kinds[first], self.stops[first] = Kind.NUMBER, 0
        self.join(first, last)

    def join(self, first: int, last: int) -> None:
        """Join successive words with the first one."""
        self.ends[first] = self.ends[last]
        self.joined.update(range(first + 1, last + 1))

    def apply_edits(self) -> None:
        """Remove joined words and insert signs."""
        edits = [(number, number + 1, Draft(self.text)) for number in self.joined]
        for number, key, place in self.signs:
            sign = Draft(self.text)
            sign.add(key, place, place + 1, Kind.WORD, 0)
            edits.append((number, number, sign))
        self.splice(sorted(edits, key=itemgetter(0, 1)))

    def splice(self, edits: Sequence[tuple[int, int, Draft]]) -> None:
        """Replace words, given as first, end and new words, in order."""
        for name in ("keys", "starts", "ends", "kinds", "stops", "marks"):
            whole = getattr(self, name)
            edited, at = whole[:0], 0
            for first, end, words in edits:
                edited += whole[at:first]
                edited += getattr(words, name)
                at = end
            edited += whole[at:]
            setattr(self, name, edited)
