"""Behaviour of the application that a client on a socket sees only sometimes."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
import uvicorn
from httpx import Response
from starlette.testclient import TestClient
from uvicorn.server import ServerState

from klopt.retrieval.index_file import Index
from klopt.scoring.profile import OpinionSettings, Profile, TranslateSettings
from klopt.scoring.setup import Setup
from klopt.server import app, run
from klopt.server.requests import JSON, LINES
from klopt.server.settings import Address, Settings
from klopt.types import Page
from tests.server.conftest import ROW, SAVING

TOKEN = "geheim-123"
PAGES = {"opslaan": Page(SAVING, id="opslaan")}


def load() -> tuple[Setup, dict[str, Page]]:
    return Setup(Profile.load()), PAGES


@pytest.fixture(scope="module")
def service():
    return app.application(Settings(load))


@pytest.fixture(scope="module")
def client(service):
    return TestClient(service, "http://127.0.0.1")


def test_a_budget_is_at_most_that_of_the_service(client, monkeypatch):
    monkeypatch.setattr(app, "MAX_ROW_MS", 0)
    for budget in ({}, {"budget_ms": 60_000}):
        assert client.post("/v1/score", json={**ROW, **budget}).json()["status"] == "cut_off"


@pytest.mark.parametrize("log_texts", [False, True])
@pytest.mark.parametrize(
    ("path", "kind"), [("score", JSON), ("score/batch", LINES), ("stream", LINES)]
)
def test_an_unknown_page_beside_a_known_one_is_left_out_and_logged(path, kind, log_texts, caplog):
    own = TestClient(app.application(Settings(load, log_texts=log_texts)), "http://127.0.0.1")
    caplog.set_level("INFO", "klopt.server")

    def post(*contexts: str) -> tuple[Response, dict[str, Any]]:
        body = json.dumps({**ROW, "contexts": contexts})
        answer = own.post(f"/v1/{path}", content=body, headers={"content-type": kind})
        return answer, caplog.records[-1].fields

    known, fields = post("opslaan")
    assert not {"contexts_left_out", "warnings"} & fields.keys()
    both, fields = post("opslaan", "nieuw.md")
    assert (both.status_code, both.content) == (200, known.content)
    assert fields["contexts_left_out"] == 1
    assert ["nieuw.md" in one for one in fields.get("warnings", ())] == [True] * log_texts
    alone, fields = post("nieuw.md")
    assert (alone.status_code == 422) == (path != "score/batch")
    assert "nieuw.md" in alone.text
    assert "contexts_left_out" not in fields


def test_a_batch_ends_when_its_client_leaves(service):
    rows = b"\n".join([json.dumps(ROW).encode()] * 2)
    received = iter([{"type": "http.request", "body": rows}, *[{"type": "http.disconnect"}] * 5])
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return next(received)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", LINES.encode())]
    scope = {"type": "http", "method": "POST", "path": "/v1/score/batch", "headers": headers}
    asyncio.run(service({**scope, "query_string": b""}, receive, send))
    assert sent[0]["status"] == 499
    assert json.loads(sent[1]["body"])["error"]["code"] == "gone"


def test_durations_are_those_of_successful_requests(client):
    def durations() -> float:
        lines = client.get("/metrics").text.splitlines()
        name = 'klopt_request_seconds_count{path="/v1/score"}'
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    before = durations()
    assert client.post("/v1/score", content="{", headers={"content-type": JSON}).is_error
    assert durations() == before
    assert client.post("/v1/score", json=ROW).is_success
    assert durations() == before + 1


@pytest.mark.parametrize(
    ("address", "allowed", "refused"),
    [
        (Address(), ("127.0.0.1:8765", "localhost", "[::1]:1"), ("evil.example", "")),
        (Address(allowed_hosts=("Klopt.local",)), ("klopt.local", "localhost"), ("evil.example",)),
        (Address("0.0.0.0", token=TOKEN), ("klopt.example", "localhost"), ()),
        (
            Address("0.0.0.0", token=TOKEN, allowed_hosts=("klopt.example",)),
            ("klopt.example", "KLOPT.example:443"),
            ("localhost", "127.0.0.1", "0.0.0.0"),
        ),
    ],
)
def test_names_of_the_host(address, allowed, refused):
    client = TestClient(app.application(replace(Settings(load), address=address)))
    for host in (*allowed, *refused):
        status = client.get("/healthz", headers={"host": host}).status_code
        assert status == (200 if host in allowed else 421), host


class Connection(asyncio.Transport):
    """A connection that stores what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.is_closed = b"", False

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_worker_that_stops_waits_for_the_request_of_a_connection(monkeypatch, is_sent):
    monkeypatch.setattr(run, "_FIRST_BYTE_S", 0)

    async def greet(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def stop() -> Connection:
        config = uvicorn.Config(greet, **{**run.HTTP, "http": run.PatientHttp})
        config.load()
        connection, protocol = Connection(), run.PatientHttp(config, ServerState(), {})
        protocol.connection_made(connection)
        protocol.shutdown()
        assert not connection.is_closed
        if is_sent:
            protocol.data_received(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(10):
            await asyncio.sleep(0)
        return connection

    connection = asyncio.run(stop())
    assert connection.is_closed
    assert connection.written.startswith(b"HTTP/1.1 204" if is_sent else b"")
    assert bool(connection.written) == is_sent


def test_a_search_is_in_the_language_of_the_row(built, monkeypatch):
    languages: list[str] = []

    def search(index: Index, question: str, k: int, *, language: str) -> list[Any]:
        languages.append(language)
        return []

    monkeypatch.setattr(Index, "search", search)
    setup = Setup(Profile.load(), index=Index.open(built))
    client = TestClient(app.application(Settings(lambda: (setup, None))), "http://127.0.0.1")
    assert client.post("/v1/search", json={**ROW, "language": "nl"}).is_success
    assert languages == ["nl"]


def test_nothing_is_sent_to_a_translator_or_a_model():
    profile = replace(
        Profile.load(),
        opinion=OpinionSettings("recorded:weg.jsonl"),
        translate=TranslateSettings("en"),
    )
    service = app.Service(Settings(lambda: (Setup(profile), PAGES)))
    assert (service.scorer.profile.opinion, service.scorer.profile.translate) == (None, None)
