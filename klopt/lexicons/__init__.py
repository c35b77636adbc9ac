"""Word lists and patterns per language, one TOML file each.

>>> lexicons = load("nl")
>>> "bijvoorbeeld" in lexicons["signal_words"].lists["example"]
True
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from klopt._internal import shipped
from klopt._internal.cached import cached_property
from klopt.errors import InputError, LexiconError, UnknownLanguageError
from klopt.lexicons.pattern import Lexicon, OpposedPair, Pattern, in_lower_case, merged_groups

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


class Lexicons(dict[str, Lexicon]):
    """All lexicons of one language, by id; never changed, so that they can be a key."""

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
