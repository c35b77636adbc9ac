"""Translation files: which kind a file is, and klopt's own lines of JSON."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path
from typing import Final

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


def read_file(
    path: Path, source_language: str | None = None, target_language: str | None = None
) -> ReadPairs:
    """What a TMX, a PO or the JSON lines of a memory hold; the ending of its name tells which.

    The lines of a memory need no languages. Raises `InputError` and `ConfigurationError`.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    match path.suffix.lower():
        case ".jsonl" | ".ndjson":
            return read_lines(path)
        case ".tmx":
            return read_tmx(path, *stated(path, source_language, target_language))
        case ".po" | ".pot":
            return read_po(path, *stated(path, source_language, target_language))
        case ".xlf" | ".xliff":
            raise InputError(f"{path}: {shipped.table('klopt', 'removed.toml')['xliff']}")
    raise InputError(
        f"{path}: not a translation file; klopt reads TMX (.tmx), gettext PO (.po) and what klopt "
        "memory export wrote (.jsonl)"
    )


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
    return check_entry(entry) or entry
