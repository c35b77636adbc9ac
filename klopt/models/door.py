"""The door to models and translators: bounded in time and size; no redirect leads through it."""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from klopt.errors import ConfigurationError, KloptError, LlmReason
from klopt.extras import needs
from klopt.models.in_order import AWAKE_S

if TYPE_CHECKING:
    from httpx import Response

LARGEST_REPLY_BYTES: Final = 2_000_000
"""A larger one is read no further."""

THREAD: Final = "klopt-door"
_LOGGERS: Final = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.proxy")
CLOSING_SECONDS: Final = 5.0
"""Connections that take longer to close are left to the operating system."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds above 0 of one request: to connect, without a single byte, and to the last byte."""

    connect: float = 10.0
    read: float = 120.0
    total: float = 180.0

    def __post_init__(self) -> None:
        if not min(self.connect, self.read, self.total) > 0:
            raise ValueError(f"a time-out is above 0 seconds, not {self!r}")


class NothingReceivedError(KloptError):
    """No whole reply came.

    `told` has ``{}`` where the server is named, `detail` is what the library says of it, which may
    quote what was sent, and `passes` whether it may be over the next time.
    """

    def __init__(
        self, reason: LlmReason, told: str, detail: str = "", *, passes: bool = True
    ) -> None:
        super().__init__(reason, told)
        self.reason, self.told, self.detail, self.passes = reason, told, detail, passes


class Door:
    """Sends requests, for several threads at once, over so many connections at most.

    A socket's time-outs bound the wait for the next byte; a server that sends a byte now and then
    gets past them for ever. So requests run in an event loop, where cancelling one ends it wherever
    it is: in the look-up of a name, the handshake, the headers or the body. The loop has a thread
    of its own, so that it also works where the calling thread has a loop already, as in a notebook.

    Proxies and certificates are those of the environment (``HTTPS_PROXY``, ``SSL_CERT_FILE``). What
    the HTTP library logs of a request is dropped: keys and texts may stand in it.

    Raises:
        ConfigurationError: A proxy or a file of certificates cannot be used.
    """

    def __init__(self, timeouts: Timeouts, at_once: int) -> None:
        import httpx

        _keep_logs_clean()
        self._timeouts, self._lock, self._is_closed = timeouts, threading.Lock(), False
        self._loop: asyncio.AbstractEventLoop | None = None
        try:
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(timeouts.read, connect=timeouts.connect, pool=None),
                limits=httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once),
                headers={"User-Agent": "klopt", "Accept-Encoding": "identity"},
                follow_redirects=False,
                event_hooks={"response": [_leads_nowhere]},
                verify=_certificates(),
            )
        except (ImportError, OSError, ValueError) as error:
            raise ConfigurationError(
                "a proxy or certificate of the environment (HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE) "
                f"cannot be used: {type(error).__name__}"
            ) from None

    def close(self) -> None:
        """Ends what is under way and closes the connections; a second time does nothing."""

        async def finish() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSING_SECONDS):
                    await self._client.aclose()

        with self._lock:
            loop, self._loop, self._is_closed = self._loop, None, True
        if loop is not None:
            asyncio.run_coroutine_threadsafe(finish(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            self._thread.join()
            loop.close()

    def send(self, url: str, content: bytes | None, headers: Mapping[str, str]) -> Response:
        """The reply to a ``POST``, or to a ``GET`` where there is no content.

        Its body is whole; that of a refusal may be cut at `LARGEST_REPLY_BYTES`.

        Raises:
            NothingReceivedError: None came, or it was cut off.
            RuntimeError: The door is closed, or was closed meanwhile.
        """
        import httpx

        limits = self._timeouts
        future = self._begun(self._receive(url, content, headers))
        try:
            while not wait([future], AWAKE_S).done:
                pass
            return future.result()
        except CancelledError:
            raise RuntimeError("the event loop was closed while a call was under way") from None
        except TimeoutError:
            failed = NothingReceivedError("timeout", f"{{}} was not done within {limits.total:g} s")
        except httpx.ConnectTimeout:
            failed = NothingReceivedError(
                "timeout", f"{{}} gave no connection within {limits.connect:g} s"
            )
        except httpx.TimeoutException:
            failed = NothingReceivedError("timeout", f"{{}} was silent for {limits.read:g} s")
        except (httpx.ConnectError, httpx.ProxyError) as error:
            passes = "certificate" not in str(error).lower()
            failed = NothingReceivedError(
                "server", "{} cannot be reached", str(error), passes=passes
            )
        except httpx.RequestError as error:
            failed = NothingReceivedError("cut", "the reply of {} was cut off", str(error))
        finally:
            future.cancel()
        raise failed

    async def _receive(self, url: str, sent: bytes | None, headers: Mapping[str, str]) -> Response:
        import httpx

        content, method = bytearray(), "GET" if sent is None else "POST"
        async with (
            asyncio.timeout(self._timeouts.total),
            self._client.stream(method, url, content=sent, headers=headers) as got,
        ):
            told = ""
            if got.headers.pop("content-encoding", "").strip().lower() not in ("", "identity"):
                told = "{} packed its reply unasked"
            else:
                async for chunk in got.aiter_raw():
                    content += chunk
                    if len(content) > LARGEST_REPLY_BYTES:
                        told = f"the reply of {{}} is larger than {LARGEST_REPLY_BYTES:,} bytes"
                        break
            if told and got.status_code < 300:
                raise NothingReceivedError("bad_shape", told, passes=False)
        return httpx.Response(got.status_code, headers=got.headers, content=bytes(content))

    def _begun(self, receiving: Coroutine[None, None, Response]) -> Future[Response]:
        """A request that the loop has taken up, so that `close` ends it."""
        with self._lock:
            if self._is_closed:
                receiving.close()
                raise RuntimeError("this door is closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                run = self._loop.run_forever
                self._thread = threading.Thread(target=run, name=THREAD, daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(receiving, self._loop)


async def _leads_nowhere(got: Response) -> None:
    """Without it httpx has no redirect to read, at which it fails where it cannot."""
    got.headers.pop("location", None)


@cache
def _certificates() -> ssl.SSLContext:
    """Read once, which takes longer than a request to a server nearby."""
    import httpx

    return httpx.create_ssl_context()


@cache
def _keep_logs_clean() -> None:
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(lambda record: record.threadName != THREAD)


def require_extra() -> None:
    """Raises `ExtraMissingError` unless the extra ``llm``, which a `Door` needs, is installed."""
    with needs("llm", "asking an LLM over HTTP needs httpx"):
        import httpx  # noqa: F401
