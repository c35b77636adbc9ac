"""A budget of time: what is said when it is up is never more than the whole would say."""

import asyncio
import functools
import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt import Assessment, Profile, Scorer, Turn
from klopt.cli.scoring import demo_rows
from klopt.errors import ConfigurationError
from klopt.scoring.explanation import texts
from tests.scoring.turns import ANSWER, PAGE, QUESTION, turn

TURNS = [row.turn for row in demo_rows() if row.turn is not None]
PROFILES = ("afas", "default")
BUDGET_MS = 500
LOOKS = range(2, 25)
"""The times that a turn looks at the clock, after the one that begins its budget."""


class Clock:
    """A clock that goes on by a millisecond when it is looked at, and once by a minute."""

    def __init__(self) -> None:
        self.seconds, self.looks_left = 0.0, 0

    def __call__(self) -> float:
        self.looks_left -= 1
        self.seconds += 60 if self.looks_left == 0 else 0.001
        return self.seconds


CLOCK = Clock()


@functools.cache
def scorer(profile: str) -> Scorer:
    return Scorer(Profile.load(profile), all_types=True, clock=CLOCK)


def cut_at(look: int, asked: Turn, profile: str = "default") -> Assessment:
    """The assessment of a turn whose time is up when it looks at the clock for such a time."""
    CLOCK.looks_left = look
    return scorer(profile).score(asked, budget_ms=BUDGET_MS)


@functools.cache
def whole(profile: str, number: int) -> Assessment:
    return scorer(profile).score(TURNS[number])


@settings(max_examples=40)
@given(st.sampled_from(PROFILES), st.integers(0, len(TURNS) - 1), st.sampled_from(LOOKS))
def test_what_is_cut_off_never_says_more_than_the_whole(profile, number, look):
    expected = whole(profile, number)
    found = cut_at(look, TURNS[number], profile)
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
    # Whether it is a claim that held the answer back shows only beside the verdict.
    for one, other in zip(found.claims, expected.claims if found.claims else (), strict=True):
        assert replace(one, fault=other.fault) == other
        assert other.fault or not one.fault
    assert "cut_off" in found.to_dict()


@pytest.mark.parametrize(("language", "told_in"), [("nl", "nl"), ("en", "en"), ("auto", "nl")])
def test_without_time_nothing_is_read_and_a_person_looks(language, told_in):
    made = Scorer(Profile.load(), all_types=True, clock=Clock())
    found = made.score(turn(language=language), budget_ms=0)
    assert (found.score, found.stars, found.verdict) == (None, None, "review")
    assert (found.status, found.reason_code) == ("cut_off", "out_of_time")
    assert found.language is None
    assert found.sentences[0] == texts(told_in)["verdict"]["cut_off"]
    assert found.reason == "the time (0 ms) was up before everything was verified"
    assert found.cut_off.unmeasured == tuple(made.profile.weights)


def test_pages_are_read_as_far_as_there_is_time_and_then_known():
    """Each turn reads what it can, so that a later one has the time for the rest."""
    made = Scorer(Profile.load(), all_types=True, clock=Clock())
    made.prepare("nl")
    long = [f"{PAGE} {number}" + " " * 900 * number for number in range(1, 5)]
    asked = Turn(QUESTION, ANSWER, long, language="nl")
    first, second = (made.score(asked, budget_ms=22) for _ in range(2))
    assert first.measurements == {}
    assert first.to_dict()["cut_off"]["unread"] == ["context-4"]
    assert (first.verdict, second.status) == ("review", "scored")


TOO_LARGE = "a number that is too large"


@pytest.mark.parametrize(
    ("budget_ms", "told"),
    [(-1, "-1"), (float("nan"), "nan"), ("30", "'30'"), (True, "True"), (10**400, TOO_LARGE),
     pytest.param(-(10**5000), TOO_LARGE, id="too long to show")],
)  # fmt: skip
def test_a_budget_is_a_number_from_0_that_a_clock_can_count(budget_ms, told):
    with pytest.raises(ConfigurationError) as error:
        scorer("default").score(turn(), budget_ms=budget_ms)
    cure = "give milliseconds, 0 or more, or None for no budget"
    assert str(error.value) == f"budget_ms is {told}; {cure}"


def test_waiting_for_a_thread_counts():
    seconds = itertools.count(0, 0.02)
    made = Scorer(Profile.load(), all_types=True, clock=lambda: next(seconds))
    found = asyncio.run(made.ascore(turn(), budget_ms=15))
    assert (found.status, found.measurements) == ("cut_off", {})


def first(asked: Turn, does_hold: Callable[[Assessment], bool]) -> Assessment:
    return next(found for look in LOOKS if does_hold(found := cut_at(look, asked)))


SAID = {
    "nl": (
        "Hoe sluit ik alles af?",
        "Sluit alle vensters met Alt+F7.",
        "Klik op **Turbo** en daarna op **Raket**.",
        "Geen pagina noemt “Turbo”, “Raket”.",
        "De tijd (500 ms) was op voordat alles gecontroleerd was.",
    ),
    "en": (
        "How do I close everything?",
        "Close all windows with Alt+F7.",
        "Click **Turbo** and then **Rocket**.",
        "No page names “Turbo”, “Rocket”.",
        "The time (500 ms) was up before everything was verified.",
    ),
}


@pytest.mark.parametrize("language", sorted(SAID))
def test_what_would_be_sent_is_held_back_when_not_all_faults_were_looked_for(language):
    question, page, *_, last = SAID[language]
    asked = Turn(question, page, [page], language=language)
    assert scorer("default").score(asked).verdict == "send"
    found = first(asked, lambda one: one.score is not None)
    assert (found.status, found.verdict) == ("cut_off", "review")
    held = texts(language)["verdict"]["review"].split("{score}")[1]
    assert held in found.sentences[0]
    assert found.sentences[1:] == (last,)
