"""Address, limits and refusals of the service."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from klopt.errors import ConfigurationError

if TYPE_CHECKING:
    from klopt.scoring.setup import Setup
    from klopt.types import Pages

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
HEAD_BYTES: Final = 65_536  # Maximum size of a request's line and headers before they are complete
MAX_FOUND: Final = 100  # Maximum number of pages that a search or a list of pages returns
RETRY_AFTER_S: Final = 1
MAX_ROW_MS: Final = 4_000  # for one row; what was found by then is returned as ``cut_off``
HUNG_S: Final = 6  # seconds after which a worker whose event loop does not run is replaced
PING_S: Final = 5  # seconds after which a worker that does not answer is replaced


@dataclass(frozen=True, slots=True)
class Address:
    """Where the service listens, the token that clients send, and names for the Host header.

    Port 0 takes a free one. Raises ConfigurationError where others can reach it without a token.
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
        """Whether only this machine can reach the service."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def names(self) -> tuple[str, ...]:
        """The Host headers allowed, against pages of domains that resolve here; empty for any."""
        own = (*LOOPBACK, self.host) if self.is_local else ()
        return (*own, *(name.casefold() for name in self.allowed_hosts))


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on requests."""

    body_bytes: int = 4_000_000
    body_s: float = 15.0  # Time to receive a body
    piece_s: float = 60.0  # Time to the next piece of a stream
    batch_rows: int = 1_000
    concurrency: int = 64  # Requests that one worker has in progress, streams included


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a worker needs; can be pickled. Each worker calls ``load`` as it starts."""

    load: Callable[[], tuple[Setup, Pages | None]]
    address: Address = field(default_factory=Address)
    workers: int = 1
    log_texts: bool = False
    limits: Limits = field(default_factory=Limits)


class RefusedError(Exception):
    """A request that gets an error response: HTTP status, stable code and message."""

    def __init__(
        self, status: int, code: str, message: str, retry_after_s: int | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.retry_after_s = retry_after_s
