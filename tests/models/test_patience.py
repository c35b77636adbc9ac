from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.models.patience import (
    Passing,
    Patience,
    Tries,
    retry_after_seconds,
    try_again,
)
from tests.models.server import FakeClock


def passing(error: OSError) -> Passing | None:
    return Passing("busy", error.errno) if str(error.strerror) == "busy" else None


def tried(time, *outcomes, tries=3):
    script = iter(outcomes)

    def attempt():
        outcome = next(script)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    patience = Patience(tries=tries)
    return try_again(
        attempt, OSError, passing, patience, time.clock, seed="s", about="asking orlinde"
    )


def test_what_passes_is_tried_again(caplog):
    caplog.set_level(logging.INFO, "klopt")
    time = FakeClock()
    assert tried(time, OSError(5, "busy"), "x") == Tries("x", 5.0, 1)
    assert time.slept == [5.0]
    assert [record.getMessage() for record in caplog.records] == [
        "asking orlinde: busy; try 2 follows in 5.0 s"
    ]


def test_a_failure_is_handed_back():
    time, failure = FakeClock(), OSError(2, "gone")
    found = tried(time, OSError(1, "busy"), failure, "x")
    assert found == Tries(failure, 1.0, 1)
    assert found.told == " (2 tries)"
    assert tried(time, failure).told == ""


def test_the_last_try_is_the_last():
    last = OSError(3, "busy")
    assert tried(FakeClock(), OSError(1, "busy"), last, "x", tries=2).outcome is last


def test_an_error_of_another_kind_comes_through():
    with pytest.raises(ZeroDivisionError):
        tried(FakeClock(), ZeroDivisionError())


@given(st.text(), st.integers(1, 2_000), st.none() | st.floats(0, 1e308))
def test_no_wait_is_too_long_or_below_nothing(seed, failed, asked):
    patience = Patience(first_wait_seconds=0.5, longest_wait_seconds=20.0)
    wait = patience.wait_seconds(seed, failed, asked)
    assert 0 <= wait <= 20


def test_calls_that_fail_together_do_not_come_back_together():
    waits = {Patience().wait_seconds(str(n), 1, None) for n in range(50)}
    assert len(waits) > 25


def test_a_seed_that_is_half_a_character():
    assert Patience().wait_seconds("\ud800", 1, None) > 0


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
