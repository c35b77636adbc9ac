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
from itertools import chain
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
_STATE: Final = ".state"
"""Of what a `Journal` has beside its part: what was rejected, and notes of what was kept."""
_NOTE: Final = b'{"bytes": '
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
        part = _begun(path, stack, _remove).path
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
    for part in _parts(path):
        with suppress(OSError), part.open("rb") as left:
            hold(left, waits=False)
            _remove(part)
    for state in _parts(path, _STATE):
        if not state.with_suffix(_PART).exists():  # killed just before the end
            _remove(state)


def _parts(path: Path, ending: str = _PART) -> list[Path]:
    """The hidden files that runs for a file made, this one or others, in order."""
    token = "[0-9a-f]" * (2 * _TOKEN_BYTES)
    return sorted(path.parent.glob(f".{glob.escape(path.name)}.{token}{ending}"))


def _begun(path: Path, stack: ExitStack, remove: Callable[[Path], None]) -> AppendedFile:
    """A part that no other run has, removed when the stack is left."""
    while True:
        hidden = path.with_name(f".{path.name}.{token_hex(_TOKEN_BYTES)}{_PART}")
        stack.callback(remove, hidden)
        with suppress(BlockingIOError):  # a run that began just now takes it for left
            part = stack.enter_context(AppendedFile(hidden, path))
            if hidden.exists():
                return part


def _remove(part: Path) -> None:
    for ending in (_PART, _STATE):
        with suppress(OSError):
            part.with_suffix(ending).unlink()


def _remove_unkept(part: Path) -> None:
    state = part.with_suffix(_STATE)
    if not state.exists() or _last_kept(state)[0] is None:
        _remove(part)


def _note(size: int, kept: Mapping[str, Any] | None) -> bytes:
    return f"{json.dumps({'bytes': size, 'kept': kept})}\n".encode()


def _last_kept(state: Path) -> tuple[dict[str, Any] | None, int]:
    """The last note of what was kept, and where it ends; 0 where there is not even the first.

    A last line that is half does not count.
    """
    found, end, at = None, 0, 0
    with state.open("rb") as lines:
        for line in lines:
            at += len(line)
            if line.startswith(_NOTE) and line.endswith(b"\n"):
                note = json.loads(line)
                found, end = (note if note["kept"] else None), at
    return found, end


class Journal:
    """Lines on their way to a file, of which what was kept outlasts any stop.

    Attributes:
        write: Adds a line.
        kept: What was kept last, in this run or the one that it goes on with; None for nothing.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        part: AppendedFile | None = None,
        state: AppendedFile | None = None,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        self.write, self.kept = write, kept
        self._part, self._state = part, state

    def reject(self, line: bytes) -> None:
        """Adds a line to the file of rejects, where there is one."""
        if self._state is not None:
            self._state.add(line)

    def keep(self, kept: Mapping[str, Any]) -> None:
        """Keeps what was written so far, and what stands for it; both are on the disk then."""
        if self._part is None or self._state is None:
            return
        self._part.sync()
        self._state.add(_note(self._part.size, kept))
        self._state.sync()
        self.kept = kept


@contextmanager
def open_journal(
    path: Path | None,
    *,
    restart: bool = False,
    finish: Callable[[BinaryIO, BinaryIO], None] | None = None,
    warn: Callable[[str], object] = lambda _: None,
) -> Iterator[Journal]:
    """A file of lines that appears when it is whole; a run that was stopped can be gone on with.

    Where lines are not the file themselves, ``finish`` reads them and writes it. Standard output, a
    pipe or a device gets lines as they come, and nothing is kept.
    """
    if path is None or (path.exists() and not path.is_file()):
        with whole_binary(path) as file:
            if finish is None:
                yield Journal(file.write)
                return
            with TemporaryFile() as lines:
                yield Journal(lines.write)
                lines.seek(0)
                finish(lines, file)
        return
    with ExitStack() as stack:
        left = None if restart else _left_behind(path, stack, warn)
        _make_room(path)
        if left is not None:
            part, state, kept = left
        else:
            part, kept = _begun(path, stack, _remove_unkept), None
            state = stack.enter_context(AppendedFile(part.path.with_suffix(_STATE), path))
            state.add(_note(0, None))
        yield Journal(part.add, part, state, kept)
        _finish_rejects(state.path, rejects_of(path))
        if finish is None:
            _rename(part.path, path)
        else:
            with part.path.open("rb") as lines, whole_binary(path) as file:
                finish(lines, file)
        _remove(part.path)


def rejects_of(path: Path) -> Path:
    """Where the rows go that could not be scored, beside the file of all of them.

    >>> print(rejects_of(Path("out.csv")))
    out.csv.rejects.jsonl
    """
    return path.with_name(f"{path.name}.rejects.jsonl")


def _finish_rejects(state: Path, path: Path) -> None:
    with state.open("rb") as lines:
        rejects = (one for one in lines if not one.startswith(_NOTE))
        if (first := next(rejects, None)) is None:
            path.unlink(missing_ok=True)
            return
        with whole_binary(path) as file:
            file.writelines(chain([first], rejects))


def _left_behind(
    path: Path, stack: ExitStack, warn: Callable[[str], object]
) -> tuple[AppendedFile, AppendedFile, dict[str, Any]] | None:
    """The part of a stopped run and its state, held from now on, with what it kept."""
    for hidden in _parts(path):
        if not hidden.with_suffix(_STATE).exists():
            continue
        try:
            with ExitStack() as own:
                part = own.enter_context(AppendedFile(hidden, path))
                state = own.enter_context(AppendedFile(hidden.with_suffix(_STATE), path))
                if not part.is_held:
                    raise ValueError("the file system knows no locks, so another run may have it")
                note, end = _last_kept(state.path)
                if not end:
                    raise ValueError(f"{state.path.name} is not all there")
                if note is None:
                    continue
                if part.size < note["bytes"]:
                    raise ValueError(f"{hidden.name} is not all there")
                part.cut(note["bytes"])
                state.cut(end)
                stack.push(own.pop_all())
                return part, state, note["kept"]
        except BlockingIOError:  # it is running
            continue
        except (InputError, KeyError, OSError, TypeError, ValueError) as error:
            warn(
                f"{path}: what a stopped run kept cannot be gone on with; this begins anew: {error}"
            )
    return None
