"""The words of one language from which answers are made: templates, lists, pairs and rules."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import regex

from klopt import shipped
from klopt.errors import UnknownLanguageError
from klopt.lexicons import Lexicons, Pattern
from klopt.lexicons.patterns import compile_pattern, search_in_time

__all__ = ["Pairs", "Rule", "Wording", "bare", "recased", "with_others", "wording"]

Pairs = Mapping[str, tuple[str, ...]]
"""Word in lower case → the words that may stand in its place."""

_NO_BRACKETS: Final = dict.fromkeys(map(ord, "⟦⟧⟪⟫⟨⟩"))
_FLAGS: Final = regex.VERSION1 | regex.IGNORECASE
_TIMES: Final = ("months", "weekdays", "parts_of_day", "relative_days", "seasons")
"""The sets of the lexicon ``contrasts`` that say when."""
_PLACES: Final = ("colours", "corners", "file_types", "operating_systems", "browsers", "compass")
"""The sets of the lexicon ``contrasts`` that say which or where."""
_CLEAR_CHARS: Final = 6
"""Shorter words of the lexicons ("too", "uit") have more than one sense."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to rewrite a sentence.

    Attributes:
        id: Unique in its language.
        group: What the rewriting does.
        expression: What is replaced; blanks in it stand as ``[ ]``.
        replacement: What comes instead, with groups as in ``regex``.
        hit: A sentence that it rewrites.
        result: What becomes of it.
        miss: A sentence, as near as possible, that it leaves alone.
    """

    id: str
    group: str
    expression: regex.Pattern[str]
    replacement: str
    hit: str
    result: str
    miss: str

    def apply(self, text: str) -> str | None:
        """The text with the first match rewritten, or None when there is none.

        A capital at the start of the match or the text stays one. A match that takes too long is
        none.
        """
        try:
            match = search_in_time(self.expression, text)
        except TimeoutError:
            return None
        if match is None:
            return None
        new = match.expandf(self.replacement)
        if match[0][:1].isupper():
            new = new[:1].upper() + new[1:]
        found = text[: match.start()] + new + text[match.end() :]
        found = recased(regex.sub(r" +(?=[ .,])", "", found).strip(), text)
        return None if found == text else found


@dataclass(frozen=True)
class Wording:
    """The words of one language.

    Attributes:
        language: The language.
        templates: Name → sentences with places to fill in.
        lists: Name → words or phrases.
        rules: Group → rules in order.
        exchanges: Words that say the same.
        antonyms: Words that say the contrary.
        contraries: Words that say the contrary by the lexicons, and rivals in space.
        times: Months, days and the like, each with its rivals.
        stop_words: The words without content.
        instructions: Find what begins with an instruction, as "Open the file" does.
        common: The words that the help pages also write in small letters.
    """

    language: str
    templates: Mapping[str, tuple[str, ...]]
    lists: Mapping[str, tuple[str, ...]]
    rules: Mapping[str, Sequence[Rule]]
    exchanges: Pairs
    antonyms: Pairs
    contraries: Pairs
    times: Pairs
    stop_words: frozenset[str]
    instructions: Sequence[Pattern]
    common: frozenset[str] = frozenset()

    def begins(self, name: str, text: str) -> bool:
        """Whether a text begins with an entry of a list, brackets aside."""
        return _opening(self.lists[name]).match(bare(text)) is not None

    def mentions(self, name: str, text: str) -> bool:
        """Whether an entry of a list stands in a text, outside the names of components."""
        return _words(self.lists[name]).search(text) is not None

    def stands_alone(self, sentence: str) -> bool:
        """Whether a sentence is understood without the one before it."""
        return not self.begins("anaphors", sentence) and not self.mentions(
            "anaphors_inside", sentence
        )

    def phrase(self, name: str, rng: random.Random, *parts: str) -> str:
        """One of the templates of a name, its places filled in."""
        return rng.choice(self.templates[name]).format(*parts)

    def rewritten(self, group: str, text: str, *, everywhere: bool = False) -> str:
        """The text with each rule of a group applied once, or as often as it finds a match."""
        for rule in self.rules.get(group, ()):
            while found := rule.apply(text):
                text = found
                if not everywhere:
                    break
        return text

    def lowered(self, text: str) -> str:
        """The text with a small first letter, unless its first word is a name."""
        first = regex.match(r"[\w'’-]+", text)
        if first is None or first[0].lower() not in self.common:
            return text
        return text if first[0] in self.lists["capitals"] else text[:1].lower() + text[1:]

    def content_words(self, text: str) -> frozenset[str]:
        """The words of at least three characters that are no stop words, in small letters."""
        found = regex.findall(r"[\p{L}\p{N}][\p{L}\p{N}'’-]{2,}", bare(text).lower())
        return frozenset(found) - self.stop_words


def bare(text: str) -> str:
    """The text without our brackets.

    >>> bare("Klik op ⟦Opslaan⟧.")
    'Klik op Opslaan.'
    """
    return text.translate(_NO_BRACKETS)


def recased(text: str, model: str) -> str:
    """The text with its first letter in the case of the model's.

    >>> recased("wel mogelijk", "Niet mogelijk")
    'Wel mogelijk'
    """
    if model[:1].isupper():
        return text[:1].upper() + text[1:]
    return text[:1].lower() + text[1:] if model[:1].islower() and text[1:2].islower() else text


def with_others(text: str, pairs: Pairs, rng: random.Random) -> str | None:
    """The text with one word replaced by its like, or None when there is none in it.

    >>> with_others("Klik daarna hier.", {"daarna": ("dan",)}, random.Random(0))
    'Klik dan hier.'
    """
    matches = list(_words(tuple(sorted(pairs))).finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    other = recased(rng.choice(pairs[match[0].lower()]), match[0])
    return text[: match.start()] + other + text[match.end() :]


@cache
def _words(entries: tuple[str, ...]) -> regex.Pattern[str]:
    source = r"(?-f:(?<![\w-]|(?<!\w)te )\L<entries>(?![\w-]))(?![^⟦⟪⟨]*[⟧⟫⟩])"
    return regex.compile(source, _FLAGS, entries=entries)


@cache
def _opening(entries: tuple[str, ...]) -> regex.Pattern[str]:
    return regex.compile(r"(?-f:\L<entries>(?!\w))", _FLAGS, entries=entries)


@cache
def wording(lexicons: Lexicons) -> Wording:
    """The words of a language: our own table, and what its lexicons add.

    Raises:
        UnknownLanguageError: There is no table for it.

    >>> from klopt import lexicons
    >>> wording(lexicons.load("nl")).begins("anaphors", "Dit kan niet.")
    True
    """
    language = lexicons.language
    file = f"wording_{language}.toml"
    try:
        table = shipped.table("klopt.tuning", file)
    except FileNotFoundError:
        raise UnknownLanguageError(
            f'answers cannot be made in language "{language}": there is no {file}'
        ) from None
    rules: dict[str, list[Rule]] = {}
    for entry in table["rule"]:
        expression = compile_pattern(entry["pattern"])
        fields = (entry[name] for name in ("replace", "hit", "result", "miss"))
        rule = Rule(entry["id"], entry["group"], expression, *fields)
        rules.setdefault(rule.group, []).append(rule)
    lists = {name: tuple(entries) for name, entries in table["lists"].items()}
    pairs = table["pairs"]
    # Nouns and verbs that say the same would need another article or form; adverbs do not.
    synonyms = map(_clear, lexicons["synonyms"].word_groups["adverbs"])
    adverbs = [[one for one in group if one not in lists["ambiguous"]] for group in synonyms]
    antonyms = [(_clear(pair.one), _clear(pair.other)) for pair in lexicons["antonyms"].pairs]
    return Wording(
        language,
        {name: tuple(entries) for name, entries in table["templates"].items()},
        lists,
        rules,
        exchanges={
            **_others((group, group) for group in adverbs),
            **_pairs(pairs["exchanges"], pairs["exchanges_one_way"]),
        },
        antonyms=_pairs(pairs["antonyms"], pairs["antonyms_one_way"]),
        contraries={
            **_others(sides for one, other in antonyms for sides in ((one, other), (other, one))),
            **_rivals(lexicons, lists["ambiguous"], _PLACES),
        },
        times=_rivals(lexicons, lists["ambiguous"], _TIMES),
        stop_words=lexicons["stop_words"].words,
        instructions=[p for p in lexicons["guides"].group("step_verb") if p.id == "imperative"],
    )


def _pairs(entries: list[list[str]], one_way: list[list[str]]) -> Pairs:
    others: dict[str, tuple[str, ...]] = {}
    for one, other in (*entries, *(entry[::-1] for entry in entries), *one_way):
        others[one] = (*others.get(one, ()), other)
    return others


def _others(sides: Iterable[tuple[Iterable[str], Iterable[str]]]) -> Pairs:
    """Each word of the left sides with the other words on the right of the first that has it."""
    found: dict[str, tuple[str, ...]] = {}
    for words, others in sides:
        for word in words:
            if fitting := tuple(other for other in others if other != word):
                found.setdefault(word, fitting)
    return found


def _rivals(lexicons: Lexicons, ambiguous: Sequence[str], names: Sequence[str]) -> Pairs:
    """Each word of sets of the lexicon ``contrasts`` with the first words of its other groups."""
    return _others(
        (
            [word for word in group if word not in ambiguous and len(word) > 2],
            [other[-1] for other in groups if other != group],
        )
        for groups in (lexicons["contrasts"].word_groups[name] for name in names)
        for group in groups
    )


def _clear(group: Iterable[str]) -> list[str]:
    return [word for word in group if len(word) >= _CLEAR_CHARS and " " not in word]
