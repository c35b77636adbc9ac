"""One process that scores: what it is told, in order, over a socket that has no name.

Only this process and that one can write to it, so that what comes through is pickled as
multiprocessing does.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import traceback
from collections import deque
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.reduction import ForkingPickler
from typing import Any, Final, TypeVar

from klopt.errors import KloptError
from klopt.processes import begin, with_one_thread
from klopt.records import Pages
from klopt.scoring.setup import Setup
from klopt.server import desk
from klopt.server.limits import TRY_AGAIN_S, RefusedError
from klopt.server.log import logged

T = TypeVar("T")

_LOG = logging.getLogger("klopt.server")
_SIZE_BYTES: Final = 8
_READ_BYTES: Final = 1 << 20


class Job:
    """What a process is to do, and what will come of it."""

    def __init__(self, work: Callable[..., Any], arguments: tuple[object, ...]) -> None:
        self.work, self.arguments = work, arguments
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class Worker(asyncio.Protocol):
    """One process, which does one thing at a time, in order.

    What is for this process alone goes before what any may do. A job that nobody waits for any
    longer is not begun; one that had not begun when the process ended is done by another.

    Args:
        shared: The jobs that any process may do.
    """

    def __init__(self, shared: deque[Job]) -> None:
        self._shared, self._own = shared, deque[Job]()
        self._job: Job | None = None
        self._received = bytearray()
        self._line: asyncio.Transport | None = None
        self.is_ready = self.is_opening = False

    @property
    def pending_count(self) -> int:
        """What it works on, and what only this process can do."""
        return len(self._own) + (self._job is not None)

    async def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            with_one_thread()
            self.process = get_context("spawn").Process(target=begin, args=(_work, theirs))
            self.process.start()
        await asyncio.get_running_loop().create_connection(lambda: self, sock=ours)

    def submit(self, work: Callable[..., T], *arguments: object) -> asyncio.Future[T]:
        """Has this process do a job."""
        job = Job(work, arguments)
        if self._line is None:
            job.result.set_exception(_ended_error())
        else:
            self._own.append(job)
            self.go_on()
        return job.result

    def tell(self, work: Callable[..., object], *arguments: object) -> None:
        """Has a job done that nobody waits for; a process that ended has nothing to do."""
        self.submit(work, *arguments).add_done_callback(asyncio.Future.exception)

    def go_on(self) -> None:
        """Begins the next job, unless one is under way."""
        while self._job is None and self._line is not None:
            if self._own:
                job = self._own.popleft()
            elif self._shared and self.is_ready:
                job = self._shared.popleft()
            else:
                return
            if not job.result.done():
                self._job = job
                self._line.writelines(_framed((job.work, job.arguments)))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The process can be told something."""
        self._line = transport  # type: ignore[assignment]
        self._received.clear()

    def data_received(self, data: bytes) -> None:
        """The process tells what came of the job."""
        self._received += data
        size = int.from_bytes(self._received[:_SIZE_BYTES])
        if len(self._received) < _SIZE_BYTES + size or not self._received:
            return
        is_done, result = ForkingPickler.loads(self._received[_SIZE_BYTES:])
        self._received.clear()
        job, self._job = self._job, None
        self.go_on()
        if job is None or job.result.done():
            return
        if is_done:
            job.result.set_result(result)
        else:
            job.result.set_exception(result)

    def connection_lost(self, error: Exception | None) -> None:
        """The process ended; `stop` had it do so where there is no line any longer."""
        if self._line is not None:
            _LOG.error("a working process ended; another one is started")
        self._line, self.is_ready = None, False
        lost = [job for job in (self._job, *self._own) if job is not None]
        self._job = None
        self._own.clear()
        for job in lost:
            if not job.result.done():
                job.result.set_exception(_ended_error())

    async def prepare(self, setup: Setup, pages: Pages | None) -> None:
        """Makes a scorer, beside the one that is in use; starts a process where there is none."""
        if self._line is None:
            await self._start()
        self.is_opening = True
        try:
            await self.submit(desk.prepare_desk, setup, pages)
        finally:
            self.is_opening = False

    async def open(self) -> None:
        """Takes the scorer that was prepared in place of the one before."""
        await self.submit(desk.open_desk)
        self.is_ready = True
        self.go_on()

    async def stop(self) -> None:
        """Waits for what was begun, and ends the process."""
        line, self._line = self._line, None
        if line is not None:
            line.write_eof()
            await asyncio.to_thread(self.process.join)
            line.close()


async def answered(result: asyncio.Future[T]) -> T:
    """What comes of a job for a request; what cannot be read is a refusal."""
    try:
        return await result
    except KloptError as error:
        _LOG.error("%s", error)
        raise RefusedError(500, "unreadable", str(error)) from None


def _ended_error() -> RefusedError:
    message = "the process that worked on the request ended; another one is being started"
    return RefusedError(503, "worker_ended", message, TRY_AGAIN_S)


def _framed(message: object) -> tuple[bytes, memoryview]:
    data = ForkingPickler.dumps(message)
    return len(data).to_bytes(_SIZE_BYTES), data


def _work(line: socket.socket) -> None:
    """In the process: does one job after the other, until the other end is closed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the process that serves ends it
    with logged(), line, line.makefile("rb", _READ_BYTES) as received:
        while head := received.read(_SIZE_BYTES):
            work, arguments = ForkingPickler.loads(received.read(int.from_bytes(head)))
            try:
                result = True, work(*arguments)
            except (KloptError, RefusedError) as error:
                result = False, error
            except Exception:
                result = False, RuntimeError(traceback.format_exc())
            line.sendall(b"".join(_framed(result)))
