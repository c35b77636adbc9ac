"""The most recently used values, so that what is remembered stays bounded."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Values by key; the least recently used goes first. Safe to use from several threads.

    >>> recent = Recent[str, int](2)
    >>> for number, key in enumerate("abc"):
    ...     _ = recent.put(key, number)
    >>> recent.get("a"), recent.get("c"), len(recent)
    (None, 2, 2)
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """The value, which becomes the most recently used; or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> Value:
        """Remembers a value, forgets the oldest when there are too many, and gives it back."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._size:
                self._values.popitem(last=False)
            return value
