"""A pool of worker processes: results in input order, bounded memory, dead workers replaced."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from typing import Any, Final, TypeVar

from klopt.errors import ConfigurationError

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 4  # Groups per worker that are read from the input before their results are due

ENDED_TWICE: Final = "the worker process died on it, twice; is there enough memory?"  # no result

_MAX_DEATHS: Final = 10  # of workers in one run, and finished items that allow for one more
_THREAD_SETTINGS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def in_processes(
    count: int,
    work: Callable[[list[T]], Sequence[R]],
    groups: Iterable[tuple[K, list[T]]],
    start: Callable[..., object],
    *arguments: Any,  # noqa: ANN401 (those of start)
) -> Generator[tuple[K, Sequence[R | None]]]:
    """Yield the results of groups of items in input order, each with the group's key.

    ``work`` returns one result per item; ``start`` runs first in each worker, with ``arguments``.
    When a worker dies, killed or out of memory, one new worker repeats the unfinished items one by
    one; an item on which that worker dies too has the result None. Raises ConfigurationError if
    workers die at their start, or keep dying.
    """
    pending: deque[tuple[K, list[T], Future[Sequence[R]]]] = deque()
    finished_count = death_count = 0

    def submit(items: list[T]) -> Future[Sequence[R]]:
        try:
            return pool.submit(work, items)
        except BrokenProcessPool as error:
            broken = Future[Sequence[R]]()
            broken.set_exception(error)
            return broken

    def repeat(items: list[T]) -> list[R | None]:
        nonlocal finished_count, death_count
        results: list[R | None] = []
        while len(results) < len(items):
            with _start_pool(1, start, *arguments) as single:
                single.submit(os.getpid).result()  # fails if the worker cannot start
                try:
                    for item in items[len(results) :]:
                        results += single.submit(work, [item]).result()
                        finished_count += 1
                except BrokenProcessPool:
                    death_count += 1
                    if death_count > _MAX_DEATHS + finished_count // _MAX_DEATHS:
                        raise
                    results.append(None)
        return results

    groups = iter(groups)
    pool = _start_pool(count, start, *arguments)
    try:
        while True:
            for key, items in islice(groups, AHEAD * count - len(pending)):
                pending.append((key, items, submit(items)))
            if not pending:
                return
            if not _is_broken(pending[0][2]):
                key, items, future = pending.popleft()
                finished_count += len(items)
                yield key, future.result()
                continue
            pool.shutdown()
            lost = [items for _, items, future in pending if _is_broken(future)]
            results = iter(repeat([*chain.from_iterable(lost)]))
            for key, items, future in pending:
                is_lost = _is_broken(future)
                yield key, [*islice(results, len(items))] if is_lost else future.result()
            pending.clear()
            pool = _start_pool(count, start, *arguments)
    except BrokenProcessPool:
        raise ConfigurationError(
            f"one of {count} worker processes died, and so did its replacements; is there enough "
            "memory for all of them? Set a lower number with --processes"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _start_pool(count: int, start: Callable[..., object], *arguments: Any) -> ProcessPoolExecutor:  # noqa: ANN401
    """Start fresh processes; a process forked from one with threads could hang."""
    with_one_thread()
    return ProcessPoolExecutor(
        count, get_context("spawn"), initializer=begin, initargs=(start, *arguments)
    )


def _is_broken(future: Future[Any]) -> bool:
    """Wait for a future, and return whether its worker died."""
    return isinstance(future.exception(), BrokenProcessPool)


def with_one_thread() -> None:
    """Let processes that start from now on use one thread each for numeric libraries."""
    for name in _THREAD_SETTINGS:
        os.environ.setdefault(name, "1")


def begin(work: Callable[..., object], *arguments: Any) -> None:  # noqa: ANN401 (those of work)
    """Run work in a worker that ignores Ctrl-C and exits when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    work(*arguments)


def _exit_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
