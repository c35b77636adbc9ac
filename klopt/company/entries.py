"""Entries of a company's lexicon files: put in and taken out, all else in the file untouched."""

from __future__ import annotations

import datetime
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import tomlkit
from tomlkit.items import AoT, Array, Table

from klopt.batch.output import whole_file
from klopt.lexicons import Lexicon, lexicon_in, read_lexicon
from klopt.lexicons.schema import shapes

MOST_ABOUT_CHARS: Final = 300


@dataclass(frozen=True)
class Entry:
    """One entry of a lexicon.

    Attributes:
        lexicon: The lexicon's id, such as ``synonyms``.
        part: The list, or the group of a pattern.
        words: The phrase, or the words of a group.
        pattern: For a pattern ``id``, ``pattern``, ``hit``, ``miss`` and, where they differ from
            the default, ``case`` and ``weight``.
        about: Where it came from: how often, where, an example.

    >>> Entry("synonyms", "nouns", ("medewerker", "werknemer")).name
    'medewerker, werknemer'
    """

    lexicon: str
    part: str
    words: tuple[str, ...] = ()
    pattern: Mapping[str, Any] | None = None
    about: str = ""

    @property
    def name(self) -> str:
        """What it goes by in its lexicon: its words, or its pattern's id."""
        return str(self.pattern["id"]) if self.pattern is not None else ", ".join(self.words)


def lexicon_file(folder: Path, language: str, lexicon: str) -> Path:
    """Where a lexicon of a company is kept."""
    return folder / language / f"{lexicon}.toml"


def put(folder: Path, language: str, entries: Sequence[Entry]) -> list[Path]:
    """Puts entries into a company's lexicons; one that is there already stays as it is.

    Args:
        folder: The company's.
        language: Of the entries.
        entries: What to put in, of one or more lexicons with phrases, groups or patterns.

    Returns:
        The files that were changed or made; one whose last pattern is taken out is gone.

    Raises:
        LexiconError: A file is wrong, or would be with the entries: it is left as it was.
        InputError: A file cannot be read or written.
    """
    return _changed(folder, language, entries, _put)


def take_out(folder: Path, language: str, entries: Sequence[Entry]) -> list[Path]:
    """Takes entries out of a company's lexicons; see `put`."""
    return _changed(folder, language, entries, _take_out)


def read(folder: Path, language: str) -> list[Entry]:
    """All entries of a company's lexicons of one language with phrases, groups or patterns.

    Raises:
        LexiconError: A file is wrong.
        InputError: A file cannot be read.
    """
    found: list[Entry] = []
    for path in sorted((folder / language).glob("*.toml")):
        lexicon = read_lexicon(path)
        about: dict[str, Any] = tomlkit.parse(path.read_text("utf-8")).unwrap()
        why = about.get("about", {})
        for part, phrases in sorted(lexicon.lists.items()):
            found += [
                Entry(lexicon.id, part, (one,), about=str(why.get(one, ""))) for one in phrases
            ]
        for part, groups in sorted(lexicon.word_groups.items()):
            found += [
                Entry(lexicon.id, part, one, about=" ".join(_about(one, why))) for one in groups
            ]
        for table in about.get("pattern", ()):
            own = {key: table[key] for key in table if key not in ("group", "about")}
            found.append(
                Entry(lexicon.id, table["group"], pattern=own, about=str(table.get("about", "")))
            )
    return found


def _about(group: Sequence[str], why: Mapping[str, str]) -> list[str]:
    """Where a group came from, and those that were joined to it."""
    return [text for words, text in why.items() if set(words.split(", ")) <= set(group)]


def lexicons_of(language: str, entries: Sequence[Entry], where: str = "an entry") -> list[Lexicon]:
    """What entries make, without a file: for a scorer that is to try them.

    Raises:
        LexiconError: An entry does not fit its lexicon.

    >>> (made,) = lexicons_of("nl", [Entry("synonyms", "nouns", ("medewerker", "werknemer"))])
    >>> made.word_groups["nouns"]
    (('medewerker', 'werknemer'),)
    """
    found = []
    for lexicon in sorted({one.lexicon for one in entries}):
        document = tomlkit.parse(_empty(lexicon, language))
        for entry in entries:
            if entry.lexicon == lexicon:
                _put(document, entry)
        found.append(lexicon_in(tomlkit.dumps(document), f"{where} of {lexicon}"))
    return found


