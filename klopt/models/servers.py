"""Where servers of models are: the providers that are known by name, and addresses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from klopt import shipped
from klopt.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A provider of ``servers.toml``: its address, and the variable that usually holds its key."""

    base_url: str
    key_variable: str | None = None


@cache
def servers() -> Mapping[str, ModelServer]:
    """The providers by name, sorted.

    >>> servers()["anthropic"].base_url
    'https://api.anthropic.com/v1'
    """
    table = shipped.table("klopt.models", "servers.toml")
    return {name: ModelServer(**fields) for name, fields in sorted(table.items())}


def server(name: str) -> ModelServer:
    """The server of a provider.

    Raises:
        ConfigurationError: It is not known by name.
    """
    if name in servers():
        return servers()[name]
    known = f"Known are {', '.join(servers())}; for any other give its address as the base URL."
    raise ConfigurationError(f"there is no provider {name!r}. {known}")


def address(base_url: str) -> str:
    """The address of a server, without a slash at its end.

    Raises:
        ConfigurationError: It is no HTTP address, holds a name or a password, or goes on after
            the part that all requests have in common.

    >>> address("http://localhost:11434/v1/")
    'http://localhost:11434/v1'
    """
    import httpx

    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        url = httpx.URL()
    has_port = url.port is None or 0 < url.port < 1 << 16
    if url.scheme not in ("http", "https") or not url.host or not has_port:
        raise ConfigurationError(
            f"base_url must be an address such as {OPENAI} or http://localhost:11434/v1"
        )
    if url.userinfo or url.query or url.fragment:
        raise ConfigurationError(
            "base_url must not hold a user name, a password or anything after ? or #; "
            "a key is given as api_key"
        )
    if url.path.rstrip("/").endswith("/completions"):
        raise ConfigurationError(f"base_url must end before /chat/completions, unlike {base_url}")
    return base_url.rstrip("/")


OPENAI: Final = server("openai").base_url
