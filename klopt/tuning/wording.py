"""The words of one language from which answers are made: templates, lists, pairs and rules."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import regex

from klopt.errors import UnknownLanguageError
from klopt.lexicons.patterns import search_in_time

__all__ = ["Pairs", "Rule", "Wording", "recased", "wording"]

_FLAGS: Final = regex.VERSION1 | regex.IGNORECASE | regex.VERBOSE


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
class Pairs:
    """Words of which either may be put for the other.

    Attributes:
        others: Word in lower case → the words that may stand in its place.
    """

    others: Mapping[str, tuple[str, ...]]

    @property
    def expression(self) -> regex.Pattern[str]:
        """Finds any of the words, as whole words in any case, outside the names of components."""
        return _words(tuple(sorted(self.others)))


@dataclass(frozen=True)
class Wording:
    """The words of one language.

    Attributes:
        language: The language.
        templates: Name → sentences with places to fill in.
        lists: Name → words or phrases.
        exchanges: Words that say the same.
        antonyms: Words that say the contrary.
        rules: Group → rules in order.
    """

    language: str
    templates: Mapping[str, tuple[str, ...]]
    lists: Mapping[str, tuple[str, ...]]
    exchanges: Pairs
    antonyms: Pairs
    rules: Mapping[str, tuple[Rule, ...]]

    def begins(self, name: str, text: str) -> bool:
        """Whether a text begins with an entry of a list."""
        return _opening(self.lists[name]).match(text) is not None

    def mentions(self, name: str, text: str) -> bool:
        """Whether an entry of a list stands in a text."""
        return _words(self.lists[name]).search(text) is not None


def recased(text: str, model: str) -> str:
    """The text with its first letter in the case of the model's.

    >>> recased("wel mogelijk", "Niet mogelijk")
    'Wel mogelijk'
    """
    if model[:1].isupper():
        return text[:1].upper() + text[1:]
    return text[:1].lower() + text[1:] if model[:1].islower() and text[1:2].islower() else text


@cache
def _words(entries: tuple[str, ...]) -> regex.Pattern[str]:
    source = r"(?-f:(?<![\w-]|(?<!\w)te )\L<entries>(?![\w-]))(?![^⟦⟪⟨]*[⟧⟫⟩])"
    return regex.compile(source, regex.VERSION1 | regex.IGNORECASE, entries=entries)


@cache
def _opening(entries: tuple[str, ...]) -> regex.Pattern[str]:
    source = r"(?-f:\L<entries>(?!\w))"
    return regex.compile(source, regex.VERSION1 | regex.IGNORECASE, entries=entries)


@cache
def wording(language: str) -> Wording:
    """The words of a language.

    Raises:
        UnknownLanguageError: There is no table for it.

    >>> wording("nl").begins("anaphors", "Dit kan niet.")
    True
    """
    file = resources.files("klopt.tuning").joinpath(f"wording_{language}.toml")
    if not file.is_file():
        raise UnknownLanguageError(
            f'answers cannot be made in language "{language}": there is no wording_{language}.toml'
        )
    table = tomllib.loads(file.read_text("utf-8"))
    rules: dict[str, list[Rule]] = {}
    for entry in table["rule"]:
        expression = regex.compile(entry["pattern"], _FLAGS)
        fields = (entry[name] for name in ("replace", "hit", "result", "miss"))
        rule = Rule(entry["id"], entry["group"], expression, *fields)
        rules.setdefault(rule.group, []).append(rule)
    return Wording(
        language,
        {name: tuple(entries) for name, entries in table["templates"].items()},
        {name: tuple(entries) for name, entries in table["lists"].items()},
        _pairs(table["pairs"]["exchanges"], table["pairs"]["exchanges_one_way"]),
        _pairs(table["pairs"]["antonyms"], table["pairs"]["antonyms_one_way"]),
        {group: tuple(entries) for group, entries in rules.items()},
    )


def _pairs(entries: list[list[str]], one_way: list[list[str]]) -> Pairs:
    others: dict[str, tuple[str, ...]] = {}
    for one, other in (*entries, *(entry[::-1] for entry in entries), *one_way):
        others[one] = (*others.get(one, ()), other)
    return Pairs(others)
