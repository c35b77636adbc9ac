"""Processes that end at the worst moment, and an index file that nobody can read."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from klopt.indexing.index_file import Index
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Setup
from klopt.server import desk, workers
from klopt.server.limits import RefusedError
from klopt.server.worker import Worker
from klopt.server.workers import Workers
from tests.server.conftest import put

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(os.name != "posix", reason="processes are killed by a signal"),
]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def index(built: Path, tmp_path: Path) -> Path:
    found = tmp_path / "help.klopt"
    found.write_bytes(built.read_bytes())
    return found


@pytest.fixture(scope="module")
def newer(tmp_path_factory, build_index) -> bytes:
    """An index with one page of another name."""
    folder = tmp_path_factory.mktemp("newer")
    (folder / "wifi.md").write_text("# Wifi\n\nKlik op **Netwerk**.\n", encoding="utf-8")
    build_index(folder, folder / "help.klopt")
    return (folder / "help.klopt").read_bytes()


@asynccontextmanager
async def kept(index: Path, count: int) -> AsyncIterator[Workers]:
    found = Workers(Setup(Profile.load(), index=Index.open(index)), None, count, 5)
    try:
        await found.open()
        keeping = asyncio.create_task(found.keep())
        yield found
        keeping.cancel()
    finally:
        await found.stop()


def kill(worker: Worker) -> None:
    os.kill(worker.process.pid, signal.SIGKILL)


async def first_page(worker: Worker) -> str | None:
    """What it finds; None while its process is being replaced."""
    body = json.dumps({"question": "Wifi netwerk document printer?"}).encode()
    with suppress(RefusedError):
        if not worker.is_ready:
            return None
        found = await worker.submit(desk.search, body, 0.0)
        return json.loads(found.body)["pages"][0]["id"]
    return None


async def until(holds) -> None:
    end = time.monotonic() + 30
    while not await holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(workers, "_LOOK_EVERY_S", 0.05)


async def all_find(found: Workers, name: str) -> bool:
    return {await first_page(one) for one in found._workers} == {name}


async def is_told(found: Workers) -> bool:
    return found.fault is not None


async def test_a_process_that_ends_in_a_reload_leaves_one_index_in_use(index, newer, monkeypatch):
    """While it reads, or after: the process in its place has read nothing."""
    prepare, alive, older = Worker.prepare, [], index.read_bytes()

    async def dying(self: Worker, setup: Setup, pages: None) -> None:
        if self is not found._workers[1] or not alive:
            return await prepare(self, setup, pages)
        if has_read := alive.pop():
            await prepare(self, setup, pages)
        kill(self)
        await first_page(self)
        if not has_read:
            await prepare(self, setup, pages)

    async with kept(index, 2) as found:
        before = await first_page(found._workers[0])
        monkeypatch.setattr(Worker, "prepare", dying)
        for has_read, content, name in ((False, newer, "wifi.md"), (True, older, before)):
            alive.append(has_read)
            put(index, content)
            await until(lambda name=name: all_find(found, name))
            assert (alive, found.fault, found.ready_count) == ([], None, 2)


async def test_a_process_is_replaced_while_the_index_file_cannot_be_read(index, newer):
    """A file in its place, or the file itself written over."""
    older = index.read_bytes()
    async with kept(index, 1) as found:
        (worker,) = found._workers
        before = await first_page(worker)
        for spoil, content, name in ((put, newer, "wifi.md"), (Path.write_bytes, older, before)):
            there = await first_page(worker)
            spoil(index, b"geen index")
            await until(lambda: is_told(found))
            assert str(index) in found.fault
            assert "klopt-" not in found.fault
            kill(worker)
            await until(lambda there=there: all_find(found, there))
            assert found.fault is not None, "the file is as bad as before"
            put(index, content)
            await until(lambda name=name: all_find(found, name))
            assert found.fault is None


async def test_an_index_that_ends_every_process_is_not_read_for_ever(index, newer, monkeypatch):
    prepare, tries = Worker.prepare, []

    async def dying(self: Worker, setup: Setup, pages: None) -> None:
        if setup.index.path.read_bytes() == newer:
            tries.append(self)
            kill(self)
        await prepare(self, setup, pages)

    async with kept(index, 1) as found:
        before = await first_page(found._workers[0])
        monkeypatch.setattr(Worker, "prepare", dying)
        put(index, newer)
        await until(lambda: is_told(found))
        await until(lambda: all_find(found, before))
        assert len(tries) == 3
        assert len(list(Path(found._copies.name).iterdir())) == 1


async def test_what_had_not_begun_when_its_process_ended_is_done_by_another(index):
    async with kept(index, 1) as found:
        (worker,) = found._workers
        ended_pid = worker.process.pid
        begun, waiting = found.submit(time.sleep, 60), found.submit(os.getpid)
        kill(worker)
        with pytest.raises(RefusedError):
            await begun
        assert await waiting != ended_pid


async def test_what_is_large_or_wrong_comes_back_and_what_nobody_waits_for_is_not_begun(
    index, tmp_path
):
    async with kept(index, 1) as found:
        sent, left = os.urandom(3_000_000), tmp_path / "left"
        both = found.submit(bytes, sent), found.submit(int, "acht")
        unwanted = found.submit(left.touch)
        unwanted.cancel()
        assert await both[0] == sent
        with pytest.raises(RuntimeError, match="ValueError: invalid literal"):
            await both[1]
        await found.submit(os.getpid)
        assert not left.exists()
        assert found.pending_count == 0
