"""The line between untrue and true: where the asked share of the best answers falls below 3."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.scoring.tree import Term, Weighing, logistic
from klopt.tuning.calibration import calibrate
from tests.tuning.judged import terms

WEIGHING = Weighing(0.5, {"polarity": Term(2.0, 0.75), "step_order": Term(1.0, 1.0)})


def moved(before: Weighing, after: Weighing, log_odds: float) -> float:
    """The log-odds after, of an answer that had these before."""
    steepness = after.terms["polarity"].weight / before.terms["polarity"].weight
    return after.base + steepness * (log_odds - before.base)


@pytest.mark.parametrize(
    ("share", "below"),
    [(0.0, 0), (0.1, 1), (0.25, 3), (0.5, 5)],
)
def test_the_asked_share_of_the_best_falls_below_3(share: float, below: int):
    """Ten answers rated 5, from -2 up in steps of a half; two untrue ones far below them."""
    best = [-2 + number / 2 for number in range(10)]
    log_odds, ratings = [*best, -3.0, -4.0], [5.0] * 10 + [1.0, 2.0]
    found = calibrate(WEIGHING, log_odds, ratings, held_back_share=share, send_from=3.0)
    assert sum(moved(WEIGHING, found, one) < -1e-9 for one in best) == below


def test_the_line_by_hand():
    """Held back at a half: the middle one of three answers rated 5 comes to lie at 0."""
    found = calibrate(
        WEIGHING, [-1.0, 0.25, 3.0, -2.0], [5, 5, 5, 1], held_back_share=0.5, send_from=3.0
    )
    assert moved(WEIGHING, found, 0.25) == pytest.approx(0.0)


@pytest.mark.parametrize("send_from", [1.5, 3.0, 3.8])
def test_the_line_lies_where_the_profile_sends(send_from: float):
    found = calibrate(
        WEIGHING, [-1.0, 0.25, 3.0, -2.0], [5, 5, 5, 1], held_back_share=0.5, send_from=send_from
    )
    assert 1 + 4 * logistic(moved(WEIGHING, found, 0.25)) == pytest.approx(send_from)


def test_without_an_answer_rated_5_nothing_changes():
    assert (
        calibrate(WEIGHING, [1.0, -1.0], [4.5, 1.0], held_back_share=0.1, send_from=3.0) is WEIGHING
    )
    assert calibrate(WEIGHING, [], [], held_back_share=0.1, send_from=3.0) is WEIGHING


@pytest.mark.parametrize(
    ("log_odds", "ratings", "steepness"),
    [
        pytest.param([0.0, 0.1, -0.1], [5, 5, 1], 4.0, id="too faint: as steep as may be"),
        pytest.param([0.0, 9.0, -9.0], [5, 3, 3], 0.5, id="far too sure: as flat as may be"),
    ],
)
def test_steepness_brings_scores_near_the_ratings(
    log_odds: list[float], ratings: list[float], steepness: float
):
    found = calibrate(WEIGHING, log_odds, ratings, held_back_share=0.0, send_from=3.0)
    assert found.terms == {
        name: Term(term.weight * steepness, term.neutral) for name, term in WEIGHING.terms.items()
    }


ANSWERS = st.lists(
    st.tuples(st.floats(-20, 20), st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0])), max_size=15
)


@settings(max_examples=40, deadline=None)
@given(ANSWERS, st.floats(0, 0.5))
def test_the_order_of_answers_stays(answers: list[tuple[float, float]], share: float):
    log_odds, ratings = [one for one, _ in answers], [rating for _, rating in answers]
    found = calibrate(WEIGHING, log_odds, ratings, held_back_share=share, send_from=3.0)
    assert found.terms.keys() == WEIGHING.terms.keys()
    numbers = {found.terms[name].weight / WEIGHING.terms[name].weight for name in found.terms}
    assert max(numbers) == pytest.approx(min(numbers))
    assert 0.5 - 1e-9 <= min(numbers) <= 4 + 1e-9
    ranked = [moved(WEIGHING, found, one) for one in sorted(log_odds)]
    assert all(low <= high + 1e-9 for low, high in itertools.pairwise(ranked))


@settings(max_examples=40, deadline=None)
@given(ANSWERS, st.floats(0, 0.5))
def test_never_more_than_the_asked_share(answers: list[tuple[float, float]], share: float):
    log_odds, ratings = [one for one, _ in answers], [rating for _, rating in answers]
    before = Weighing(0.0, terms(polarity=1.0))
    found = calibrate(before, log_odds, ratings, held_back_share=share, send_from=3.0)
    best = [one for one, rating in answers if rating == 5]
    if best:
        below = sum(moved(before, found, one) < -1e-9 for one in best)
        assert below <= share * (len(best) - 1) + 1
