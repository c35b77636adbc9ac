"""Map over items with several threads, results in the order of the items."""

from __future__ import annotations

import itertools
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Final, TypeVar

T = TypeVar("T")
R = TypeVar("R")

QUEUED_PER_THREAD: Final = 8
"""Items and results held at a time, for each thread."""

_WAIT_S: Final = 0.2
"""Longest uninterrupted wait, in seconds: Ctrl-C during a wait takes effect after it."""


def ordered_map(
    work: Callable[[T], R],
    items: Iterable[T],
    threads: int = 8,
    progress: Callable[[int], object] | None = None,
) -> Iterator[R]:
    """Yield ``work(item)`` for each item in order, with at most ``threads`` calls at a time.

    Unlike ``ThreadPoolExecutor.map``, it reads a long input lazily, and its threads are daemons:
    Ctrl-C, an exception of ``work`` or closing the iterator starts no further call and waits for
    none. ``items`` are read and ``progress`` is called (with the number of finished items) in the
    iterating thread.

    >>> list(ordered_map(abs, [-2, 1, -3], threads=2))
    [2, 1, 3]
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return _results(work, items, threads, progress or (lambda _: None))


def _results(
    work: Callable[[T], R], items: Iterable[T], threads: int, report: Callable[[int], object]
) -> Iterator[R]:
    if threads == 1:
        for done, result in enumerate(map(work, items), 1):
            report(done)
            yield result
        return
    todo: queue.SimpleQueue[tuple[T, Future[R]] | None] = queue.SimpleQueue()
    stopped = threading.Event()

    def run() -> None:
        while not stopped.is_set() and (entry := todo.get()) is not None:
            item, future = entry
            try:
                future.set_result(work(item))
            except BaseException as error:
                stopped.set()
                future.set_exception(error)
            del entry, item, future

    source, ordered, started = iter(items), deque[Future[R]](), 0
    running, count = set[Future[R]](), itertools.count(1)
    try:
        while True:
            for item in itertools.islice(source, QUEUED_PER_THREAD * threads - len(ordered)):
                ordered.append(Future())
                running.add(ordered[-1])
                todo.put((item, ordered[-1]))
                if started < threads:
                    threading.Thread(target=run, name="klopt-llm", daemon=True).start()
                    started += 1
            if not ordered:
                return
            finished, running = wait(running, _WAIT_S, FIRST_COMPLETED)
            for _ in finished:
                report(next(count))
            while ordered and ordered[0] not in running:
                yield ordered.popleft().result()
    finally:
        stopped.set()
        for _ in range(started):
            todo.put(None)
