"""The paths of the service, and what happens on each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any, Final, TypeVar, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from klopt import shipped
from klopt.server import desk
from klopt.server.bodies import JSON, LINES, read_body
from klopt.server.description import openapi
from klopt.server.gate import Gate, error_response, json_response
from klopt.server.limits import Limits, RefusedError
from klopt.server.streams import Streams
from klopt.server.telemetry import Account, Telemetry
from klopt.server.worker import answered
from klopt.server.workers import Workers

T = TypeVar("T")

Keep = Callable[[list[bytes], bytes], None]
"""Takes rows, each as JSON, and their assessments, a line each."""

_LOG = logging.getLogger("klopt.server")

_CHUNK_ROWS: Final = 4
"""Rows of a batch that a process scores in one go, while other requests wait."""
_STATIC: Final = {
    "/": ("try.html", "text/html"),
    "/docs": ("docs.html", "text/html"),
    "/docs.js": ("docs.js", "text/javascript"),
    "/try.css": ("try.css", "text/css"),
    "/try.js": ("try.js", "text/javascript"),
}


class Service:
    """What is done on each path."""

    def __init__(
        self, workers: Workers, telemetry: Telemetry, limits: Limits, keep: Keep | None
    ) -> None:
        self.workers, self.telemetry, self.limits = workers, telemetry, limits
        self._keep = keep

    async def score(self, request: Request) -> Response:
        """One row in, its assessment out."""
        reply = await self._one(request, desk.score)
        if self._keep is not None:
            account: Account = request.state.account
            self._keep([bytes(account.sent).replace(b"\n", b" ")], bytes(reply.body))
        return reply

    async def classify(self, request: Request) -> Response:
        """One row in, the message type of its question out."""
        return await self._one(request, desk.classify)

    async def search(self, request: Request) -> Response:
        """A question in, the pages out that fit it best."""
        return await self._one(request, desk.search)

    async def pages(self, request: Request) -> Response:
        """The names of the pages, of those with the words of ``name`` in theirs."""
        with self.workers.admitted():
            words = request.query_params.get("name", "")
            return self._reply(request, [await self._work(desk.list_pages, words)], JSON)

    async def batch(self, request: Request) -> Response:
        """Rows in, a line each; their assessments out, in order."""
        body = await read_body(request, LINES, self.limits)
        lines = [(number, line) for number, line in enumerate(body.split(b"\n"), 1) if line.strip()]
        if len(lines) > self.limits.batch_rows:
            raise RefusedError(
                413,
                "too_many_rows",
                f"the batch has {len(lines)} rows, and {self.limits.batch_rows} is the most "
                "(--batch-rows); send several",
            )
        at_once = asyncio.Semaphore(len(self.workers))

        async def chunk(start: int) -> desk.ServedReply:
            async with at_once:
                return await self._work(desk.score_lines, lines[start : start + _CHUNK_ROWS])

        with self.workers.admitted():
            chunks = map(chunk, range(0, len(lines), _CHUNK_ROWS))
            reply = self._reply(request, await _while_there(request, together(chunks)), LINES)
        if self._keep is not None:
            self._keep([line for _, line in lines], bytes(reply.body))
        return reply

    async def _one(
        self, request: Request, job: Callable[[bytes, float], desk.ServedReply]
    ) -> Response:
        body = await read_body(request, JSON, self.limits)
        with self.workers.admitted():
            work = self._work(job, body, request.state.began_s)
            return self._reply(request, [await _while_there(request, work)], JSON)

    async def _work(self, job: Callable[..., T], *arguments: object) -> T:
        try:
            async with asyncio.timeout(self.limits.answer_s):
                return await answered(self.workers.submit(job, *arguments))
        except TimeoutError:
            message = f"there was no answer within {self.limits.answer_s:g} s (--answer-s)"
            raise RefusedError(504, "late", message, 1) from None

    def _reply(self, request: Request, replies: Sequence[desk.ServedReply], kind: str) -> Response:
        account: Account = request.state.account
        account.assessed += [summary for reply in replies for summary in reply.assessed]
        return Response(b"".join(reply.body for reply in replies), media_type=kind)

    async def healthz(self, request: Request) -> Response:
        """Whether the process is there."""
        return json_response({"status": "ok"})

    async def readyz(self, request: Request) -> Response:
        """Whether it takes requests, and whether it scores with the newest pages."""
        ready = self.workers.ready_count
        state = {
            "status": "stopping" if self.workers.is_stopping else "ready" if ready else "not_ready",
            "workers": len(self.workers),
            "workers_ready": ready,
            "pending": self.workers.pending_count,
            "index_fault": self.workers.fault,
        }
        return json_response(state, 200 if state["status"] == "ready" else 503)

    async def metrics(self, request: Request) -> Response:
        """For Prometheus."""
        return Response(self.telemetry.metrics(), media_type="text/plain; version=0.0.4")

    async def openapi(self, request: Request) -> Response:
        """What can be asked, for programs."""
        return json_response(openapi())


async def _static(file: str, kind: str, request: Request) -> Response:
    return Response(shipped.text("klopt.server", file), media_type=kind)


async def together(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What comes of each; where one fails, the others are not begun or go no further."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


async def _while_there(request: Request, work: Awaitable[T]) -> T:
    """What comes of work, unless the client leaves before."""

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(left())
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise RefusedError(499, "gone", "the client left before there was an answer")
    finally:
        working.cancel()
        gone.cancel()


async def _refused(request: Request, error: Exception) -> Response:
    refused = cast(RefusedError, error)
    account: Account = request.state.account
    account.code = refused.code
    return error_response(refused)


async def _failed(request: Request, error: Exception) -> Response:
    fields = {"request_id": request.state.account.request_id}
    _LOG.error("the request failed", exc_info=error, extra={"fields": fields})
    message = "klopt failed; the log says why, by the x-request-id of this answer"
    return await _refused(request, RefusedError(500, "internal", message))


async def _unknown(request: Request, error: Exception) -> Response:
    known = cast(HTTPException, error)
    paths = ", ".join(sorted(route.path for route in request.app.routes))
    message = f"{request.method} {request.url.path[:100]}: {known.detail}; there are {paths}"
    response = await _refused(request, RefusedError(known.status_code, "path", message))
    response.headers.update(known.headers or {})
    return response


def application(
    workers: Workers,
    telemetry: Telemetry,
    limits: Limits,
    *,
    token: str | None = None,
    hosts: Sequence[str] = (),
    keep: Keep | None = None,
) -> Gate:
    """The service as an ASGI application."""
    service = Service(workers, telemetry, limits, keep)
    streams = Streams(workers, limits)
    routes = [  # they are tried in this order
        Route("/v1/score", service.score, methods=["POST"]),
        Route("/healthz", service.healthz, methods=["GET"]),
        Route("/readyz", service.readyz, methods=["GET"]),
        Route("/metrics", service.metrics, methods=["GET"]),
        Route("/openapi.json", service.openapi, methods=["GET"]),
        Route("/v1/score/batch", service.batch, methods=["POST"]),
        Route("/v1/classify", service.classify, methods=["POST"]),
        Route("/v1/pages", service.pages, methods=["GET"]),
        Route("/v1/search", service.search, methods=["POST"]),
        Route("/v1/stream", streams.stream, methods=["POST"]),
        *(Route(path, partial(_static, *file), methods=["GET"]) for path, file in _STATIC.items()),
    ]
    handlers = {RefusedError: _refused, HTTPException: _unknown, Exception: _failed}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    for name, help, read in (
        ("klopt_pending", "Requests that wait or are worked on.", lambda: workers.pending_count),
        ("klopt_streams", "Answers that are being written.", lambda: streams.count),
        ("klopt_workers_ready", "Processes that can score.", lambda: workers.ready_count),
        ("klopt_index_fault", "Whether the newest index is not used.", lambda: bool(workers.fault)),
    ):
        telemetry.gauge(name, help, read)
    return Gate(app, telemetry, [route.path for route in routes], token, hosts)
