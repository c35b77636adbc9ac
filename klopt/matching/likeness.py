"""How like two words are: the same, synonyms, a compound and its part, or of one stem.

A number is the same in figures and in words; words that exclude each other are not alike,
however much they have in common ("geldig", "ongeldig").
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from klopt.lexicons import Lexicons
from klopt.matching.units import LITERAL_SIGNS

SAME: Final = 1.0
SYNONYM: Final = 0.9
COMPOUND: Final = 0.7
STEM: Final = 0.6
PART_CHARS: Final = 5
"""A part of a compound, or a stem, has at least so many characters."""
COMPOUND_EXTRA_CHARS: Final = 2
STEM_SHARE: Final = 0.7
"""Two words of one stem share at least this much of the shorter one, from its start."""


class Synonyms:
    """The words of one language that may stand for each other, and those that may not.

    >>> from klopt import lexicons
    >>> Synonyms(lexicons.load("nl")).of("verbinding")
    ('connectie', 'verbinding')
    """

    def __init__(self, lexicons: Lexicons) -> None:
        self._lexicon = lexicons.get("synonyms")
        self._antonyms = lexicons.get("antonyms")
        self._numbers = lexicons.get("numbers")

    @cached_property
    def _groups(self) -> Mapping[str, tuple[str, ...]]:
        if self._lexicon is None:
            return {}
        groups = (one for named in self._lexicon.word_groups.values() for one in named)
        return {word: group for group in groups for word in group}

    def of(self, word: str) -> tuple[str, ...]:
        """The words of its group, itself included; none when it stands in no group."""
        return self._groups.get(word, ())

    @cached_property
    def _spellings(self) -> Mapping[str, tuple[str, ...]]:
        if self._numbers is None:
            return {}
        spellings: dict[str, tuple[str, ...]] = {}
        for word, value in self._numbers.values["cardinals"].items():
            figures = f"#{value:g}"
            spellings[word] = (figures,)
            spellings[figures] = (*spellings.get(figures, ()), word)
        return spellings

    def spellings(self, word: str) -> tuple[str, ...]:
        """A number in words for one in figures, and the other way round.

        >>> from klopt import lexicons
        >>> Synonyms(lexicons.load("nl")).spellings("twee")
        ('#2',)
        """
        return self._spellings.get(word, ())

    @cached_property
    def _opposites(self) -> Mapping[str, frozenset[str]]:
        opposites: dict[str, frozenset[str]] = {}
        for pair in self._antonyms.pairs if self._antonyms is not None else ():
            for side, other in ((pair.one, pair.other), (pair.other, pair.one)):
                for word in side:
                    opposites[word] = opposites.get(word, frozenset()).union(other)
        return opposites

    def opposites(self, word: str) -> frozenset[str]:
        """The words of which only one is true of a thing, beside the given one."""
        return self._opposites.get(word, frozenset())


class Vocabulary:
    """The words of one text, ready to be searched for words like another.

    Args:
        words: The distinct tokens of the text.

    >>> from klopt import lexicons
    >>> words = Vocabulary(("netwerkverbinding", "printen", "#20"))
    >>> words.like("verbinding", Synonyms(lexicons.load("nl")))
    {'netwerkverbinding': 0.7}
    >>> words.like("afdrukken", Synonyms(lexicons.load("nl")))
    {'printen': 0.9}
    """

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = frozenset(words)
        self._by_start: dict[str, list[str]] = {}
        self._by_tail: dict[str, list[str]] = {}
        for word in words:
            if len(word) < PART_CHARS or word.startswith(LITERAL_SIGNS):
                continue
            self._by_start.setdefault(word[:PART_CHARS], []).append(word)
            for cut in range(COMPOUND_EXTRA_CHARS, len(word) - PART_CHARS + 1):
                self._by_tail.setdefault(word[cut:], []).append(word)

    def like(self, word: str, synonyms: Synonyms) -> dict[str, float]:
        """The words of the text that are like a word, with how like they are: above 0 to 1."""
        found: dict[str, float] = {}
        if word in self._words:
            found[word] = SAME
        for other in synonyms.spellings(word):
            if other in self._words:
                found[other] = SAME
        if word.startswith(LITERAL_SIGNS):
            return found
        for other in synonyms.of(word):
            if other in self._words:
                found.setdefault(other, SYNONYM)
        if len(word) < PART_CHARS:
            return found
        for other in self._by_tail.get(word, ()):
            found.setdefault(other, COMPOUND)
        for cut in range(COMPOUND_EXTRA_CHARS, len(word) - PART_CHARS + 1):
            if word[cut:] in self._words:
                found.setdefault(word[cut:], COMPOUND)
        for other in self._by_start.get(word[:PART_CHARS], ()):
            if other not in found:
                likeness = _stem_likeness(word, other)
                if likeness:
                    found[other] = likeness
        for other in synonyms.opposites(word):
            found.pop(other, None)
        return found


def _stem_likeness(first: str, second: str) -> float:
    """How like two words with one beginning are.

    >>> _stem_likeness("verwijderen", "verwijdering"), _stem_likeness("computer", "compact")
    (0.6, 0.0)
    """
    shorter, longer = sorted((first, second), key=len)
    if len(longer) - len(shorter) >= COMPOUND_EXTRA_CHARS and longer.startswith(shorter):
        return COMPOUND
    shared = next(
        (at for at, pair in enumerate(zip(shorter, longer, strict=False)) if pair[0] != pair[1]),
        len(shorter),
    )
    return STEM if shared >= STEM_SHARE * len(shorter) else 0.0
