"""Word lists and patterns of a language, one TOML file each.

>>> lexicons = load("nl")
>>> "bijvoorbeeld" in lexicons["signal_words"].lists["example"]
True
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import regex

from klopt import shipped
from klopt.cached import cached_property
from klopt.errors import InputError, LexiconError, PatternTimeoutError, UnknownLanguageError
from klopt.lexicons.patterns import (
    beginnings_ahead,
    compile_pattern,
    compile_phrases,
    compiled_ahead,
    literals_ahead,
    required_literals,
    without_case,
)

__all__ = [
    "Lexicon",
    "Lexicons",
    "OpposedPair",
    "Pattern",
    "languages",
    "load",
    "load_one",
    "read_lexicon",
]

PATTERN_TIMEOUT_SECONDS: Final = 0.5
"""One pattern on one text. Ours take microseconds; a company's own may be worse."""
UNTIMED_CHARS: Final = 4_000
"""So long a text needs no clock with a pattern of ours: starting it takes longer than to search."""
_SECOND_TIMEOUT_SECONDS: Final = 1.0
# The clock of ``regex`` counts the whole process: other threads, and a garbage collection that
# happens to fall here. A pattern is called slow when it is so twice.


@dataclass(frozen=True, slots=True)
class OpposedPair:
    """Two sides that contradict each other when said of the same thing."""

    one: tuple[str, ...]
    other: tuple[str, ...]


@dataclass(frozen=True)
class Pattern:
    """One declared regular expression with an example that it hits and one that it just misses.

    Attributes:
        id: Unique in its lexicon; evidence and explanations name it.
        group: What the pattern stands for; the lexicon's schema lists the groups.
        source: The regular expression in verbose mode.
        ignore_case: Whether capitals and small letters are alike.
        weight: How much a hit counts, where the lexicon's reader adds hits up.
        hit: Texts in which the pattern must be found.
        miss: Texts, as near as possible, in which it must not be found.
    """

    id: str
    group: str
    source: str
    ignore_case: bool
    weight: float
    hit: tuple[str, ...]
    miss: tuple[str, ...]

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Pattern:
        """The pattern of a ``[[pattern]]`` table that fits its schema."""
        hit, miss = (
            (texts,) if isinstance(texts := entry[key], str) else tuple(texts)
            for key in ("hit", "miss")
        )
        return cls(
            entry["id"],
            entry["group"],
            entry["pattern"],
            entry.get("case", "ignore") == "ignore",
            float(entry.get("weight", 1.0)),
            hit,
            miss,
        )

    @cached_property
    def expression(self) -> regex.Pattern[str]:
        """The compiled expression; compiled when first used, since not all always are."""
        ahead = compiled_ahead(self.source, ignore_case=self.ignore_case)
        return ahead or compile_pattern(self.source, ignore_case=self.ignore_case)

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """Texts in lower case of which at least one stands in every match; none if not known."""
        ahead = literals_ahead(self.source)
        return required_literals(self.source) if ahead is None else ahead

    @cached_property
    def is_ours(self) -> bool:
        """Whether it comes with klopt, so that how long it takes is known."""
        return literals_ahead(self.source) is not None

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """Texts in lower case, one of which begins every match; none if not known, or not ours."""
        return beginnings_ahead(self.source)

    def compile(self) -> None:
        """Makes ready now what its first text would wait for."""
        self.expression, self.sought, self.is_ours, self.beginnings  # noqa: B018 - cached properties

    @cached_property
    def sought(self) -> tuple[str, ...]:
        """Those of its literals that are worth to look for, before the expression is tried.

        None of one of ours that is tried at the start of the text alone: that takes less.
        """
        return () if self.is_ours and self.source.lstrip().startswith(r"\A") else self.literals

    def may_match(self, small: str) -> bool:
        """Whether a text, given in lower case, has a word that the pattern cannot do without."""
        literals = self.sought
        for literal in literals:
            if literal in small:
                return True
        return not literals

    def search(self, text: str) -> regex.Match[str] | None:
        """The first match, or None.

        Raises:
            PatternTimeoutError: After `PATTERN_TIMEOUT_SECONDS`, and again at a second try.
        """
        return self.in_time("search", text) if self.may_match(in_lower_case(text)) else None

    def match_start(self, text: str) -> regex.Match[str] | None:
        """The match at the very start of a text, or None; as `search`."""
        if not self.is_ours and not self.may_match(in_lower_case(text)):
            return None
        match: regex.Match[str] | None = self.in_time("match", text)
        return match

    def finditer(self, text: str) -> list[regex.Match[str]]:
        """All matches from left to right, found in the time of one `search`.

        Where one of ours may begin is looked up: the expression would be tried at every character.
        """
        small = in_lower_case(text)
        if self.literals != self.beginnings and not self.may_match(small):
            return []
        if not self.beginnings or len(small) != len(text):
            found: list[regex.Match[str]] = self.in_time("finditer", text)
            return found
        starts: set[int] = set()
        for beginning in self.beginnings:
            at = small.find(beginning)
            while at >= 0:
                starts.add(at)
                at = small.find(beginning, at + 1)
        matches, end = [], 0
        for start in sorted(starts):
            if start >= end and (match := self.expression.match(text, start)) is not None:
                matches.append(match)
                end = match.end()
        return matches

    def in_time(self, how: str, text: str) -> Any:  # noqa: ANN401 - what that method gives
        """What a method of the expression finds, under the time limit."""
        run = getattr(self.expression, how)
        if self.is_ours and len(text) <= UNTIMED_CHARS:
            matches = run(text)
            return list(matches) if how == "finditer" else matches
        for seconds in (PATTERN_TIMEOUT_SECONDS, _SECOND_TIMEOUT_SECONDS):
            try:
                matches = run(text, timeout=seconds)
                # A list, so that the time between two matches, the caller's, is not counted.
                return list(matches) if how == "finditer" else matches
            except TimeoutError:
                continue
        raise PatternTimeoutError(
            f'pattern "{self.id}" took over {PATTERN_TIMEOUT_SECONDS} s on a text of '
            f"{len(text)} characters; simplify its nested repetitions"
        )


