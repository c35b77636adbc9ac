"""The processes that score, and which of them does what."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from klopt.errors import ConfigurationError, KloptError
from klopt.processes import start_pool
from klopt.server import desk
from klopt.server.log import logged
from klopt.server.refusal import RefusedError

P = ParamSpec("P")
T = TypeVar("T")

_LOG = logging.getLogger("klopt.server")
_LOOK_EVERY_S: Final = 1.0
_TRY_AGAIN_S: Final = 1


def _settle() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the process that serves ends it
    logged().__enter__()  # as long as the process lives


class Worker:
    """One process, which does one thing at a time, in order.

    Attributes:
        pending_count: What it was given and has not finished.
        is_ready: Whether it can score.
        is_opening: Whether it is reading pages.
    """

    def __init__(self, sources: desk.Sources) -> None:
        self._sources = sources
        self._pool = self._start()
        self.pending_count = 0
        self.is_ready = self.is_opening = False

    def _start(self) -> ProcessPoolExecutor:
        return start_pool(1, _settle)

    async def run(self, job: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Does a job for a request; one that nobody waits for any longer is not begun.

        Raises:
            RefusedError: The job refused it or failed, or the process ended.
        """
        try:
            return await self._run(job, *arguments, **named)
        except KloptError as error:
            _LOG.error("%s", error)
            raise RefusedError(500, "unreadable", str(error)) from None

    async def _run(self, job: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        loop, pool = asyncio.get_running_loop(), self._pool
        try:
            future = pool.submit(job, *arguments, **named)
            self.pending_count += 1
            future.add_done_callback(lambda _: loop.call_soon_threadsafe(self._finished))
            return await asyncio.wrap_future(future)
        except BrokenProcessPool:
            if pool is self._pool:
                _LOG.error("a working process ended; another one is started")
                self.is_ready, self._pool = False, self._start()
            message = "the process that worked on the request ended; another one is being started"
            raise RefusedError(503, "worker_ended", message, _TRY_AGAIN_S) from None

    def tell(self, job: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> None:
        """Has a job done that nobody waits for; a process that ended has nothing to do."""
        with suppress(BrokenProcessPool, RuntimeError):
            self._pool.submit(job, *arguments, **named)

    def _finished(self) -> None:
        self.pending_count -= 1

    async def prepare(self) -> str:
        """Reads the pages, beside those that were read before; what tells them from others.

        Raises:
            KloptError: They cannot be read.
        """
        self.is_opening = True
        try:
            return await self._run(desk.prepare_desk, self._sources)
        finally:
            self.is_opening = False

    async def open(self) -> None:
        """Takes the pages that were prepared in place of those before."""
        await self._run(desk.open_desk)
        self.is_ready = True

    def stop(self) -> None:
        """Waits for what was begun, and ends the process."""
        self._pool.shutdown()


class Workers:
    """All of them.

    Args:
        sources: What turns are scored with.
        count: How many processes there are.
        most: How much may wait or be worked on; more is refused.

    Attributes:
        fault: Why the newest index is not used; None when it is.
        shed_count: Requests that were refused since too many waited.
    """

    def __init__(self, sources: desk.Sources, count: int, most: int) -> None:
        self._workers: Sequence[Worker] = [Worker(sources) for _ in range(count)]
        self._index = sources.index
        self._most = most
        self._taken_count = 0
        self._stamp: object = None
        self.fault: str | None = None
        self.shed_count = 0

    def __len__(self) -> int:
        return len(self._workers)

    @property
    def pending_count(self) -> int:
        """What waits or is worked on, also for clients that left."""
        return max(self._taken_count, sum(one.pending_count for one in self._workers))

    @property
    def ready_count(self) -> int:
        """How many can score."""
        return sum(one.is_ready for one in self._workers)

    async def open(self) -> None:
        """Starts all of them.

        Raises:
            KloptError: The pages, the profile or the terms cannot be read, or a process ended.
        """
        self._stamp = _stamp(self._index)
        try:
            await asyncio.gather(*(one.prepare() for one in self._workers))
            await asyncio.gather(*(one.open() for one in self._workers))
        except RefusedError:
            raise ConfigurationError(
                f"one of {len(self)} processes ended while it started; is there memory for all of "
                "them? --workers says how many there are"
            ) from None

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Counts a request in, until the block ends.

        Raises:
            RefusedError: Too many wait, or no process can score.
        """
        if not self.ready_count:
            raise RefusedError(503, "not_ready", "no process can score now", _TRY_AGAIN_S)
        if self.pending_count >= self._most:
            self.shed_count += 1
            raise RefusedError(
                503,
                "busy",
                f"{self._most} requests wait or are worked on, which is the most (--queue); "
                f"try again in {_TRY_AGAIN_S} s",
                _TRY_AGAIN_S,
            )
        # At once, and not when a task begins: many requests may come in one turn of the loop.
        self._taken_count += 1
        try:
            yield
        finally:
            self._taken_count -= 1

    def least_busy(self) -> Worker:
        """The one that will be free first."""
        return min(
            self._workers, key=lambda one: (not one.is_ready, one.is_opening, one.pending_count)
        )

    async def keep(self) -> None:
        """Reads the index again when its file changes, and starts who ended, for ever."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            stamp = _stamp(self._index)
            is_new = stamp != self._stamp
            self._stamp = stamp
            try:
                if is_new:
                    await self._renew()
                for one in self._workers:
                    if not one.is_ready:
                        await one.prepare()
                        await one.open()
            except (KloptError, RefusedError) as error:
                self.fault = str(error)
                _LOG.error("the index was not read again, the one before stays: %s", error)
                continue
            except Exception as error:
                self.fault = f"{type(error).__name__}: {error}"
                _LOG.exception("the index was not read again, the one before stays")
                continue

    async def _renew(self) -> None:
        """Has all of them read the index, one after the other, and then take it, or none."""
        read = {await one.prepare() for one in self._workers}
        if len(read) > 1:
            self._stamp = object()  # it changed meanwhile, so that it is read again
            return
        for one in self._workers:
            await one.open()
        self.fault = None
        _LOG.info("the index was read again")

    def stop(self) -> None:
        """Waits for what was begun, and ends all processes."""
        for one in self._workers:
            one.stop()


def _stamp(path: Path | None) -> object:
    """What changes when a file does; None while it is not there."""
    try:
        found = None if path is None else path.stat()
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)
