"""An event loop in a thread of its own, so that a deadline can end whatever is under way."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

R = TypeVar("R")

CLOSING_SECONDS: Final = 5.0
"""Connections that take longer to close are left to the operating system."""


class EventLoop:
    """Runs coroutines for threads that wait, each within a number of seconds.

    A socket's time-outs bound the wait for the next byte; a server that sends a byte now and then
    gets past them for ever. Cancelling a coroutine ends it wherever it is: in the look-up of a
    name, the handshake, the headers or the body. The loop also works where the calling thread has
    one of its own, as in a notebook.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def run(self, make: Callable[[], Coroutine[Any, Any, R]], within_seconds: float) -> R:
        """The result of a coroutine.

        Args:
            make: Makes the coroutine.
            within_seconds: After this long it is cancelled.

        Raises:
            TimeoutError: It took longer.
            RuntimeError: The loop is closed.
        """
        loop = self._running()
        future = asyncio.run_coroutine_threadsafe(_bounded(make, within_seconds), loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise RuntimeError("the event loop was closed while a call was under way") from None
        finally:
            future.cancel()

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Cancels what is under way and ends the thread; a second time does nothing.

        Args:
            last: Makes a coroutine that is run at the end, to close connections.
        """
        with self._lock:
            loop, self._loop, self._closed = self._loop, None, True
        if loop is None or self._thread is None:
            return
        asyncio.run_coroutine_threadsafe(_finish(last), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join()
        loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                raise RuntimeError("this client of an LLM is closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="klopt-llm-loop", daemon=True
                )
                self._thread.start()
            return self._loop


async def _bounded(make: Callable[[], Coroutine[Any, Any, R]], seconds: float) -> R:
    async with asyncio.timeout(seconds):
        return await make()


async def _finish(last: Callable[[], Coroutine[Any, Any, None]] | None) -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    if last is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await last()
