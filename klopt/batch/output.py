"""Results as JSON lines: to standard output, or to a file that appears only when it is whole."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Literal, TextIO

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

    Its name while it grows is known before it is made, so that Ctrl-C at any moment leaves
    nothing behind. A pipe or a device, such as /dev/null, is written to and not replaced.

    Raises:
        InputError: The file's folder is not there or cannot be written.
    """
    if path.exists() and not path.is_file():
        with _opened(path, "w", path) as device:
            yield device
        return
    part = path.with_name(f".{path.name}.{token_hex(8)}.part")
    try:
        with _opened(part, "x", path) as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _opened(path: Path, mode: Literal["w", "x"], asked: Path) -> TextIO:
    try:
        return path.open(mode, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{asked}: cannot be written: {error.strerror}") from None
