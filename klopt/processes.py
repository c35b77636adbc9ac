"""Working processes: each ends with the one that started it, and leaves Ctrl-C to it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import Any, Final

_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def start_pool(count: int, start: Callable[..., object], *arguments: Any) -> ProcessPoolExecutor:  # noqa: ANN401 (those of start)
    """A pool of fresh processes; one that is forked off a process with threads may hang.

    Args:
        count: How many.
        start: Is called in each as it starts, with the arguments.
        arguments: Are sent to each.
    """
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")
    return ProcessPoolExecutor(
        count, get_context("spawn"), initializer=_start, initargs=(start, arguments)
    )


def core_count() -> int:
    """How many cores this process may use, from 1."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux has it
        return os.cpu_count() or 1


def _start(start: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    start(*arguments)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
