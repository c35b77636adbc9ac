"""Which words exclude each other: of two rivals only one is true of a thing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from klopt.lexicons import Lexicons
from klopt.matching.likeness import Synonyms
from klopt.matching.units import LITERAL_SIGNS

_PART_CHARS: Final = 3
"""Each part of a compound that has a rival has at least so many characters."""


class Rivals:
    """The rivals of one language: antonyms, contrasts, numbers, keys.

    Args:
        tables: The tables of the language.

    >>> from klopt import lexicons
    >>> rivals = Rivals(lexicons.load("nl"))
    >>> rivals.exclude("groen", "rood"), rivals.exclude("#2", "drie"), rivals.exclude("#2", "twee")
    (True, True, False)
    """

    def __init__(self, tables: Lexicons) -> None:
        self._synonyms = Synonyms(tables)
        self._members: dict[str, tuple[str, int]] = {
            word: (name, number)
            for name, groups in tables["contrasts"].word_groups.items()
            for number, group in enumerate(groups)
            for word in group
        }

    def has_opposite(self, word: str) -> bool:
        """Whether it stands in a pair of antonyms."""
        return bool(self._synonyms.opposites(word))

    def has(self, word: str) -> bool:
        """Whether there may be words that exclude it."""
        return (
            word[0] in LITERAL_SIGNS
            or word in self._members
            or self.has_opposite(word)
            or self._figures(word) != word
            or any(True for _ in self._parts(word))
        )

    def exclude(self, first: str, second: str) -> bool:
        """Whether two words cannot both be said of one thing.

        So are compounds of which the first parts are antonyms ("inkoopfactuur",
        "verkoopfactuur"), and with them Dutch verbs with a particle ("aanstaan", "uitstaan").
        """
        one, other = self._figures(first), self._figures(second)
        if one[0] in LITERAL_SIGNS or other[0] in LITERAL_SIGNS:
            return one[0] == other[0] and one != other
        if second in self._synonyms.opposites(first):
            return True
        if any(
            second.endswith(tail) and second.removesuffix(tail) in self._synonyms.opposites(head)
            for head, tail in self._parts(first)
        ):
            return True
        mine, theirs = self._members.get(first), self._members.get(second)
        if mine is None or theirs is None:
            return False
        return mine[0] == theirs[0] and mine[1] != theirs[1]

    def _figures(self, word: str) -> str:
        """A number in figures; any other word as it is."""
        if word.startswith(LITERAL_SIGNS):
            return word
        return next(iter(self._synonyms.spellings(word)), word)

    def _parts(self, word: str) -> Iterator[tuple[str, str]]:
        """The word cut after a first part that has an opposite, such as "inkoop|factuur"."""
        for cut in range(_PART_CHARS, len(word) - _PART_CHARS + 1):
            if self.has_opposite(word[:cut]):
                yield word[:cut], word[cut:]


@lru_cache(maxsize=8)
def rivals_of(tables: Lexicons) -> Rivals:
    """The rivals of some tables, made once."""
    return Rivals(tables)
