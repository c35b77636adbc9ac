"""What comes in: only from the page itself, of bounded size, by one of our own names."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final

from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_BYTES: Final = 65_536
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    (b"content-security-policy", _POLICY.encode()),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    # Not "no-referrer", with which browsers send no origin along with a form.
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
)


class NotDoneError(Exception):
    """A request that is not done: the status of HTTP, and a key of the texts' ``stored``."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(status, key)
        self.status, self.key = status, key


class StaleError(Exception):
    """A page from before klopt was started again."""


async def read_form(request: Request, token: str) -> Mapping[str, str]:
    """What a form of one of our own pages sends; they have a token that is new at each start.

    Raises:
        RefusedError: It comes from elsewhere, is too large, or is no form.
        StaleError: It comes from a page of an earlier start.
    """
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site != "same-origin" or origin not in (None, f"http://{request.headers.get('host')}"):
        raise NotDoneError(403, "refused")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > BODY_BYTES:
                raise NotDoneError(413, "large")
        found = QueryParams(body.decode())
    except (ClientDisconnect, ValueError):
        raise NotDoneError(400, "bad") from None
    given = found.get("token", "").encode()
    if not hmac.compare_digest(given, token.encode()):
        if origin is None or len(given) != len(token):
            raise NotDoneError(403, "refused")
        raise StaleError
    return found


class Headers:
    """Adds to every answer what lets in our own script and style sheet, and nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through."""

        async def adding(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        if scope["type"] == "http":
            await self._app(scope, receive, adding)
