"""Append-only files: a line is written completely or not at all, by one process at a time."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from klopt.errors import InputError

if TYPE_CHECKING:
    from filelock import BaseFileLock

__all__ = ["Journal", "lock", "report_write_errors", "sync_folder"]


def lock(path: Path, *, timeout_s: float = 0) -> BaseFileLock:
    """Lock a file, created if absent, until release or the end of the process, however it ends.

    The lock is advisory. A ``timeout_s`` of -1 waits for another process as long as it takes.

    Raises:
        BlockingIOError: Another process holds the lock.
        OSError: The file cannot be opened for writing, or its file system has no locks.
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

    A crash can leave the last line incomplete; whoever opens the journal truncates it.

    Args:
        path: The file, created if absent.
        shown: The file that error messages name, if not `path`.

    Attributes:
        path: The file.
        is_locked: Whether other processes are kept out; False on a file system without locks.

    Raises:
        BlockingIOError: Another process holds the journal.
        InputError: The file cannot be written.
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
        try:
            return os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
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
        """Append a line, completely or not at all.

        Raises:
            InputError: The disk is full, or the journal is closed.
        """
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
