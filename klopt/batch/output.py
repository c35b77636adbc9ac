"""Results as JSON lines: to standard output, or to a file that appears only when it is whole."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

from klopt.errors import InputError

_UNSAFE: Final = re.compile(r"[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")

Write = Callable[[Mapping[str, Any]], object]


def to_json(row: Mapping[str, Any]) -> str:
    """One line of JSON, keys in the given order.

    Lone surrogates, and characters that could rewrite a terminal or break a line, are escaped.

    >>> to_json({"id": "één", "score": None})
    '{"id": "één", "score": null}'
    """
    line = json.dumps(row, ensure_ascii=False, allow_nan=False)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(row, allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", line)


@contextmanager
def open_output(path: Path | None) -> Iterator[Write]:
    """A function that writes one row; nothing half is left when the run is broken off.

    Args:
        path: The file, or None for standard output.

    Raises:
        InputError: The file's folder is not there or cannot be written.
    """
    if path is None:
        yield lambda row: sys.stdout.buffer.write(to_json(row).encode() + b"\n")
        sys.stdout.flush()
        return
    with whole_file(path) as file:
        yield lambda row: file.write(to_json(row) + "\n")


def write_rows(rows: Iterable[Mapping[str, Any]], path: Path | None) -> None:
    """Writes rows as they come, as `open_output`."""
    with open_output(path) as write:
        for row in rows:
            write(row)


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name only when it is whole.

    Raises:
        InputError: The file's folder is not there or cannot be written.
    """
    if path.exists() and not path.is_file():
        with _open_device(path) as file:
            yield file
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        umask = os.umask(0)
        os.umask(umask)
        part.chmod(0o666 & ~umask)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _open_device(path: Path) -> TextIO:
    """A pipe or a device, such as /dev/null, is written to and not replaced."""
    try:
        return path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
