"""Work on many items in several threads, with the results in the order of the items."""

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

AHEAD: Final = 8
"""Items taken beyond the next result that is due, for each thread."""

AWAKE_S: Final = 0.2
"""After so long the wait for a result is begun anew: a signal that comes to another thread, or just
before the wait, does not end it."""


def in_order(
    work: Callable[[T], R],
    items: Iterable[T],
    at_once: int = 8,
    progress: Callable[[int], object] | None = None,
) -> Iterator[R]:
    """The results of work on items in their order, several at once; for work that waits.

    ``items`` are taken, and ``progress`` told how many are done, in the thread that iterates. At
    most ``AHEAD`` times ``at_once`` items, and results, are held at one time. When the caller stops
    iterating, Ctrl-C comes or ``work`` raises (which is raised in its item's place), no further
    item is begun, and those under way are left behind: their threads keep no process alive.

    >>> list(in_order(abs, [-2, 1, -3], at_once=2))
    [2, 1, 3]
    """
    if at_once < 1:
        raise ValueError(f"at_once is at least 1, not {at_once}")
    told = progress or (lambda _: None)
    return (_one_by_one if at_once == 1 else _together)(work, items, at_once, told)


def _one_by_one(
    work: Callable[[T], R], items: Iterable[T], _: int, told: Callable[[int], object]
) -> Iterator[R]:
    """In the thread that iterates, as they come."""
    for count, result in enumerate(map(work, items), 1):
        told(count)
        yield result


def _together(
    work: Callable[[T], R], items: Iterable[T], at_once: int, told: Callable[[int], object]
) -> Iterator[R]:
    todo: queue.SimpleQueue[tuple[T, Future[R]] | None] = queue.SimpleQueue()
    stopped = threading.Event()

    def run() -> None:
        while not stopped.is_set() and (entry := todo.get()) is not None:
            item, outcome = entry
            try:
                outcome.set_result(work(item))
            except BaseException as error:
                stopped.set()
                outcome.set_exception(error)
            del entry, item, outcome

    source, threads, waiting = iter(items), list[threading.Thread](), deque[Future[R]]()
    under_way, counted = set[Future[R]](), itertools.count(1)
    try:
        while True:
            for item in itertools.islice(source, AHEAD * at_once - len(waiting)):
                waiting.append(Future())
                under_way.add(waiting[-1])
                todo.put((item, waiting[-1]))
                if len(threads) < at_once:
                    threads.append(threading.Thread(target=run, name="klopt-llm", daemon=True))
                    threads[-1].start()
            if not waiting:
                return
            done, under_way = wait(under_way, AWAKE_S, FIRST_COMPLETED)
            for _ in done:
                told(next(counted))
            while waiting and waiting[0] not in under_way:
                yield waiting.popleft().result()
    finally:
        stopped.set()
        for _ in threads:
            todo.put(None)