def _changed(folder: Path, language: str, entries: Sequence[Entry], change: Any) -> list[Path]:  # noqa: ANN401
    files: list[Path] = []
    for lexicon in sorted({one.lexicon for one in entries}):
        path = lexicon_file(folder, language, lexicon)
        before = _empty(lexicon, language)
        if path.is_file():
            before = path.read_text("utf-8")
            lexicon_in(before, str(path))
        document = tomlkit.parse(before)
        for entry in entries:
            if entry.lexicon == lexicon:
                change(document, entry)
        if "pattern" in document and not document["pattern"]:
            path.unlink(missing_ok=True)
            files.append(path)
            continue
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
    document = tomlkit.document()
    document["lexicon"] = tomlkit.item(head)
    names = sorted(shape.get("lists", ()))
    if shape["kind"] in ("phrases", "groups"):
        key = {"phrases": "lists", "groups": "groups"}[shape["kind"]]
        table = tomlkit.table()
        for name in names:
            table[name] = tomlkit.array()
        document[key] = table
    return tomlkit.dumps(document)


def _array(document: tomlkit.TOMLDocument, entry: Entry) -> Array:
    kind = "lists" if shapes()[entry.lexicon]["kind"] == "phrases" else "groups"
    table: Any = document[kind]
    if entry.part not in table:
        table[entry.part] = tomlkit.array()
    array: Array = table[entry.part]
    return array


def _put(document: tomlkit.TOMLDocument, entry: Entry) -> None:
    about = " ".join(entry.about.split())[:MOST_ABOUT_CHARS]
    if entry.pattern is not None:
        tables: Any = document.setdefault("pattern", AoT([]))
        if all(table["id"] != entry.name for table in tables):
            tables.append(_pattern_table(entry, about))
        return
    array = _array(document, entry)
    is_phrase = shapes()[entry.lexicon]["kind"] == "phrases"
    value: Any = entry.words[0] if is_phrase else sorted(entry.words)
    known = list(array.unwrap())
    if value in known:
        return
    for other, number in _sharing(document, entry):  # a word stands in one group
        value = sorted({*value, *other[number]})
        del other[number]
    array.insert(bisect(list(array.unwrap()), value), value)
    array.multiline(True)
    if about:
        why: Any = document.setdefault("about", tomlkit.table())
        why[", ".join(sorted(entry.words))] = about


def _sharing(document: tomlkit.TOMLDocument, entry: Entry) -> list[tuple[Array, int]]:
    """The groups of synonyms that have a word of an entry: list and number, the last first."""
    shape, table = shapes()[entry.lexicon], cast("dict[str, Array]", document.get("groups", {}))
    return [
        (array, number)
        for array in (() if shape.get("rivals") else table.values())
        for number in reversed(range(len(array)))
        if not set(entry.words).isdisjoint(array[number])
    ]


def _pattern_table(entry: Entry, about: str) -> Table:
    table = tomlkit.table()
    fields = {"group": entry.part, **(entry.pattern or {})}
    for key in ("id", "group", "case", "weight", "pattern", "hit", "miss"):
        if key in fields:
            value = fields[key]
            if key == "pattern" and "'''" not in value and not value.endswith("'"):
                table[key] = tomlkit.string(
                    value, literal=True, multiline="\n" in value or "'" in value
                )
            else:
                table[key] = tomlkit.item(value)
    if about:
        table["about"] = about
    return table


def _take_out(document: tomlkit.TOMLDocument, entry: Entry) -> None:
    if entry.pattern is not None:
        tables: Any = document.get("pattern", [])
        for number in reversed(range(len(tables))):
            if tables[number]["id"] == entry.name:
                del tables[number]
        return
    why: Any = document.get("about", {})
    why.pop(", ".join(sorted(entry.words)), None)
    array = _array(document, entry)
    known = list(array.unwrap())
    value: Any = (
        entry.words[0] if shapes()[entry.lexicon]["kind"] == "phrases" else sorted(entry.words)
    )
    if value in known:
        del array[known.index(value)]
    for other, number in _sharing(document, entry):
        group = set(other[number])
        if group >= set(entry.words):
            # What was put in with one of its words stays.
            others = (words for one in why if group >= set(words := one.split(", ")))
            rest = sorted(group.difference(entry.words).union(*others))
            del other[number]
            if len(rest) > 1:
                other.insert(number, rest)
