"""Middleware of all requests: access, load shedding, response headers, errors and telemetry."""

from __future__ import annotations

import asyncio
import hmac
import re
import time
from collections.abc import Collection
from secrets import token_hex
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from klopt._internal.files import to_json
from klopt.server import telemetry
from klopt.server.settings import RETRY_AFTER_S, RefusedError, Settings

OPEN: Final = frozenset(
    ("/", "/docs", "/docs.js", "/healthz", "/readyz", "/openapi.json", "/try.css", "/try.js")
)  # Paths that need no token: they hold nothing of the company
_UNLIMITED: Final = frozenset(("/healthz", "/readyz", "/metrics"))  # answered by a busy worker too
_REQUEST_ID: Final = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
}


def error_response(error: RefusedError) -> Response:
    """Return the response to a refused request."""
    body = to_json({"error": {"code": error.code, "message": error.message}})
    response = Response(body, error.status, media_type="application/json")
    if error.retry_after_s is not None:
        response.headers["retry-after"] = str(error.retry_after_s)
    if error.status == 401:
        response.headers["www-authenticate"] = 'Bearer realm="klopt"'
    return response


class Gate:
    """Wraps an ASGI application; log and metrics count paths that are not in ``paths`` as other."""

    def __init__(self, app: ASGIApp, paths: Collection[str], settings: Settings) -> None:
        self._app, self._paths, self._log_texts = app, frozenset(paths), settings.log_texts
        token = settings.address.token
        self._token = None if token is None else token.encode()
        self._hosts = frozenset(settings.address.names)
        self._concurrency, self._count = settings.limits.concurrency, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began_s = time.monotonic()
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        account = telemetry.Account(given if _REQUEST_ID.fullmatch(given) else token_hex(8))
        scope["state"] = {**scope.get("state", {}), "account": account, "began_s": began_s}
        status = 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                to = MutableHeaders(raw=message["headers"])
                to["x-request-id"] = account.request_id
                for name, value in _HEADERS.items():
                    to.setdefault(name, value)
            await send(message)

        method = scope["method"]
        path = scope["path"] if scope["path"] in self._paths else "other"
        self._count += 1
        with telemetry.span(method, path, dict(headers)):
            try:
                self._check(headers, scope["path"])
                # Scoring does not suspend: count all waiting requests before one of them scores.
                await asyncio.sleep(0)
                await self._app(scope, receive, noting)
            except RefusedError as error:
                account.code = error.code
                await error_response(error)(scope, receive, noting)
            finally:
                self._count -= 1
                seconds = time.monotonic() - began_s
                telemetry.report(account, method, path, status, seconds, log_texts=self._log_texts)

    def _check(self, headers: Headers, path: str) -> None:
        host = _name(headers.get("host", ""))
        if self._hosts and host not in self._hosts:
            allowed = ", ".join(sorted(self._hosts))
            message = f"the request's host is {host[:100]!r}; this service allows {allowed}"
            raise RefusedError(421, "host", f"{message}, and --allow-host adds a name")
        if self._token is not None and path not in OPEN:
            given = headers.get("authorization", "").encode("latin-1", "replace")
            scheme, _, sent = given.partition(b" ")
            if scheme != b"Bearer" or not hmac.compare_digest(sent, self._token):
                message = "the token is missing or wrong: send Authorization: Bearer TOKEN"
                raise RefusedError(401, "token", message)
        if self._count > self._concurrency and path not in _UNLIMITED:
            message = f"{self._concurrency} requests are in progress in this worker, the maximum"
            message += f" (--limit-concurrency); try again in {RETRY_AFTER_S} s"
            raise RefusedError(503, "busy", message, RETRY_AFTER_S)


def _name(host: str) -> str:
    """Return a host without its port.

    >>> _name("[::1]:8765"), _name("localhost:8765"), _name("KLOPT.local")
    ('::1', 'localhost', 'klopt.local')
    """
    name, _, port = host.rpartition(":")
    without_port = name if name and port.isdecimal() else host
    return without_port.removeprefix("[").removesuffix("]").casefold()
