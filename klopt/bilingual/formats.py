"""Translation files: which kind a file is, and klopt's own lines of JSON."""

from __future__ import annotations

import codecs
import json
from collections import Counter
from dataclasses import astuple
from pathlib import Path
from typing import Final

import regex

from klopt import shipped
from klopt.bilingual.pairs import UNTRANSLATED, ReadPairs, check_entry, stated
from klopt.bilingual.po import read_po
from klopt.bilingual.tmx import read_tmx
from klopt.errors import InputError
from klopt.translation.memory import Entry

FIELDS: Final = ("from", "to", "provider", "source", "target", "origin")
"""The fields of a line, in the order of `Entry`."""

MOST_TOLD: Final = 20
LONGEST_LINE_BYTES: Final = 10_000_000

_LOOK_BYTES: Final = 4_000
_ROOT: Final = regex.compile(r"<(?:[\w.-]+:)?(tmx|xliff)[\s>]")
_MESSAGE: Final = regex.compile(r'(?m)^(?:#~ )?msg(?:id|ctxt) "')
_LINE: Final = regex.compile(r"\s*\{")


def read_file(
    path: Path, source_language: str | None = None, target_language: str | None = None
) -> ReadPairs:
    """What a TMX, a PO or the JSON lines of a memory hold; the content tells which, then the name.

    What klopt wrote needs no languages; of it, entries in others than those stated are left out,
    and counted. Raises `InputError` and `ConfigurationError`.
    """
    head = _head(path)
    root = _ROOT.search(head)
    if root is not None and head.lstrip("\ufeff \t\r\n").startswith("<"):
        if root[1] == "xliff":
            raise InputError(f"{path}: {shipped.table('klopt', 'removed.toml')['xliff']}")
        read = read_tmx(path, source_language, target_language)
    elif path.suffix.lower() in (".jsonl", ".ndjson") or _LINE.match(head):
        read = read_lines(path)
    elif path.suffix.lower() in (".po", ".pot") or _MESSAGE.search(head):
        return read_po(path, *stated(path, source_language, target_language))
    else:
        raise InputError(
            f"{path}: not a translation file; klopt reads TMX, gettext PO, and the JSON lines of "
            "klopt memory export"
        )
    kept = tuple(
        entry
        for entry in read.entries
        if source_language in (None, entry.source_language)
        and target_language in (None, entry.target_language)
    )
    skipped = Counter(read.skipped)
    if left_count := len(read.entries) - len(kept):
        skipped[f"not in {source_language or 'any'} and {target_language or 'any'}"] += left_count
    return ReadPairs(kept, read.pairs, skipped)


def _head(path: Path) -> str:
    """The first characters, in the encoding that the first bytes tell."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    try:
        with path.open("rb") as file:
            data = file.read(_LOOK_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "ignore")
    return data.decode("utf-8-sig", "ignore")


def to_row(entry: Entry) -> dict[str, str]:
    """An entry as the object of one line."""
    return dict(zip(FIELDS, astuple(entry), strict=True))


def read_lines(path: Path) -> ReadPairs:
    """The entries of a file of such lines; those with an empty target are left out and counted.

    Raises `InputError` with the first 20 lines that are wrong.
    """
    entries: list[Entry | str] = []
    problems: list[str] = []
    try:
        with path.open("rb") as file:
            lines = iter(lambda: file.readline(LONGEST_LINE_BYTES), b"")
            for number, line in enumerate(lines, 1):
                entry = _read_line(line) if line.strip() else None
                if isinstance(entry, Entry):
                    entries.append(entry if entry.target.strip() else UNTRANSLATED)
                elif entry is not None:
                    problems.append(f"line {number}: {entry}")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if problems:
        told = problems[:MOST_TOLD]
        if len(problems) > MOST_TOLD:
            told.append(f"and {len(problems) - MOST_TOLD} more")
        raise InputError("\n".join((f"{path}: not lines of a memory, nothing was read:", *told)))
    return ReadPairs.of(entries)


def _read_line(line: bytes) -> Entry | str:
    """The entry of a line, or what is wrong with it."""
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(row, dict):
        return "not a JSON object"
    if missing := [name for name in FIELDS[:-1] if name not in row]:
        return f"no {', '.join(missing)}; a line has {', '.join(FIELDS)}"
    if unknown := [str(name)[:40] for name in row if name not in FIELDS]:
        return f"there is no field {', '.join(unknown)}; a line has {', '.join(FIELDS)}"
    values = [row.get(name, "") for name in FIELDS]
    for name, value in zip(FIELDS, values, strict=True):
        if not isinstance(value, str):
            return f"{name} is not text"
    entry = Entry(*values)
    return check_entry(entry, may_be_empty=True) or entry
