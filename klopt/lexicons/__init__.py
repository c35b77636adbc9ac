"""Word lists and patterns per language, one TOML file each.

>>> lexicons = load("nl")
>>> "bijvoorbeeld" in lexicons["signal_words"].lists["example"]
True
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import regex

from klopt._internal import shipped
from klopt._internal.cached import cached_property
from klopt.errors import InputError, LexiconError, UnknownLanguageError
from klopt.lexicons.pattern import Pattern, compile_phrases, in_lower_case, likely

__all__ = [
    "Lexicon",
    "Lexicons",
    "OpposedPair",
    "Pattern",
    "in_lower_case",
    "languages",
    "lexicon_in",
    "load",
    "load_one",
    "matched_spans",
    "merged_groups",
    "read_lexicon",
]


@dataclass(frozen=True, slots=True)
class OpposedPair:
    """Two sides that contradict each other as properties of the same thing."""

    one: tuple[str, ...]
    other: tuple[str, ...]


class Phrases(dict[str, regex.Pattern[str]]):
    """List name → expression that finds its phrases, compiled on first use."""

    def __init__(self, lists: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__()
        self._lists = lists

    def __missing__(self, name: str) -> regex.Pattern[str]:
        compiled = self[name] = compile_phrases(self._lists[name])
        return compiled


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One lexicon of one language.

    Attributes:
        id: Its name in ``schema.toml``.
        language: The language of its entries.
        lists: Of a phrase lexicon, list name → sorted phrases.
        patterns: Of a pattern lexicon, the patterns in order of precedence.
        digest: SHA-256 of the file, or of both files when a company's file was added.
        word_groups: Of a group lexicon, name → groups of words with one meaning.
        pairs: Of a pair lexicon, the pairs of sides that contradict each other.
        values: Of a value lexicon, name → word → number.
    """

    id: str
    language: str
    lists: Mapping[str, tuple[str, ...]]
    patterns: tuple[Pattern, ...]
    digest: str
    word_groups: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    pairs: tuple[OpposedPair, ...] = ()
    values: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @cached_property
    def phrases(self) -> Phrases:
        """For each list, one expression that finds its phrases as whole words in any case."""
        return Phrases(self.lists)

    @cached_property
    def words(self) -> frozenset[str]:
        """All phrases of all lists, in lower case."""
        return frozenset(entry.casefold() for entries in self.lists.values() for entry in entries)

    def prepare(self) -> None:
        """Compile the patterns now instead of at the first text that may contain a match."""
        for pattern in self.patterns:
            pattern.expression  # noqa: B018 - cached

    def group(self, name: str) -> tuple[Pattern, ...]:
        """Return the patterns of one group, in order."""
        return self._groups.get(name, ())

    @cached_property
    def _groups(self) -> Mapping[str, tuple[Pattern, ...]]:
        groups: dict[str, tuple[Pattern, ...]] = {}
        for pattern in self.patterns:
            groups[pattern.group] = (*groups.get(pattern.group, ()), pattern)
        return groups

    def likely(self, text: str, *groups: str) -> list[Pattern]:
        """Return the patterns of some groups whose literals occur in a text, in order."""
        return likely([one for name in groups for one in self._groups.get(name, ())], text)

    def first(self, group: str, text: str, *, only: str | None = None) -> regex.Match[str] | None:
        """Return the first match of the first pattern of a group that matches, or None.

        Raises:
            PatternTimeoutError: A company's own pattern took too long.
        """
        for pattern in likely(self._groups.get(group, ()), text):
            if only is None or pattern.id == only:
                match: regex.Match[str] | None = pattern.run("search", text)
                if match is not None:
                    return match
        return None

    def hits(self, text: str, *groups: str) -> list[tuple[Pattern, list[regex.Match[str]]]]:
        """Return the patterns of some groups that match a text, in order, with all matches.

        Raises:
            PatternTimeoutError: A company's own pattern took too long.
        """
        patterns = (one for name in groups for one in self.group(name))
        return [(pattern, found) for pattern in patterns if (found := pattern.finditer(text))]

    def extended(self, other: Lexicon) -> Lexicon:
        """Return this lexicon with a company's own added.

        Phrases and pairs are added, patterns take precedence, groups merge with those that share
        a word, and values replace those of the same word.
        """
        own = self.word_groups
        return replace(
            self,
            lists={
                name: tuple(sorted({*self.lists.get(name, ()), *other.lists.get(name, ())}))
                for name in {*self.lists, *other.lists}
            },
            patterns=(*other.patterns, *self.patterns),
            digest=hashlib.sha256((self.digest + other.digest).encode()).hexdigest(),
            word_groups={
                name: merged_groups(own.get(name, ()), other.word_groups.get(name, ()))
                for name in {*own, *other.word_groups}
            },
            pairs=(*self.pairs, *other.pairs),
            values={
                name: {**self.values.get(name, {}), **other.values.get(name, {})}
                for name in {*self.values, *other.values}
            },
        )


