from __future__ import annotations

import asyncio
import gc
import logging
import signal
import threading
import time
import tracemalloc
from contextlib import closing

import httpx
import pytest

from klopt.errors import ConfigurationError
from klopt.models import door
from klopt.models.door import THREAD, Door, NothingReceivedError, Timeouts
from tests.models.server import (
    Server,
    bomb,
    drips,
    floods,
    hangs_up,
    redirects,
    says,
    sends_bytes,
    silent,
)

BODY = b'{"messages": []}'
SHORT = Timeouts(5, 0.2, 0.4)


@pytest.fixture
def opened():
    with closing(Door(Timeouts(5, 5, 5), 8)) as open_door:
        yield open_door


@pytest.fixture
def proxied(monkeypatch):
    """The environment, of which no host is left out."""
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("behaviour", "times", "reason", "told"),
    [
        (silent(), SHORT, "timeout", "{} was silent for 0.2 s"),
        (drips(), SHORT, "timeout", "{} was not done within 0.4 s"),
        (drips(in_headers=True), SHORT, "timeout", "{} was not done within 0.4 s"),
        (hangs_up(), Timeouts(5, 5, 5), "cut", "the reply of {} was cut off"),
    ],
)
def test_what_goes_wrong_is_ended_and_leaves_the_door_as_it_was(behaviour, times, reason, told):
    """Its one connection is free again."""
    with Server([behaviour, says("{}")]) as server, closing(Door(times, 1)) as narrow:
        with pytest.raises(NothingReceivedError) as caught:
            narrow.send(server.base_url, BODY, {})
        assert narrow.send(server.base_url, BODY, {}).status_code == 200
    assert (caught.value.reason, caught.value.told) == (reason, told)


def test_a_server_that_is_not_there(opened):
    with Server() as server:
        pass
    with pytest.raises(NothingReceivedError) as caught:
        opened.send(server.base_url, BODY, {})
    met = caught.value
    assert (met.reason, met.told, met.passes) == ("server", "{} cannot be reached", True)


def test_connections_are_kept(opened):
    with Server() as server:
        for _ in range(3):
            opened.send(server.base_url, BODY, {})
    assert len({received.port for received in server.received}) == 1


def test_a_closed_door_stays_closed():
    one = Door(Timeouts(), 8)
    one.close()
    one.close()
    with pytest.raises(RuntimeError, match=r"^this door is closed$"):
        one.send("http://127.0.0.1:9/", BODY, {})


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals are of POSIX")
def test_control_c_ends_the_wait_whichever_thread_hears_it():
    """It comes to another thread, or just before the wait; the main thread is not woken by it."""

    def interrupt():
        while not server.received:
            time.sleep(0.01)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    one = Door(Timeouts(60, 60, 60), 8)
    try:
        with Server(then=lambda exchange: exchange.wait(60)) as server:
            threading.Thread(target=interrupt).start()
            begun = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                one.send(server.base_url, BODY, {})
            assert time.monotonic() - begun < 30
    finally:
        signal.signal(signal.SIGINT, before)
        one.close()


def test_a_request_that_begins_as_the_door_closes_ends(monkeypatch):
    """It once waited for ever in its thread, and Python spoke of it in whatever came next."""
    begin, closing, told = asyncio.run_coroutine_threadsafe, threading.Event(), []

    def slow(request, loop):
        if request.__name__ == "_receive":
            closing.set()
            time.sleep(0.1)
        return begin(request, loop)

    def send():
        with pytest.raises(RuntimeError) as caught:
            one.send(server.base_url, BODY, {})
        told.append(str(caught.value))

    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", slow)
    one, sender = Door(Timeouts(5, 5, 5), 8), threading.Thread(target=send, daemon=True)
    with Server(then=silent()) as server:
        sender.start()
        assert closing.wait(10)
        one.close()
        sender.join(10)
    gc.collect()
    assert told == ["the event loop was closed while a call was under way"]


