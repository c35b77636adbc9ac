"""A service under load, reloaded, stopped, and with workers that die or hang."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event

import httpx
import pytest
from starlette.requests import Request

from klopt.server.requests import JSON, read_body
from klopt.server.settings import HUNG_S, PING_S, Limits, RefusedError
from klopt.server.telemetry import Account
from tests.server.conftest import ROW, SECONDS, Service, put, running, started
from tests.server.test_answers import STREAM, chunk, error, pieces, sent_to
from tests.waiting import wait_for

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")
TOKEN = "geheim-123"
HEAD = STREAM.replace(b"\r\n\r\n", f"\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="finds the workers as on Linux"
)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory, built):
    """A service with a token, one worker and room for two requests."""
    folder = tmp_path_factory.mktemp("guarded")
    secret = folder / "token"
    secret.write_text(f"{TOKEN}\n", encoding="utf-8")
    options = ("--index", built, "--workers", 1, "--limit-concurrency", 2, "--token-file", secret)
    with running(folder, *options, "--log-texts", "--retrieve", 1) as found:
        yield found


@pytest.fixture(scope="module")
def client(guarded):
    with guarded.client(headers={"authorization": f"Bearer {TOKEN}"}) as found:
        yield found


@pytest.mark.parametrize(
    "shown",
    [
        None,
        "",
        "Bearer",
        "Bearer geheim-12",
        TOKEN,
        f"Basic {TOKEN}",
        f"bearer  {TOKEN}",
        "Bearer gehéim",
    ],
)
def test_a_request_without_the_token_is_refused(guarded, shown):
    headers = {} if shown is None else {"authorization": shown.encode("latin-1")}
    with guarded.client() as stranger:
        for path in ("/v1/score", "/v1/stream", "/v1/search"):
            answer = stranger.post(path, json=ROW, headers=headers)
            assert error(answer)[:2] == (401, "token")
            assert answer.headers["www-authenticate"].startswith("Bearer")
        assert stranger.get("/healthz").status_code == stranger.get("/readyz").status_code == 200


def test_log_texts_logs_bodies_and_never_the_token(guarded, client):
    client.post("/v1/score", json=ROW)
    wait_for(lambda: "Bewaren als" in guarded.log.read_text("utf-8"))
    lines = [json.loads(line) for line in guarded.log.read_text("utf-8").splitlines()]
    assert any("Bewaren als" in line.get("text", "") for line in lines)
    assert TOKEN not in guarded.log.read_text("utf-8")


def test_a_row_without_pages_gets_retrieved_pages(client):
    row = {name: value for name, value in ROW.items() if name != "contexts"}
    assert client.post("/v1/score", json=row).json()["retrieved"] == ["opslaan.md"]


def test_pages_of_a_folder_are_retrieved_too(tmp_path, pages):
    row = {name: value for name, value in ROW.items() if name != "contexts"}
    options = ("--pages", pages, "--retrieve", 1, "--workers", 1)
    with running(tmp_path, *options) as found, found.client() as own:
        assert own.post("/v1/score", json=row).json()["retrieved"] == ["opslaan.md"]


def test_a_full_worker_sheds_load_and_stays_healthy(guarded, client):
    with ExitStack() as stack:
        for _ in range(2):
            connection = stack.enter_context(sent_to(guarded, HEAD + chunk(pieces("") + "\n")))
            assert connection.recv(12) == b"HTTP/1.1 200"
        refused = client.post("/v1/score", json=ROW)
        assert (error(refused)[:2], refused.headers["retry-after"]) == ((503, "busy"), "1")
        assert client.get("/healthz").status_code == 200
        assert 'status="503"' in client.get("/metrics").text
    wait_for(lambda: client.post("/v1/score", json=ROW).status_code == 200)


def test_sigterm_finishes_requests_in_progress(guarded):
    first = chunk(pieces("Klik op **Bewaren als**. ") + "\n")
    with sent_to(guarded, HEAD + first) as connection:
        received = connection.recv(65_536)
        guarded.process.send_signal(signal.SIGTERM)
        wait_for(lambda: "Shutting down" in guarded.log.read_text("utf-8"))
        connection.sendall(chunk('{"text": "Kies de map."}\n') + b"0\r\n\r\n")
        while part := connection.recv(65_536):
            received += part
    assert b"event: assessment" in received
    assert guarded.process.wait(SECONDS) == 0
    with guarded.client() as found, pytest.raises(httpx.ConnectError):
        found.get("/healthz")


def test_a_slow_body_is_refused():
    async def receive():
        await asyncio.sleep(SECONDS)

    headers = [(b"content-type", JSON.encode())]
    request = Request({"type": "http", "headers": headers, "state": {}}, receive)
    request.state.account = Account("")
    with pytest.raises(RefusedError, match="did not arrive") as found:
        asyncio.run(read_body(request, JSON, Limits(body_s=0.01)))
    assert (found.value.status, found.value.code) == (408, "slow")


@contextmanager
def sending(service: Service) -> Iterator[list[int]]:
    """Send rows one after the other until the block ends; the statuses, 0 for no response."""
    statuses: list[int] = []
    is_over = Event()

    def send() -> None:
        with service.client() as client:
            while not is_over.is_set():
                try:
                    statuses.append(client.post("/v1/score", json=ROW).status_code)
                except httpx.HTTPError:
                    statuses.append(0)
                is_over.wait(0.05)  # leave the workers time to start

    with ThreadPoolExecutor(2) as pool:
        senders = [pool.submit(send) for _ in range(2)]
        try:
            yield statuses
        finally:
            is_over.set()
    for sender in senders:
        sender.result()


@pytest.fixture(scope="module")
def changing(tmp_path_factory, built):
    """A service of two workers, whose index the tests replace; a row can make it hang."""
    folder = tmp_path_factory.mktemp("changing")
    put(folder / "help.klopt", built.read_bytes())
    log = folder / "service.log"
    with started(log, "tests.server.hanging", folder / "help.klopt") as (process, url):
        yield Service(process, url, log)


@NEEDS_PROC
def test_sighup_loads_the_new_index_and_loses_no_request(changing, tmp_path, build_index):
    (tmp_path / "wifi.md").write_text("# Wifi\n\nKlik op **Netwerk**.\n", encoding="utf-8")
    (tmp_path / "opslaan.md").write_text("# Opslaan\n\nKlik op **Opslaan**.\n", encoding="utf-8")
    build_index(tmp_path, tmp_path / "newer.klopt")
    before = changing.workers()
    index = changing.log.with_name("help.klopt")
    with sending(changing) as statuses:
        put(index, (tmp_path / "newer.klopt").read_bytes())
        changing.process.send_signal(signal.SIGHUP)
        wait_for(lambda: len(changing.workers()) == 2 and not changing.workers() & before)
    assert set(statuses) == {200}
    with changing.client() as client:
        names = [client.get("/v1/pages").json()["pages"] for _ in range(10)]
    assert names == [["opslaan.md", "wifi.md"]] * 10


@NEEDS_PROC
def test_sighup_with_a_damaged_index_keeps_the_old_workers(changing):
    before, index = changing.workers(), changing.log.with_name("help.klopt")
    content = index.read_bytes()
    put(index, content[: len(content) // 2])
    changing.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "aborting the restart" in changing.log.read_text("utf-8"))
    assert changing.workers() == before
    assert str(index) in changing.log.read_text("utf-8")
    with changing.client() as client:
        assert client.post("/v1/score", json=ROW).status_code == 200
        wait_for(lambda: "klopt_failed_reloads_total 1.0" in client.get("/metrics").text)
    put(index, content)


def wait_for_replacement(service: Service, before: set[int]) -> None:
    """Wait until a worker is replaced and its successor is ready."""
    ready = service.log.read_text("utf-8").count("startup complete")
    wait_for(lambda: service.workers() - before)
    wait_for(lambda: service.log.read_text("utf-8").count("startup complete") > ready)


def test_a_hung_worker_is_replaced_within_ten_seconds():
    assert max(HUNG_S, PING_S) < 10


@NEEDS_PROC
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_dead_or_stopped_worker_is_replaced_and_others_continue(changing, how):
    """Only the current requests of the worker are lost: at most one per client."""
    before = changing.workers()
    with sending(changing) as statuses:
        wait_for(lambda: len(statuses) > 10)
        os.kill(next(iter(before)), how)
        wait_for_replacement(changing, before)
    assert statuses.count(0) <= 2
    assert set(statuses) <= {0, 200}


@NEEDS_PROC
def test_a_hanging_worker_is_replaced_and_others_continue(changing):
    before = changing.workers()
    with ThreadPoolExecutor(1) as pool, changing.client() as client:
        hung = pool.submit(client.post, "/v1/score", json=ROW | {"id": "hang"})
        wait_for(lambda: "the worker hangs" in changing.log.read_text("utf-8"))
        with sending(changing) as statuses:
            wait_for_replacement(changing, before)
        with pytest.raises(httpx.HTTPError):
            hung.result()
    assert statuses.count(0) <= 2  # a busy machine may stop the other worker for 5 s
    assert set(statuses) <= {0, 200}
    assert "Timeout (0:00:06)!" in changing.log.read_text("utf-8")


@NEEDS_PROC
def test_workers_end_when_the_supervisor_is_killed(changing):
    workers = changing.workers()
    changing.process.kill()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


WRONG = {
    "both": (["--index", "a", "--pages", "b"], "either --index or --pages", 2),
    "retrieve without an index": (
        ["--retrieve", "2"],
        "--retrieve needs pages to find: add",
        2,
    ),
    "open to others": (["--host", "0.0.0.0"], "so it needs a token: --token-file FILE or", 2),
    "no index": (["--index", "weg.klopt"], "weg.klopt: there is no such file", 3),
    "no pages": (["--pages", "weg"], "weg: there is no such folder of pages", 3),
    "no profile": (["--profile", "afs"], 'there is no profile "afs"', 2),
    "no token file": (["--token-file", "weg"], "weg: cannot be read", 3),
    "two words": ([], "KLOPT_TOKEN has to contain one token", 2),
    "port": (["--port", "99999"], "Invalid value for '--port'", 2),
    "not ours": (["--host", "192.0.2.1", "--port", "0"], "cannot listen on port 0 of 192.0.2.1", 2),
}


@pytest.mark.parametrize("name", WRONG)
def test_invalid_options_are_reported(klopt, name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    arguments, message, code = WRONG[name]
    tokens = {"not ours": {"KLOPT_TOKEN": TOKEN}, "two words": {"KLOPT_TOKEN": "een twee"}}
    run = klopt("serve", "--port", "0", "--workers", "1", *arguments, **tokens.get(name, {}))
    assert (run.code, run.out) == (code, "")
    assert message in " ".join(run.err.split())
    assert "Traceback" not in run.err


def test_without_the_extra_the_error_names_it(klopt, monkeypatch):
    monkeypatch.delitem(sys.modules, "klopt.server.run", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    run = klopt("serve")
    assert run.code == 2
    assert "pip install 'klopt[server]'" in run.err
