"""A memory as lines of JSON."""

from __future__ import annotations

import json
from dataclasses import astuple
from pathlib import Path
from typing import Final

import regex

from klopt.bilingual.pairs import UNTRANSLATED, Read
from klopt.errors import InputError
from klopt.translation.masks import MARKER, faults, has_all_marks
from klopt.translation.memory import Entry

FIELDS: Final = ("from", "to", "provider", "source", "target", "origin")
"""The fields of a line, in the order of `Entry`."""

MOST_TOLD: Final = 20
LONGEST_LINE_BYTES: Final = 10_000_000

_LANGUAGE: Final = regex.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_PROVIDER: Final = regex.compile(r"[a-z][a-z0-9_.-]{0,60}")


def to_row(entry: Entry) -> dict[str, str]:
    """An entry as the object of one line.

    >>> to_row(Entry("nl", "en", "trusted", "Klik op ⟦1⟧.", "Click ⟦1⟧."))["to"]
    'en'
    """
    return dict(zip(FIELDS, astuple(entry), strict=True))


def read_lines(path: Path) -> Read:
    """The entries of a file of such lines; those with an empty target are left out and counted.

    Raises:
        InputError: The file cannot be read, or lines are wrong: the first 20 are listed, each
            with its number.
    """
    entries: list[Entry] = []
    problems: list[str] = []
    empty_count = 0
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE_BYTES):
                number += 1
                if not line.strip():
                    continue
                found = _read(line)
                if isinstance(found, Entry) and not found.target.strip():
                    empty_count += 1
                elif isinstance(found, Entry):
                    entries.append(found)
                else:
                    problems.append(f"line {number}: {found}")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if problems:
        told = problems[:MOST_TOLD]
        if len(problems) > MOST_TOLD:
            told.append(f"and {len(problems) - MOST_TOLD} more")
        raise InputError("\n".join((f"{path}: not lines of a memory, nothing was read:", *told)))
    return Read(tuple(entries), skipped={UNTRANSLATED: empty_count} if empty_count else {})


def check_entry(entry: Entry, *, may_be_empty: bool = False) -> str | None:
    """What is wrong with an entry that came from a file, or None.

    Args:
        entry: The entry.
        may_be_empty: Whether the target may still be lacking.
    """
    for name, value in (("from", entry.source_language), ("to", entry.target_language)):
        if not _LANGUAGE.fullmatch(value):
            return f'{name} is "{value[:40]}", not a language such as nl'
    if not _PROVIDER.fullmatch(entry.provider):
        return f'provider is "{entry.provider[:40]}", not one word in lower case such as trusted'
    if not entry.source.strip():
        return "source is empty"
    if not may_be_empty and not entry.target.strip():
        return "target is empty"
    marks_count = len(MARKER.findall(entry.source))
    if entry.target.strip() and not has_all_marks(entry.target, marks_count):
        wrong = faults(entry.target, marks_count)
        return f"in the target {wrong}; it has each mark of the source once"
    return None


def _read(line: bytes) -> Entry | str:
    """The entry of a line, or what is wrong with it."""
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    if not isinstance(found, dict):
        return "not a JSON object"
    missing = [name for name in FIELDS[:-1] if name not in found]
    if missing:
        return f"no {', '.join(missing)}; a line has {', '.join(FIELDS)}"
    unknown = [str(name)[:40] for name in found if name not in FIELDS]
    if unknown:
        return f"there is no field {', '.join(unknown)}; a line has {', '.join(FIELDS)}"
    values = [found.get(name, "") for name in FIELDS]
    for name, value in zip(FIELDS, values, strict=True):
        if not isinstance(value, str):
            return f"{name} is not text"
    entry = Entry(*values)
    return check_entry(entry, may_be_empty=True) or entry