def test_connections_are_closed_once_and_not_waited_for_for_ever(opened, monkeypatch):
    monkeypatch.setattr(door, "CLOSING_SECONDS", 0.01)
    done, close = [], httpx.AsyncClient.aclose

    async def last(client):
        await close(client)
        done.append("begun")
        await asyncio.sleep(30)
        done.append("ended")

    with Server([says("{}")]) as server:
        opened.send(server.base_url, BODY, {})
    monkeypatch.setattr(httpx.AsyncClient, "aclose", last)
    before = [one.name for one in threading.enumerate()].count(THREAD)
    opened.close()
    opened.close()
    assert done == ["begun"]
    assert [one.name for one in threading.enumerate()].count(THREAD) == before - 1


def packed(data: bytes, encoding: str):
    return sends_bytes(data, {"Content-Encoding": encoding})


@pytest.mark.parametrize(
    ("behaviour", "reason", "told"),
    [
        (floods(), "bad_shape", "the reply of {} is larger than 2,000,000 bytes"),
        (bomb(), "bad_shape", "{} packed its reply unasked"),
        (packed(b"x", "br"), "bad_shape", "{} packed its reply unasked"),
        (packed(b"x", "gzip, gzip"), "bad_shape", "{} packed its reply unasked"),
    ],
)
def test_a_reply_that_is_too_much(opened, behaviour, reason, told):
    tracemalloc.start()
    with Server([behaviour, says("{}")]) as server:
        with pytest.raises(NothingReceivedError) as caught:
            opened.send(server.base_url, BODY, {})
        assert opened.send(server.base_url, BODY, {}).status_code == 200
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (caught.value.reason, caught.value.told) == (reason, told)
    assert peak_bytes < 20_000_000


@pytest.mark.parametrize("encoding", ["identity", " Identity ", ""])
def test_no_packed_reply_is_asked_for(opened, encoding):
    with Server([packed(b"{}", encoding)]) as server:
        assert opened.send(server.base_url, BODY, {}).content == b"{}"
        assert server.received[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize(
    ("data", "encoding"), [(b"x", "gzip"), (b"x", "br"), (b"x" * 3_000_000, "identity")]
)
def test_a_refusal_that_cannot_be_read_whole_is_one(opened, data, encoding):
    with Server([lambda one: one.whole(data, 429, {"Content-Encoding": encoding})]) as server:
        got = opened.send(server.base_url, BODY, {})
    assert got.status_code == 429
    assert len(got.content) <= len(data)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(opened, code):
    with Server() as elsewhere, Server([redirects(elsewhere.base_url, code)]) as server:
        got = opened.send(server.base_url, BODY, {"Authorization": "Bearer orlinde"})
        assert (got.status_code, elsewhere.received) == (code, [])


def test_addresses_stay_out_of_the_log(opened, caplog):
    caplog.set_level(logging.DEBUG)
    with Server([says("{}")]) as server:
        opened.send(f"{server.base_url}?key=orlinde", BODY, {})
    assert "orlinde" not in caplog.text


def test_proxies_of_the_environment_are_used(proxied):
    with Server([says("{}")]) as proxy:
        proxied.setenv("HTTP_PROXY", proxy.base_url)
        proxied.setenv("http_proxy", proxy.base_url)
        with closing(Door(Timeouts(5, 5, 5), 1)) as through:
            assert through.send("http://orlinde.invalid/v1", BODY, {}).status_code == 200
    assert [received.path for received in proxy.received] == ["http://orlinde.invalid/v1"]


def test_a_proxy_of_the_environment_that_cannot_be_used(proxied):
    proxied.setenv("ALL_PROXY", "orlinde://name:secret@127.0.0.1:9")
    with pytest.raises(ConfigurationError) as caught:
        Door(Timeouts(), 1)
    assert str(caught.value) == (
        "a proxy or certificate of the environment (HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE) "
        "cannot be used: ValueError"
    )
