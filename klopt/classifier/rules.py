"""The patterns of a language, prepared for the scored method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Final

import regex

from klopt.errors import UnknownLanguageError
from klopt.lexicons import Lexicon, Lexicons, Pattern, in_lower_case
from klopt.types import MESSAGE_TYPES, MessageType

QUESTION_WEIGHT: Final = 4.0
"""Least weight of a pattern of an asking type that begins a question."""
ASKING: Final[tuple[MessageType, ...]] = ("action", "reasoning", "instruction", "general")
"""Types whose patterns begin a question anywhere; see `_begins_question`."""
CLOSING: Final = "closing"
"""The pattern of regards, which the sender's signature follows."""
_OPENING_CHARS: Final = 3  # characters of the key of a literal
_ESCAPE: Final = regex.compile(r"\\p\{L\}|\\[^p]", regex.VERSION1)


def table(lexicons: Lexicons, lexicon_id: str) -> Lexicon:
    """Return the classifier's lexicon of a language.

    Raises:
        UnknownLanguageError: The language has none; that of another language is never used.
    """
    try:
        return lexicons[lexicon_id]
    except KeyError:
        raise UnknownLanguageError(
            f'language "{lexicons.language}" has no lexicon "{lexicon_id}" with the patterns of '
            f"message types; add {lexicons.language}/{lexicon_id}.toml"
        ) from None


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A pattern, and whether it searches the text in lower case or as typed."""

    pattern: Pattern
    in_small_letters: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one language.

    Attributes:
        formulas: The unspecified patterns that may open a text.
        closings: Those before a signature.
        asking: The heavy patterns of the asking types.
        yes_no: Those of yes/no questions.
        needed: First characters of a literal → the literal and its rule.
        free: Rules without literals.
    """

    by_type: Mapping[MessageType, tuple[Rule, ...]]
    formulas: tuple[Rule, ...]
    closings: tuple[Rule, ...]
    asking: tuple[Rule, ...]
    yes_no: tuple[Rule, ...]
    abbreviations: frozenset[str]
    needed: Mapping[str, Sequence[tuple[str, Rule]]]
    free: frozenset[Rule]

    def likely(self, text: str) -> Rules:
        """Return the rules whose literals occur in a text."""
        small = in_lower_case(text)
        likely_rules = set(self.free)
        for length in range(1, _OPENING_CHARS + 1):
            parts = {small[at : at + length] for at in range(len(small))}
            for part in parts.intersection(self.needed):
                likely_rules.update(rule for literal, rule in self.needed[part] if literal in small)

        def kept(rules: Iterable[Rule]) -> tuple[Rule, ...]:
            return tuple(rule for rule in rules if rule in likely_rules)

        return replace(
            self,
            by_type={name: kept(group) for name, group in self.by_type.items()},
            formulas=kept(self.formulas),
            closings=kept(self.closings),
            asking=kept(self.asking),
            yes_no=kept(self.yes_no),
        )


@lru_cache(maxsize=32)
def rules_of(lexicons: Lexicons) -> Rules:
    """Return the rules of a language from a cache.

    Raises:
        UnknownLanguageError: The language has no table of message patterns.
    """
    lexicon = table(lexicons, "messages")
    groups: dict[MessageType, tuple[Pattern, ...]] = {
        name: tuple(sorted(lexicon.group(name), key=lambda pattern: -pattern.weight))
        for name in MESSAGE_TYPES
    }
    heavy = {
        name: [pattern for pattern in group if pattern.weight >= QUESTION_WEIGHT]
        for name, group in groups.items()
    }
    rules = {name: tuple(map(_rule, group)) for name, group in groups.items()}
    all_rules = tuple(chain.from_iterable(rules.values()))
    made = dict(zip(map(id, chain.from_iterable(groups.values())), all_rules, strict=True))

    def openings(patterns: Iterable[Pattern]) -> tuple[Rule, ...]:
        r"""Those that may be found at the start of a text; one with ``\K`` looks further on."""
        return tuple(made[id(pattern)] for pattern in patterns if r"\K" not in pattern.source)

    needed: dict[str, list[tuple[str, Rule]]] = {}
    for rule in all_rules:
        for literal in rule.pattern.literals.required:
            needed.setdefault(literal[:_OPENING_CHARS], []).append((literal, rule))
    return Rules(
        rules,
        openings(groups["unspecified"]),
        openings(pattern for pattern in groups["unspecified"] if pattern.id == CLOSING),
        openings(pattern for name in ASKING for pattern in heavy[name]),
        openings(heavy["binary"]),
        table(lexicons, "abbreviations").words,
        needed,
        frozenset(rule for rule in all_rules if not rule.pattern.literals.required),
    )


@lru_cache(maxsize=1024)
def _rule(pattern: Pattern) -> Rule:
    """Search in lower case if the pattern ignores case and is in lower case."""
    letters = _ESCAPE.sub("", pattern.source)
    if pattern.ignore_case and letters == letters.lower():
        return Rule(replace(pattern, ignore_case=False), in_small_letters=True)
    return Rule(pattern, in_small_letters=False)
