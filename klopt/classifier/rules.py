"""The scored classifier's patterns, made ready: the heaviest first, and fast.

Ignoring case costs the regular expressions two thirds of their time, and nearly all of ours are
written in small letters. So a message is put into small letters once, character by character so
that offsets stay, and such a pattern is compiled again to respect case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import regex

from klopt.classifier.classification import table
from klopt.lexicons import Lexicons
from klopt.lexicons.patterns import Pattern
from klopt.records import MESSAGE_TYPES, MessageType

LEXICON: Final = "messages"
ABBREVIATIONS: Final = "abbreviations"

QUESTION_WEIGHT: Final = 4.0
"""A pattern at least this heavy, of a type that asks, begins a question where it is found."""

ASKING: Final[tuple[MessageType, ...]] = ("action", "reasoning", "instruction", "general")
"""The types whose patterns begin a question wherever they are found; see `begins_question`."""

_ESCAPE: Final = regex.compile(r"\\p\{L\}|\\[^p]", regex.VERSION1)


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, and whether it reads the text in small letters or as it was typed."""

    pattern: Pattern
    in_small_letters: bool

    def search(self, typed: str, small: str) -> regex.Match[str] | None:
        """The first match in a text, given as typed and in small letters."""
        return self.pattern.search(small if self.in_small_letters else typed)

    def match_start(self, typed: str, small: str) -> regex.Match[str] | None:
        """The match at the very start of a text."""
        return self.pattern.match_start(small if self.in_small_letters else typed)


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one language.

    Attributes:
        by_type: For each type its rules, the heaviest first; equal weights in the table's order.
        formulas: The unspecified patterns that may open a text.
        asking: The heavy patterns of the types that ask, of those that may open a text.
        yes_no: The same of yes/no questions.
        abbreviations: Words whose full stop ends no sentence.
    """

    by_type: Mapping[MessageType, tuple[Rule, ...]]
    formulas: tuple[Rule, ...]
    asking: tuple[Rule, ...]
    yes_no: tuple[Rule, ...]
    abbreviations: frozenset[str]

    def formula_chars(self, typed: str, small: str) -> int:
        """How many characters at the start of a text an unspecified pattern takes."""
        return _chars_at_start(self.formulas, typed, small)

    def begins_question(self, typed: str, small: str, *, asks: bool) -> bool:
        """Whether a heavy pattern of a type that asks is found at the start of a text.

        Dutch puts the verb first after a subordinate clause too ("Als ik inlog, kan ik niets
        zien."), so that a yes/no question begins here only in a sentence with a question mark.
        """
        if _chars_at_start(self.asking, typed, small):
            return True
        return asks and _chars_at_start(self.yes_no, typed, small) > 0


@lru_cache(maxsize=32)
def rules_of(lexicons: Lexicons) -> Rules:
    """The rules of a language, made ready once.

    Raises:
        UnknownLanguageError: The language has no table of message patterns.
    """
    lexicon = table(lexicons, LEXICON)
    groups: dict[MessageType, tuple[Pattern, ...]] = {
        name: tuple(sorted(lexicon.group(name), key=lambda pattern: -pattern.weight))
        for name in MESSAGE_TYPES
    }
    heavy = {
        name: [pattern for pattern in group if pattern.weight >= QUESTION_WEIGHT]
        for name, group in groups.items()
    }
    return Rules(
        {name: tuple(map(_rule, group)) for name, group in groups.items()},
        _openings(groups["unspecified"]),
        _openings(pattern for name in ASKING for pattern in heavy[name]),
        _openings(heavy["binary"]),
        table(lexicons, ABBREVIATIONS).words,
    )


def _chars_at_start(openings: tuple[Rule, ...], typed: str, small: str) -> int:
    for opening in openings:
        match = opening.match_start(typed, small)
        if match is not None:
            return match.end()
    return 0


@lru_cache(maxsize=1024)
def _rule(pattern: Pattern) -> Rule:
    if not _fits_small_letters(pattern):
        return Rule(pattern, in_small_letters=False)
    return Rule(replace(pattern, ignore_case=False), in_small_letters=True)


def _openings(patterns: Iterable[Pattern]) -> tuple[Rule, ...]:
    r"""Those that may be found at the start of a text; one with ``\K`` looks further on."""
    return tuple(_rule(pattern) for pattern in patterns if r"\K" not in pattern.source)


def _fits_small_letters(pattern: Pattern) -> bool:
    """Whether the pattern ignores case and is written in small letters."""
    letters = _ESCAPE.sub("", pattern.source)
    return pattern.ignore_case and letters == letters.lower()
