"""The chat-completions client, against a scripted server on loopback."""

import logging
import sys

import pytest

from klopt.errors import ConfigurationError, CredentialsError, ExtraMissingError
from klopt.llm.calls import Call, CallError
from klopt.llm.client import MAX_REPLY_BYTES, MAX_REPLY_TOKENS, ChatClient
from tests.llm.server import (
    KEY,
    NOW,
    SECONDS,
    Exchange,
    Server,
    bomb,
    completes,
    cut,
    drips,
    floods,
    quotes_the_key,
    sends,
    sends_bytes,
    silent,
    status,
)

CALL = Call("w1", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Fill in: Open <BLANK 1>.")
GOOD = '{"answer": []}'
ELSEWHERE = "http://127.0.0.1:9/"
WONT = {"content": None, "refusal": "I won't."}


@pytest.fixture
def client(monkeypatch):
    """A function that creates clients; retries wait a few milliseconds."""
    import openai._base_client

    monkeypatch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.002)
    made = []

    def make(server, api_key=KEY, **options):
        client = ChatClient("tiny", server.base_url, api_key, **{"timeout_s": SECONDS, **options})
        made.append(client)
        return client

    yield make
    for each in made:
        each.close()


def failure(model) -> CallError:
    with pytest.raises(CallError) as caught:
        model.complete(CALL)
    return caught.value


# Requests and replies


def test_request_and_reply(client):
    with Server([completes(GOOD)]) as server:
        reply = client(server, prices=(1.0, 2.0), seed=7).complete(CALL)
    assert (reply.text, reply.task, reply.model) == (GOOD, CALL.task, "tiny-2026-01-01")
    usage = reply.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cost_usd) == (20, 5, 30 / 1e6)
    assert (usage.retries, usage.calls) == (0, 1)
    assert usage.seconds > 0
    (received,) = server.received
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.body == {
        "model": "tiny",
        "temperature": 0.0,
        "max_tokens": MAX_REPLY_TOKENS,
        "seed": 7,
        "messages": [
            {"role": "system", "content": "Fill in."},
            {"role": "user", "content": "Fill in: Open <BLANK 1>."},
        ],
        "response_format": {"type": "json_object"},
    }


def test_headers_contain_nothing_about_the_machine(client):
    with Server() as server:
        client(server).complete(CALL)
    headers = server.received[0].headers
    assert headers["user-agent"] == "klopt"
    own = {name for name in headers if name.startswith("x-stainless")}
    allowed = {"x-stainless-raw-response", "x-stainless-read-timeout", "x-stainless-retry-count"}
    assert own <= allowed


# Failures that are retried


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (status(429, NOW), "rate_limited"),
        (status(408, NOW), "timeout"),
        (status(500, NOW), "server"),
        (status(502), "server"),
        (status(503, NOW), "server"),
        (status(504), "timeout"),
        (status(529, NOW), "server"),
        (Exchange.hang_up, "server"),
    ],
)
def test_a_temporary_failure_is_retried(client, behaviour, reason):
    with Server([behaviour, completes(GOOD), behaviour, behaviour]) as server:
        model = client(server, max_retries=1)
        reply = model.complete(CALL)
        assert (reply.text, reply.usage.retries) == (GOOD, 1)
        failed = failure(model)
    assert (failed.reason_code, failed.usage.retries, failed.usage.calls) == (reason, 1, 0)
    assert len(server.received) == 4


def test_a_timeout_is_retried(client):
    with Server([silent(), completes(GOOD)]) as server:
        assert client(server, timeout_s=1).complete(CALL).usage.retries == 1
    with Server(then=silent()) as server:
        failed = failure(client(server, timeout_s=0.2, max_retries=1))
    assert (failed.reason_code, failed.usage.retries) == ("timeout", 1)


def test_an_unreachable_server(client):
    with Server() as server:
        model = client(server, max_retries=0)
    assert failure(model).reason_code == "server"


# Failures that are not retried


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (cut(GOOD), "cut"),
        (cut(GOOD, chunked=True), "cut"),
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
        (sends({"choices": [{"message": {"content": 7}, "finish_reason": {}}]}), "bad_shape"),
        (sends_bytes(b" " * (MAX_REPLY_BYTES + 1)), "bad_shape"),
        (floods(), "bad_shape"),
        (bomb(), "bad_json"),
        (completes('{"answ', "length"), "cut"),
        (sends({"choices": [{"message": WONT}]}), "refused"),
        (completes("", "content_filter", usage=None), "refused"),
        (status(400, message="no such field"), "refused"),
        (status(401), "refused"),
        (status(403, message="not you"), "refused"),
        (status(404, message="no such model"), "refused"),
        (status(422), "refused"),
        (status(307, {"Location": ELSEWHERE}), "refused"),
    ],
)
def test_an_unusable_response_has_a_reason(client, behaviour, reason):
    with Server([behaviour]) as server:
        failed = failure(client(server))
        assert len(server.received) == 1
    assert (failed.reason_code, failed.usage.retries) == (reason, 0)


