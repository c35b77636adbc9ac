"""What weights are learnt from judged answers: never negative, and only where there is a signal."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.scoring.tree import Term, Weighing
from klopt.tuning.evidence_weights import FEWEST_VALUES, MOST_WEIGHT, add, learn, log_odds
from tests.tuning.judged import judged, many, terms

NAMES = ("complex_answer", "components_defined", "statements_hold")


def test_signal_weighs_more_than_noise_and_what_runs_against_the_ratings_nothing():
    found = learn(many(60), NAMES)
    assert "complex_answer" not in found.terms
    support = found.terms["statements_hold"].weight
    assert support > 1
    assert found.terms.get("components_defined", Term(0.0, 0.0)).weight < support / 3


@given(
    st.lists(
        st.tuples(st.integers(1, 5), *[st.one_of(st.none(), st.floats(0, 1))] * len(NAMES)),
        max_size=25,
    )
)
def test_weights_are_never_negative_and_neutral_values_are_shares(rows: list[tuple]):
    named = ((rating, zip(NAMES, values, strict=True)) for rating, *values in rows)
    samples = [judged(r, **{n: v for n, v in some if v is not None}) for r, some in named]
    found = learn(samples, NAMES)
    assert math.isfinite(found.base)
    for term in found.terms.values():
        assert 0 < term.weight < math.inf
        assert 0 <= term.neutral <= 1


def test_a_heuristic_that_is_the_same_on_all_answers_is_left_out():
    samples = [judged(1 + 4 * (n % 2), components_defined=0.5, step_order=1.0) for n in range(20)]
    assert learn(samples, ("components_defined", "step_order")).terms == {}


def test_what_says_nothing_here_stays_as_it_was_learnt():
    start = Weighing(0.25, {"components_defined": Term(1.5, 0.75), "step_order": Term(0.5, 1.0)})
    samples = [judged(1 + 4 * (n % 2), components_defined=0.5, step_order=0.5) for n in range(20)]
    found = learn(samples, ("components_defined", "step_order", "statements_hold"), start)
    assert found.terms == start.terms
    assert learn([], NAMES, start) == start


@pytest.mark.parametrize(
    ("count", "is_weighed"), [(FEWEST_VALUES - 1, False), (FEWEST_VALUES, True)]
)
def test_a_heuristic_that_was_measured_too_rarely_is_left_out(count: int, is_weighed: bool):
    samples = [
        judged(1 + 4 * (n % 2), **({"components_defined": float(n % 2)} if n < count else {}))
        for n in range(20)
    ]
    assert ("components_defined" in learn(samples, ("components_defined",)).terms) is is_weighed


def test_neutral_is_1_for_what_looks_for_faults_and_the_mean_for_the_rest():
    """An answer without steps has no step out of order."""
    values = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.5)
    samples = [judged(1 + 4 * value, step_order=value, complex_answer=value) for value in values]
    found = learn(samples, ("step_order", "complex_answer"))
    assert found.terms["step_order"].neutral == 1.0
    assert found.terms["complex_answer"].neutral == pytest.approx(0.5)


# Beside what a profile has.

LINE = {"held_back_share": 0.1, "send_from": 3.0}
KEPT = Weighing(0.75, terms(components_defined=1.5, complex_answer=0.5))


def test_only_the_new_weight_is_learnt():
    found = add(many(60), ("statements_hold",), KEPT, **LINE)
    assert found.base == KEPT.base
    assert {name: found.terms[name] for name in KEPT.terms} == KEPT.terms
    assert 0 < found.terms["statements_hold"].weight <= MOST_WEIGHT


def test_what_the_profile_had_of_it_is_forgotten_when_it_teaches_nothing():
    one, other = terms(components_defined=1.5), terms(complex_answer=0.5)
    assert add(many(60), ("complex_answer",), KEPT, **LINE) == Weighing(0.75, one)
    assert add([], ("components_defined",), KEPT, **LINE) == Weighing(0.75, other)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_the_neutral_value_puts_the_line_in_its_place(share: float):
    """Of the 20 answers rated 5, about this share gets log-odds below 0."""
    samples = many(60)
    found = add(samples, ("statements_hold",), KEPT, **{**LINE, "held_back_share": share})
    assert 0 < found.terms["statements_hold"].neutral < 1
    best = [one for one in samples if one.rating == 5]
    below = sum(log_odds(one, found) < -1e-9 for one in best)
    assert len(best) == 20
    assert abs(below - share * 20) <= 1


def test_answers_without_the_new_heuristic_keep_their_score():
    found = add(many(60), ("statements_hold",), KEPT, **LINE)
    other = judged(3, components_defined=0.25, complex_answer=1.0)
    assert log_odds(other, found) == log_odds(other, KEPT)


def test_what_weighs_beside_nothing_else_has_a_limit():
    """On these answers the profile's own heuristics say nothing to weigh it against."""
    samples = [judged(1 + 4 * (n % 2), statements_hold=float(n % 2)) for n in range(40)]
    found = add(samples, ("statements_hold",), KEPT, **LINE)
    assert found.terms["statements_hold"].weight == MOST_WEIGHT
