"""Weights added to those of a profile."""

import pytest

from klopt.scoring.tree import Term, Weighing
from tests.evaluation.fitting.judged import many
from training.added_weights import MAX_WEIGHT, add_weights, log_odds

LIMITS = {"held_back_share": 0.1, "send_from": 3.0}
OLD = Weighing(0.75, {"components_defined": Term(1.5, 0.5), "complex_answer": Term(0.5, 0.5)})


def test_only_the_new_weight_is_fitted():
    found = add_weights(many(60), ("statements_hold",), OLD, **LIMITS)
    assert found.base == OLD.base
    assert {name: found.terms[name] for name in OLD.terms} == OLD.terms
    assert 0 < found.terms["statements_hold"].weight <= MAX_WEIGHT


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_the_neutral_value_sets_the_threshold(share):
    """About this share of the 20 answers rated 5 has log-odds below 0."""
    samples = many(60)
    found = add_weights(samples, ("statements_hold",), OLD, **{**LIMITS, "held_back_share": share})
    assert 0 < found.terms["statements_hold"].neutral < 1
    best = [one for one in samples if one.rating == 5]
    below = sum(log_odds(one, found) < -1e-9 for one in best)
    assert len(best) == 20
    assert abs(below - share * 20) <= 1
