from __future__ import annotations

import logging

import pytest

from klopt.errors import TranslationError
from klopt.translators.pacing import Breaker, Pace
from tests.models.server import FakeClock


def test_requests_are_kept_apart():
    time = FakeClock()
    pace = Pace(2.0, time.clock)
    pace.wait()
    pace.wait()
    time.at += 0.5
    pace.wait()
    time.at += 10
    pace.wait()
    assert time.slept == [2.0, 1.5]


def error(reason: str) -> TranslationError:
    return TranslationError(reason, f"orlinde: {reason}")


def refused(breaker: Breaker) -> str:
    with pytest.raises(TranslationError) as caught:
        breaker.admit()
    return f"{caught.value.reason_code}: {caught.value}"


@pytest.mark.parametrize("reason", ["quota", "refused"])
def test_what_will_not_pass_holds_for_good(reason, caplog):
    time = FakeClock()
    breaker = Breaker("orlinde", time.clock)
    assert breaker.admit() is False
    breaker.failed(error(reason))
    time.at += 10_000_000
    assert refused(breaker) == f"{reason}: orlinde: {reason}; not asked again for now"
    assert caplog.messages == [f"translator orlinde: {reason}; it is not asked any more"]


def test_a_rest_doubles_up_to_a_quarter_of_an_hour(caplog):
    caplog.set_level(logging.WARNING, "klopt")
    time = FakeClock()
    breaker = Breaker("orlinde", time.clock)
    breaker.failed(error("no_network"))
    rests = []
    for _ in range(6):
        begin = time.at
        refused(breaker)
        while True:
            time.at += 15
            try:
                assert breaker.admit() is True
            except TranslationError:
                continue
            break
        rests.append(time.at - begin)
        breaker.failed(error("timeout"))
        breaker.release()
    assert rests == [60, 120, 240, 480, 900, 900]
    assert len(caplog.messages) == 7


def test_one_call_tries_and_the_others_wait():
    time = FakeClock()
    breaker = Breaker("orlinde", time.clock)
    breaker.failed(error("server"))
    time.at += 60
    assert breaker.admit() is True
    refused(breaker)
    breaker.release()
    assert breaker.admit() is True
    breaker.answered()
    breaker.release()
    assert breaker.admit() is False


def test_calls_that_fail_together_count_as_one(caplog):
    time = FakeClock()
    breaker = Breaker("orlinde", time.clock)
    for _ in range(5):
        breaker.failed(error("timeout"))
    time.at += 60
    assert breaker.admit() is True
    assert len(caplog.messages) == 1


def test_only_bad_replies_in_a_row_are_a_wrong_server():
    breaker = Breaker("orlinde", FakeClock().clock)
    for _ in range(5):
        breaker.failed(error("bad_reply"))
        breaker.failed(error("bad_reply"))
        breaker.answered()
    assert breaker.admit() is False
    for _ in range(3):
        breaker.failed(error("bad_reply"))
    assert refused(breaker) == "bad_reply: orlinde: bad_reply; not asked again for now"