def test_a_spent_quota_is_a_refusal(client):
    spent = status(429, NOW, "You exceeded your quota", type="insufficient_quota")
    with Server(then=spent) as server:
        assert failure(client(server, max_retries=1)).reason_code == "refused"


def test_a_slow_response_times_out(client):
    with Server([drips()]) as server:
        assert failure(client(server, timeout_s=0.4)).reason_code == "timeout"


@pytest.mark.parametrize("behaviour", [drips, floods])
def test_an_endless_error_response_ends(client, behaviour):
    with Server([behaviour(code=400)]) as server:
        assert failure(client(server, timeout_s=1)).reason_code == "refused"


@pytest.mark.parametrize("chunked", [False, True])
def test_an_incomplete_error_response_keeps_its_status(client, chunked):
    with Server([cut("Busy.", chunked, code=400)]) as server:
        assert " answered 400" in str(failure(client(server)))


# Fields that a server rejects


def rejects(field):
    return status(400, message=f"Unsupported value: '{field}'", param=field)


def test_a_rejected_field_is_omitted_from_later_requests(client, caplog):
    with Server([rejects("temperature"), rejects("max_tokens"), completes(GOOD)]) as server:
        model = client(server)
        assert model.complete(CALL).usage.retries == 2
        model.complete(CALL)
    fields = "temperature", "max_tokens"
    sent = [[field for field in fields if field in each.body] for each in server.received]
    assert sent == [[*fields], ["max_tokens"], [], []]
    assert len(caplog.messages) == 2


@pytest.mark.parametrize(("field", "requests"), [("messages", 1), ("temperature", 2)])
def test_only_an_optional_field_is_omitted(client, field, requests):
    with Server(then=rejects(field)) as server:
        assert failure(client(server)).reason_code == "refused"
    assert len(server.received) == requests


# The key and messages


@pytest.mark.parametrize("code", [200, 400, 401, 429, 500])
@pytest.mark.parametrize("masked", [False, True])
def test_the_key_is_in_no_reply_error_or_log(client, caplog, code, masked):
    caplog.set_level(logging.DEBUG)
    with Server(then=quotes_the_key(code, masked)) as server:
        model = client(server, max_retries=1)
        if code == 200:
            reply = model.complete(CALL)
            texts = [reply.text, reply.model, repr(reply)]
        else:
            failed = failure(model)
            texts = [str(failed), repr(failed), str(failed.__cause__)]
            assert "Incorrect API key provided: ***" in str(failed)
    text = "\n".join([*texts, repr(model), caplog.text])
    parts = {KEY} if code == 200 else {KEY, KEY[:6] + "*", "*" + KEY[-4:]}
    assert not [part for part in parts if part in text]


def test_an_error_page_is_shortened_and_stripped_of_control_characters(client):
    page = b"\x1b[2J<h1>Bad\r\n gateway</h1>" + b"x" * 5_000
    with Server([lambda exchange: exchange.whole(page, 400)]) as server:
        text = str(failure(client(server)))
    assert text.endswith(f" answered 400: [2J<h1>Bad gateway</h1>{'x' * 277}…")


# Configuration


@pytest.mark.parametrize(
    "address",
    [
        "api.openai.com/v1",
        "http://[::1/v1",
        "http://localhost:0/v1",
        "http://localhost:x/v1",
        "https://me:secret@localhost/v1",
        "https://localhost/v1?key=secret",
        "http://localhost/v1/chat/completions",
    ],
)
def test_an_invalid_address(address):
    with pytest.raises(ConfigurationError) as caught:
        ChatClient("tiny", address)
    assert "secret" not in str(caught.value)


def test_invalid_arguments(monkeypatch):
    with pytest.raises(ValueError, match="timeout_s"):
        ChatClient("tiny", timeout_s=0)
    with pytest.raises(CredentialsError):
        ChatClient("tiny", api_key="two words")
    monkeypatch.setenv("HTTPS_PROXY", "nonsense://x")
    with pytest.raises(ConfigurationError):
        ChatClient("tiny")


def test_a_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ExtraMissingError, match=r"klopt\[llm\]"):
        ChatClient("tiny")
