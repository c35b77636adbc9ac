"""The line from which answers are sent: by the best that it holds back, or by what is untrue."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.scoring.tree import Term, Weighing
from klopt.tuning.evidence_weights import log_odds
from klopt.tuning.lines import Line, find_line, line_by_risk, sent
from klopt.tuning.samples import Sample
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


# By risk.


def ladder(*untrue: int, count: int = 40, held: int = 0) -> list[tuple[Sample, float]]:
    """Answers at 1.1, 1.2 and so on, all rated 5 but those at these places, the lowest held."""
    return [
        (
            dataclasses.replace(judged(1.0 if number in untrue else 5.0), held=number < held),
            1.1 + number / 10,
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("untrue", "share", "line"),
    [
        pytest.param((), 0.1, 1.0, id="nothing is untrue: all is sent"),
        pytest.param((3, 9), 0.05, 2.1, id="above the highest untrue one: 1 of 32"),
        pytest.param((3, 9), 0.08, 1.0, id="3 of 42 is within that share"),
        pytest.param((0, 1, 2, 3, 20, 21), 0.1, 1.5, id="as low as it may: 3 of 38"),
        pytest.param((), 0.02, None, id="one of 42 is more already"),
        pytest.param((39,), 0.05, 1.0, id="2 of 42, the best of all among them"),
    ],
)
def test_the_lowest_line_within_the_risk(untrue: tuple[int, ...], share: float, line: float | None):
    assert line_by_risk(ladder(*untrue), share) == line


def test_what_is_held_for_a_fault_counts_neither_as_sent_nor_as_untrue():
    assert line_by_risk(ladder(3, held=4), 0.03) == 1.0
    found = sent(ladder(3, 9, held=4), 1.0)
    assert (found.count, found.total, found.untrue.n, found.true.n) == (36, 40, 36, 38)
    assert (found.untrue.value, found.true.value) == (1 / 36, 35 / 38)


def test_fewer_than_ten_sent_draw_no_line():
    assert line_by_risk(ladder(count=9), 0.5) is None
    assert line_by_risk([], 0.5) is None
    assert sent([], 3.0).untrue.value is None


@given(st.lists(st.tuples(st.integers(1, 5), st.floats(1, 5), st.booleans()), max_size=60))
def test_a_lower_risk_never_sends_more(rows: list[tuple[int, float, bool]]):
    scored = [(dataclasses.replace(judged(r), held=held), score) for r, score, held in rows]
    lines = [line_by_risk(scored, share) for share in (0.0, 0.1, 0.5)]
    found = [sent(scored, 6.0 if one is None else one).count for one in lines]
    assert found == sorted(found)
