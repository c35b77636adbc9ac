"""What changes below a service that runs: its index, the disk, its profile, the clock."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from klopt.cli.demo_log import demo_terms
from tests.indexing.test_damaged import directory_of, with_directory
from tests.server.conftest import ROW, SAVING, Service, put, running
from tests.waiting import wait_for

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="processes are found and bounded as on Linux"
)
DAY_S = 86_400
PROFILE = """
[profile]
name = "own"
extends = "default"

[languages.nl]
lexicons = ["terms.toml"]
"""
TURNED_BACK = f"""
import pathlib, time
right, flag = time.time, pathlib.Path(__file__).with_name("back")
time.time = lambda: right() - {DAY_S} * flag.exists()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory, pages: Path, build_index) -> Path:
    """A company's, with an index, a newer one, and a clock that can be turned back."""
    found = tmp_path_factory.mktemp("changing")
    shutil.copy(demo_terms()[-1], found / "terms.toml")
    (found / "profile.toml").write_text(PROFILE, "utf-8")
    (found / "sitecustomize.py").write_text(TURNED_BACK, "utf-8")
    build_index(pages, found / "help.klopt", "--profile", str(found))
    (found / "pages").mkdir()
    (found / "pages" / "opslaan.md").write_text(SAVING, "utf-8")
    (found / "pages" / "wifi.md").write_text("# Wifi\n\nKlik op **Netwerk**.\n", "utf-8")
    build_index(found / "pages", found / "newer.klopt", "--profile", str(found))
    return found


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    options = ("--index", folder / "help.klopt", "--profile", folder, "--workers", 1)
    (folder / "tmp").mkdir()
    path = os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))
    with running(folder, *options, PYTHONPATH=path, TMPDIR=str(folder / "tmp")) as found:
        yield found


@pytest.fixture(scope="module")
def before(client) -> bytes:
    """What is answered as long as nothing that changes counts."""
    return client.post("/v1/score", json=ROW).content


def fault(client: httpx.Client) -> str | None:
    ready = client.get("/readyz")
    assert ready.status_code == 200
    return ready.json()["index_fault"]


def end_the_scoring_process(service: Service, client: httpx.Client) -> None:
    """Kills it, and waits for the one that takes its place."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children")
    (scoring,) = (
        pid
        for pid in map(int, children.read_text().split())
        if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    os.kill(scoring, signal.SIGKILL)
    wait_for(lambda: "a working process ended" in service.log.read_text("utf-8"))
    wait_for(lambda: client.get("/readyz").json()["workers_ready"])


def test_an_edited_profile_or_lexicon_counts_from_the_next_start(folder, service, client, before):
    """Also for a process that takes the place of one."""
    for name in ("profile.toml", "terms.toml"):
        (folder / name).write_text("edited while the service runs", "utf-8")
    assert client.post("/v1/score", json=ROW).content == before
    end_the_scoring_process(service, client)
    assert client.post("/v1/score", json=ROW).content == before


def test_an_index_that_cannot_be_read_leaves_the_one_before(folder, service, client, before):
    index = folder / "help.klopt"
    content = index.read_bytes()
    older = with_directory(content, directory_of(content) | {"klopt": "0.0.1"})
    bad = {
        "its pages were read by klopt 0.0.1": older,
        "is no index": b"PK\x03\x04" * 1_000,
        "so it is cut off": content[: len(content) // 2],
        "altered": content[:999] + bytes([content[999] ^ 1]) + content[1000:],
        "no such file": None,
    }
    for message, data in bad.items():
        if data is None:
            index.unlink()
        else:
            put(index, data)
        wait_for(lambda message=message: message in (fault(client) or ""))
        assert str(index) in fault(client)
        assert client.post("/v1/score", json=ROW).content == before
    put(index, content)
    wait_for(lambda: fault(client) is None)
    assert service.log.read_text("utf-8").count("the one before stays") == len(bad)


def test_a_newer_index_is_read_once_there_is_room_for_it(folder, service, client, before):
    """And counts though its date is before that of the one before it; each request is answered."""

    def is_read() -> bool:
        assert client.post("/v1/score", json=ROW).content == before
        return client.get("/v1/pages").json()["pages"] == ["opslaan.md", "wifi.md"]

    size = (folder / "newer.klopt").stat().st_size
    most = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (size // 2, most[1]))
    os.utime(folder / "newer.klopt", (DAY_S, DAY_S))
    (folder / "newer.klopt").replace(folder / "help.klopt")
    wait_for(lambda: "TMPDIR names another place" in (fault(client) or ""))
    assert not is_read()
    resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, most)
    wait_for(is_read)
    assert fault(client) is None


def test_a_clock_that_is_set_back_is_seen_in_the_log_alone(folder, service, client):
    def told() -> list[dict]:
        lines = service.log.read_text("utf-8").splitlines(keepends=True)
        log = [json.loads(line) for line in lines if line.endswith("\n")]
        return [line for line in log if line.get("path") == "/v1/score"]

    (folder / "back").touch()
    answer = client.post("/v1/score", json={**ROW, "contexts": [SAVING], "budget_ms": 60_000})
    assert (answer.status_code, answer.json()["status"]) == (200, "scored")
    wait_for(lambda: told()[-1]["time"] < told()[0]["time"])
    assert 0 <= told()[-1]["ms"] < 60_000
    put(folder / "help.klopt", (folder / "help.klopt").read_bytes())
    again = service.log.read_text("utf-8").count("was read again")
    wait_for(lambda: service.log.read_text("utf-8").count("was read again") > again)
