"""Logs that grow: read on from where they were."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from klopt.batch.formats import ROW_LIMIT_CHARS, kind_of, packing_of, refuse_utf_16
from klopt.batch.rows import read_lines
from klopt.batch.tables import Found, read_csv
from klopt.errors import InputError

_READ_BYTES: Final = 262_144
_OPEN_BYTES: Final = 262_144
"""So much is waited for behind a quote that is not closed; then its row is a bad one."""
_MARK_BYTES: Final = 1_024


@dataclass(frozen=True, slots=True)
class Position:
    """How far a log was read.

    Attributes:
        path: The log, in UTF-8, with escapes for what is none in its name.
        offset: The bytes that were read.
        row_count: The lines of JSON, or rows of CSV, in them.
        unread_count: How many of those could not be read.
        mark: By which those bytes are known again, also under another name.
    """

    path: str
    offset: int = 0
    row_count: int = 0
    unread_count: int = 0
    mark: bytes = b""


def logs_in(sources: Iterable[Path]) -> list[Path]:
    """The logs among files and in folders, by name: JSON lines and CSV, not packed.

    Raises:
        InputError: A source is not there.
    """
    logs: list[Path] = []
    for source in sources:
        if not source.exists():
            raise InputError(f"{source}: there is no such file or folder of logs")
        inner = sorted(source.iterdir()) if source.is_dir() else [source]
        logs += [
            path
            for path in inner
            if kind_of(path) in ("csv", "jsonl") and not packing_of(path) and path.is_file()
        ]
    return logs


def read_on(
    log: Path, known: Sequence[Position], names: Mapping[str, str] | None = None
) -> tuple[Position, list[Found]]:
    """The next rows of a log that are whole, some at a time, and where they end.

    A last row without its line end waits. A log that was only renamed, or copied with more at its
    end, is read on; one that has something else where it was read is read anew.

    Args:
        log: JSON lines or CSV, by its ending.
        known: How far logs were read.
        names: As for `klopt.batch.rows.read_rows`.

    Raises:
        InputError: It is UTF-16.
        OSError: It cannot be read.
    """
    name = str(log).encode(errors="backslashreplace").decode()
    with log.open("rb") as file:
        refuse_utf_16(file.read(2), name)
        was = _position(file, name, known)
        is_csv = kind_of(log) == "csv"
        file.seek(was.offset)
        data = _whole(file.read(_READ_BYTES), is_csv=is_csv)
        if not data:
            file.seek(was.offset)
            data = _whole(file.read(ROW_LIMIT_CHARS), is_csv=is_csv)
        if not data:
            return was, []
        offset = was.offset + len(data)
        if is_csv:
            header = _header(file) if was.offset else b""
            rows, count = _csv_rows(BytesIO(header + data), was.row_count, name, names)
        else:
            lines = data.removesuffix(b"\n").split(b"\n")
            rows, count = [*read_lines(lines, name, was.row_count + 1)], len(lines)
        now = replace(was, offset=offset, row_count=was.row_count + count)
        return replace(now, mark=_mark(file, offset)), rows


def _header(file: BinaryIO) -> bytes:
    """The first row, of which a quoted name may go on on further lines."""
    file.seek(0)
    header = file.readline(ROW_LIMIT_CHARS)
    while header.count(b'"') % 2 and (line := file.readline(_OPEN_BYTES)):
        header += line
    return header


def _csv_rows(
    data: BinaryIO, before: int, where: str, names: Mapping[str, str] | None
) -> tuple[list[Found], int]:
    try:
        rows = [*read_csv(data, where, names, before + 1)]
    except InputError as error:
        rows = [(before + 1, str(error), None)]
    return rows, len(rows)


def _position(file: BinaryIO, path: str, known: Sequence[Position]) -> Position:
    """How far a log was read, by what is in it: its name may be another's now."""
    size = os.fstat(file.fileno()).st_size
    for position in sorted(known, key=lambda each: (each.path != path, -each.offset)):
        if 0 < position.offset <= size and position.mark == _mark(file, position.offset):
            same = position.path == path
            return position if same else replace(position, path=path, unread_count=0)
    return Position(path)


def _mark(file: BinaryIO, offset: int) -> bytes:
    """A digest of the first bytes, and of the last before an offset."""
    file.seek(0)
    head = file.read(min(offset, _MARK_BYTES))
    file.seek(max(0, offset - _MARK_BYTES))
    tail = file.read(min(offset, _MARK_BYTES))
    return hashlib.blake2b(head + tail, digest_size=16).digest()


def _whole(data: bytes, *, is_csv: bool) -> bytes:
    r"""As much as ends with a row; all of what is longer than a row may be.

    >>> _whole(b'a\n"b\n', is_csv=True), _whole(b'a\n"b\n', is_csv=False), _whole(b"a", is_csv=True)
    (b'a\n', b'a\n"b\n', b'')
    """
    end = data.rfind(b"\n") + 1
    if not end:
        return data if len(data) >= ROW_LIMIT_CHARS else b""
    closed, quotes = end, data.count(b'"', 0, end) if is_csv else 0
    while closed and quotes % 2:
        line = data.rfind(b"\n", 0, closed - 1) + 1
        quotes -= data.count(b'"', line, closed)
        closed = line
    return data[: end if end - closed > _OPEN_BYTES else closed]
