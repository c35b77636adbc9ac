"""A time budget: an assessment that is cut off is never more positive than a complete one."""

import asyncio
import functools
import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Assessment, Profile, Scorer, Turn
from klopt.cli.scoring import demo_rows
from klopt.errors import ConfigurationError
from klopt.scoring.explanation import texts
from klopt.text.reader import ANSWER_LIMIT_CHARS, PAGE_LIMIT_CHARS
from tests.scoring.turns import ANSWER, PAGE, QUESTION, turn

TURNS = [row.turn for row in demo_rows() if row.turn is not None]
PROFILES = ("afas", "default")
BUDGET_MS = 500
READINGS = range(2, 25)
"""The readings of the clock during a turn, after the one that starts its budget."""


class Clock:
    """A clock that advances by a millisecond at each reading, and once by a minute."""

    def __init__(self) -> None:
        self.seconds, self.readings_left = 0.0, 0

    def __call__(self) -> float:
        self.readings_left -= 1
        self.seconds += 60 if self.readings_left == 0 else 0.001
        return self.seconds


CLOCK = Clock()


@functools.cache
def scorer(profile: str) -> Scorer:
    return Scorer(Profile.load(profile), all_types=True, clock=CLOCK)


def cut_at(reading: int, given: Turn, profile: str = "default") -> Assessment:
    """The assessment of a turn whose time is up at this reading of the clock."""
    CLOCK.readings_left = reading
    return scorer(profile).score(given, budget_ms=BUDGET_MS)


@functools.cache
def whole(profile: str, number: int) -> Assessment:
    return scorer(profile).score(TURNS[number])


@settings(max_examples=40)
@given(st.sampled_from(PROFILES), st.integers(0, len(TURNS) - 1), st.sampled_from(READINGS))
def test_an_assessment_that_is_cut_off_is_not_more_positive(profile, number, reading):
    expected = whole(profile, number)
    found = cut_at(reading, TURNS[number], profile)
    if found.status != "cut_off":
        assert found == expected
        return
    assert found.cut_off is not None
    assert found.cut_off.budget_ms == BUDGET_MS
    assert found.cut_off.unmeasured
    assert not found.cut_off.unread
    assert found.verdict == ("block" if found.verdict == "block" else "review")
    if found.verdict == "block":
        assert expected.verdict == "block"
    assert found.score is None or found.score <= (expected.score or 0.0)
    for name, measurement in found.measurements.items():
        assert measurement == expected.measurements.get(name, measurement)
    # A claim is only marked as a fault once the verdict is known.
    for claim, other in zip(found.claims, expected.claims if found.claims else (), strict=True):
        assert replace(claim, fault=other.fault) == other
        assert other.fault or not claim.fault
    assert "cut_off" in found.to_dict()


@pytest.mark.parametrize(
    ("language", "text_language"), [("nl", "nl"), ("en", "en"), ("auto", "nl")]
)
def test_without_time_nothing_is_read_and_the_answer_is_reviewed(language, text_language):
    made = Scorer(Profile.load(), all_types=True, clock=Clock())
    found = made.score(turn(language=language), budget_ms=0)
    assert (found.score, found.stars, found.verdict) == (None, None, "review")
    assert (found.status, found.reason_code) == ("cut_off", "out_of_time")
    assert found.language is None
    assert found.sentences[0] == texts(text_language)["verdict"]["cut_off"]
    assert found.reason == "the time (0 ms) was up before everything was verified"
    assert found.cut_off.unmeasured == tuple(made.profile.weights)


@pytest.mark.parametrize("field", ["question", "answer"])
@pytest.mark.parametrize(("more", "is_too_long"), [(0, False), (1, True)])
def test_a_text_over_the_limit_is_refused_with_any_budget(field, more, is_too_long):
    made = Scorer(Profile.load(), all_types=True, clock=Clock())
    found = made.score(turn(**{field: "x" * (ANSWER_LIMIT_CHARS + more)}), budget_ms=0)
    assert found.reason_code == (f"{field}_too_long" if is_too_long else "out_of_time")


@pytest.mark.parametrize(
    ("chars", "code"), [(PAGE_LIMIT_CHARS, "out_of_time"), (PAGE_LIMIT_CHARS + 1, "page_too_long")]
)
def test_pages_are_read_for_the_language_within_limits_and_budget(chars, code):
    made = Scorer(Profile.load(), all_types=True, clock=Clock())
    short = Turn("Hoe lang is tegoed geldig?", "Tegoed is 2 jaar geldig.", ["tegoed ".ljust(chars)])
    assert made.score(short, budget_ms=BUDGET_MS).reason_code == code


def test_a_later_turn_reads_the_pages_that_an_earlier_one_had_no_time_for():
    made = Scorer(Profile.load(), all_types=True, clock=Clock())
    made.prepare("nl")
    long = [f"{PAGE} {number}" + " " * 900 * number for number in range(1, 5)]
    given = Turn(QUESTION, ANSWER, long, language="nl")
    first, second = (made.score(given, budget_ms=22) for _ in range(2))
    assert first.measurements == {}
    assert first.to_dict()["cut_off"]["unread"] == ["context-4"]
    assert (first.verdict, second.status) == ("review", "scored")


TOO_LARGE = "a number that is too large"


@pytest.mark.parametrize(
    ("budget_ms", "shown"),
    [(-1, "-1"), (float("nan"), "nan"), ("30", "'30'"), (True, "True"), (10**400, TOO_LARGE),
     pytest.param(-(10**5000), TOO_LARGE, id="too long to show")],
)  # fmt: skip
def test_an_invalid_budget(budget_ms, shown):
    with pytest.raises(ConfigurationError) as error:
        scorer("default").score(turn(), budget_ms=budget_ms)
    expected = f"budget_ms is {shown}; give milliseconds, 0 or more, or None for no budget"
    assert str(error.value) == expected


def test_waiting_for_a_thread_takes_time_of_the_budget():
    seconds = itertools.count(0, 0.02)
    made = Scorer(Profile.load(), all_types=True, clock=lambda: next(seconds))
    found = asyncio.run(made.ascore(turn(), budget_ms=15))
    assert (found.status, found.measurements) == ("cut_off", {})


@pytest.mark.parametrize(
    ("language", "question", "page", "last"),
    [
        ("nl", "Hoe sluit ik alles af?", "Sluit alle vensters met Alt+F7.",
         "De tijd (500 ms) was op voordat alles gecontroleerd was."),
        ("en", "How do I close everything?", "Close all windows with Alt+F7.",
         "The time (500 ms) was up before everything was verified."),
    ],
)  # fmt: skip
def test_an_answer_is_reviewed_if_not_all_faults_were_looked_for(language, question, page, last):
    given = Turn(question, page, [page], language=language)
    assert scorer("default").score(given).verdict == "send"
    found = next(one for reading in READINGS if (one := cut_at(reading, given)).score is not None)
    assert (found.status, found.verdict) == ("cut_off", "review")
    assert texts(language)["verdict"]["review"].split("{score}")[1] in found.sentences[0]
    assert found.sentences[1:] == (last,)
