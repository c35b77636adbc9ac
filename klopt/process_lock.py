"""A lock of one process, which a process that is forked off finds free."""

from __future__ import annotations

import os
from threading import Lock

__all__ = ["ProcessLock"]


class ProcessLock:
    """Keeps the other threads of this process out.

    A forked process has one thread, and the memory of all: a plain lock that another thread held
    at that moment is never given back there.

    >>> with ProcessLock():
    ...     pass
    """

    def __init__(self) -> None:
        self._locks: dict[int, Lock] = {}

    def __enter__(self) -> None:
        self._locks.setdefault(os.getpid(), Lock()).acquire()

    def __exit__(self, *_: object) -> None:
        self._locks[os.getpid()].release()
