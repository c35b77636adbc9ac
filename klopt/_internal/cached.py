"""Caches: a property, the most recently used values, and a lock that survives a fork."""

from __future__ import annotations

import functools
import os
import sys
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

__all__ = ["ProcessLock", "Recent", "cached_property"]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 (the standard name)
        """That of Python 3.12: without a lock, for which a forked process could wait forever."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:  # noqa: ANN401
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


class ProcessLock:
    """A lock for the threads of one process; a forked process does not inherit it when held."""

    def __init__(self) -> None:
        self._locks: dict[int, Lock] = {}

    def __enter__(self) -> None:
        self._locks.setdefault(os.getpid(), Lock()).acquire()

    def __exit__(self, *_: object) -> None:
        self._locks[os.getpid()].release()


class Recent(Generic[Key, Value]):
    """A cache that drops the least recently used values; safe for threads and forked processes.

    It holds at most ``size`` values of ``most_chars`` characters in total; a longer value is kept
    alone.

    >>> recent = Recent[str, int](2)
    >>> for number, key in enumerate("abc"):
    ...     _ = recent.put(key, number)
    >>> recent.get("a"), recent.get("c"), "b" in recent
    (None, 2, True)
    """

    def __init__(self, size: int, most_chars: int = sys.maxsize) -> None:
        self._size = size
        self._most_chars = most_chars
        self._chars = 0
        self._values: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = ProcessLock()

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def get(self, key: Key) -> Value | None:
        """Return the value, now the most recently used; or None."""
        with self._lock:
            known = self._values.get(key)
            if known is None:
                return None
            self._values.move_to_end(key)
            return known[0]

    def put(self, key: Key, value: Value, chars: int = 0) -> Value:
        """Store and return a value with its number of characters."""
        with self._lock:
            self._chars += chars - self._values.pop(key, (value, 0))[1]
            self._values[key] = value, chars
            while len(self._values) > 1 and (
                len(self._values) > self._size or self._chars > self._most_chars
            ):
                self._chars -= self._values.popitem(last=False)[1][1]
            return value
