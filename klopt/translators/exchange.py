"""What deep-translator finds in place of the module ``requests``: the one door to the network."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from json import dumps, loads
from types import SimpleNamespace
from typing import Final
from urllib.parse import urlencode

from klopt.models.door import Door, Received, Timeouts
from klopt.translators.faults import refusal
from klopt.translators.providers import Provider


def opened(seconds: float) -> Door:
    """A door for one request; proxies and certificates are those of the environment.

    Raises:
        ConfigurationError: One of those cannot be used.
    """
    return Door(Timeouts(math.inf, math.inf, seconds), 1, environment=True)


@dataclass(frozen=True, slots=True)
class Response:
    """What the classes of deep-translator read of a reply."""

    received: Received

    @property
    def status_code(self) -> int:
        """The HTTP status, from 200 to 299."""
        return self.received.status

    @property
    def text(self) -> str:
        """The body, in the encoding that it says it has; that of most is not said, and UTF-8."""
        message = Message()
        message["Content-Type"] = self.received.headers.get("content-type", "text/plain")
        try:
            return self.received.content.decode(message.get_content_charset("utf-8"), "replace")
        except LookupError:
            return self.received.content.decode("utf-8", "replace")

    def json(self) -> object:
        """The body as JSON."""
        return loads(self.received.content)

    def close(self) -> None:
        """Nothing is open."""


class Requests:
    """Sends the requests of one client of deep-translator.

    A ``POST`` without a body of its own has its parameters there: LibreTranslate's are a key and a
    text, which would stand in the logs of servers and proxies as part of the address.

    Args:
        door: Where they go through.
        provider: Who is asked.
        now: Seconds since 1970.
    """

    exceptions: Final = SimpleNamespace(RequestException=())
    """Nothing that is raised here is caught there."""

    def __init__(self, door: Door, provider: Provider, now: float) -> None:
        self._door, self._provider, self._now = door, provider, now

    def get(self, url: str, params: Mapping[str, str], **_: object) -> Response:
        """The reply to a ``GET``.

        Raises:
            AskingError: The server refused.
            NothingReceivedError: No whole reply came.
        """
        return self._send(_with_query(url, params), None, {})

    def post(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        json: object = None,
        **_: object,
    ) -> Response:
        """The reply to a ``POST``.

        Raises:
            AskingError: As `get`.
            NothingReceivedError: As `get`.
        """
        if json is None:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            return self._send(url, urlencode(params or {}).encode("ascii"), form)
        return self._send(
            _with_query(url, params or {}), dumps(json).encode("ascii"), headers or {}
        )

    def _send(self, url: str, content: bytes | None, headers: Mapping[str, str]) -> Response:
        got = self._door.send(url, content, headers)
        if not 200 <= got.status < 300:
            raise refusal(got, self._provider, self._now)
        return Response(got)


def _with_query(url: str, params: Mapping[str, str]) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(params)}" if params else url
