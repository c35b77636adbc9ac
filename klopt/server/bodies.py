"""Reads what a request sends, within limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect, Request

from klopt.server.limits import LARGEST_HELD, TRY_AGAIN_S, Held, Limits, RefusedError
from klopt.server.telemetry import Account

JSON = "application/json"
LINES = "application/x-ndjson"


async def read_body(request: Request, kind: str, limits: Limits) -> bytes:
    """The body of a request."""
    _check_kind(request, kind)
    async with _in_time(limits.body_s):
        async for part in request.stream():
            _keep(part, request, limits)
    account: Account = request.state.account
    return bytes(account.sent)


async def read_pieces(request: Request, limits: Limits) -> AsyncIterator[list[tuple[int, bytes]]]:
    """The lines of a request that are whole, with their numbers, as soon as there are any.

    What comes while nobody asks is joined, so that many small pieces are no more work than one.
    """
    _check_kind(request, LINES)
    left, number = bytearray(), 1
    parts = request.stream().__aiter__()
    while True:
        async with _in_time(limits.piece_s):
            part = await anext(parts, None)
        if part is None:
            break
        _keep(part, request, limits)
        left += part
        if b"\n" in part:
            *lines, left = left.split(b"\n")
            numbered = enumerate(map(bytes, lines), number)
            number += len(lines)
            if whole := [(at, line) for at, line in numbered if line.strip()]:
                yield whole
    if left.strip():
        yield [(number, bytes(left))]


@asynccontextmanager
async def _in_time(seconds: float) -> AsyncIterator[None]:
    """Refuses what comes too late, and what never comes."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        message = f"nothing came within {seconds:g} s"
        raise RefusedError(408, "slow", message) from None
    except ClientDisconnect:
        raise RefusedError(499, "gone", "the client left before it had sent everything") from None


def _check_kind(request: Request, kind: str) -> None:
    """Stops at a body of another kind, such as those that a web page sends without leave."""
    sent_kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if sent_kind != kind:
        message = f'Content-Type is "{sent_kind[:60]}"; send {kind}'
        raise RefusedError(415, "content_type", message)


def _keep(part: bytes, request: Request, limits: Limits) -> None:
    account: Account = request.state.account
    held: Held = request.state.held
    account.sent += part
    held.count += len(part)
    if held.count > LARGEST_HELD * limits.body_bytes:
        most = f"more than {LARGEST_HELD} of the largest requests (--body-bytes) are under way"
        raise RefusedError(503, "busy", f"{most}; try again in {TRY_AGAIN_S} s", TRY_AGAIN_S)
    if len(account.sent) > limits.body_bytes:
        most = f"the body has more than {limits.body_bytes} bytes (--body-bytes)"
        raise RefusedError(413, "too_large", f"{most}; send less at a time")
