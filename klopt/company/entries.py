"""Entries of a company's lexicon files: put in and taken out, all else in the file untouched."""

from __future__ import annotations

import datetime
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomlkit
from tomlkit.items import Array

from klopt.batch.output import whole_file
from klopt.lexicons import lexicon_in, read_lexicon
from klopt.lexicons.schema import shapes
from klopt.text_file import read_text_file

MOST_ABOUT_CHARS: Final = 300
_TABLES: Final = {"phrases": "lists", "groups": "groups"}


@dataclass(frozen=True)
class LexiconEntry:
    """One entry of a lexicon of phrases, or of groups of words that mean the same.

    Attributes:
        lexicon: The lexicon's id, such as ``synonyms``.
        part: The list.
        words: The phrase, or the words of a group.
        about: Where it came from: how often, where, an example.

    >>> LexiconEntry("synonyms", "nouns", ("medewerker", "werknemer")).name
    'medewerker, werknemer'
    """

    lexicon: str
    part: str
    words: tuple[str, ...]
    about: str = ""

    @property
    def name(self) -> str:
        """What it goes by in its lexicon."""
        return ", ".join(self.words)

    @property
    def key(self) -> str:
        """What it goes by in ``[about]``."""
        return ", ".join(sorted(self.words))

    @property
    def is_phrase(self) -> bool:
        """Whether it is one text, not a group of words."""
        return bool(shapes()[self.lexicon]["kind"] == "phrases")


def put(folder: Path, language: str, entries: Sequence[LexiconEntry]) -> list[Path]:
    """Puts entries into a company's lexicons; one that is there already stays as it is.

    Returns:
        The files that were changed or made.

    Raises:
        LexiconError: A file is wrong, or would be with the entries: it is left as it was.
        InputError: A file cannot be read or written.
    """
    return _changed(folder, language, entries, _put)


def take_out(folder: Path, language: str, entries: Sequence[LexiconEntry]) -> list[Path]:
    """Takes entries out of a company's lexicons; see `put`."""
    return _changed(folder, language, entries, _take_out)


def read(folder: Path, language: str) -> list[LexiconEntry]:
    """All entries of a company's lexicons of one language that have phrases or groups.

    Raises:
        LexiconError: A file is wrong.
        InputError: A file cannot be read.
    """
    entries: list[LexiconEntry] = []
    for path in sorted((folder / language).glob("*.toml")):
        lexicon = read_lexicon(path)
        for part, phrases in sorted(lexicon.lists.items()):
            entries += [LexiconEntry(lexicon.id, part, (phrase,)) for phrase in phrases]
        for part, groups in sorted(lexicon.word_groups.items()):
            entries += [LexiconEntry(lexicon.id, part, words) for words in groups]
    return entries


def _changed(
    folder: Path,
    language: str,
    entries: Sequence[LexiconEntry],
    change: Callable[[tomlkit.TOMLDocument, LexiconEntry], None],
) -> list[Path]:
    files: list[Path] = []
    for lexicon in sorted({entry.lexicon for entry in entries}):
        path = folder / language / f"{lexicon}.toml"
        before = _empty(lexicon, language)
        if path.is_file():
            before = read_text_file(path)
            lexicon_in(before, str(path))
        document = tomlkit.parse(before)
        for entry in entries:
            if entry.lexicon == lexicon:
                change(document, entry)
        text = tomlkit.dumps(document)
        if text != before:
            lexicon_in(text, str(path))
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as file:
                file.write(text)
            files.append(path)
    return files


def _empty(lexicon: str, language: str) -> str:
    shape = shapes()[lexicon]
    head = {
        "id": lexicon,
        "language": language,
        "source": "klopt company",
        "licence": "as the pages",
        "retrieved": datetime.date.today(),
        "changes": "none",
    }
    lists: dict[str, list[str]] = {name: [] for name in sorted(shape.get("lists", ()))}
    return tomlkit.dumps({"lexicon": head, _TABLES[shape["kind"]]: lists})


def _array(document: tomlkit.TOMLDocument, entry: LexiconEntry) -> Array:
    table: Any = document["lists" if entry.is_phrase else "groups"]
    if entry.part not in table:
        table[entry.part] = tomlkit.array()
    array: Array = table[entry.part]
    return array


def _put(document: tomlkit.TOMLDocument, entry: LexiconEntry) -> None:
    array = _array(document, entry)
    words = set(entry.words)
    value: Any = entry.words[0] if entry.is_phrase else sorted(words)
    if any(known == value or (not entry.is_phrase and {*known} == words) for known in array):
        return
    for other, number in _sharing(document, entry):  # a word stands in one group
        value = sorted({*value, *other[number]})
        del other[number]
    array.insert(bisect(list(array.unwrap()), value), value)
    array.multiline(True)
    if about := " ".join(entry.about.split())[:MOST_ABOUT_CHARS]:
        why: Any = document.setdefault("about", tomlkit.table())
        why[entry.key] = about


def _take_out(document: tomlkit.TOMLDocument, entry: LexiconEntry) -> None:
    why: Any = document.get("about", {})
    why.pop(entry.key, None)
    array = _array(document, entry)
    if entry.is_phrase:
        if entry.words[0] in array:
            del array[array.index(entry.words[0])]
        return
    for other, number in _sharing(document, entry):
        group = set(other[number])
        if group >= set(entry.words):
            # What was put in with one of its words stays.
            others = (words for key in why if group >= set(words := key.split(", ")))
            rest = sorted(group.difference(entry.words).union(*others))
            del other[number]
            if len(rest) > 1:
                other.insert(number, rest)


def _sharing(document: tomlkit.TOMLDocument, entry: LexiconEntry) -> list[tuple[Array, int]]:
    """The groups that have a word of an entry: array and place, the last first."""
    tables: Any = document.get("groups", {})
    return [
        (array, number)
        for array in tables.values()
        for number in reversed(range(len(array)))
        if not set(entry.words).isdisjoint(array[number])
    ]
