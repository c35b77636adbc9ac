"""What every request goes through: who may ask, what is noted, and how a refusal is worded."""

from __future__ import annotations

import base64
import hmac
import re
import time
from collections.abc import Collection, Mapping
from secrets import token_hex
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from klopt.batch.output import to_json
from klopt.server.limits import Held, RefusedError
from klopt.server.telemetry import Account, Telemetry

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
OPEN: Final = frozenset(
    ("/", "/docs", "/docs.js", "/healthz", "/readyz", "/openapi.json", "/try.css", "/try.js")
)
"""What needs no token: it holds nothing of the company."""
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


def json_response(
    body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """An answer in JSON; half a character, which a request may hold, is escaped."""
    return Response(to_json(body), status, headers, "application/json")


def error_response(error: RefusedError, scheme: str = "Bearer") -> Response:
    """A refusal, for a program and for people."""
    headers = {}
    if error.retry_after_s is not None:
        headers["retry-after"] = str(error.retry_after_s)
    if error.status == 401:
        headers["www-authenticate"] = f'{scheme} realm="klopt"'
    if error.status == 408:
        headers["connection"] = "close"  # what may still come is no request
    body = {"error": {"code": error.code, "message": error.message}}
    return json_response(body, error.status, headers)


class Gate:
    """Stands before an application.

    With ``is_for_people`` a browser asks for the token, as a password by any name, and all paths
    need it; else it is shown as ``Bearer``, and what is `OPEN` needs none.
    """

    def __init__(
        self,
        app: ASGIApp,
        telemetry: Telemetry,
        paths: Collection[str],
        token: str | None,
        hosts: Collection[str],
        *,
        is_for_people: bool = False,
    ) -> None:
        self._app = app
        self._telemetry = telemetry
        self._paths = frozenset(paths)
        self._token = None if token is None else token.encode()
        self._scheme, self._open = (
            ("Basic", frozenset[str]()) if is_for_people else ("Bearer", OPEN)
        )
        self._hosts = frozenset(hosts)
        self._held = Held()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it."""
        if scope["type"] != "http":
            return
        began_s = time.monotonic()
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        account = Account(given if _REQUEST_ID.fullmatch(given) else token_hex(8))
        scope["state"] = {"account": account, "began_s": began_s, "held": self._held}
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
        with self._telemetry.span(method, path, dict(headers)):
            try:
                try:
                    self._check(headers, scope["path"])
                    await self._app(scope, receive, noting)
                except RefusedError as error:
                    account.code = error.code
                    await error_response(error, self._scheme)(scope, receive, noting)
            finally:
                self._held.count -= len(account.sent)
                seconds = time.monotonic() - began_s
                self._telemetry.tell(account, method, path, status, seconds)

    def _check(self, headers: Headers, path: str) -> None:
        host = _name(headers.get("host", ""))
        if self._hosts and host not in self._hosts:
            raise RefusedError(
                421,
                "host",
                f"the request asks for the host {host[:100]!r}, and this service answers for "
                f"{', '.join(sorted(self._hosts))}; --allow-host adds a name",
            )
        if self._token is None or path in self._open:
            return
        given = headers.get("authorization", "").encode("latin-1", "replace")
        scheme, _, shown = given.partition(b" ")
        if self._scheme == "Basic":
            shown = _password(shown)
        if scheme != self._scheme.encode() or not hmac.compare_digest(shown, self._token):
            message = f"no token, or not the right one: send Authorization: {self._scheme} TOKEN"
            raise RefusedError(401, "token", message)


def _password(shown: bytes) -> bytes:
    """That of what a browser shows; empty where it is none.

    >>> _password(b"aWs6Z2VoZWlt"), _password(b"?")
    (b'geheim', b'')
    """
    try:
        return base64.b64decode(shown, validate=True).partition(b":")[2]
    except ValueError:
        return b""


def _name(host: str) -> str:
    """A host without its port.

    >>> _name("[::1]:8765"), _name("localhost:8765"), _name("KLOPT.local")
    ('::1', 'localhost', 'klopt.local')
    """
    name, _, port = host.rpartition(":")
    without_port = name if name and port.isdecimal() else host
    return without_port.removeprefix("[").removesuffix("]").casefold()
