"""The line between untrue and true: where the asked share of the best answers falls below 3."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.scoring.tree import Term, Weighing
from klopt.tuning.evidence_weights import log_odds
from klopt.tuning.fitting import Line, find_line
from tests.tuning.judged import judged


def moved(line: Line, before: float) -> float:
    """The log-odds after, of an answer that had these before."""
    return line.steepness * before + line.shift


@pytest.mark.parametrize(
    ("share", "below"),
    [(0.0, 0), (0.1, 1), (0.25, 3), (0.5, 5)],
)
def test_the_asked_share_of_the_best_falls_below_3(share: float, below: int):
    """Ten answers rated 5, from -2 up in steps of a half; two untrue ones far below them."""
    best = [-2 + number / 2 for number in range(10)]
    odds, ratings = [*best, -3.0, -4.0], [5.0] * 10 + [1.0, 2.0]
    found = find_line(odds, ratings, held_back_share=share, send_from=3.0)
    assert sum(moved(found, one) < -1e-9 for one in best) == below


def test_the_line_by_hand():
    """Held back at a half: the middle one of three answers rated 5 comes to lie at 0."""
    found = find_line([-1.0, 0.25, 3.0, -2.0], [5, 5, 5, 1], held_back_share=0.5, send_from=3.0)
    assert moved(found, 0.25) == pytest.approx(0.0)


@pytest.mark.parametrize("send_from", [1.5, 3.0, 3.8])
def test_the_line_lies_where_the_profile_sends(send_from: float):
    odds, ratings = [-1.0, 0.25, 3.0, -2.0], [5, 5, 5, 1]
    found = find_line(odds, ratings, held_back_share=0.5, send_from=send_from)
    assert found.score(0.25) == pytest.approx(send_from)


@pytest.mark.parametrize(("odds", "ratings"), [([1.0, -1.0], [4.5, 1.0]), ([], [])])
def test_without_an_answer_rated_5_nothing_changes(odds: list[float], ratings: list[float]):
    weighing = Weighing(0.5, {"components_together": Term(2.0, 0.75)})
    found = find_line(odds, ratings, held_back_share=0.1, send_from=3.0)
    assert found.moved(weighing) == weighing


@pytest.mark.parametrize(
    ("odds", "ratings", "steepness"),
    [
        pytest.param([0.0, 0.1, -0.1], [5, 5, 1], 4.0, id="too faint: as steep as may be"),
        pytest.param([0.0, 9.0, -9.0], [5, 3, 3], 0.5, id="far too sure: as flat as may be"),
    ],
)
def test_steepness_brings_scores_near_the_ratings(
    odds: list[float], ratings: list[float], steepness: float
):
    found = find_line(odds, ratings, held_back_share=0.0, send_from=3.0)
    assert found.steepness == steepness


def test_a_weighing_that_is_moved_gives_the_moved_log_odds():
    before = Weighing(0.5, {"components_together": Term(2.0, 0.75), "step_order": Term(1.0, 1.0)})
    line = Line(3.0, -0.25)
    after = line.moved(before)
    assert {name: term.neutral for name, term in after.terms.items()} == {
        "components_together": 0.75,
        "step_order": 1.0,
    }
    for one in (
        judged(1),
        judged(1, components_together=0.25),
        judged(1, components_together=1.0, step_order=0.5),
    ):
        assert log_odds(one, after) == pytest.approx(moved(line, log_odds(one, before)))


ANSWERS = st.lists(
    st.tuples(st.floats(-20, 20), st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0])), max_size=15
)


@settings(max_examples=40, deadline=None)
@given(ANSWERS, st.floats(0, 0.5))
def test_the_order_of_answers_stays(answers: list[tuple[float, float]], share: float):
    odds, ratings = [one for one, _ in answers], [rating for _, rating in answers]
    found = find_line(odds, ratings, held_back_share=share, send_from=3.0)
    assert 0.5 <= found.steepness <= 4
    ranked = [found.score(one) for one in sorted(odds)]
    assert all(low <= high for low, high in itertools.pairwise(ranked))


@settings(max_examples=40, deadline=None)
@given(ANSWERS, st.floats(0, 0.5))
def test_never_more_than_the_asked_share(answers: list[tuple[float, float]], share: float):
    odds, ratings = [one for one, _ in answers], [rating for _, rating in answers]
    found = find_line(odds, ratings, held_back_share=share, send_from=3.0)
    best = [one for one, rating in answers if rating == 5]
    if best:
        below = sum(moved(found, one) < -1e-9 for one in best)
        assert below <= share * (len(best) - 1) + 1
