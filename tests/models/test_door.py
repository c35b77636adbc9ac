from __future__ import annotations

import asyncio
import threading

import pytest

from klopt.models import door
from klopt.models.door import EventLoop


@pytest.fixture
def loop():
    loop = EventLoop()
    yield loop
    loop.close(nothing)


async def number():
    return 7


async def nothing():
    pass


def test_results_and_errors_come_back(loop):
    async def broken():
        raise KeyError("x")

    assert loop.run(number, 5) == 7
    with pytest.raises(KeyError):
        loop.run(broken, 5)
    assert loop.run(number, 5) == 7


def test_what_takes_too_long_is_cancelled(loop):
    ended = threading.Event()

    async def slow():
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    with pytest.raises(TimeoutError):
        loop.run(slow, 0.01)
    assert ended.is_set()


def test_a_loop_that_never_ran_closes():
    loop = EventLoop()
    loop.close(nothing)
    loop.close(nothing)
    with pytest.raises(RuntimeError, match=r"^this client of a server is closed$"):
        loop.run(number, 5)


def test_the_last_thing_is_done_once_and_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr(door, "CLOSING_SECONDS", 0.01)
    done = []

    async def last():
        done.append("begun")
        await asyncio.sleep(30)
        done.append("ended")

    loop = EventLoop()
    loop.run(number, 5)
    loop.close(last)
    loop.close(last)
    assert done == ["begun"]
    assert "klopt-requests" not in {thread.name for thread in threading.enumerate()}
