"""Results as JSON lines: to standard output, or to a file that appears only when it is whole."""

from __future__ import annotations

import glob
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TextIO

from klopt.appended_file import AppendedFile, sync_folder
from klopt.errors import InputError
from klopt.file_lock import hold

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_TOKEN_BYTES: Final = 8
_PART: Final = ".part"
"""Ends the hidden name of a file while it grows."""
_ROWS: Final = ".rows"
"""That of the lines of a `Journal`."""
_NOTE: Final = b'{"kept": '
"""Begins a line that says what the lines before it stand for."""
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
    return escaped(line)


def escaped(text: str) -> str:
    r"""JSON or TOML, with escapes for characters that could rewrite a terminal or break a line.

    >>> escaped('name = "a\u202eb"')
    'name = "a\\u202eb"'
    """
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@contextmanager
def open_output(path: Path | None) -> Iterator[Write]:
    """A function that writes one row; nothing half is left when the run is broken off."""
    with whole_binary(path) as file:
        yield lambda row: file.write(to_json(row).encode() + b"\n")


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
    _make_room(path)
    with ExitStack() as stack:
        part = _begun(path, _PART, stack).path
        file = stack.enter_context(BufferedWriter(_Sink(part, "w", path)))
        yield file
        file.close()
        _rename(part, path)


class _Sink(FileIO):
    """A file whose writing, when it fails, says which file that was asked for."""

    def __init__(self, path: Path, mode: Literal["a", "w"], asked: Path) -> None:
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


def _rename(part: Path, path: Path) -> None:
    """Gives a file its name when all of it is on the disk, and has the name there too."""
    try:
        with part.open("r+b") as file:
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise _refused(path, error) from None
    sync_folder(path.parent)


def _make_room(path: Path) -> None:
    """Tries whether a file may be written to, and removes what killed runs left of it."""
    if path.exists():
        _Sink(path, "a", path).close()
    for hidden in (*_hidden(path, _PART), *_hidden(path, _ROWS)):
        with suppress(OSError), hidden.open("rb") as left:
            hold(left, waits=False)
            _remove(hidden)


def _hidden(path: Path, ending: str) -> list[Path]:
    """The hidden files that runs for a file made, this one or others, in order."""
    token = "[0-9a-f]" * (2 * _TOKEN_BYTES)
    return sorted(path.parent.glob(f".{glob.escape(path.name)}.{token}{ending}"))


def _remove(hidden: Path) -> None:
    with suppress(OSError):
        hidden.unlink()


def _begun(
    path: Path, ending: str, stack: ExitStack, remove: Callable[[Path], None] = _remove
) -> AppendedFile:
    """A hidden file that no other run has, removed when the stack is left."""
    while True:
        hidden = path.with_name(f".{path.name}.{token_hex(_TOKEN_BYTES)}{ending}")
        stack.callback(remove, hidden)
        with suppress(BlockingIOError):  # a run that began just now takes it for left
            own = stack.enter_context(AppendedFile(hidden, path))
            if hidden.exists():
                return own


class Journal:
    """Lines on their way to a file, of which what was kept outlasts any stop.

    Attributes:
        write: Adds a line.
        kept: What was kept last, in this run or the one that it goes on with; None for nothing.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        file: AppendedFile | None = None,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        self.write, self.kept, self._file = write, kept, file

    def keep(self, kept: Mapping[str, Any]) -> None:
        """Keeps what was written so far, and what stands for it; both are on the disk then."""
        if self._file is None:
            return
        self._file.sync()  # so that no note is there before its lines
        self._file.add(_NOTE + json.dumps(kept).encode() + b"}\n")
        self._file.sync()
        self.kept = kept


@contextmanager
def open_journal(
    path: Path | None,
    *,
    restart: bool = False,
    finish: Callable[[Iterable[bytes], BinaryIO], None] | None = None,
    warn: Callable[[str], object] = lambda _: None,
) -> Iterator[Journal]:
    """A file of lines that appears when it is whole; a run that was stopped can be gone on with.

    Where lines are not the file themselves, ``finish`` reads them and writes it. Standard output, a
    pipe or a device gets lines as they come, and nothing is kept.
    """
    if path is None or (path.exists() and not path.is_file()):
        with whole_binary(path) as file, ExitStack() as stack:
            if finish is None:
                yield Journal(file.write)
                return
            lines = stack.enter_context(TemporaryFile())
            yield Journal(lines.write)
            lines.seek(0)
            finish(lines, file)
        return
    journal: Journal | None = None

    def remove(hidden: Path) -> None:
        if journal is None or journal.kept is None:
            _remove(hidden)

    with ExitStack() as stack:
        left = None if restart else _left_behind(path, stack, warn)
        _make_room(path)
        own, kept = left or (_begun(path, _ROWS, stack, remove), None)
        journal = Journal(own.add, own, kept)
        yield journal
        with own.path.open("rb") as every, whole_binary(path) as file:
            (finish or _put_lines)((line for line in every if not line.startswith(_NOTE)), file)
        own.close()
        _remove(own.path)


def _put_lines(lines: Iterable[bytes], file: BinaryIO) -> None:
    file.writelines(lines)


def _left_behind(
    path: Path, stack: ExitStack, warn: Callable[[str], object]
) -> tuple[AppendedFile, dict[str, Any]] | None:
    """The lines of a stopped run, held from now on and cut after its last note, and the note."""
    for hidden in _hidden(path, _ROWS):
        try:
            with ExitStack() as own:
                file = own.enter_context(AppendedFile(hidden, path))
                if not file.is_held:
                    raise ValueError("the file system knows no locks, so another run may have it")
                kept, end = _last_kept(hidden)
                if kept is not None:
                    file.cut(end)
                    stack.push(own.pop_all())
                    return file, kept
        except BlockingIOError:  # it is running
            continue
        except (InputError, OSError, ValueError) as error:
            warn(
                f"{path}: what a stopped run kept cannot be gone on with; this begins anew: {error}"
            )
    return None


def _last_kept(lines: Path) -> tuple[dict[str, Any] | None, int]:
    """What the last note says that is whole, and where it ends."""
    note, end, at = b"", 0, 0
    with lines.open("rb") as file:
        for line in file:
            at += len(line)
            if line.startswith(_NOTE) and line.endswith(b"\n"):
                note, end = line, at
    return (json.loads(note)["kept"] if note else None), end
