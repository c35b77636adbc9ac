"""The adapter against a stand-in with the call shape of litellm 1.106.

litellm is large and slow to import, so that it is not installed for the tests. The stand-in takes
what `acompletion` takes, answers with an object that has `model_dump` and `_hidden_params`, and
raises errors with the attributes of litellm's own. A last test runs with litellm where it is there.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import subprocess
import sys
import types

import pytest

from klopt.errors import ConfigurationError, CredentialsError, ExtraMissingError
from klopt.models.calls import Call, CallError, Usage
from klopt.models.completions import Prices
from klopt.models.endpoint import Timeouts
from klopt.models.litellm import LiteLlm
from klopt.models.patience import Patience
from tests.models.server import KEY, FakeClock, Server, completion, says, status

CALL = Call("w1", "cloze_fact", "Open <BLANK 1>.", "Fill in.", "Fill in: Open <BLANK 1>.")


class APIError(Exception):
    def __init__(self, message, status_code=None, headers=None):
        super().__init__(message)
        self.status_code = status_code
        self.litellm_response_headers = headers


class SlowError(APIError):
    pass


class Response:
    def __init__(self, value, cost=None):
        self.value = value
        self._hidden_params = {"response_cost": cost}

    def model_dump(self):
        return self.value


@pytest.fixture
def standin(monkeypatch):
    module = types.ModuleType("litellm")
    module.exceptions = types.SimpleNamespace(
        Timeout=SlowError, LITELLM_EXCEPTION_TYPES=[APIError, SlowError]
    )
    module.script, module.asked = [], []

    async def acompletion(**fields):
        module.asked.append(fields)
        said = module.script[len(module.asked) - 1]
        if said is None:
            await asyncio.sleep(30)
        if isinstance(said, Exception):
            raise said
        return said

    module.acompletion = acompletion
    monkeypatch.setitem(sys.modules, "litellm", module)
    for name in ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_MODE"):
        monkeypatch.setenv(name, "to be restored")
        monkeypatch.delenv(name)
    return module


@pytest.fixture
def time():
    return FakeClock()


@pytest.fixture
def model(standin, time):
    models = []

    def make(*script, **options):
        standin.script = list(script)
        options = {"api_key": KEY, "clock": time.clock, "patience": Patience(tries=2), **options}
        models.append(LiteLlm("anthropic/tiny", **options))
        return models[-1]

    yield make
    for one in models:
        one.close()


def test_a_good_reply(model):
    reply = model(Response(completion('{"a": 1}'), 0.25)).complete(CALL)
    assert (reply.text, reply.task, reply.model) == ('{"a": 1}', CALL.task, "tiny-2026-01-01")
    assert reply.usage == Usage(20, 5, 0.25, 0.0, 0, 1)


def test_what_is_asked(model, standin):
    made = model(
        *[Response(completion("{}"))] * 2,
        base_url="http://localhost:4000/",
        seed=7,
        options={"top_p": 1},
    )
    made.complete(CALL)
    made.complete(Call("w1", "prometheus.usability", "", "", "Rate it.", json=False))
    assert standin.asked[0] == {
        "model": "anthropic/tiny",
        "messages": [
            {"role": "system", "content": "Fill in."},
            {"role": "user", "content": "Fill in: Open <BLANK 1>."},
        ],
        "temperature": 0.0,
        "seed": 7,
        "top_p": 1,
        "response_format": {"type": "json_object"},
        "timeout": 120.0,
        "drop_params": True,
        "max_retries": 0,
        "num_retries": 0,
        "api_base": "http://localhost:4000",
        "api_key": KEY,
    }
    assert standin.asked[1]["messages"] == [{"role": "user", "content": "Rate it."}]
    assert "response_format" not in standin.asked[1]


def test_without_a_key_litellm_finds_its_own(model, standin):
    model(Response(completion("{}")), api_key=None).complete(CALL)
    assert not standin.asked[0].keys() & {"api_key", "api_base"}


def test_given_prices_come_before_those_of_litellm(model):
    made = model(Response(completion("{}"), 9.0), prices=Prices(1.0, 2.0))
    assert made.complete(CALL).usage.cost_usd == 30 / 1e6


def test_an_unknown_price_is_no_price(model):
    assert model(Response(completion("{}"), None)).complete(CALL).usage.cost_usd is None


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (APIError("busy", 429, {"retry-after": "7"}), "rate_limited"),
        (APIError("broken", 500, {"retry-after": "7"}), "server"),
        (APIError("slow", 408, {"retry-after": "7"}), "server"),
        (SlowError("slow", 408, {"retry-after": "7"}), "timeout"),
    ],
)
def test_what_passes_is_tried_again(model, time, error, reason):
    made = model(error, Response(completion("{}")), error, error)
    assert made.complete(CALL).usage.retries == 1
    with pytest.raises(CallError) as caught:
        made.complete(CALL)
    assert (caught.value.reason_code, str(caught.value)) == (reason, f"{error} (2 tries)")
    assert time.slept == [7.0, 7.0]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (APIError("bad", 400), "refused"),
        (APIError("who are you", 401), "refused"),
        (APIError("insufficient_quota", 429), "refused"),
        (APIError("no key at all"), "refused"),
    ],
)
def test_what_does_not_pass(model, time, error, reason):
    with pytest.raises(CallError) as caught:
        model(error).complete(CALL)
    assert (caught.value.reason_code, str(caught.value)) == (reason, str(error))
    assert time.slept == []


def test_a_reply_of_the_wrong_shape_is_tried_again(model):
    with pytest.raises(CallError) as caught:
        model(*[Response({"choices": []})] * 2).complete(CALL)
    assert caught.value.reason_code == "bad_shape"
    assert caught.value.usage.retries == 1


def test_a_reply_that_was_cut_off(model):
    with pytest.raises(CallError) as caught:
        model(Response(completion("{", "length"), 0.5)).complete(CALL)
    assert caught.value.reason_code == "cut"
    assert caught.value.usage.cost_usd == 0.5


def test_a_deadline(model):
    made = model(None, patience=Patience(tries=1), timeouts=Timeouts(total=0.05))
    with pytest.raises(CallError) as caught:
        made.complete(CALL)
    assert str(caught.value) == "anthropic/tiny was not done within 0.05 s"
    assert caught.value.reason_code == "timeout"


def test_the_key_is_nowhere(model):
    made = model(APIError(f"bad key {KEY}", 401), Response(completion(f"You sent {KEY}.")))
    with pytest.raises(CallError) as caught:
        made.complete(CALL)
    assert str(caught.value) == "bad key ***"
    assert made.complete(CALL).text == "You sent ***."
    assert repr(made) == "LiteLlm('anthropic/tiny')"


def test_litellm_is_kept_quiet(model, standin):
    model()
    assert standin.telemetry is False
    assert standin.suppress_debug_info is True
    assert standin.turn_off_message_logging is True
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
    assert os.environ["LITELLM_MODE"] == "PRODUCTION"


def test_what_it_cannot_be_made_with(standin):
    with pytest.raises(ConfigurationError, match=r"^options may not hold temperature$"):
        LiteLlm("tiny", options={"temperature": 1})
    with pytest.raises(ConfigurationError, match=r"^options may not hold api_key, num_retries$"):
        LiteLlm("tiny", options={"num_retries": 9, "api_key": KEY})
    with pytest.raises(ConfigurationError, match=r"^base_url must be an address such as "):
        LiteLlm("tiny", base_url="localhost")
    with pytest.raises(CredentialsError, match=r"^api_key does not hold a key: "):
        LiteLlm("tiny", api_key="two words")
    with pytest.raises(ValueError, match=r"^at_once is at least 1, not 0$"):
        LiteLlm("tiny", at_once=0)


@pytest.mark.parametrize("missing", ["litellm", "tenacity"])
def test_without_the_extra(standin, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ExtraMissingError) as caught:
        LiteLlm("tiny")
    assert str(caught.value) == (
        "asking an LLM through litellm needs litellm and tenacity; install them with: "
        'pip install "klopt[litellm]"'
    )


@pytest.mark.skipif(importlib.util.find_spec("litellm") is None, reason="litellm is not installed")
def test_with_litellm_itself():
    program = f"""
import sys
from klopt.models.calls import Call
from klopt.models.litellm import LiteLlm
with LiteLlm("openai/tiny", {KEY!r}, sys.argv[1]) as model:
    reply = model.complete(Call("w1", "cloze_fact", "", "", "Fill in."))
print(reply.text, reply.usage.retries)
"""
    with Server([status(429, {"Retry-After": "0"}), says("{}")]) as server:
        run = subprocess.run(
            [sys.executable, "-c", program, server.base_url],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert (run.stdout, run.returncode) == ("{} 1\n", 0), run.stderr
