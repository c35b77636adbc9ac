"""A file to which lines are added: one that was added is there whatever happens to the run."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from klopt.errors import InputError
from klopt.file_lock import hold

__all__ = ["AppendedFile", "sync_folder", "writing"]


@contextmanager
def writing(asked: Path) -> Iterator[None]:
    """Has what goes wrong in writing say which file was asked for; a reader that left is not that.

    Raises:
        InputError: It cannot be written, as on a full disk.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{asked}: cannot be written: {error.strerror}") from None


class AppendedFile:
    """A file held by one run at a time, which adds to its end; safe to use from several threads.

    What a kill left of a last line is for whoever opens the file to cut off.

    Args:
        path: The file, made where it is not there.
        asked: The file that messages name; None for the same.

    Attributes:
        path: The file.
        is_held: Whether others are kept out; False on a file system without locks.

    Raises:
        BlockingIOError: Another run adds to it.
        InputError: It cannot be written.
    """

    def __init__(self, path: Path, asked: Path | None = None) -> None:
        self.path, self._asked = path, asked or path
        self._lock = threading.Lock()
        with writing(self._asked):
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        self.is_held = False
        try:
            hold(self._file, waits=False)
            self.is_held = True
        except BlockingIOError:
            self.close()
            raise
        except OSError:
            pass

    def __enter__(self) -> AppendedFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Adds no more; a second time does nothing."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
            self._file = -1

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return os.fstat(self._file).st_size

    def read(self) -> bytes:
        """All that stands there."""
        return self.path.read_bytes()

    def cut(self, size: int) -> None:
        """Leaves only so many bytes."""
        os.ftruncate(self._file, size)

    def add(self, line: bytes) -> None:
        """Adds a line, all of it or nothing.

        Raises:
            InputError: The disk is full, or the file was closed.
        """
        with self._lock:
            if self._file < 0:
                raise InputError(f"{self._asked}: is closed and records no more")
            size = self.size
            try:
                with writing(self._asked):
                    while line:
                        line = line[os.write(self._file, line) :]
            except InputError:
                with suppress(OSError):
                    self.cut(size)
                raise

    def sync(self) -> None:
        """Has all that was added on the disk, where a power cut does not reach it.

        Raises:
            InputError: The disk is full.
        """
        with writing(self._asked):
            os.fsync(self._file)


def sync_folder(folder: Path) -> None:
    """Has the names of files in a folder on the disk."""
    with suppress(OSError):  # not every system opens folders
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
