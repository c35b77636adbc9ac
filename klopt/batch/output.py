"""Results as JSON lines: to standard output, or to a file that appears only when it is whole."""

from __future__ import annotations

import glob
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TextIO

from klopt.appended_file import AppendedFile, sync_folder, writing
from klopt.file_lock import hold

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_TOKEN_BYTES: Final = 8
_PART: Final = ".part"
"""Ends the hidden name of a file while it grows."""
ROWS: Final = ".rows"
"""Ends that of the rows of a log that a run kept."""
_UNSAFE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def to_json(row: Mapping[str, Any], indent: int | None = None) -> str:
    """One line of JSON, or several with an indent, keys in the given order.

    Lone surrogates, and characters that could rewrite a terminal or break a line, are escaped.

    >>> to_json({"id": "één", "score": None})
    '{"id": "één", "score": null}'
    """
    line = json.dumps(row, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(row, allow_nan=False, indent=indent)
    return escaped(line)


def escaped(text: str) -> str:
    r"""A text with escapes for characters that could rewrite a terminal or break a line.

    >>> escaped('name = "a\u202eb"')
    'name = "a\\u202eb"'
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


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
def whole_binary(path: Path | None) -> Iterator[BinaryIO]:
    """A file of bytes that appears only when it is whole, as `whole_file`; None for the output."""
    if path is None:
        try:
            yield sys.stdout.buffer
        finally:
            sys.stdout.flush()
        return
    if path.exists() and not path.is_file():
        with BufferedWriter(_Sink(path, "w", path)) as device:
            yield device
        return
    make_room(path)
    with ExitStack() as stack:
        part = begin_hidden(path, _PART, stack).path
        file = stack.enter_context(BufferedWriter(_Sink(part, "w", path)))
        yield file
        file.close()
        _rename(part, path)


class _Sink(FileIO):
    """A file whose writing, when it fails, says which file that was asked for."""

    def __init__(self, path: Path, mode: Literal["a", "w"], asked: Path) -> None:
        self.asked = asked
        with writing(asked):
            super().__init__(path, mode)

    def write(self, data: ReadableBuffer, /) -> int:
        with writing(self.asked):
            return super().write(data)


def _rename(part: Path, path: Path) -> None:
    """Gives a file its name when all of it is on the disk, and has the name there too."""
    with writing(path):
        with part.open("r+b") as file:
            os.fsync(file.fileno())
        part.replace(path)
    sync_folder(path.parent)


def make_room(path: Path) -> None:
    """Tries whether a file may be written to, and removes what killed runs left of it."""
    if path.exists():
        _Sink(path, "a", path).close()
    for hidden in (*hidden_files(path, _PART), *hidden_files(path, ROWS)):
        with suppress(OSError), hidden.open("rb") as left:
            hold(left, waits=False)
            remove(hidden)


def hidden_files(path: Path, ending: str) -> list[Path]:
    """The hidden files that runs for a file made, this one or others, in order."""
    token = "[0-9a-f]" * (2 * _TOKEN_BYTES)
    return sorted(path.parent.glob(f".{glob.escape(path.name)}.{token}{ending}"))


def remove(hidden: Path) -> None:
    """Removes a hidden file, if it is there and may be."""
    with suppress(OSError):
        hidden.unlink()


def begin_hidden(
    path: Path, ending: str, stack: ExitStack, leave: Callable[[Path], None] | None = None
) -> AppendedFile:
    """A hidden file that no other run has; removed when the stack is left, unless by ``leave``."""
    while True:
        hidden = path.with_name(f".{path.name}.{token_hex(_TOKEN_BYTES)}{ending}")
        stack.callback(leave or remove, hidden)
        with suppress(BlockingIOError):  # a run that began just now takes it for left
            own = stack.enter_context(AppendedFile(hidden, path))
            if hidden.exists():
                return own
