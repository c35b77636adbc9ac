"""Files: written completely or not at all, append-only with a lock, and read within limits."""

from __future__ import annotations

import errno
import glob
import json
import os
import re
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TextIO

from klopt.errors import InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from filelock import BaseFileLock


def lock(path: Path, *, timeout_s: float = 0) -> BaseFileLock:
    """Lock a file, created if absent, until release or the end of the process, however it ends.

    The lock is advisory; a ``timeout_s`` of -1 waits as long as it takes. Raises BlockingIOError if
    another process holds it, and OSError on a file system without locks.
    """
    from filelock import FileLock, Timeout  # most commands write no journal

    own = FileLock(
        path.resolve(),
        timeout=timeout_s,
        thread_local=False,
        fallback_to_soft=False,
        preserve_lock_file=True,
    )
    try:
        own.acquire()
    except Timeout:
        raise BlockingIOError(errno.EAGAIN, "another process holds the lock") from None
    except NotImplementedError:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK)) from None
    return own


@contextmanager
def report_write_errors(shown: Path) -> Iterator[None]:
    """Turn a failed write into an `InputError` that names the file; a closed pipe passes."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{shown}: cannot be written: {error.strerror}") from None


class Journal:
    """An append-only file that one process holds at a time; safe to use from several threads.

    A crash can leave the last line incomplete; whoever opens the journal truncates it. Messages
    name ``shown`` instead of ``path``. ``is_locked``: whether other processes are kept out, which
    no lock does on some file systems. Raises BlockingIOError if another process holds the journal,
    and InputError if it cannot be written.
    """

    def __init__(self, path: Path, shown: Path | None = None) -> None:
        self.path, self._shown = path, shown or path
        self._thread_lock = threading.Lock()
        self._file_lock: BaseFileLock | None = None
        with report_write_errors(self._shown):
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        self.is_locked = sys.platform == "win32"  # where a lock would keep out our own writes
        if self.is_locked:
            return
        try:
            self._file_lock = lock(path)
            self.is_locked = True
            if not self._is_named():
                raise BlockingIOError(errno.EAGAIN, "another process has removed the file")
        except BlockingIOError:
            self.close()
            raise
        except OSError:
            pass

    def _is_named(self) -> bool:
        """Whether the path still leads to this file; a process that ends removes its own."""
        with suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(self._file), self.path.stat())
        return False

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release the lock; closing twice is harmless."""
        with self._thread_lock:
            if self._file >= 0:
                os.close(self._file)
            self._file = -1
            if self._file_lock is not None:
                self._file_lock.release()

    def read(self) -> bytes:
        """Return the whole content."""
        return self.path.read_bytes()

    def truncate(self, size: int) -> None:
        """Cut the file off after `size` bytes."""
        os.ftruncate(self._file, size)

    def append(self, line: bytes) -> None:
        """Append a line, completely or not at all; raise InputError if the disk is full."""
        with self._thread_lock:
            if self._file < 0:
                raise InputError(f"{self._shown}: closed; nothing more can be written to it")
            size = os.fstat(self._file).st_size
            try:
                with report_write_errors(self._shown):
                    while line:
                        line = line[os.write(self._file, line) :]
            except InputError:
                with suppress(OSError):
                    self.truncate(size)
                raise

    def sync(self) -> None:
        """Flush everything to the disk; raise InputError if it is full."""
        with report_write_errors(self._shown):
            os.fsync(self._file)


def sync_folder(folder: Path) -> None:
    """Flush the names of a folder's files to the disk, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


LARGEST_BYTES: Final = 50_000_000  # of a text file; a lexicon of 100,000 phrases has 3 million
_TOKEN_BYTES: Final = 8
_PART: Final = ".part"  # Suffix of a hidden file that is still being written
JOURNAL: Final = ".rows"  # Suffix of a hidden journal of scored rows
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


MAX_NESTING: Final = 200
"""Brackets within one another in JSON; Python's own limit depends on the calls in progress."""
_NESTING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def json_value(text: str | bytes) -> Any:  # noqa: ANN401 (any JSON)
    """Return the value of JSON.

    ValueError if it is invalid, RecursionError if it has over `MAX_NESTING` levels.

    >>> json_value("[1]"), json_value(b'{"a": "["}')
    ([1], {'a': '['})
    """
    check_nesting(text)
    return json.loads(text)


def check_nesting(text: str | bytes) -> None:
    """Raise RecursionError for JSON of over `MAX_NESTING` levels."""
    if isinstance(text, bytes):
        text = text.decode("latin-1")
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return
    depth = 0
    for match in _NESTING.finditer(text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MAX_NESTING:
            raise RecursionError


def json_fault(error: ValueError | RecursionError) -> str:
    """Return why text cannot be read as JSON."""
    return f"not JSON: {'nested too deeply' if isinstance(error, RecursionError) else error}"


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
    run left. A pipe or a device is written to and not replaced. Raises InputError if it cannot be
    written.
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
    """Open a hidden file of this run alone; leaving the stack calls ``discard`` with it."""
    while True:
        hidden = path.with_name(f".{path.name}.{token_hex(_TOKEN_BYTES)}{suffix}")
        stack.callback(discard, hidden)
        with suppress(BlockingIOError):  # a run that starts now may be removing it
            return stack.enter_context(Journal(hidden, path))


def read_text_file(path: Path) -> str:
    """Read a UTF-8 text file such as a lexicon or a profile, with line ends as in Python.

    Errors of the system pass through; other InputErrors: it is larger than `LARGEST_BYTES`, is not
    UTF-8, or changes while it is read.

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
        raise InputError(f"{path}: changed while klopt read it; try again once it is complete")
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read as text: {error}") from None


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
