"""Ctrl-C: stop between two rows. Imports nothing that ``klopt --version`` would wait for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn, TypeVar

T = TypeVar("T")

_STOPPED: Final = threading.Event()


@contextmanager
def listening() -> Iterator[None]:
    """Remember Ctrl-C for `stoppable`, since compiled libraries may swallow KeyboardInterrupt."""
    _STOPPED.clear()
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
    """Yield the items until Ctrl-C."""
    for item in items:
        if _STOPPED.is_set():
            raise KeyboardInterrupt
        yield item


def _stop(_: int, __: FrameType | None) -> NoReturn:
    _STOPPED.set()
    raise KeyboardInterrupt
