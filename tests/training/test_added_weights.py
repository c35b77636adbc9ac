"""Weights added beside those that a profile has."""

import pytest

from klopt.scoring.tree import Weighing
from tests.evaluation.fitting.judged import many, terms
from training.added_weights import MAX_WEIGHT, add_weights, log_odds

LINE = {"held_back_share": 0.1, "send_from": 3.0}
KEPT = Weighing(0.75, terms(components_defined=1.5, complex_answer=0.5))


def test_only_the_new_weight_is_learnt():
    found = add_weights(many(60), ("statements_hold",), KEPT, **LINE)
    assert found.base == KEPT.base
    assert {name: found.terms[name] for name in KEPT.terms} == KEPT.terms
    assert 0 < found.terms["statements_hold"].weight <= MAX_WEIGHT


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_the_neutral_value_puts_the_line_in_its_place(share):
    """Of the 20 answers rated 5, about this share gets log-odds below 0."""
    samples = many(60)
    found = add_weights(samples, ("statements_hold",), KEPT, **{**LINE, "held_back_share": share})
    assert 0 < found.terms["statements_hold"].neutral < 1
    best = [one for one in samples if one.rating == 5]
    below = sum(log_odds(one, found) < -1e-9 for one in best)
    assert len(best) == 20
    assert abs(below - share * 20) <= 1
