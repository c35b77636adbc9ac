"""Work on many items in several threads, with the results in the order of the items."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 8
"""Items taken beyond the next result that is due, for each thread."""


@dataclass(frozen=True, slots=True)
class _Done(Generic[R]):
    number: int
    results: tuple[R, ...] = ()
    error: BaseException | None = None


@dataclass(slots=True)
class _Limit:
    """The last item that may still be begun; only ever lowered, by the thread that iterates."""

    number: float = math.inf


def in_order(
    work: Callable[[T], R],
    items: Iterable[T],
    at_once: int = 8,
    progress: Callable[[int], None] | None = None,
) -> Iterator[R]:
    """Does work on items, several at once; meant for work that waits, such as calls to a model.

    Items are taken as they are needed: at most ``AHEAD`` times ``at_once`` of them, and of their
    results, are held at one time, however many there are. When the caller stops iterating, or
    Ctrl-C comes, no further item is begun and the ones under way are left behind: their threads
    are daemons, which keep no process alive.

    Args:
        work: Is called from several threads.
        items: Taken in the thread that iterates.
        at_once: How many are worked on at one time, from 1.
        progress: Is told how many items are done, after each, in whatever order they are done; in
            the thread that iterates.

    Yields:
        The result of each item, in the order of the items; nothing for no items.

    Raises:
        ValueError: ``at_once`` is below 1.
        BaseException: Whatever ``work`` raises, in place of the result of its item; no further
            item is begun after it.

    >>> list(in_order(abs, [-2, 1, -3], at_once=2))
    [2, 1, 3]
    """
    if at_once < 1:
        raise ValueError(f"at_once is at least 1, not {at_once}")
    return _results(work, items, at_once, progress)


def _results(
    work: Callable[[T], R],
    items: Iterable[T],
    at_once: int,
    progress: Callable[[int], None] | None,
) -> Iterator[R]:
    todo: queue.SimpleQueue[tuple[int, T] | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[_Done[R]] = queue.SimpleQueue()
    limit = _Limit()
    source, threads = iter(items), list[threading.Thread]()
    waiting: dict[int, _Done[R]] = {}
    taken = given = done_count = 0
    more = True
    try:
        while True:
            while more and taken < given + AHEAD * at_once:
                try:
                    item = next(source)
                except StopIteration:
                    more = False
                    break
                todo.put((taken, item))
                taken += 1
                if len(threads) < min(taken, at_once):
                    threads.append(_start(work, todo, done, limit))
            if given == taken:
                return
            one = done.get()
            waiting[one.number] = one
            if one.error is not None:
                more, limit.number = False, min(limit.number, one.number)
            done_count += 1
            if progress is not None:
                progress(done_count)
            while given in waiting:
                next_due = waiting.pop(given)
                given += 1
                if next_due.error is not None:
                    raise next_due.error
                yield from next_due.results
    finally:
        limit.number = -1
        for _ in threads:
            todo.put(None)


def _start(
    work: Callable[[T], R],
    todo: queue.SimpleQueue[tuple[int, T] | None],
    done: queue.SimpleQueue[_Done[R]],
    limit: _Limit,
) -> threading.Thread:
    def run() -> None:
        while (entry := todo.get()) is not None and entry[0] <= limit.number:
            number, item = entry
            try:
                done.put(_Done(number, (work(item),)))
            except BaseException as error:
                done.put(_Done(number, error=error))

    thread = threading.Thread(target=run, name="klopt-llm", daemon=True)
    thread.start()
    return thread
