"""The paths of the service, and their description in OpenAPI."""

from __future__ import annotations

import asyncio
import faulthandler
import json
import logging
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from functools import cache, partial
from itertools import chain, islice
from multiprocessing import parent_process
from typing import Any, Final, cast

from pydantic import ConfigDict, TypeAdapter, create_model
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from klopt._internal import shipped
from klopt._internal.files import to_json
from klopt._internal.page_names import NamedPages
from klopt.errors import KloptError
from klopt.logs.json_rows import read_lines
from klopt.logs.rows import Row, rows_of
from klopt.logs.scoring import assess, classified
from klopt.retrieval.index_file import Index
from klopt.scoring.assessment import COLUMNS, Assessment
from klopt.scoring.scorer import Scorer
from klopt.scoring.streaming import AnswerStream, EarlyFault
from klopt.server import telemetry
from klopt.server.gate import Gate, error_response
from klopt.server.requests import (
    ASKED,
    JSON,
    LINES,
    SCORED,
    WHERE,
    client_left,
    fields_of,
    read_body,
    read_pieces,
    text_of,
    turn_of,
    with_hint,
)
from klopt.server.settings import HUNG_S, MAX_FOUND, MAX_ROW_MS, RefusedError, Settings
from klopt.version import VERSION


@cache
def openapi() -> dict[str, Any]:
    """Return the description in OpenAPI 3.1; the schemas of responses come from their types.

    >>> openapi()["info"]["title"], "/v1/score" in openapi()["paths"]
    ('klopt', True)
    """
    description: dict[str, Any] = json.loads(shipped.text("klopt.server", "openapi.json"))
    description["info"]["version"] = VERSION
    columns: dict[str, Any] = {
        column.name: (column.kind, None if column.is_optional else ...) for column in COLUMNS
    }
    assessment = create_model("Assessment", __config__=ConfigDict(extra="forbid"), **columns)
    kinds = [(kind, "serialization", TypeAdapter(kind)) for kind in (assessment, EarlyFault)]
    _, made = TypeAdapter.json_schemas(kinds, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    for name, schema in made["$defs"].items():
        if name != "Assessment" and "properties" in schema:  # a record always has all its fields
            schema |= {"required": list(schema["properties"]), "additionalProperties": False}
    description["components"]["schemas"] |= made["$defs"]
    return description


_LOG = logging.getLogger("klopt.server")
_STATIC: Final = {
    "/": ("try.html", "text/html"),
    "/docs": ("docs.html", "text/html"),
    "/docs.js": ("docs.js", "text/javascript"),
    "/try.css": ("try.css", "text/css"),
    "/try.js": ("try.js", "text/javascript"),
}


class EventStream(Response):
    """Server-sent events, written while the request is still being read."""

    def __init__(self, events: AsyncIterator[tuple[str, str]]) -> None:
        self._events = events
        super().__init__(media_type="text/event-stream", headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send each event as soon as there is one."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for name, data in self._events:
            event = f"event: {name}\ndata: {data}\n\n".encode()
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class Service:
    """The scorer of a worker and its endpoints.

    A row takes milliseconds, so that each endpoint scores in the event loop: a worker that scores
    accepts no connection, and another worker does. Nothing is sent to a translator or a model.
    """

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.limits
        setup, pages = settings.load()
        self.index = setup.index if isinstance(setup.index, Index) else None
        if self.index is not None:
            self.index.check()
        self._given_pages = self.index if pages is None else pages
        self.pages = None if self._given_pages is None else NamedPages(self._given_pages)
        profile = replace(setup.profile, translate=None, opinion=None)
        self.scorer = Scorer(replace(setup, profile=profile))
        for language in profile.languages:
            self.scorer.prepare(language)

    async def score(self, request: Request) -> Response:
        """Score one row."""
        row = self._row(await read_body(request, JSON, self.limits))
        turn_of(row)
        return _json(self._assess(request, row, request.state.began_s).to_dict())

    async def batch(self, request: Request) -> Response:
        """Score rows, a line each; other requests take turns with them."""
        body = await read_body(request, LINES, self.limits)
        lines = [(number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip()]
        if len(lines) > (most := self.limits.batch_rows):
            message = f"the batch has {len(lines)} rows, and the maximum is {most} (--batch-rows)"
            raise RefusedError(413, "too_many_rows", f"{message}; send several batches")
        read = chain.from_iterable(read_lines([line], WHERE, number) for number, line in lines)
        scored: list[bytes] = []
        for row in rows_of(read, pages=self.pages, with_budget=True):
            assessment = self._assess(request, with_hint(row, SCORED, f"{row.place}: "))
            scored.append(_line(assessment.to_dict()))
            if await request.is_disconnected():
                raise client_left()
        return Response(b"".join(scored), media_type=LINES)

    async def classify(self, request: Request) -> Response:
        """Classify the question of a row."""
        row = self._row(await read_body(request, JSON, self.limits), with_contexts=False)
        return _json(classified(turn_of(row, ASKED), self.scorer))

    async def search(self, request: Request) -> Response:
        """Find the pages that fit a question best."""
        body = await read_body(request, JSON, self.limits)
        if self.index is None:
            message = "the service has no index to search; start it with klopt serve --index FILE"
            raise RefusedError(404, "no_index", message)
        fields = fields_of(body)
        k = fields.pop("k", 5)
        if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MAX_FOUND:
            raise RefusedError(422, "row", f"k is not a whole number from 1 to {MAX_FOUND}")
        turn = turn_of(self._row(fields, with_contexts=False), ASKED)
        pages = [
            {"id": hit.page.id, "title": hit.title, "url": hit.page.url, "score": hit.score}
            for hit in self.index.search(turn.question, k, language=turn.language)
        ]
        return _json({"id": turn.id, "pages": pages})

    async def list_pages(self, request: Request) -> Response:
        """List the names of pages that contain the text of ``name``."""
        pages = self._given_pages or {}
        wanted = request.query_params.get("name", "").casefold()
        names = dict.fromkeys(
            islice(pages, pages.page_count)  # without their aliases
            if isinstance(pages, Index)
            else (page.id for page in pages.values())
        )
        found = [name for name in names if wanted in name.casefold()]
        return _json({"count": len(found), "pages": found[:MAX_FOUND]})

    async def stream(self, request: Request) -> Response:
        """Check an answer while it is being written."""
        pieces = read_pieces(request, self.limits)
        lines = await anext(pieces, None)
        if lines is None:
            message = "the request is empty; its first line is a row with question and contexts"
            raise RefusedError(400, "bad_json", message)
        (_, head), *first = lines
        row = self._row(head)
        answer = self.scorer.stream(turn_of(row, ASKED))
        account = self._account(request)
        account.warnings += row.warnings
        return EventStream(_events(answer, first, pieces, account, _budget_ms(row)))

    async def readyz(self, request: Request) -> Response:
        """Answer whether a worker scores, and with which pages."""
        digest = None if self.index is None else self.index.digest
        return _json({"status": "ready", "index": digest})

    def _row(self, body: bytes | Mapping[str, Any], *, with_contexts: bool = True) -> Row:
        fields = fields_of(body) if isinstance(body, bytes) else body
        read = partial(rows_of, pages=self.pages, with_place=False, with_budget=True)
        (row,) = read([(1, fields, None)], with_contexts=with_contexts)
        return row

    def _assess(self, request: Request, row: Row, since_s: float | None = None) -> Assessment:
        assessment = assess(replace(row, budget_ms=_budget_ms(row)), self.scorer, since_s)
        account = self._account(request)
        account.assessed.append(assessment)
        account.warnings += row.warnings
        return assessment

    def _account(self, request: Request) -> telemetry.Account:
        """Return the account of a request, with the index that this worker reads."""
        account: telemetry.Account = request.state.account
        account.index = None if self.index is None else self.index.digest
        return account


def _budget_ms(row: Row) -> float:
    return MAX_ROW_MS if row.budget_ms is None else min(MAX_ROW_MS, row.budget_ms)


async def _events(
    answer: AnswerStream,
    lines: list[tuple[int, bytes]] | None,
    pieces: AsyncIterator[list[tuple[int, bytes]]],
    account: telemetry.Account,
    budget_ms: float,
) -> AsyncIterator[tuple[str, str]]:
    try:
        while lines is not None:
            for fault in answer.feed("".join(text_of(*line) for line in lines)):
                yield "fault", to_json(asdict(fault))
            lines = await anext(pieces, None)
        assessment = answer.finish(budget_ms=budget_ms)
        account.assessed.append(assessment)
        yield "assessment", to_json(assessment.to_dict())
    except (RefusedError, KloptError) as error:
        refused = _refusal(error)
        account.code = refused.code
        yield "error", to_json({"code": refused.code, "message": refused.message})


def _line(row: Mapping[str, Any]) -> bytes:
    return f"{to_json(row)}\n".encode()


def _json(row: Mapping[str, Any]) -> Response:
    return Response(_line(row), media_type=JSON)


def _get(path: str, content: Callable[[], str | bytes], kind: str = JSON) -> Route:
    async def endpoint(request: Request) -> Response:
        return Response(content(), media_type=kind)

    return Route(path, endpoint)


def _refusal(error: Exception) -> RefusedError:
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, KloptError):
        _LOG.error("%s", error)
        return RefusedError(500, "unreadable", str(error))
    return RefusedError(
        500, "internal", "internal error in klopt; the log has the cause under this x-request-id"
    )


async def _refused(request: Request, error: Exception) -> Response:
    refused = _refusal(error)
    request.state.account.code = refused.code
    return error_response(refused)


async def _unknown(request: Request, error: Exception) -> Response:
    known = cast(HTTPException, error)
    allowed = (known.headers or {}).get("Allow")
    paths = ", ".join(sorted(route.path for route in request.app.routes))
    advice = f"use {allowed}" if allowed else f"there are {paths}"
    message = f"{request.method} {request.url.path[:100]}: {known.detail}; {advice}"
    response = await _refused(request, RefusedError(known.status_code, "path", message))
    response.headers.update(known.headers or {})
    return response


@asynccontextmanager
async def watched(app: Starlette) -> AsyncIterator[None]:
    """End this worker when its event loop hangs or its parent process is gone."""
    parent = parent_process()
    if parent is None:
        yield
        return

    async def beat() -> None:
        while True:
            faulthandler.dump_traceback_later(HUNG_S, exit=True)
            if not parent.is_alive():
                signal.raise_signal(signal.SIGTERM)
            await asyncio.sleep(1)

    beating = asyncio.create_task(beat())
    yield
    beating.cancel()
    faulthandler.cancel_dump_traceback_later()


def application(settings: Settings) -> Gate:
    """Return the service as an ASGI application, ready to score."""
    service = Service(settings)
    routes = [
        Route("/v1/score", service.score, methods=["POST"]),
        Route("/v1/score/batch", service.batch, methods=["POST"]),
        Route("/v1/stream", service.stream, methods=["POST"]),
        Route("/v1/classify", service.classify, methods=["POST"]),
        Route("/v1/search", service.search, methods=["POST"]),
        Route("/v1/pages", service.list_pages),
        Route("/readyz", service.readyz),
        _get("/healthz", lambda: _line({"status": "ok"})),
        _get("/metrics", telemetry.metrics, "text/plain; version=0.0.4"),
        _get("/openapi.json", lambda: _line(openapi())),
        *(
            _get(path, partial(shipped.text, "klopt.server", file), kind)
            for path, (file, kind) in _STATIC.items()
        ),
    ]
    handlers = dict.fromkeys((RefusedError, KloptError, Exception), _refused)
    handlers[HTTPException] = _unknown
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=watched)
    app.router.redirect_slashes = False
    return Gate(app, [route.path for route in routes], settings)
