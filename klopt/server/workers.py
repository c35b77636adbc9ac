"""The processes that score, and which of them does what."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

from klopt.errors import ConfigurationError, InputError, KloptError
from klopt.indexing.index_file import Index
from klopt.records import Pages
from klopt.scoring.setup import Setup
from klopt.server.limits import TRY_AGAIN_S, RefusedError
from klopt.server.worker import Job, Worker

T = TypeVar("T")

_LOG = logging.getLogger("klopt.server")
_LOOK_EVERY_S: Final = 1.0
_MOST_TRIES: Final = 3
"""So often processes may end while they read a new index, until it is taken to be its fault."""


class _NoRoomError(InputError):
    """The index cannot be copied now."""


class Workers:
    """All of them; ``fault`` is why the newest index is not used.

    They read a copy of the setup's index, which stays as it is whatever becomes of the file.
    """

    def __init__(self, setup: Setup, pages: Pages | None, count: int, most: int) -> None:
        self._waiting = deque[Job]()
        self._workers: Sequence[Worker] = [Worker(self._waiting) for _ in range(count)]
        self._setup, self._pages = setup, pages
        self._index = self._copy = _path(setup)
        self._copies, self._copied_count = TemporaryDirectory(prefix="klopt-"), 0
        self._tries = 0
        self._most = most
        self._taken_count = 0
        self._stamp: object = None
        self.fault: str | None = None
        self.is_stopping = False

    def __len__(self) -> int:
        return len(self._workers)

    @property
    def pending_count(self) -> int:
        """What waits or is worked on, also for clients that left."""
        waiting_count = sum(not job.result.done() for job in self._waiting)
        begun_count = sum(worker.pending_count for worker in self._workers)
        return max(self._taken_count, waiting_count + begun_count)

    @property
    def ready_count(self) -> int:
        """How many can score."""
        return sum(worker.is_ready for worker in self._workers)

    async def open(self) -> None:
        """Starts all of them."""
        self._stamp = _stamp(self._index)
        try:
            self._setup = await asyncio.to_thread(self._renewed)
            await asyncio.gather(
                *(worker.prepare(self._setup, self._pages) for worker in self._workers)
            )
            await asyncio.gather(*(worker.open() for worker in self._workers))
        except KloptError as error:
            raise type(error)(self._told(error)) from None
        except RefusedError:
            raise ConfigurationError(
                f"one of {len(self)} processes ended while it started; is there memory for all of "
                "them? --workers says how many there are"
            ) from None

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Counts a request in, until the block ends."""
        if not self.ready_count:
            raise RefusedError(503, "not_ready", "no process can score now", TRY_AGAIN_S)
        if self.pending_count >= self._most:
            raise RefusedError(
                503,
                "busy",
                f"{self._most} requests wait or are worked on, which is the most (--queue); "
                f"try again in {TRY_AGAIN_S} s",
                TRY_AGAIN_S,
            )
        # At once, and not when a task begins: many requests may come in one turn of the loop.
        self._taken_count += 1
        try:
            yield
        finally:
            self._taken_count -= 1

    def submit(self, work: Callable[..., T], *arguments: object) -> asyncio.Future[T]:
        """Has whichever process is free first do a job."""
        job = Job(work, arguments)
        self._waiting.append(job)
        for worker in self._workers:
            worker.go_on()
        return job.result

    def least_busy(self) -> Worker:
        """The one for an answer that comes in pieces."""
        return min(
            self._workers,
            key=lambda worker: (not worker.is_ready, worker.is_opening, worker.pending_count),
        )

    async def keep(self) -> None:
        """Reads the index again when its file changes, and starts who ended, for ever."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            try:
                await self._renew()
                for worker in self._workers:
                    if not worker.is_ready:
                        await worker.prepare(self._setup, self._pages)
                        await worker.open()
            except (KloptError, RefusedError) as error:
                _LOG.error("a process that ended could not be replaced: %s", error)
            except Exception:
                _LOG.exception("processes and index could not be looked after")

    async def _renew(self) -> None:
        """Has all of them read a new index, one after the other, and then take it, or none."""
        stamp = _stamp(self._index)
        if stamp == self._stamp:
            return
        try:
            new = await asyncio.to_thread(self._renewed)
            for worker in self._workers:
                await worker.prepare(new, self._pages)
        except Exception as error:
            self._tries += 1
            self._tidy()
            if isinstance(error, RefusedError) and self._tries < _MOST_TRIES:
                return  # a process ended, for whatever reason: read again at the next look
            if self.fault != (fault := self._told(error)):
                _LOG.error("the index was not read again, the one before stays: %s", fault)
            self.fault = fault
            if isinstance(error, _NoRoomError):
                return  # read once there is room
        else:
            # From here on it is also what whoever takes the place of a process reads.
            self._setup = new
            for worker in self._workers:
                with suppress(RefusedError):
                    await worker.open()
            self._tidy()
            self.fault = None
            _LOG.info("the index was read again")
        self._stamp, self._tries = stamp, 0

    def _renewed(self) -> Setup:
        """The setup with a copy of the index as it is now."""
        if self._index is None:
            return self._setup
        self._copied_count += 1
        self._copy = Path(self._copies.name, str(self._copied_count))
        try:
            shutil.copyfile(self._index, self._copy)
        except FileNotFoundError:
            self._copy = self._index  # who opens it says what is wrong
        except OSError as error:
            raise _NoRoomError(
                f"{self._index}: cannot be copied to {self._copies.name}, from which it is read: "
                f"{error.strerror}; the variable TMPDIR names another place"
            ) from None
        return replace(self._setup, index=Index.open(self._copy))

    def _told(self, error: Exception) -> str:
        """What is wrong, by the name of the index and not of its copy."""
        return str(error).replace(str(self._copy), str(self._index))

    def _tidy(self) -> None:
        """Deletes copies that no process will open again; who has one open can read on."""
        for copy in Path(self._copies.name).iterdir():
            if copy != _path(self._setup):
                with suppress(OSError):
                    copy.unlink()

    async def stop(self) -> None:
        """Waits for what was begun, and ends all processes."""
        await asyncio.gather(*(worker.stop() for worker in self._workers))
        self._copies.cleanup()


def _path(setup: Setup) -> Path | None:
    """Where its index is, if it has one."""
    return setup.index.path if isinstance(setup.index, Index) else None


def _stamp(path: Path | None) -> object:
    """What changes when a file does; None while it is not there."""
    try:
        state = None if path is None else path.stat()
    except OSError:
        return None
    return None if state is None else (state.st_mtime_ns, state.st_size, state.st_ino)
