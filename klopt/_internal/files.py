"""Write JSON text and files that appear only when complete; read bounded text files."""

from __future__ import annotations

import glob
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TextIO

from klopt._internal.journal import Journal, lock, report_write_errors, sync_folder
from klopt.errors import InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

LARGEST_BYTES: Final = 50_000_000
"""Size limit of a text file that people write; a lexicon of 100,000 phrases has 3 million."""
_TOKEN_BYTES: Final = 8
_PART: Final = ".part"
"""Suffix of a hidden file that is still being written."""
JOURNAL: Final = ".rows"
"""Suffix of a hidden journal of scored rows."""
_UNSAFE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def to_json(row: Mapping[str, Any], indent: int | None = None) -> str:
    """Return an object as one line of JSON, or several with an indent, keys in the given order.

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
    r"""Escape the characters that could rewrite a terminal or break a line.

    >>> escaped('name = "a\u202eb"')
    'name = "a\\u202eb"'
    """
    if text.isprintable():  # the usual case, and much faster
        return text
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Open a text file that appears under its name only when it is complete.

    An interrupted run leaves nothing behind; the next run for the same file removes what a killed
    run left. A pipe or a device, such as /dev/null, is written to and not replaced.

    Raises:
        InputError: The folder does not exist, or the file cannot be written.
    """
    with whole_binary(path) as sink, TextIOWrapper(sink, encoding="utf-8", newline="\n") as file:
        yield file


@contextmanager
def whole_binary(path: Path | None) -> Iterator[BinaryIO]:
    """Open a binary file as `whole_file` does; None stands for standard output."""
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
    prepare(path)
    with ExitStack() as stack:
        part = open_hidden(path, _PART, stack).path
        file = stack.enter_context(BufferedWriter(_Sink(part, "w", path)))
        yield file
        file.close()
        with report_write_errors(path):
            with part.open("r+b") as written:
                os.fsync(written.fileno())
            part.replace(path)
        sync_folder(path.parent)


class _Sink(FileIO):
    """An unbuffered file whose write errors name the file that the user gave."""

    def __init__(self, path: Path, mode: Literal["a", "w"], shown: Path) -> None:
        self.shown = shown
        with report_write_errors(shown):
            super().__init__(path, mode)

    def write(self, data: ReadableBuffer, /) -> int:
        with report_write_errors(self.shown):
            return super().write(data)


def prepare(path: Path) -> None:
    """Check that a file can be written, and remove what killed runs left beside it."""
    if path.exists():
        _Sink(path, "a", path).close()
    for hidden in (*hidden_files(path, _PART), *hidden_files(path, JOURNAL)):
        with suppress(OSError):
            held = lock(hidden)
            remove(hidden)
            held.release()


def hidden_files(path: Path, suffix: str) -> list[Path]:
    """Return the hidden files that runs made for an output file, sorted by name."""
    token = "[0-9a-f]" * (2 * _TOKEN_BYTES)
    return sorted(path.parent.glob(f".{glob.escape(path.name)}.{token}{suffix}"))


def remove(hidden: Path) -> None:
    """Remove a file if it exists and may be removed."""
    with suppress(OSError):
        hidden.unlink()


def open_hidden(
    path: Path, suffix: str, stack: ExitStack, discard: Callable[[Path], None] = remove
) -> Journal:
    """Open a hidden file of this run alone; leaving the stack calls ``discard`` with it.

    The name is registered before the file exists, so Ctrl-C leaves no file behind.
    """
    while True:
        hidden = path.with_name(f".{path.name}.{token_hex(_TOKEN_BYTES)}{suffix}")
        stack.callback(discard, hidden)
        with suppress(BlockingIOError):  # a run that starts now may be removing it
            return stack.enter_context(Journal(hidden, path))


def read_text_file(path: Path) -> str:
    """Read a UTF-8 text file such as a lexicon or a profile, with line ends as in Python.

    Raises:
        FileNotFoundError: The file does not exist; other errors of the system pass through too.
        InputError: The path is a pipe or a device, or the file is larger than `LARGEST_BYTES`, is
            not UTF-8, or changes while it is read.

    >>> read_text_file(Path(os.devnull))
    Traceback (most recent call last):
    klopt.errors.InputError: /dev/null: a pipe or a device, not a file; copy it into a file
    """
    with open(path, "rb", opener=_open_without_waiting) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise InputError(f"{path}: a pipe or a device, not a file; copy it into a file")
        if state.st_size > LARGEST_BYTES:
            raise InputError(
                f"{path}: {state.st_size:,} bytes is too large; the limit is {LARGEST_BYTES:,}"
            )
        data = file.read(state.st_size + 1)
    if len(data) != state.st_size:
        raise InputError(f"{path}: changed while it was read; try again once it is written")
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file; do not wait for the writer of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
