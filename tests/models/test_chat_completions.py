"""A client of chat completions, over a real server on loopback that misbehaves as it is told."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from klopt.errors import ConfigurationError
from klopt.models.calls import Call, CallError, Usage
from klopt.models.chat_completions import ChatCompletions
from klopt.models.door import Timeouts
from klopt.models.in_order import in_order
from klopt.models.retrying import Patience
from klopt.models.servers import server, servers
from tests.models.server import (
    KEY,
    FakeClock,
    Meeting,
    Server,
    cut,
    hangs_up,
    quotes_the_key,
    redirects,
    says,
    sends,
    sends_bytes,
    status,
)

CALL = Call("w1", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Fill in: Open <BLANK 1>.")
GOOD = '{"answer": []}'
ELSEWHERE = "http://127.0.0.1:9/"
WONT = {"content": None, "refusal": "I won't."}
REFUSED = ("refused", "the model refused to answer", Usage(calls=1))
SPENT = Usage(20, 5, 30 / 1e6, 0.0, 0, 1)


@pytest.fixture
def time():
    return FakeClock()


@pytest.fixture
def client(time):
    with ExitStack() as clients:

        def make(server, **options):
            given = {"api_key": KEY, "clock": time.clock, "timeouts": Timeouts(5, 5, 5)}
            made = ChatCompletions("tiny", server.base_url, **{**given, **options})
            return clients.enter_context(made)

        yield make


def failure(model, call=CALL) -> CallError:
    with pytest.raises(CallError) as caught:
        model.complete(call)
    return caught.value


# What goes out, and what comes back


def test_what_is_sent_and_comes_back(client):
    with Server([says(GOOD)]) as server:
        reply = client(server, prices=(1.0, 2.0)).complete(CALL)
    assert (reply.text, reply.task, reply.model) == (GOOD, CALL.task, "tiny-2026-01-01")
    assert reply.usage == SPENT
    (received,) = server.received
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.headers["user-agent"] == "klopt"
    assert received.body == {
        "model": "tiny",
        "temperature": 0.0,
        "messages": [
            {"role": "system", "content": "Fill in."},
            {"role": "user", "content": "Fill in: Open <BLANK 1>."},
        ],
        "response_format": {"type": "json_object"},
    }


def test_what_is_left_out(client):
    plain = Call("w1", "prometheus.usability", "", "", "één \ud800", json=False)
    with Server() as server:
        client(server, api_key=None).complete(plain)
    (received,) = server.received
    assert "authorization" not in received.headers
    messages = [{"role": "user", "content": "één \ud800"}]
    assert received.body == {"model": "tiny", "temperature": 0.0, "messages": messages}


def test_what_a_server_leaves_out_is_not_made_up(client):
    script = [says(GOOD, usage=None, model=None), says(GOOD, usage={"prompt_tokens": True})]
    with Server(script) as server:
        model = client(server, prices=(1.0, 2.0))
        first = model.complete(CALL)
        assert (first.model, first.usage) == ("tiny", Usage(calls=1))
        assert model.complete(CALL).usage == Usage(calls=1)


# What passes


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (status(429), "rate_limited"),
        (status(408), "timeout"),
        (status(500), "server"),
        (status(502), "server"),
        (status(503), "server"),
        (status(504), "timeout"),
        (status(529), "server"),
        (cut(GOOD), "cut"),
        (cut(GOOD, chunked=True), "cut"),
        (hangs_up(), "cut"),
        (sends_bytes(b"<html>Please log in</html>"), "bad_json"),
        (sends_bytes(b""), "bad_json"),
        (sends_bytes(b'{"choices": [{"message"'), "bad_json"),
        (sends_bytes(b"[" * 100_000), "bad_json"),
        (sends_bytes(b"\xff\xfe\xfa"), "bad_json"),
        (sends([]), "bad_shape"),
        (sends({}), "bad_shape"),
        (sends({"error": {"message": "overloaded"}}), "bad_shape"),
        (sends({"choices": []}), "bad_shape"),
        (sends({"choices": {"0": "x"}}), "bad_shape"),
        (sends({"choices": ["x"]}), "bad_shape"),
        (sends({"choices": [{"message": "x"}]}), "bad_shape"),
        (sends({"choices": [{"message": {"content": None}}]}), "bad_shape"),
        (sends({"choices": [{"message": {"content": ["x"]}}]}), "bad_shape"),
    ],
)
def test_a_failure_that_passes_is_tried_again(client, time, behaviour, reason):
    with Server([behaviour, says(GOOD), behaviour, behaviour]) as server:
        model = client(server, patience=Patience(tries=2, first_wait_seconds=4.0))
        reply = model.complete(CALL)
        assert (reply.text, reply.usage.retries) == (GOOD, 1)
        assert reply.usage.seconds == pytest.approx(time.slept[0])
        assert 3.0 <= time.slept[0] <= 5.0
        failed = failure(model)
    assert failed.reason_code == reason
    assert failed.usage == Usage(seconds=pytest.approx(time.slept[1]), retries=1)
    assert str(failed).endswith(" (2 tries)")
    assert len(server.received) == 4


@pytest.mark.parametrize("code", [429, 503])
def test_the_server_says_how_long_to_wait(client, time, code):
    with Server([status(code, {"Retry-After": "Thu, 01 Jan 1970 00:17:10 GMT"})]) as server:
        client(server).complete(CALL)
    assert time.slept == [30.0]


# What does not pass

SPENT_QUOTA = status(429, message="You exceeded your quota", type="insufficient_quota")


@pytest.mark.parametrize(
    ("behaviour", "reason", "said"),
    [
        (status(400, message="no such field"), "refused", "answered 400: no such field"),
        (status(401), "refused", "answered 401"),
        (status(403, message="not you"), "refused", "answered 403: not you"),
        (status(404, message="no such model"), "refused", "answered 404: no such model"),
        (status(422), "refused", "answered 422"),
        (status(204), "server", "answered 204"),
        (redirects(ELSEWHERE), "refused", "answered 307: it redirects; is base_url right?"),
        (redirects("http://[::"), "refused", "answered 307: it redirects; is base_url right?"),
        (SPENT_QUOTA, "refused", "answered 429: You exceeded your quota"),
    ],
)
def test_a_refusal_is_not_tried_again(client, time, behaviour, reason, said):
    with Server([behaviour]) as server:
        failed = failure(client(server))
        assert str(failed) == f"{server.base_url}/chat/completions {said}"
    assert (failed.reason_code, failed.usage.retries, time.slept) == (reason, 0, [])
    assert len(server.received) == 1


def refuses(field):
    return status(400, message=f"Unsupported value: '{field}'", param=field)


def test_a_field_that_the_model_does_not_take_is_left_out(client, time, caplog):
    with Server([refuses("temperature"), refuses("response_format"), says(GOOD)]) as server:
        model = client(server)
        assert model.complete(CALL).usage.retries == 2
        model.complete(CALL)
    fields = "temperature", "response_format"
    sent = [[field for field in fields if field in each.body] for each in server.received]
    assert sent == [[*fields], ["response_format"], [], []]
    assert time.slept == [0.0, 0.0]
    told = "tiny does not take {}; it is left out from here on"
    assert caplog.messages == [told.format(field) for field in fields]


@pytest.mark.parametrize(("field", "requests"), [("messages", 1), ("temperature", 2)])
def test_a_field_is_left_out_once_and_only_where_it_can_be(client, field, requests):
    with Server(then=refuses(field)) as server:
        assert failure(client(server)).reason_code == "refused"
    assert len(server.received) == requests


def test_a_field_is_left_out_of_all_calls_that_were_under_way(client):
    meeting = Meeting(3)

    def behave(exchange):
        if "temperature" in exchange.received.body:
            meeting.attend()
            refuses("temperature")(exchange)
        else:
            says(GOOD)(exchange)

    with Server(then=behave) as server:
        found = list(in_order(client(server).complete, [CALL] * 3, at_once=3))
    assert [reply.usage.retries for reply in found] == [1, 1, 1]


@pytest.mark.parametrize(
    ("behaviour", "reason", "said", "usage"),
    [
        (says('{"answ', "length"), "cut", "the reply was cut off at the limit of tokens", SPENT),
        (sends({"choices": [{"message": WONT}]}), *REFUSED),
        (says("", "content_filter", usage=None), *REFUSED),
    ],
)
def test_a_reply_that_the_model_did_not_end(client, behaviour, reason, said, usage):
    with Server([behaviour]) as server:
        failed = failure(client(server, prices=(1.0, 2.0)))
    assert (failed.reason_code, str(failed), failed.usage) == (reason, said, usage)


def test_an_error_page_is_told_in_short_and_without_control_characters(client):
    page = b"\x1b[2J<h1>Bad\r\n gateway</h1>" + b"x" * 5_000
    with Server([lambda exchange: exchange.whole(page, 400)]) as server:
        said = str(failure(client(server)))
    assert said.endswith(f" answered 400: [2J<h1>Bad gateway</h1>{'x' * 277}…")


# The key


@pytest.mark.parametrize("code", [200, 400, 401, 429, 500])
@pytest.mark.parametrize("masked", [False, True])
def test_the_key_is_nowhere(client, caplog, code, masked):
    caplog.set_level(logging.DEBUG)
    with Server(then=quotes_the_key(code, masked)) as server:
        model = client(server)
        if code == 200:
            reply = model.complete(CALL)
            said = [reply.text, reply.model, repr(reply)]
        else:
            failed = failure(model)
            said = [str(failed), repr(failed), str(failed.__cause__)]
            assert "Incorrect API key provided: ***." in str(failed)
    said += [repr(model), caplog.text]
    parts = {KEY} if code == 200 else {KEY, KEY[:6] + "*", "*" + KEY[-4:]}
    assert [part for part in parts for text in said if part in text] == []


# Several at once, and the end


def test_no_more_at_once_than_is_allowed(client):
    meeting = Meeting(3)

    def behave(exchange):
        meeting.attend()
        says(GOOD)(exchange)

    with Server(then=behave) as server, ThreadPoolExecutor(9) as pool:
        replies = list(pool.map(client(server, at_once=3).complete, [CALL] * 9))
    assert [reply.text for reply in replies] == [GOOD] * 9
    assert meeting.most == 3


def test_it_works_in_a_notebook(client):
    async def cell(model):
        return model.complete(CALL).text

    with Server() as server:
        assert asyncio.run(cell(client(server))) == "{}"


# What it is made with


NO_ADDRESS = "base_url must be an address such as https://api.openai.com/v1 or http://localhost:11"
NO_SECRET = (
    "base_url must not hold a user name, a password or anything after ? or #; a key is given"
)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("api.openai.com/v1", NO_ADDRESS),
        ("http://[::1/v1", NO_ADDRESS),
        ("https://me:secret@localhost/v1", NO_SECRET),
        ("https://localhost/v1?key=secret", NO_SECRET),
        ("http://localhost/v1/chat/completions", "base_url must end before /chat/completions"),
    ],
)
def test_what_is_no_address(address, message):
    with pytest.raises(ConfigurationError) as caught:
        ChatCompletions("tiny", address)
    assert str(caught.value).startswith(message)


def test_figures_out_of_range():
    with pytest.raises(ValueError, match=r"^at_once is at least 1, not 0$"):
        ChatCompletions("tiny", at_once=0)
    with pytest.raises(ValueError, match=r"^a time-out is above 0 seconds, not Timeouts\(conn"):
        Timeouts(read=0)


KNOWN = (
    "Known are anthropic, cohere, deepseek, gemini, groq, mistral, ollama, openai, openrouter, "
    "together, xai; for any other give its address as the base URL."
)


@pytest.mark.parametrize("name", servers())
def test_each_can_be_asked(name):
    one = server(name)
    assert one.base_url.startswith("https://") or one.key_variable is None
    with ChatCompletions("tiny", one.base_url) as model:
        assert repr(model) == f"ChatCompletions('tiny', '{one.base_url}/chat/completions')"


def test_a_provider_that_is_not_known():
    with pytest.raises(ConfigurationError) as caught:
        server("azure")
    assert str(caught.value) == f"there is no provider 'azure'. {KNOWN}"
