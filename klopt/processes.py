"""Working processes: each ends with the one that started it, and leaves Ctrl-C to it."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from typing import Any, Final, TypeVar

from klopt.errors import ConfigurationError

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 4
"""So many groups wait or are worked on, for each process."""

ENDED_TWICE: Final = "the process that worked on it ended, twice; is there memory for it?"
"""Why an item has no result."""

_MOST_ENDED: Final = 10
"""So many processes may end, and one more for every so many items that were done."""
_ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def start_pool(count: int, start: Callable[..., object], *arguments: Any) -> ProcessPoolExecutor:  # noqa: ANN401 (those of start)
    """A pool of fresh processes; one that is forked off a process with threads may hang.

    Args:
        count: How many.
        start: Is called in each as it starts, with the arguments.
        arguments: Are sent to each.
    """
    with_one_thread()
    return ProcessPoolExecutor(
        count, get_context("spawn"), initializer=begin, initargs=(start, *arguments)
    )


def in_processes(
    count: int,
    work: Callable[[list[T]], Sequence[R]],
    groups: Iterable[tuple[K, list[T]]],
    start: Callable[..., object],
    *arguments: Any,  # noqa: ANN401 (those of start)
) -> Generator[tuple[K, Sequence[R | None]]]:
    """What comes of groups of items, in order, each with its key; few are taken ahead.

    When a process ends, killed or out of memory, what was under way is done again by one process,
    item by item. An item with which that ends too has no result; the others go on.

    Args:
        count: How many processes.
        work: Is called in one of them with the items of a group, and has a result for each.
        groups: Items, with a key that stays here.
        start: As for `start_pool`.
        arguments: As for `start_pool`.

    Raises:
        ConfigurationError: Processes end as they start, or again and again.
    """
    waiting: deque[tuple[K, list[T], Future[Sequence[R]]]] = deque()
    done_count = ended_count = 0

    def begin(items: list[T]) -> Future[Sequence[R]]:
        try:
            return pool.submit(work, items)
        except BrokenProcessPool as error:
            broken = Future[Sequence[R]]()
            broken.set_exception(error)
            return broken

    def again(items: deque[T]) -> Generator[R | None]:
        nonlocal done_count, ended_count
        while items:
            with start_pool(1, start, *arguments) as alone:
                alone.submit(os.getpid).result()  # whether it starts at all
                try:
                    while items:
                        [result] = alone.submit(work, [items.popleft()]).result()
                        done_count += 1
                        yield result
                except BrokenProcessPool:
                    ended_count += 1
                    if ended_count > _MOST_ENDED + done_count // _MOST_ENDED:
                        raise
                    yield None

    groups = iter(groups)
    pool = start_pool(count, start, *arguments)
    try:
        while True:
            for key, items in islice(groups, AHEAD * count - len(waiting)):
                waiting.append((key, items, begin(items)))
            if not waiting:
                return
            if not _is_broken(waiting[0][2]):
                key, items, future = waiting.popleft()
                done_count += len(items)
                yield key, future.result()
                continue
            pool.shutdown()
            undone = deque(
                chain.from_iterable(items for _, items, future in waiting if _is_broken(future))
            )
            with closing(again(undone)) as results:
                for key, items, future in waiting:
                    is_undone = _is_broken(future)
                    yield key, [*islice(results, len(items))] if is_undone else future.result()
            waiting.clear()
            pool = start_pool(count, start, *arguments)
    except BrokenProcessPool:
        raise ConfigurationError(
            f"one of {count} processes ended, and so did those that took its place; is there "
            "memory for all of them? --processes says how many there are"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _is_broken(future: Future[Any]) -> bool:
    """Whether its process ended; waits until it is done."""
    return isinstance(future.exception(), BrokenProcessPool)


def with_one_thread() -> None:
    """Has processes that are started from here on work out numbers in one thread each."""
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")


def begin(work: Callable[..., object], *arguments: Any) -> None:  # noqa: ANN401 (those of work)
    """In a fresh process: has it end with the one that started it, and calls what it is for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    work(*arguments)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
