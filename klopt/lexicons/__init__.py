"""Word lists and patterns of a language, one TOML file each.

>>> lexicons = load("nl")
>>> "bijvoorbeeld" in lexicons["signal_words"].lists["example"]
True
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import regex

from klopt.errors import InputError, LexiconError, UnknownLanguageError
from klopt.lexicons.patterns import Pattern, compile_phrases
from klopt.lexicons.schema import Content, check
from klopt.lexicons.word_groups import Pair, joined_groups

__all__ = ["Lexicon", "Lexicons", "Pair", "Pattern", "languages", "load", "read_lexicon"]


@dataclass(frozen=True)
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
    pairs: tuple[Pair, ...] = ()
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
        """Compiles its phrases and patterns now rather than when each is first used."""
        self.phrases  # noqa: B018 - a cached property
        for pattern in self.patterns:
            pattern.expression  # noqa: B018 - a cached property
            pattern.literals  # noqa: B018 - a cached property

    def group(self, name: str) -> tuple[Pattern, ...]:
        """The patterns of one group, in order."""
        return self._groups.get(name, ())

    @cached_property
    def _groups(self) -> Mapping[str, tuple[Pattern, ...]]:
        groups: dict[str, tuple[Pattern, ...]] = {}
        for pattern in self.patterns:
            groups[pattern.group] = (*groups.get(pattern.group, ()), pattern)
        return groups

    def first(self, group: str, text: str) -> regex.Match[str] | None:
        """The first match of the first pattern of a group that is found in a text, or None.

        Raises:
            PatternTimeoutError: A company's own pattern took too long.
        """
        found = (pattern.search(text) for pattern in self.group(group))
        return next((match for match in found if match is not None), None)

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


@dataclass(frozen=True)
class Lexicons(Mapping[str, Lexicon]):
    """All lexicons of one language, by id.

    Attributes:
        language: The language.
        entries: Lexicon id → lexicon.
    """

    language: str
    entries: Mapping[str, Lexicon]

    def __getitem__(self, lexicon_id: str) -> Lexicon:
        return self.entries[lexicon_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __hash__(self) -> int:
        return hash((self.language, self.digest))

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all lexicons, for the fingerprint."""
        together = "".join(f"{name}:{self.entries[name].digest};" for name in sorted(self.entries))
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
        own = self.entries.get(lexicon.id)
        merged = lexicon if own is None else own.extended(lexicon)
        return Lexicons(self.language, {**self.entries, lexicon.id: merged})


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
        LexiconError: A file breaks its schema.
    """
    if language not in languages():
        raise UnknownLanguageError(
            f'there are no tables for language "{language}"; there are for {", ".join(languages())}'
        )
    entries: dict[str, Lexicon] = {}
    folder = resources.files("klopt.lexicons").joinpath(language)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            text = file.read_text("utf-8")
            where = f"{language}/{file.name}"
            lexicon = _lexicon(check(text, where=where, try_out=False), text)
            if lexicon.language != language or f"{lexicon.id}.toml" != file.name:
                raise LexiconError(
                    f'{where}: id "{lexicon.id}" and language "{lexicon.language}" do not fit '
                    "the file's place"
                )
            entries[lexicon.id] = lexicon
    return Lexicons(language, entries)


def read_lexicon(path: Path) -> Lexicon:
    """A company's own lexicon file.

    Raises:
        InputError: The file cannot be read.
        LexiconError: It breaks the schema; every problem is listed.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such lexicon file")
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None
    return _lexicon(check(text, where=str(path)), text)


def _lexicon(content: Content, text: str) -> Lexicon:
    digest = hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()
    return Lexicon(
        content.id,
        content.language,
        content.lists,
        content.patterns,
        digest,
        content.word_groups,
        content.pairs,
        content.values,
    )
