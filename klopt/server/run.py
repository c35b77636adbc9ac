"""Run the service: bind the address, start the workers and supervise them."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors.multiprocess import Multiprocess

from klopt._internal.pool import with_one_thread
from klopt.errors import ConfigurationError, KloptError
from klopt.server.settings import HEAD_BYTES, PING_S, Address, Settings
from klopt.server.telemetry import LOG_CONFIG, MULTIPROC_DIR, failed_reloads

if TYPE_CHECKING:
    from klopt.server.gate import Gate

_LOG = logging.getLogger("klopt.server")
_BACKLOG: Final = 1024
_STOP_S: Final = 30  # Time to finish the requests in progress when a worker stops
_FIRST_BYTE_S: Final = 0.5  # that a worker that stops waits for the request of a connection
_READY_S: Final = 60  # Time for a new worker to load profile and index after SIGHUP
_MORE_CONNECTIONS: Final = 100  # of a worker: no request yet, or status 503

HTTP: Final[Mapping[str, Any]] = {
    "http": "h11",
    "h11_max_incomplete_event_size": HEAD_BYTES,
    "ws": "none",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
}  # Settings of uvicorn for the service and for the page of a review


class PatientHttp(H11Protocol):
    """Does not close an accepted connection before its request arrived, when the worker stops."""

    def shutdown(self) -> None:
        """Stop once the request in progress is answered."""
        if self.cycle is None:
            self.loop.call_later(_FIRST_BYTE_S, self._close)
        else:
            super().shutdown()

    def _close(self) -> None:
        if self in self.connections:
            super().shutdown()


class Supervisor(Multiprocess):
    """Announces the service when all workers are ready; stops when one cannot start."""

    def __init__(
        self, config: uvicorn.Config, sockets: list[socket.socket], announce: Callable[[], object]
    ) -> None:
        super().__init__(config, sockets)
        self._announce = announce
        self._count_failed_reload = failed_reloads()
        self.has_failed = False

    def init_processes(self) -> None:
        """Start the workers and wait until they can score."""
        super().init_processes()
        while not all(process.is_ready() for process in self.processes):
            self.handle_signals()
            self.has_failed = not all(process.process.is_alive() for process in self.processes)
            if self.has_failed or self.should_exit.is_set():
                self.should_exit.set()
                return
            time.sleep(0.05)
        self._announce()

    def restart_all(self) -> None:
        """Replace each worker once its successor is ready; keep those that have none."""
        before = list(self.processes)
        self.config.timeout_worker_healthcheck = _READY_S
        super().restart_all()
        self.config.timeout_worker_healthcheck = PING_S
        if not self.should_exit.is_set() and any(process in before for process in self.processes):
            self._count_failed_reload()


def worker(settings: Settings) -> Gate:
    """Return the application of a worker; the process exits where it cannot be made."""
    from klopt.server.app import application  # takes long: the worker answers pings meanwhile

    try:
        return application(settings)
    except KloptError as error:
        _LOG.error("%s", error)
        sys.exit(STARTUP_FAILURE)


def serve(settings: Settings, announce: Callable[[str], object]) -> None:
    """Serve until SIGTERM or SIGINT, and finish the requests in progress.

    ``announce`` gets the URL when all workers are ready. ConfigurationError if the address cannot
    be bound, or a worker cannot start.
    """
    with_one_thread()
    with listen(settings.address) as sock, TemporaryDirectory(prefix="klopt-") as folder:
        os.environ[MULTIPROC_DIR] = folder
        config = uvicorn.Config(
            partial(worker, settings),
            factory=True,
            workers=settings.workers,
            log_config=LOG_CONFIG,
            loop="asyncio",
            backlog=_BACKLOG,
            limit_concurrency=settings.limits.concurrency + _MORE_CONNECTIONS,
            timeout_graceful_shutdown=_STOP_S,
            timeout_worker_healthcheck=PING_S,
            # Each request goes to a worker that is free, not to the one that had the last.
            headers=[("connection", "close")],
            **{**HTTP, "http": PatientHttp},
        )
        supervisor = Supervisor(config, [sock], partial(announce, url_of(sock)))
        supervisor.run()
    if supervisor.has_failed:
        raise ConfigurationError(
            "a worker did not start; the log line above says why, or there is not enough memory "
            f"for {settings.workers} workers (--workers)"
        )


def url_of(sock: socket.socket) -> str:
    """Return the URL of a socket that listens."""
    host, port = sock.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def listen(address: Address) -> socket.socket:
    """Return a socket that listens on an address, or raise `ConfigurationError`."""
    host, port = address.host, address.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's algorithm, 40 ms a response, only where the protocol is named.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(_BACKLOG)
    except OSError as error:
        sock.close()
        raise ConfigurationError(
            f"cannot listen on port {port} of {host}: {error}; choose another --port or --host"
        ) from None
    return sock
