"""A file held by one process, for the time that it writes."""

from __future__ import annotations

from typing import IO, Any

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows, where nobody can remove a file that is open
    flock = None  # type: ignore[assignment]


def hold(file: IO[Any] | int, *, waits: bool) -> None:
    """Holds an open file until it is closed, or its process ends in whatever way.

    It keeps out others who hold, and nobody who just writes. On Windows nothing happens.

    Args:
        file: The file, or its descriptor.
        waits: Whether to wait for another who holds it.

    Raises:
        BlockingIOError: Another holds it, and this does not wait.
        OSError: The file system knows no locks, as some network drives.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     hold(file, waits=False)
    """
    if flock is not None:
        flock(file, LOCK_EX if waits else LOCK_EX | LOCK_NB)