in_lower_case: Final = lru_cache(maxsize=256)(without_case)
"""`without_case`, remembered: many patterns look at one text."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One lexicon of one language.

    Attributes:
        id: Its name in ``schema.toml``.
        language: The language of its entries.
        lists: For a lexicon of phrases, list name → sorted phrases.
        patterns: For a lexicon of patterns, the patterns in order of precedence.
        digest: SHA-256 of the file, or of the files when a company's file was added.
        word_groups: For a lexicon of groups, name → groups of words for the same thing.
        pairs: For a lexicon of pairs, the pairs of sides that contradict each other.
        values: For a lexicon of values, name → word → the number that it stands for.
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
    def phrases(self) -> Mapping[str, regex.Pattern[str]]:
        """For each list, one expression that finds its phrases as whole words in any case."""
        return {name: compile_phrases(entries) for name, entries in self.lists.items()}

    @cached_property
    def words(self) -> frozenset[str]:
        """All phrases of all lists, in lower case."""
        return frozenset(entry.casefold() for entries in self.lists.values() for entry in entries)

    def compile(self) -> None:
        """Makes ready now what its first texts would wait for."""
        self.phrases  # noqa: B018 - a cached property
        for pattern in self.patterns:
            pattern.compile()

    def group(self, name: str) -> tuple[Pattern, ...]:
        """The patterns of one group, in order."""
        return self._groups.get(name, ())

    @cached_property
    def _groups(self) -> Mapping[str, tuple[Pattern, ...]]:
        groups: dict[str, tuple[Pattern, ...]] = {}
        for pattern in self.patterns:
            groups[pattern.group] = (*groups.get(pattern.group, ()), pattern)
        return groups

    def first(self, group: str, text: str, *, only: str | None = None) -> regex.Match[str] | None:
        """The first match of the first pattern of a group that is found in a text, or None.

        Raises:
            PatternTimeoutError: A company's own pattern took too long.
        """
        small = in_lower_case(text)
        for pattern in self._groups.get(group, ()):
            if only is not None and pattern.id != only:
                continue
            if pattern.may_match(small) and (match := pattern.in_time("search", text)) is not None:
                hit: regex.Match[str] = match
                return hit
        return None

    def hits(self, text: str, *groups: str) -> list[tuple[Pattern, list[regex.Match[str]]]]:
        """The patterns of some groups that are found in a text, in order, with all their matches.

        Raises:
            PatternTimeoutError: As `first`.
        """
        return [
            (pattern, matches)
            for group in groups
            for pattern in self._groups.get(group, ())
            if (matches := pattern.finditer(text))
        ]

    def extended(self, other: Lexicon) -> Lexicon:
        """This lexicon with a company's own added.

        Its phrases and pairs join, its patterns come first, its groups join those that they share
        a word with, and its values replace those of the same word.
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
                name: joined_groups(own.get(name, ()), other.word_groups.get(name, ()))
                for name in {*own, *other.word_groups}
            },
            pairs=(*self.pairs, *other.pairs),
            values={
                name: {**self.values.get(name, {}), **other.values.get(name, {})}
                for name in {*self.values, *other.values}
            },
        )


