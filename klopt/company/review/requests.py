"""Forms of the rating page: their origin, size and token are checked."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Final

from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request

BODY_BYTES: Final = 65_536
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": _POLICY,
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # Not "no-referrer", with which browsers send no origin along with a form.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
"""Of every page: they allow its own script and style sheet, and nothing else."""


class NotDoneError(Exception):
    """A refused request: the HTTP status, and a key of the texts in ``stored``."""

    def __init__(self, status: int, key: str) -> None:
        super().__init__(status, key)
        self.status, self.key = status, key


class StaleError(Exception):
    """The form comes from a page from before klopt was restarted."""


async def read_form(request: Request, token: str) -> Mapping[str, str]:
    """Return the fields of a form of our own pages, whose token is new at each start.

    Raises:
        NotDoneError: It comes from elsewhere, is too large, or is not a form.
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
