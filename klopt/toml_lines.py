"""On which line each table, key and entry of a TOML file stands; tomllib does not say."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect
from typing import Any, Final, TypeAlias

TomlPath: TypeAlias = tuple[str | int, ...]
"""Keys from the top, and the place, from 0, in a list or among the tables of one name."""

_KEY: Final = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[\w-]+)"""
_KEYS: Final = re.compile(rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*")
_BLANK: Final = re.compile(r"(?:[\s,=]|#[^\n]*)*")
_VALUE: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
    r"|[^,\]}#\n]+",
    re.DOTALL,
)


def toml_lines(text: str) -> dict[TomlPath, int]:
    r"""Where each table, key and entry of a file stands, as its line, from 1.

    Args:
        text: TOML that tomllib reads.

    >>> lines = toml_lines('[a]\nb = [\n  1,\n  2,\n]\n[[c]]\nd = 1\n[[c]]\nd = 2\n')
    >>> lines["a", "b", 1], lines["c", 1, "d"]
    (4, 9)
    """
    found: dict[TomlPath, int] = {}
    entries: dict[TomlPath, int] = {}
    table: TomlPath = ()
    at = _end(_BLANK, text, 0)
    while at < len(text):
        if text[at] == "[":
            is_entry = text.startswith("[[", at)
            start = _end(_BLANK, text, at + 1 + is_entry)
            end = _end(_KEYS, text, start)
            table = ()
            for key in _parts(text[start:end]):
                table = (*_of_entry(table, entries), key)
                found.setdefault(table, at)
            if is_entry:
                entries[table] = entries.get(table, -1) + 1
            table = _of_entry(table, entries)
            found[table] = at
            at = text.index("]", end) + 1 + is_entry
        else:
            at = _pair(text, at, table, found)
        at = _end(_BLANK, text, at)
    breaks = [match.start() for match in re.finditer("\n", text)]
    return {path: bisect(breaks, start) + 1 for path, start in found.items()}


def _of_entry(table: TomlPath, entries: dict[TomlPath, int]) -> TomlPath:
    """The last entry of an array of tables; any other table as it is."""
    return (*table, entries[table]) if table in entries else table


def _pair(text: str, at: int, table: TomlPath, found: dict[TomlPath, int]) -> int:
    """Notes a key and what its value holds; gives the end of the value."""
    end = _end(_KEYS, text, at)
    for key in _parts(text[at:end]):
        table = (*table, key)
        found.setdefault(table, at)
    return _value(text, _end(_BLANK, text, end), table, found)


def _value(text: str, at: int, path: TomlPath, found: dict[TomlPath, int]) -> int:
    if text[at] not in "[{":
        return _end(_VALUE, text, at)
    is_list, count = text[at] == "[", 0
    at = _end(_BLANK, text, at + 1)
    while text[at] not in "]}":
        if is_list:
            found[*path, count] = at
            at, count = _value(text, at, (*path, count), found), count + 1
        else:
            at = _pair(text, at, path, found)
        at = _end(_BLANK, text, at)
    return at + 1


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else len(text)


def _parts(keys: str) -> list[str]:
    """The keys of a dotted key, without their quotes."""
    table: Any = tomllib.loads(f"{keys} = 0")
    parts: list[str] = []
    while isinstance(table, dict):
        ((key, table),) = table.items()
        parts.append(key)
    return parts
