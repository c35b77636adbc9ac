"""A translation server on loopback that speaks the protocols of all providers, and misbehaves.

    with TranslationServer({"Klik hier.": "Click here."}) as server:
        translator = online_translator("libretranslate", {}, url=server.url)
        translator.translate(["Klik hier."], "nl", "en")
    server.texts       # ["Klik hier."], as they travelled, marks and all
    server.asked       # requests so far, each with its path, query, headers and body

``translate`` is a function from line to line, or a dict; a line that it does not have comes back
as it was. The n-th request meets the n-th behaviour of the script, further ones are answered. The
behaviours are those of `tests.models.server` and those below.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from klopt.translators.providers import Provider, provider
from tests.models.server import Behaviour, Exchange, Server

KEY = "orlinde-0123456789abcdefghijkl"
PATHS = {
    "google": "/m",
    "deepl": "/v2/",
    "libretranslate": "/",
    "mymemory": "/get",
    "microsoft": "/microsoft?api-version=3.0",
}


@dataclass(frozen=True)
class Asked:
    """A request: the provider whose way it follows, what it holds, and the text in it."""

    dialect: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    text: str


def in_dialect(dialect: str, text: str) -> bytes:
    """A good reply, as the provider words it."""
    value: object
    match dialect:
        case "google":
            page = f'<html><div class="result-container">{html.escape(text)}</div></html>'
            return page.encode()
        case "deepl":
            value = {"translations": [{"detected_source_language": "NL", "text": text}]}
        case "mymemory":
            value = {"responseData": {"translatedText": text}}
        case "microsoft":
            value = [{"translations": [{"text": text, "to": "en"}]}]
        case _:
            value = {"translatedText": text}
    return json.dumps(value).encode()


def says(text: str) -> Behaviour:
    """A good reply with this text, whatever was asked."""
    return lambda exchange: exchange.whole(in_dialect(exchange.received.dialect, text))


def quotes_everything(code: int) -> Behaviour:
    """Says back everything that it was sent, the key and the text with it."""

    def behave(exchange: Exchange) -> None:
        asked = exchange.received
        quoted = {"error": f"{asked.path} {asked.query} {asked.headers} {asked.body}"}
        exchange.whole(json.dumps(quoted).encode(), code)

    return behave


class TranslationServer(Server):
    """Translates by a function or a dict, after its script has been met."""

    def __init__(
        self,
        translate: Callable[[str], str] | Mapping[str, str] = str.upper,
        script: Iterable[Behaviour] = (),
    ) -> None:
        super().__init__(script, self._answer)
        self._translate = translate if callable(translate) else lambda at: translate.get(at, at)

    @property
    def asked(self) -> list[Asked]:
        return self.received

    @property
    def texts(self) -> list[str]:
        return [asked.text for asked in self.asked]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def provider(self, name: str, seconds: float) -> Provider:
        """A provider of ``providers.toml`` that lives here, and so long between requests."""
        address = self.url + PATHS[name]
        return replace(provider(name), address=address, seconds_between_requests=seconds)

    def _answer(self, exchange: Exchange) -> None:
        asked: Asked = exchange.received
        lines = [self._translate(line) for line in asked.text.split("\n")]
        says("\n".join(lines))(exchange)

    def _read(self, handler: BaseHTTPRequestHandler, headers: dict[str, str], body: bytes) -> Asked:
        parts = urlsplit(handler.path)
        query = _fields(parts.query)
        is_form = headers.get("content-type") == "application/x-www-form-urlencoded"
        content = _fields(body.decode()) if is_form else json.loads(body or b"null")
        dialect, text = _dialect(parts.path, query, content)
        return Asked(dialect, parts.path, query, headers, content, text)


def _fields(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text, True).items()}


def _dialect(path: str, query: dict[str, str], body: Any) -> tuple[str, str]:
    """Whose way of asking it is, and the text."""
    match path:
        case "/m":
            return "google", query["q"]
        case "/v2/translate":
            return "deepl", body["text"][0]
        case "/get":
            return "mymemory", query["q"]
        case "/microsoft":
            return "microsoft", body[0]["text"]
        case _:
            return "libretranslate", body["q"]
