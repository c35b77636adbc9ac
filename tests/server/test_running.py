"""A service that is overloaded, slowed down and stopped, and loses nothing.

One service goes through it all, and the last test stops it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from klopt.server.app import together
from klopt.server.limits import RefusedError
from tests.server.conftest import ROW, Service, running
from tests.server.test_answers import error, sent_to
from tests.waiting import wait_for

TOKEN = "geheim-123"
AUTHORIZATION = {"authorization": f"Bearer {TOKEN}"}
QUEUE = 4
HEAD = (
    b"POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("guarded")
    secret = folder / "token"
    secret.write_text(f"{TOKEN}\n", encoding="utf-8")
    options = ("--index", built, "--workers", 2, "--queue", QUEUE, "--token-file", secret)
    with running(
        folder, *options, "--body-s", 2, "--drain-s", 1, "--log-texts", "--retrieve", 1
    ) as found:
        yield found


@pytest.fixture(scope="module")
def client(guarded: Service) -> Iterator[httpx.Client]:
    with guarded.client(headers=AUTHORIZATION) as found:
        yield found


@pytest.mark.parametrize(
    "shown", [None, "", "Bearer", "Bearer geheim-12", TOKEN, f"bearer  {TOKEN}", "Bearer gehéim"]
)
def test_without_the_token_nothing_is_said(guarded, shown):
    headers = {} if shown is None else {"authorization": shown.encode("latin-1")}
    with guarded.client() as stranger:
        for path in ("/v1/score", "/v1/stream", "/v1/search"):
            answer = stranger.post(path, json=ROW, headers=headers)
            assert error(answer)[:2] == (401, "token")
            assert answer.headers["www-authenticate"].startswith("Bearer")
        assert stranger.get("/healthz").status_code == stranger.get("/readyz").status_code == 200


def test_texts_are_logged_where_they_are_asked_for(guarded, client):
    client.post("/v1/score", json=ROW)
    wait_for(lambda: "Bewaren als" in guarded.log.read_text("utf-8"))
    lines = [json.loads(line) for line in guarded.log.read_text("utf-8").splitlines()]
    assert any("Bewaren als" in line.get("text", "") for line in lines)
    assert TOKEN not in guarded.log.read_text("utf-8")


def test_a_row_without_pages_gets_those_that_are_found(client):
    row = {name: value for name, value in ROW.items() if name != "contexts"}
    assert client.post("/v1/score", json=row).json()["retrieved"] == ["opslaan.md"]


def test_a_slow_client_is_sent_away_and_stops_nobody(guarded, client):
    with sent_to(guarded, HEAD % (TOKEN.encode(), 100) + b"{") as line:
        assert client.post("/v1/score", json=ROW).status_code == 200
        said = b""
        while part := line.recv(4096):
            said += part
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b"nothing came within 2 s" in said


def test_more_than_fits_is_sent_away_at_once(guarded, client):
    def request(number: int) -> bytes:
        """An answer that takes a while."""
        answer = " ".join(f"Kies map {number} en daarna knop {step}." for step in range(60))
        body = json.dumps({**ROW, "answer": answer}).encode()
        return HEAD % (TOKEN.encode(), len(body)) + body

    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(sent_to(guarded, request(n))) for n in range(20)]
        said = [line.recv(65_536) for line in lines]
    statuses = [one[9:12] for one in said]
    assert set(statuses) == {b"200", b"503"}, statuses
    assert statuses.count(b"200") >= QUEUE
    refused = next(one for one in said if one[9:12] == b"503")
    assert b"\r\nretry-after: 1\r\n" in refused
    wait_for(lambda: client.get("/readyz").json()["pending"] == 0)


def test_told_to_stop_it_finishes_what_it_took(guarded, client):
    with ThreadPoolExecutor(QUEUE) as pool:
        asked = [pool.submit(client.post, "/v1/score", json=ROW) for _ in range(1, QUEUE)]
        guarded.process.send_signal(signal.SIGTERM)
        wait_for(lambda: client.get("/readyz").json()["status"] == "stopping")
        assert client.get("/readyz").status_code == 503
        assert client.post("/v1/score", json=ROW).status_code in (200, 503)
        assert guarded.process.wait(30) == 0
        assert {one.result().status_code for one in asked} == {200}
    with pytest.raises(httpx.ConnectError):
        client.get("/healthz")


@pytest.mark.skipif(os.name != "posix", reason="a signal")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_while_it_starts_it_ends_as_a_success(built, tmp_path, how):
    command = [sys.executable, "-m", "klopt", "serve", "--port", "0", "--index", str(built)]
    command += ["--workers", "1"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        wait_for(lambda: any(tmp_path.glob("klopt-*/1")))  # the index was copied: it opens
        process.send_signal(how)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, b"", b"")
    assert not list(tmp_path.iterdir())


def test_what_is_left_of_a_batch_that_is_refused_is_not_begun():
    begun, at_once = [], asyncio.Semaphore(2)

    async def chunk(number: int) -> None:
        async with at_once:
            begun.append(number)
            await asyncio.sleep(0)
            if number == 1:
                raise RefusedError(504, "late", "late", 1)
            await asyncio.sleep(30)

    async def scenario() -> None:
        with pytest.raises(RefusedError):
            await together(map(chunk, range(40)))
        await asyncio.sleep(0.05)

    asyncio.run(scenario())
    assert len(begun) <= 3


WRONG = {
    "both": (["--index", "a", "--pages", "b"], "Give either --index or --pages.", 2),
    "no index to look in": (["--retrieve", "2"], "--retrieve finds pages in an index: add", 2),
    "open to others": (["--host", "0.0.0.0"], "so it needs a token: --token-file FILE or", 2),
    "no index": (["--index", "weg.klopt"], "weg.klopt: there is no such file", 3),
    "no pages": (["--pages", "weg"], "weg: there is no such folder of pages", 3),
    "no profile": (["--profile", "afs"], 'there is no profile "afs"', 2),
    "no token file": (["--token-file", "weg"], "weg: cannot be read", 3),
    "two words": ([], "KLOPT_TOKEN is to hold one token", 2),
    "port": (["--port", "99999"], "Invalid value for '--port'", 2),
    "not ours": (["--host", "192.0.2.1", "--port", "0"], "cannot listen on port 0 of 192.0.2.1", 2),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_served_is_said(klopt, name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    arguments, message, code = WRONG[name]
    tokens = {"not ours": {"KLOPT_TOKEN": TOKEN}, "two words": {"KLOPT_TOKEN": "een twee"}}
    run = klopt("serve", "--port", "0", "--workers", "1", *arguments, **tokens.get(name, {}))
    assert (run.code, run.out) == (code, "")
    assert message in " ".join(run.err.split())
    assert "Traceback" not in run.err


def test_without_the_extra_it_is_named(klopt, monkeypatch):
    monkeypatch.delitem(sys.modules, "klopt.server.running", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    run = klopt("serve")
    assert run.code == 2
    assert "pip install 'klopt[server]'" in run.err
