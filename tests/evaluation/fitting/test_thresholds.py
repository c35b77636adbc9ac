"""The threshold for sending answers, by the share of untrue answers among those sent."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.evaluation.fitting.evidence_weights import Sample
from klopt.evaluation.fitting.fitting import sent, threshold_by_risk
from tests.evaluation.fitting.judged import judged


def ladder(*untrue: int, count: int = 40, held: int = 0) -> list[tuple[Sample, float]]:
    """Answers that score 1.1, 1.2 and so on; those at ``untrue`` are rated 1, the lowest held."""
    return [
        (
            dataclasses.replace(judged(1.0 if number in untrue else 5.0), held=number < held),
            1.1 + number / 10,
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("untrue", "share", "threshold"),
    [
        pytest.param((), 0.1, 1.1, id="no untrue answer: all are sent"),
        pytest.param((3, 9), 0.05, 2.1, id="above the highest untrue one: 1 of 32"),
        pytest.param((3, 9), 0.08, 1.1, id="3 of 42 is within that share"),
        pytest.param((0, 1, 2, 3, 20, 21), 0.1, 1.5, id="as low as allowed: 3 of 38"),
        pytest.param((), 0.02, None, id="one of 42 is too many"),
        pytest.param((39,), 0.05, 1.1, id="2 of 42, one with the highest score"),
    ],
)
def test_the_lowest_threshold_within_the_risk(untrue, share, threshold):
    assert threshold_by_risk(ladder(*untrue), share) == threshold


def test_answers_held_for_a_fault_are_not_counted():
    assert threshold_by_risk(ladder(3, held=4), 0.03) == 1.5
    found = sent(ladder(3, 9, held=4), 1.0)
    assert (found.count, found.total, found.untrue.n, found.true.n) == (36, 40, 36, 38)
    assert (found.untrue.value, found.true.value) == (1 / 36, 35 / 38)


@given(st.lists(st.tuples(st.integers(1, 5), st.floats(1, 5), st.booleans()), max_size=60))
def test_a_lower_risk_sends_no_more_answers(rows):
    scored = [(dataclasses.replace(judged(r), held=held), score) for r, score, held in rows]
    thresholds = [threshold_by_risk(scored, share) for share in (0.0, 0.1, 0.5)]
    found = [sent(scored, 6.0 if one is None else one).count for one in thresholds]
    assert found == sorted(found)
