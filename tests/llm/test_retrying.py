from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import LlmError
from klopt.llm.calls import Call, CallError, Usage
from klopt.llm.retrying import PassingError, Patience, persist, retry_after_seconds
from tests.llm.server import FakeClock

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


@given(st.text(), st.integers(1, 2_000), st.none() | st.floats(0, 1e308))
def test_no_wait_is_too_long_or_below_nothing(id, failed, asked):
    wait = Patience(first_wait_seconds=0.5, longest_wait_seconds=20.0).wait_seconds(
        Call(id, "cloze_fact", "", "", ""), failed, asked
    )
    assert 0 <= wait <= 20


def test_calls_that_fail_together_do_not_come_back_together():
    waits = {
        Patience().wait_seconds(Call(str(n), "cloze_fact", "", "", ""), 1, None) for n in range(50)
    }
    assert len(waits) > 25


def test_a_row_whose_id_is_half_a_character():
    assert Patience().wait_seconds(Call("\ud800", "cloze_fact", "", "", ""), 1, None) > 0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 1.5 ", 1.5),
        ("0", 0.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 60.0),
        ("Thursday, 01-Jan-70 00:02:00 GMT", 60.0),
        ("Thu Jan  1 00:02:00 1970", 60.0),
        ("Thu, 01 Jan 1970 01:02:00 +0100", 60.0),
        ("Thu, 01 Jan 1970 00:00:30 GMT", 0.0),
        (None, None),
        ("", None),
        ("-1", None),
        ("1e3", None),
        ("soon", None),
        ("Thu, 99 Jan 1970 00:02:00 GMT", None),
        ("9" * 400, None),
    ],
)
def test_what_a_header_asks_for(header, seconds):
    assert retry_after_seconds(header, now=60.0) == seconds


@given(st.text())
def test_any_header_is_read(header):
    seconds = retry_after_seconds(header, now=0.0)
    assert seconds is None or seconds >= 0