class Lexicons(dict[str, Lexicon]):
    """All lexicons of one language, by id; never changed, so that they can be a key.

    Args:
        language: The language of all of them.
        entries: Id → lexicon.
    """

    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, language: str, entries: Mapping[str, Lexicon]) -> None:
        super().__init__(entries)
        self.language = language

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all lexicons, for the fingerprint."""
        together = "".join(f"{name}:{self[name].digest};" for name in sorted(self))
        return hashlib.sha256(together.encode()).hexdigest()

    def extended(self, lexicon: Lexicon) -> Lexicons:
        """Return these lexicons with one of the company's own added.

        Raises:
            LexiconError: The lexicon is for another language.
        """
        if lexicon.language != self.language:
            raise LexiconError(
                f'lexicon "{lexicon.id}" is for language "{lexicon.language}", '
                f'not "{self.language}"'
            )
        own = self.get(lexicon.id)
        merged = lexicon if own is None else own.extended(lexicon)
        return Lexicons(self.language, {**self, lexicon.id: merged})


def merged_groups(
    own: Iterable[tuple[str, ...]], added: Iterable[tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Return both sets of groups as one, in which groups that share a word are merged.

    >>> merged_groups([("afdrukken", "printen"), ("map",)], [("printen", "uitdraaien")])
    (('afdrukken', 'printen', 'uitdraaien'), ('map',))
    """
    groups: list[set[str]] = []
    for group in (*own, *added):
        words = set(group)
        distinct: list[set[str]] = []
        for known in groups:
            if known & words:
                words |= known
            else:
                distinct.append(known)
        groups = [*distinct, words]
    return tuple(sorted(tuple(sorted(words)) for words in groups))


def matched_spans(patterns: Iterable[Pattern], text: str) -> list[tuple[int, int]]:
    """Return the spans that patterns match, from left to right; of overlapping spans the first.

    Raises:
        PatternTimeoutError: A company's own pattern took too long.
    """
    spans: list[tuple[int, int]] = []
    for span in sorted(match.span() for pattern in patterns for match in pattern.finditer(text)):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have lexicons."""
    folders = resources.files("klopt.lexicons").iterdir()
    return tuple(
        sorted(f.name for f in folders if f.is_dir() and f.joinpath("language.toml").is_file())
    )


@cache
def load(language: str) -> Lexicons:
    """Return the bundled lexicons of one language.

    Raises:
        UnknownLanguageError: The language has none; klopt never uses those of another.
    """
    if language not in languages():
        raise UnknownLanguageError(
            f'there are no tables for language "{language}"; there are for {", ".join(languages())}'
        )
    files = resources.files("klopt.lexicons").joinpath(language).iterdir()
    names = sorted(file.name for file in files if file.name.endswith(".toml"))
    loaded = (load_one(language, name.removesuffix(".toml")) for name in names)
    return Lexicons(language, {lexicon.id: lexicon for lexicon in loaded})


@cache
def load_one(language: str, lexicon_id: str) -> Lexicon:
    """Return one bundled lexicon, for callers that need no other."""
    text = shipped.text("klopt.lexicons", language, f"{lexicon_id}.toml")
    return _lexicon(tomllib.loads(text), text, bundled=True)


def read_lexicon(path: Path) -> Lexicon:
    """Read a company's own lexicon file.

    Raises:
        InputError: The file cannot be read.
        LexiconError: The file is invalid; the message lists every problem.
    """
    from klopt._internal.files import read_text_file  # most processes read bundled lexicons only

    try:
        text = read_text_file(path)
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"{path}: there is no such lexicon file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None
    return lexicon_in(text, str(path))


def lexicon_in(text: str, where: str) -> Lexicon:
    """Return the lexicon in the text of a file named ``where``; see `read_lexicon`."""
    from klopt._internal.toml_schema import check
    from klopt.lexicons.schema import lexicon_schema

    table = check(text, where=where, schema=lexicon_schema, error=LexiconError)
    return _lexicon(table, text)


def _lexicon(table: Mapping[str, Any], text: str, *, bundled: bool = False) -> Lexicon:
    """The lexicon of a valid file."""
    return Lexicon(
        table["lexicon"]["id"],
        table["lexicon"]["language"],
        {name: tuple(entries) for name, entries in table.get("lists", {}).items()},
        tuple(Pattern.of(entry, bundled=bundled) for entry in table.get("pattern", ())),
        hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest(),
        {name: tuple(map(tuple, groups)) for name, groups in table.get("groups", {}).items()},
        tuple(OpposedPair(tuple(one["one"]), tuple(one["other"])) for one in table.get("pair", ())),
        table.get("values", {}),
    )
