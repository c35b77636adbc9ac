"""Answers that are checked while they are being written."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from secrets import token_hex

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from klopt.server import desk
from klopt.server.bodies import read_pieces
from klopt.server.limits import Limits, RefusedError
from klopt.server.telemetry import Account
from klopt.server.worker import Worker, answered
from klopt.server.workers import Workers


class EventStream(Response):
    """Sends events as they come, and leaves the request to be read on by whoever makes them."""

    def __init__(self, events: AsyncIterator[bytes]) -> None:
        self._events = events
        super().__init__(media_type="text/event-stream", headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends all events."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async for event in self._events:
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class Streams:
    """All answers that are being written.

    Attributes:
        count: How many there are.
    """

    def __init__(self, workers: Workers, limits: Limits) -> None:
        self._workers, self._limits = workers, limits
        self.count = 0

    async def stream(self, request: Request) -> Response:
        """A row without answer in, then the answer in pieces; faults out, then the assessment."""
        if self.count >= self._limits.streams_count:
            most = self._limits.streams_count
            message = f"{most} answers are being written, which is the most; try again in 1 s"
            raise RefusedError(503, "busy", message, 1)
        pieces = read_pieces(request, self._limits)
        lines = await anext(pieces, None)
        if lines is None:
            message = "the request is empty; its first line is a row with question and contexts"
            raise RefusedError(400, "bad_json", message)
        (_, head), *first = lines
        with self._workers.admitted():
            worker, key = self._workers.least_busy(), token_hex(8)
            self.count += 1
            try:
                await answered(worker.submit(desk.open_stream, key, head))
            except BaseException:
                self._close(worker, key)
                raise
        return EventStream(self._events(worker, key, first, pieces, request.state.account))

    async def _events(
        self,
        worker: Worker,
        key: str,
        lines: list[tuple[int, bytes]] | None,
        pieces: AsyncIterator[list[tuple[int, bytes]]],
        account: Account,
    ) -> AsyncIterator[bytes]:
        try:
            while lines is not None:
                if lines:
                    faults = worker.submit(desk.feed_stream, key, lines)
                    for fault in await answered(faults):
                        yield _event("fault", fault)
                lines = await anext(pieces, None)
            reply = await answered(worker.submit(desk.finish_stream, key))
            account.assessed += reply.assessed
            yield _event("assessment", reply.body)
        except RefusedError as error:
            account.code = error.code
            refusal = {"code": error.code, "message": error.message}
            yield _event("error", json.dumps(refusal).encode())
        finally:
            self._close(worker, key)

    def _close(self, worker: Worker, key: str) -> None:
        self.count -= 1
        worker.tell(desk.drop_stream, key)


def _event(name: str, data: bytes) -> bytes:
    r"""An event as server-sent events have it; JSON has no line breaks.

    >>> _event("fault", b"{}")
    b'event: fault\ndata: {}\n\n'
    """
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)
