"""What weights are learnt from judged answers: never negative, and only where there is a signal."""

import math

from hypothesis import given
from hypothesis import strategies as st

from klopt.evaluation.fitting.evidence_weights import fit_weights
from klopt.scoring.tree import Term, Weighing
from tests.evaluation.fitting.judged import judged, many

NAMES = ("complex_answer", "components_defined", "statements_hold")


def test_signal_weighs_more_than_noise_and_what_runs_against_the_ratings_nothing():
    found = fit_weights(many(60), NAMES)
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
def test_weights_are_never_negative_and_neutral_values_are_shares(rows):
    named = ((rating, zip(NAMES, values, strict=True)) for rating, *values in rows)
    samples = [judged(r, **{n: v for n, v in some if v is not None}) for r, some in named]
    found = fit_weights(samples, NAMES)
    assert math.isfinite(found.base)
    for term in found.terms.values():
        assert 0 < term.weight < math.inf
        assert 0 <= term.neutral <= 1


def test_what_says_nothing_here_stays_as_it_was_learnt():
    start = Weighing(0.25, {"components_defined": Term(1.5, 0.75), "step_order": Term(0.5, 1.0)})
    samples = [judged(1 + 4 * (n % 2), components_defined=0.5, step_order=0.5) for n in range(20)]
    found = fit_weights(samples, ("components_defined", "step_order", "statements_hold"), start)
    assert found.terms == start.terms
    assert fit_weights([], NAMES, start) == start
