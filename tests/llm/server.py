"""A scripted LLM server on loopback with OpenAI's chat-completions API.

    with Server([status(429, NOW), completes('{"answer": ["A"]}')]) as server:
        ChatClient("tiny", server.base_url, KEY).complete(call)
    server.received[0].body["messages"]

The n-th request gets the n-th behaviour; later ones get ``then``. Nothing sleeps: a slow behaviour
waits for the server to close, at most a minute.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-wadlinde-0123456789abcdefghij"
SECONDS = 60.0
NOW = {"Retry-After": "0.001"}
"""Headers after which the SDK retries at once instead of after half a second."""


@dataclass(frozen=True)
class Received:
    """A request: its path, headers by lower-case name, body as JSON and the client's port."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    port: int = 0

    @property
    def user(self) -> str:
        return self.body["messages"][-1]["content"]


class Exchange:
    """A request with its raw stream, and whether the server closes."""

    def __init__(self, handler: BaseHTTPRequestHandler, received: Received, closing) -> None:
        self.received = received
        self._handler, self._closing = handler, closing

    def write(self, data: bytes) -> None:
        self._handler.wfile.write(data)
        self._handler.wfile.flush()

    def head(self, code: int = 200, headers: dict[str, str] | None = None) -> None:
        lines = [f"HTTP/1.1 {code} Whatever", "Content-Type: application/json"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def whole(self, body: bytes, code: int = 200, headers: dict[str, str] | None = None) -> None:
        self.head(code, {**(headers or {}), "Content-Length": str(len(body))})
        self.write(body)

    def hang_up(self) -> None:
        self._handler.close_connection = True

    def wait(self, seconds: float = SECONDS) -> bool:
        """Wait until the server closes; return whether it does."""
        return self._closing.wait(seconds)


Behaviour = Callable[[Exchange], None]


def completion(text: str, finish_reason: str = "stop", **fields: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "tiny-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
        **fields,
    }


def completes(text: str, finish_reason: str = "stop", **fields: Any) -> Behaviour:
    """A valid reply."""
    return sends(completion(text, finish_reason, **fields))


def replies(function: Callable[[Received], str]) -> Behaviour:
    """A valid reply that depends on the request."""
    return lambda exchange: completes(function(exchange.received))(exchange)


def sends(value: object) -> Behaviour:
    """Any JSON, for instance of the wrong shape."""
    return sends_bytes(json.dumps(value).encode())


def sends_bytes(body: bytes, headers: dict[str, str] | None = None) -> Behaviour:
    """Any body, JSON or not."""
    return lambda exchange: exchange.whole(body, headers=headers)


def status(
    code: int, headers: dict[str, str] | None = None, message: str = "", **error: str
) -> Behaviour:
    """An error in the form of OpenAI, or with an empty body."""
    body = json.dumps({"error": {"message": message, **error}}).encode() if message else b""
    return lambda exchange: exchange.whole(body, code, headers)


def silent() -> Behaviour:
    """Accept the request and send nothing."""

    def behave(exchange: Exchange) -> None:
        exchange.hang_up()
        exchange.wait()

    return behave


def drips(code: int = 200) -> Behaviour:
    """Send a byte every 20 ms without end, so that no single read times out."""

    def behave(exchange: Exchange) -> None:
        exchange.hang_up()
        exchange.head(code, {"Content-Length": "100000"})
        while not exchange.wait(0.02):
            exchange.write(b" ")

    return behave


def floods(code: int = 200) -> Behaviour:
    """Send blanks as fast as possible without end."""

    def behave(exchange: Exchange) -> None:
        exchange.hang_up()
        exchange.head(code)
        while not exchange.wait(0):
            exchange.write(b" " * 65_536)

    return behave


def bomb() -> Behaviour:
    """A small body that unpacks to 300 MB."""
    body = gzip.compress(bytes(1_000_000)) * 300
    return lambda exchange: exchange.whole(body, headers={"Content-Encoding": "gzip"})


def cut(text: str, chunked: bool = False, code: int = 200) -> Behaviour:
    """Close the connection after half of a valid reply."""

    def behave(exchange: Exchange) -> None:
        body = json.dumps(completion(text)).encode()
        half = body[: len(body) // 2]
        exchange.hang_up()
        if chunked:
            exchange.head(code, {"Transfer-Encoding": "chunked"})
            exchange.write(f"{len(half):x}\r\n".encode() + half + b"\r\n")
        else:
            exchange.head(code, {"Content-Length": str(len(body))})
            exchange.write(half)

    return behave


def quotes_the_key(code: int, masked: bool = False) -> Behaviour:
    """Reply with the key that the request contains, complete or masked."""

    def behave(exchange: Exchange) -> None:
        key = exchange.received.headers["authorization"].removeprefix("Bearer ")
        shown = f"{key[:6]}{'*' * 12}{key[-4:]}" if masked else key
        value: object = {"error": {"message": f"Incorrect API key provided: {shown}."}}
        if code == 200:
            value = completion(f"You sent {shown}.", model=f"tiny {shown}")
        exchange.whole(json.dumps(value).encode(), code)

    return behave


class Server:
    """Scripted behaviours behind ``base_url``; ``received`` has the requests."""

    def __init__(self, script: Iterable[Behaviour] = (), then: Behaviour | None = None) -> None:
        self.received: list[Received] = []
        self._script, self._then = list(script), then or completes("{}")
        self._closing, self._lock = threading.Event(), threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def __enter__(self) -> Server:
        self._http = _Http(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer one request with the next behaviour."""
        headers = {name.lower(): value for name, value in handler.headers.items()}
        body = handler.rfile.read(int(headers.get("content-length") or 0))
        received = Received(handler.path, headers, json.loads(body), handler.client_address[1])
        with self._lock:
            number = len(self.received)
            self.received.append(received)
        behave = self._script[number] if number < len(self._script) else self._then
        try:
            behave(Exchange(handler, received, self._closing))
        except ConnectionError:
            handler.close_connection = True

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                server.answer(self)

            do_GET = do_POST  # noqa: N815

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that close their connection."""
