from __future__ import annotations

import logging

import pytest

from klopt.errors import LlmError
from klopt.models.calls import Call, CallError, Usage
from klopt.models.patience import Patience
from klopt.models.retrying import PassingError, persist
from tests.models.server import FakeClock

CALL = Call("w1", "cloze_fact", "secret task", "secret system", "secret user")


def attempts(*outcomes):
    script = iter(outcomes)

    def attempt():
        outcome = next(script)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return attempt


def test_the_first_attempt_may_do():
    time = FakeClock()
    assert persist(CALL, attempts("x"), Patience(), time.clock) == ("x", Usage())
    assert time.slept == []


def test_waits_are_those_that_the_server_asks_for():
    time = FakeClock()
    failures = PassingError("rate_limited", "429", 5.0), PassingError("server", "500", 0.0)
    value, spent = persist(CALL, attempts(*failures, "x"), Patience(), time.clock)
    assert (value, time.slept) == ("x", [5.0, 0.0])
    assert spent == Usage(seconds=5.0, retries=2)


def test_the_last_failure_is_told():
    time = FakeClock()
    failures = PassingError("rate_limited", "429", 5.0), PassingError("server", "500")
    with pytest.raises(CallError) as caught:
        persist(CALL, attempts(*failures), Patience(tries=2), time.clock)
    assert (caught.value.reason_code, str(caught.value)) == ("server", "500 (2 tries)")
    assert caught.value.usage == Usage(seconds=5.0, retries=1)


def test_a_failure_that_does_not_pass_ends_it():
    time = FakeClock()
    failures = PassingError("server", "500", 1.0), LlmError("refused", "401")
    with pytest.raises(CallError) as caught:
        persist(CALL, attempts(*failures, "x"), Patience(), time.clock)
    assert (caught.value.reason_code, str(caught.value)) == ("refused", "401 (2 tries)")


def test_other_errors_come_through():
    with pytest.raises(ZeroDivisionError):
        persist(CALL, attempts(ZeroDivisionError()), Patience(), FakeClock().clock)


def test_the_log_tells_of_a_retry_and_not_of_the_text(caplog):
    caplog.set_level(logging.DEBUG, "klopt")
    failure = PassingError("server", "the server quotes: secret user", 2.0)
    persist(CALL, attempts(failure, "x"), Patience(), FakeClock().clock)
    assert [record.getMessage() for record in caplog.records] == [
        "row 'w1', cloze_fact: server; try 2 follows in 2.0 s"
    ]
