"""Read rows from requests, within limits of size and time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request

from klopt._internal.fields import field_of
from klopt._internal.files import json_fault, json_value
from klopt.logs.rows import Row
from klopt.server.settings import Limits, RefusedError
from klopt.types import Turn

JSON: Final = "application/json"
LINES: Final = "application/x-ndjson"
WHERE: Final = "the request"
SCORED: Final = ("question", "answer")  # Fields that a row to score needs
ASKED: Final = ("question",)  # Fields that a row to classify or to retrieve for needs


async def read_body(request: Request, kind: str, limits: Limits) -> bytes:
    """Return the body of a request; refuse one of another content type than ``kind``."""
    _check_kind(request, kind)
    async with _within(limits.body_s):
        async for part in request.stream():
            _add(part, request, limits)
    return bytes(request.state.account.body)


async def read_pieces(request: Request, limits: Limits) -> AsyncIterator[list[tuple[int, bytes]]]:
    """Yield the complete lines of a request, with their numbers, as they arrive."""
    _check_kind(request, LINES)
    rest, number = b"", 1
    parts = request.stream().__aiter__()
    part: bytes | None = b""
    while part is not None:
        async with _within(limits.piece_s):
            part = await anext(parts, None)
        _add(part or b"", request, limits)
        *lines, rest = (rest + (b"\n" if part is None else part)).split(b"\n")
        if whole := [(at, line) for at, line in enumerate(lines, number) if line.strip()]:
            yield whole
        number += len(lines)


@asynccontextmanager
async def _within(seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise RefusedError(
            408, "slow", f"the whole request did not arrive within {seconds:g} s"
        ) from None
    except ClientDisconnect:
        raise client_left() from None


def client_left() -> RefusedError:
    """Return the error for a client that closed the connection; only the log shows it."""
    return RefusedError(499, "gone", "the client closed the connection")


def _check_kind(request: Request, kind: str) -> None:
    """Refuse other content types, among them those that a web page may send to another site."""
    sent = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if sent != kind:
        raise RefusedError(415, "content_type", f'Content-Type is "{sent[:60]}"; send {kind}')


def _add(part: bytes, request: Request, limits: Limits) -> None:
    body: bytearray = request.state.account.body
    body += part
    if len(body) > limits.body_bytes:
        message = f"the body has more than {limits.body_bytes} bytes (--body-bytes); send less"
        raise RefusedError(413, "too_large", message)


def fields_of(body: bytes) -> dict[str, Any]:
    """Return the fields of the row in a body."""
    fields = _json(body)
    if not isinstance(fields, dict):
        raise RefusedError(422, "row", f"{WHERE}: not a JSON object with the fields of a row")
    return fields


def text_of(number: int, line: bytes) -> str:
    """Return the text of a piece of a stream."""
    where = f"{WHERE}, line {number}"
    piece = _json(line, where)
    text = piece.get("text") if isinstance(piece, Mapping) else None
    if not isinstance(text, str):
        message = f'{where}: after its first line each line is {{"text": "..."}}'
        raise RefusedError(422, "piece", message)
    return text


def turn_of(row: Row, needed: Sequence[str] = SCORED) -> Turn:
    """Return the turn of a row; refuse a row that is invalid or lacks a needed field."""
    row = with_hint(row, needed)
    if row.turn is None:
        raise RefusedError(422, "row", f"{WHERE}: {row.problem}")
    return row.turn


def with_hint(row: Row, needed: Sequence[str], place: str = "") -> Row:
    """Return the row; if it lacks a needed field and has an unknown one, as an invalid row.

    Its problem then suggests to send the unknown field under the needed name.
    """
    fields = {name: field_of(name) for name in row.fields if name != "budget_ms"}
    missing = [name for name in needed if name not in fields.values()]
    others = [name[:40] for name, ours in fields.items() if ours is None][:12]
    if not missing or not others:
        return row
    hint = f"no field is read as {' or '.join(missing)}; other fields are {', '.join(others)}"
    problem = f"{place}{hint}: send {others[0]} as {missing[0]}?"
    return replace(row, turn=None, problem=problem)


def _json(text: bytes, where: str = WHERE) -> object:
    try:
        return json_value(text)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, "bad_json", f"{where}: {json_fault(error)}") from None
