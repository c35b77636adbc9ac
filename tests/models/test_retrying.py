from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import LlmError
from klopt.models.chat_completions import PassingError
from klopt.models.retrying import Patience, RequestError, Tries, retry_after_seconds
from tests.models.server import FakeClock
from tests.tables import tables

CASES = tables("models", "texts")


def busy(wait_seconds=None):
    return PassingError("rate_limited", "the server quotes: secret", wait_seconds)


def tries_of(time, most=3, longest=600.0):
    patience = Patience(tries=most, longest_seconds=longest)
    return Tries(patience, time.clock, "seed", "asking orlinde")


def script(*outcomes):
    left = iter(outcomes)

    def attempt():
        outcome = next(left)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return attempt


def ended_by(tries, *outcomes):
    with pytest.raises(type(outcomes[1])) as caught:
        tries.run(script(*outcomes))
    return caught.value


def test_what_passes_is_tried_again_after_the_wait_that_was_asked_for(caplog):
    """The log tells of it, and not of the text."""
    caplog.set_level(logging.DEBUG, "klopt")
    time = FakeClock()
    tries = tries_of(time)
    assert tries.run(script(busy(5.0), busy(0.0), "x")) == "x"
    assert time.slept == [5.0, 0.0]
    assert (tries.seconds, tries.retries) == (5.0, 2)
    assert caplog.messages == [
        "asking orlinde: rate_limited; try 2 follows in 5.0 s",
        "asking orlinde: rate_limited; try 3 follows in 0.0 s",
    ]


@pytest.mark.parametrize(
    ("longest", "waits", "retries"),
    [(100.0, [60.0], 1), (120.0, [60.0, 60.0], 2), (59.0, [], 0), (0.0, [], 0)],
)
def test_no_call_waits_beyond_its_time_whatever_the_server_asks_for(longest, waits, retries):
    time, last = FakeClock(), busy(3600.0)
    tries = tries_of(time, 9, longest)
    assert ended_by(tries, *[last] * 9) is last
    assert (time.slept, tries.retries, tries.seconds) == (waits, retries, sum(waits))


def test_the_time_of_the_tries_counts():
    time = FakeClock()

    def attempt():
        time.at += 50
        raise busy(1.0)

    tries = tries_of(time, 9, 100.0)
    with pytest.raises(PassingError):
        tries.run(attempt)
    assert (time.slept, tries.seconds) == ([1.0], 101.0)


@pytest.mark.parametrize("named", ["first_wait_seconds", "longest_wait_seconds", "longest_seconds"])
def test_figures_out_of_range(named):
    with pytest.raises(ValueError, match="tries is at least 1"):
        Patience(tries=0)
    for figure in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="is 0 seconds or longer"):
            Patience(**{named: figure})


class LastingError(RequestError):
    reason_code = "refused"
    passing = False


@pytest.mark.parametrize(
    "failure", [LastingError(), LlmError("refused", "401"), ZeroDivisionError()], ids=repr
)
def test_what_does_not_pass_ends_it(failure):
    time = FakeClock()
    tries = tries_of(time)
    assert ended_by(tries, busy(1.0), failure, "x") is failure
    assert (tries.retries, time.slept) == (1, [1.0])


@given(st.text(), st.integers(1, 2_000), st.none() | st.floats(0, 1e308))
def test_no_wait_is_too_long_or_below_nothing(seed, failed, asked):
    patience = Patience(first_wait_seconds=0.5, longest_wait_seconds=20.0)
    wait = patience.wait_seconds(seed, failed, asked)
    assert 0 <= wait <= 20


def test_calls_that_fail_together_do_not_come_back_together():
    waits = {Patience().wait_seconds(str(n), 1, None) for n in range(50)}
    assert len(waits) > 25


@pytest.mark.parametrize(
    ("header", "seconds"),
    [*((*row, None)[:2] for row in CASES["retry_after"]), (None, None), ("9" * 400, None)],
)
def test_what_a_header_asks_for(header, seconds):
    assert retry_after_seconds(header, now=60.0) == seconds


@given(st.text())
def test_any_header_is_read(header):
    seconds = retry_after_seconds(header, now=0.0)
    assert seconds is None or seconds >= 0
