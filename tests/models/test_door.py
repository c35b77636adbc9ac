from __future__ import annotations

import asyncio
import threading

import pytest

from klopt.models import door
from klopt.models.door import THREAD, Door, NothingReceivedError, Timeouts
from tests.models.server import Server, drips, hangs_up, says, status

BODY = b'{"messages": []}'


@pytest.fixture
def opened():
    one = Door(Timeouts(5, 5, 5), 8)
    yield one
    one.close()


def test_what_a_server_sends(opened):
    with Server([status(404, {"X-Orlinde": "7"}, "gone"), says("{}")]) as server:
        first = opened.send(server.base_url, BODY, {})
        second = opened.send(server.base_url, BODY, {})
    assert (first.status, first.headers["x-orlinde"]) == (404, "7")
    assert b"gone" in first.content
    assert second.status == 200


def test_what_goes_wrong_leaves_the_door_as_it_was(opened):
    with Server([hangs_up(), says("{}")]) as server:
        with pytest.raises(NothingReceivedError) as caught:
            opened.send(server.base_url, BODY, {})
        assert opened.send(server.base_url, BODY, {}).status == 200
    assert (caught.value.reason, caught.value.told) == ("cut", "the reply of {} was cut off")


def test_what_takes_too_long_is_ended():
    with Server([drips(), says("{}")]) as server:
        impatient = Door(Timeouts(5, 5, 0.2), 8)
        with pytest.raises(NothingReceivedError) as caught:
            impatient.send(server.base_url, BODY, {})
        assert asyncio.all_tasks(impatient._loop) == set()
        assert impatient.send(server.base_url, BODY, {}).status == 200
        impatient.close()
    assert (caught.value.reason, caught.value.told) == ("timeout", "{} was not done within 0.2 s")


@pytest.mark.parametrize(("code", "is_refused"), [(200, True), (500, False)])
def test_no_more_is_read_than_is_allowed(opened, monkeypatch, code, is_refused):
    monkeypatch.setattr(door, "LARGEST_REPLY_BYTES", 1_000)
    with Server([lambda exchange: exchange.whole(b"x" * 100_000, code)]) as server:
        if is_refused:
            with pytest.raises(NothingReceivedError) as caught:
                opened.send(server.base_url, BODY, {})
            assert caught.value.told == "the reply of {} is larger than 1,000 bytes"
        else:
            assert len(opened.send(server.base_url, BODY, {}).content) < 100_000


def test_one_that_was_never_used_closes():
    one = Door(Timeouts(), 8)
    one.close()
    one.close()
    with pytest.raises(RuntimeError, match=r"^this client of an LLM is closed$"):
        one.send("http://127.0.0.1:9/", BODY, {})


def test_connections_are_closed_once_and_not_waited_for_for_ever(opened, monkeypatch):
    monkeypatch.setattr(door, "CLOSING_SECONDS", 0.01)
    done, close = [], opened._client.aclose

    async def last():
        await close()
        done.append("begun")
        await asyncio.sleep(30)
        done.append("ended")

    with Server([says("{}")]) as server:
        opened.send(server.base_url, BODY, {})
    monkeypatch.setattr(opened._client, "aclose", last)
    before = [one.name for one in threading.enumerate()].count(THREAD)
    opened.close()
    opened.close()
    assert done == ["begun"]
    assert [one.name for one in threading.enumerate()].count(THREAD) == before - 1
