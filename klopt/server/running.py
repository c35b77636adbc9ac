"""Starts the service, and stops it when it is told to."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from klopt.errors import ConfigurationError
from klopt.records import Pages
from klopt.scoring.setup import Setup
from klopt.server.app import Keep, application
from klopt.server.gate import LOOPBACK
from klopt.server.limits import HEAD_BYTES, QUEUE_EACH, Limits
from klopt.server.telemetry import Telemetry
from klopt.server.workers import Workers

_BACKLOG: Final = 1024
_CONNECTIONS: Final = 1000
_LAST_ANSWERS_S: Final = 30


@dataclass(frozen=True, slots=True)
class Address:
    """Where a service or a page listens, and who may ask it.

    Raises:
        ConfigurationError: Others can reach it, and it has no token.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    allowed_hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.is_local and self.token is None:
            raise ConfigurationError(
                f"on {self.host} others can reach the service, so it needs a token: --token-file "
                "FILE or the environment variable KLOPT_TOKEN; or leave --host 127.0.0.1"
            )

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def names(self) -> tuple[str, ...]:
        """By what names it may be called; none lets it go by any.

        A web page whose address is made to point to this machine cannot ask it anything: its
        own name would not be among them.
        """
        own = (*LOOPBACK, self.host) if self.is_local else ()
        more = tuple(name.casefold() for name in self.allowed_hosts)
        return (*own, *more) if self.is_local or more else ()


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How the service runs, as the options of ``klopt serve`` say it.

    ``pages`` are those that contexts may name; those of the index when left out. ``keep`` takes
    what was scored.
    """

    setup: Setup
    pages: Pages | None = None
    address: Address = field(default_factory=Address)
    workers_count: int = 1
    queue_count: int = QUEUE_EACH
    drain_s: float = 0.0
    log_texts: bool = False
    limits: Limits = field(default_factory=Limits)
    keep: Keep | None = None


class BoundedHttp(HttpToolsProtocol):
    """Sends away who sends too much beside bodies, before anything of it is looked at."""

    _beside_bytes = _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Reads on, unless too much was read."""
        self._beside_bytes += len(data)
        super().data_received(data)
        if self._beside_bytes > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"address and headers have more than {HEAD_BYTES} bytes")

    def on_message_begin(self) -> None:
        """Counts the head anew, of which all may come at one blow."""
        self._head_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Counts the address."""
        self._head_bytes += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Counts a header; one that is too much ends the reading, and httptools says so."""
        self._head_bytes += len(name) + len(value) + len(": \r\n")
        if self._head_bytes > HEAD_BYTES:
            raise ValueError(f"address and headers have more than {HEAD_BYTES} bytes")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Counts anew."""
        self._beside_bytes = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Counts anew."""
        self._beside_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Counts anew."""
        self._beside_bytes = 0
        super().on_message_complete()


HTTP: Final[Mapping[str, Any]] = {
    "http": BoundedHttp,
    "ws": "none",
    "lifespan": "off",
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
}
"""How uvicorn speaks HTTP here, and on the page of the review."""


class _Server(uvicorn.Server):
    """One that goes on for a while after it was told to stop, and then ends as a success."""

    def __init__(self, config: uvicorn.Config, workers: Workers, drain_s: float) -> None:
        super().__init__(config)
        self._workers, self._drain_s = workers, drain_s

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._workers.is_stopping:
            self.should_exit = True
            self.force_exit = sig == signal.SIGINT
            return
        self._workers.is_stopping = True
        loop = asyncio.get_running_loop()
        loop.call_soon_threadsafe(loop.call_later, self._drain_s, self._end)

    def _end(self) -> None:
        self.should_exit = True


def serve(settings: ServiceSettings, announce: Callable[[str], object]) -> None:
    """Serves until the process is told to stop (SIGTERM, SIGINT), and finishes what it took."""
    asyncio.run(_serve(settings, announce))


async def _serve(settings: ServiceSettings, announce: Callable[[str], object]) -> None:
    listening = listen(settings.address)
    telemetry = Telemetry(log_texts=settings.log_texts)
    workers = Workers(settings.setup, settings.pages, settings.workers_count, settings.queue_count)
    _stops(workers)
    try:
        await workers.open()
        if workers.is_stopping:
            return
        app = application(
            workers,
            telemetry,
            settings.limits,
            token=settings.address.token,
            hosts=settings.address.names,
            keep=settings.keep,
        )
        config = uvicorn.Config(
            app,
            **HTTP,
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_LAST_ANSWERS_S,
        )
        server = _Server(config, workers, settings.drain_s)
        announce(url_of(listening))
        keeping = asyncio.create_task(workers.keep())
        if not workers.is_stopping:
            await server.serve([listening])
        keeping.cancel()
    finally:
        listening.close()
        await workers.stop()


def _stops(workers: Workers) -> None:
    """Has a signal stop what opens, until the HTTP server takes signals itself."""

    def stop(*_: object) -> None:
        workers.is_stopping = True

    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)


def url_of(listening: socket.socket) -> str:
    """Where a socket that listens is asked."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def listen(address: Address) -> socket.socket:
    """A socket that listens on an address.

    Raises:
        ConfigurationError: Its port is taken, or it is none of this machine's.
    """
    host, port = address.host, address.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, or asyncio would not turn off Nagle's algorithm: 40 ms an answer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            f"cannot listen on port {port} of {host}: {error}; --port and --host name others"
        ) from None
    return listening
