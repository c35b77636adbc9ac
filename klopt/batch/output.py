"""Results as JSON lines: to standard output, or to a file that appears only when it is whole."""

from __future__ import annotations

import glob
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TextIO

from klopt.errors import InputError
from klopt.file_lock import hold

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_TOKEN_BYTES: Final = 8
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
        try:
            yield lambda row: sys.stdout.buffer.write(to_json(row).encode() + b"\n")
        finally:
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
    nothing behind; what a killed run left, the next one for the same file removes. A pipe or a
    device, such as /dev/null, is written to and not replaced; a file that may not be written to is
    not replaced either.

    Raises:
        InputError: The file's folder is not there, or it cannot be written, as on a full disk.
    """
    with whole_binary(path) as sink, TextIOWrapper(sink, encoding="utf-8", newline="\n") as file:
        yield file


@contextmanager
def whole_binary(path: Path) -> Iterator[BinaryIO]:
    """A file of bytes that appears only when it is whole, as `whole_file`."""
    if path.exists() and not path.is_file():
        with BufferedWriter(_Sink(path, "w", path)) as device:
            yield device
        return
    if path.exists():
        _Sink(path, "a", path).close()
    _clear_left_behind(path)
    while True:
        part = path.with_name(f".{path.name}.{token_hex(_TOKEN_BYTES)}.part")
        try:
            with BufferedWriter(_Sink(part, "x", path)) as file, part.open("rb") as held:
                with suppress(OSError):  # a file system without locks: nobody removes it there
                    hold(held, waits=True)
                if not part.exists():  # a run that began just now took it for left
                    continue
                yield file
                file.close()
                try:
                    part.replace(path)
                except OSError as error:
                    raise _refused(path, error) from None
                return
        finally:
            with suppress(OSError):
                part.unlink()


class _Sink(FileIO):
    """A file whose writing, when it fails, says which file that was asked for."""

    def __init__(self, path: Path, mode: Literal["a", "w", "x"], asked: Path) -> None:
        self.asked = asked
        try:
            super().__init__(path, mode)
        except OSError as error:
            raise _refused(self.asked, error) from None

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _refused(self.asked, error) from None


def _refused(asked: Path, error: OSError) -> InputError:
    return InputError(f"{asked}: cannot be written: {error.strerror}")


def _clear_left_behind(path: Path) -> None:
    """Removes what killed runs left of a file: the parts that nobody holds."""
    token = "[0-9a-f]" * (2 * _TOKEN_BYTES)
    for part in path.parent.glob(f".{glob.escape(path.name)}.{token}.part"):
        with suppress(OSError), part.open("rb") as left:
            hold(left, waits=False)
            part.unlink()
