"""A translation server on loopback with the protocol of each service.

    with TranslationServer(script=[429]) as server:
        translator = online_translator("libretranslate", {}, url=server.url)
        list(translator.translate(["Klik."], "nl", "en"))
    server.texts    # ["Klik.", "Klik."]

The n-th request gets the n-th step of the script: a status, a body, or "silent"; further requests
are translated line by line.
"""

import html
import json
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.llm.server import Server


class TranslationServer(Server):
    """``received`` has the requests, ``texts`` their texts."""

    def __init__(
        self, translate: Callable[[str], str] = str.upper, script: Iterable[int | str] = ()
    ) -> None:
        super().__init__()
        self.script = list(script)
        self.received: list[dict[str, Any]] = []
        self._translate = translate

    @property
    def texts(self) -> list[str]:
        return [request["text"] for request in self.received]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("content-length", 0)))
        parts = urlsplit(handler.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        is_json = "json" in handler.headers.get("content-type", "")
        form = {} if is_json else {n: values[0] for n, values in parse_qs(body.decode()).items()}
        text = json.loads(body)[0]["text"] if is_json else form.get("text", form.get("q"))
        text = text or query.get("q", "")
        if parts.path != "/languages":
            self.received.append(
                {
                    "method": handler.command, "query": query, "form": form, "text": text,
                    "headers": {name.lower(): one for name, one in handler.headers.items()},
                }
            )  # fmt: skip
        step = self.script.pop(0) if self.script else 200
        if step == "silent":
            self._closing.wait(60)
            return
        status = step if isinstance(step, int) else 200
        lines = "\n".join(map(self._translate, text.split("\n")))
        data = (step if isinstance(step, str) else _reply(parts.path, lines)).encode()
        handler.send_response(status)
        if 300 <= status < 400:
            handler.send_header("Location", "/elsewhere")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)


def _reply(path: str, text: str) -> str:
    """A valid reply in the form of the service with this path."""
    match path:
        case "/m":
            return f'<div class="result-container">{html.escape(text)}</div>'
        case "/v2/translate":
            return json.dumps({"translations": [{"text": text}]})
        case "/get":
            return json.dumps({"responseData": {"translatedText": text}})
        case "/languages":
            return json.dumps({"translation": {"en": {"name": "English"}}})
        case "/microsofttranslate":
            return json.dumps([{"translations": [{"text": text}]}])
    return json.dumps({"translatedText": text})