class Lexicons(dict[str, Lexicon]):
    """All lexicons of one language, by id; never changed once they are made.

    Args:
        language: Theirs.
        entries: Id → lexicon.
    """

    def __init__(self, language: str, entries: Mapping[str, Lexicon]) -> None:
        super().__init__(entries)
        self.language = language

    # They never change, so that each may be a key.
    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all lexicons, for the fingerprint."""
        together = "".join(f"{name}:{self[name].digest};" for name in sorted(self))
        return hashlib.sha256(together.encode()).hexdigest()

    def extended(self, lexicon: Lexicon) -> Lexicons:
        """These lexicons with one of the company's own added.

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


def joined_groups(
    own: Iterable[tuple[str, ...]], added: Iterable[tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Both sets of groups as one; groups that share a word become one group.

    >>> joined_groups([("afdrukken", "printen"), ("map",)], [("printen", "uitdraaien")])
    (('afdrukken', 'printen', 'uitdraaien'), ('map',))
    """
    groups: list[set[str]] = []
    for group in (*own, *added):
        words = set(group)
        apart: list[set[str]] = []
        for known in groups:
            if known & words:
                words |= known
            else:
                apart.append(known)
        groups = [*apart, words]
    return tuple(sorted(tuple(sorted(words)) for words in groups))


def apart(patterns: Iterable[Pattern], text: str) -> list[tuple[int, int]]:
    """Where patterns hit a text, from left to right; of two that overlap the first.

    Raises:
        PatternTimeoutError: As `Pattern.search`.
    """
    spans: list[tuple[int, int]] = []
    for span in sorted(match.span() for pattern in patterns for match in pattern.finditer(text)):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return spans


@cache
def languages() -> tuple[str, ...]:
    """The languages that have tables."""
    folders = resources.files("klopt.lexicons").iterdir()
    return tuple(
        sorted(f.name for f in folders if f.is_dir() and f.joinpath("language.toml").is_file())
    )


@cache
def load(language: str) -> Lexicons:
    """The lexicons that come with klopt for one language.

    Raises:
        UnknownLanguageError: There are no tables for the language; klopt never falls back to
            those of another.
    """
    if language not in languages():
        raise UnknownLanguageError(
            f'there are no tables for language "{language}"; there are for {", ".join(languages())}'
        )
    files = resources.files("klopt.lexicons").joinpath(language).iterdir()
    names = sorted(file.name for file in files if file.name.endswith(".toml"))
    one_by_one = (load_one(language, name.removesuffix(".toml")) for name in names)
    return Lexicons(language, {lexicon.id: lexicon for lexicon in one_by_one})


@cache
def load_one(language: str, lexicon_id: str) -> Lexicon:
    """One lexicon that comes with klopt, for those who need no other."""
    text = shipped.text("klopt.lexicons", language, f"{lexicon_id}.toml")
    return _lexicon(tomllib.loads(text), text)


def read_lexicon(path: Path) -> Lexicon:
    """A company's own lexicon file.

    Raises:
        InputError: The file cannot be read.
        LexiconError: It breaks the schema; every problem is listed.
    """
    from klopt.text_file import read_text_file  # most read none but our own

    try:
        text = read_text_file(path)
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"{path}: there is no such lexicon file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None
    return lexicon_in(text, str(path))


def lexicon_in(text: str, where: str) -> Lexicon:
    """The lexicon of a file whose text is at hand; see `read_lexicon`."""
    from klopt.lexicons.schema import lexicon_schema
    from klopt.toml_schema import check

    table = check(text, where=where, schema=lexicon_schema, error=LexiconError)
    return _lexicon(table, text)


def _lexicon(table: Mapping[str, Any], text: str) -> Lexicon:
    """The lexicon of a file that fits its schema."""
    return Lexicon(
        table["lexicon"]["id"],
        table["lexicon"]["language"],
        {name: tuple(entries) for name, entries in table.get("lists", {}).items()},
        tuple(map(Pattern.of, table.get("pattern", ()))),
        hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest(),
        {name: tuple(map(tuple, groups)) for name, groups in table.get("groups", {}).items()},
        tuple(OpposedPair(tuple(one["one"]), tuple(one["other"])) for one in table.get("pair", ())),
        table.get("values", {}),
    )
