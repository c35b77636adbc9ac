"""Where a server is, and the HTTP client that reaches it."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from klopt.errors import ConfigurationError, ExtraMissingError

if TYPE_CHECKING:
    import httpx

OPENAI: Final = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long one request may take, in seconds; a call that is tried again has it anew.

    Attributes:
        connect: Until there is a connection.
        read: Without a single byte; a server that thinks before its first byte needs this long.
        total: From the beginning to the last byte.

    Raises:
        ValueError: One is not above 0.
    """

    connect: float = 10.0
    read: float = 120.0
    total: float = 180.0

    def __post_init__(self) -> None:
        if not min(self.connect, self.read, self.total) > 0:
            raise ValueError(f"a time-out is above 0 seconds, not {self!r}")


def require_extra() -> None:
    """Sees to it that what the client needs is there.

    Raises:
        ExtraMissingError: The extra ``llm`` is not installed.
    """
    try:
        import httpx  # noqa: F401
        import tenacity  # noqa: F401
    except ImportError:
        raise ExtraMissingError(
            "asking an LLM over HTTP needs httpx and tenacity; install them with: "
            'pip install "klopt[llm]"'
        ) from None


def address(base_url: str) -> str:
    """The address of a server, without a slash at its end.

    Raises:
        ConfigurationError: It is no HTTP address, holds a name or a password, or goes on after
            the part that all requests have in common.

    >>> address("http://localhost:11434/v1/")
    'http://localhost:11434/v1'
    """
    parts = _parts(base_url)
    if parts is None:
        raise ConfigurationError(
            "base_url must be an address such as https://api.openai.com/v1 or "
            "http://localhost:11434/v1"
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "base_url must not hold a user name, a password or anything after ? or #; "
            "a key is given as api_key"
        )
    if parts.path.rstrip("/").endswith("/completions"):
        raise ConfigurationError(f"base_url must end before /chat/completions, unlike {base_url}")
    return base_url.rstrip("/")


def http_client(
    timeouts: Timeouts, at_once: int, proxy: str | None, ca_file: Path | None
) -> httpx.AsyncClient:
    """A client that follows no redirect and looks at no variable of the environment.

    Args:
        timeouts: Of one request; ``total`` is kept by the caller.
        at_once: Connections at most.
        proxy: The address of an HTTP proxy; may hold a name and a password.
        ca_file: The certificates to trust, as PEM; None for those that come with httpx.

    Raises:
        ConfigurationError: The address of the proxy or the file of certificates is wrong.
    """
    import httpx

    if proxy is not None and _parts(proxy) is None:
        raise ConfigurationError("proxy must be an address that begins with http:// or https://")
    try:
        verify = True if ca_file is None else ssl.create_default_context(cafile=str(ca_file))
    except OSError as error:
        told = error.strerror or str(error)
        raise ConfigurationError(f"{ca_file}: no certificates can be read: {told}") from None
    return httpx.AsyncClient(
        timeout=httpx.Timeout(
            connect=timeouts.connect, read=timeouts.read, write=timeouts.read, pool=None
        ),
        limits=httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once),
        headers={"User-Agent": "klopt"},
        trust_env=False,
        proxy=proxy,
        verify=verify,
        follow_redirects=False,
    )


def _parts(url: str) -> SplitResult | None:
    """The parts of an HTTP address; None when it is none."""
    import httpx

    try:
        httpx.URL(url)
        parts = urlsplit(url)
    except (httpx.InvalidURL, ValueError):
        return None
    return parts if parts.scheme in ("http", "https") and parts.hostname else None
