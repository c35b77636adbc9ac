"""Ctrl-C that is not lost: compiled code of libraries swallows the exception now and then."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn, TypeVar

T = TypeVar("T")

_ASKED: Final = threading.Event()


@contextmanager
def listening() -> Iterator[None]:
    """Remembers Ctrl-C beside raising `KeyboardInterrupt`, for `stoppable`.

    Where something else handles the signal already, or in a thread, nothing changes.
    """
    _ASKED.clear()
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def stoppable(items: Iterable[T]) -> Iterator[T]:
    """The same items, until Ctrl-C.

    Raises:
        KeyboardInterrupt: It was asked for since `listening` began.
    """
    for item in items:
        if _ASKED.is_set():
            raise KeyboardInterrupt
        yield item


def _stop(_: int, __: FrameType | None) -> NoReturn:
    _ASKED.set()
    raise KeyboardInterrupt
