"""The last node of a fitted profile, which adds evidence as log-odds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.scoring.tree import (
    HIGHEST,
    LOWEST,
    Cut,
    Term,
    Visit,
    Walk,
    Weigh,
    Weighing,
    needed,
    walk,
)
from klopt.types import Measurement

SAYS = {"nl": "Zo is het.", "en": "So it is."}
LOW = Cut("low", "steps", 0.25, None, 1.0, SAYS)
WEIGH = Weigh("weighed", ("names", "order", "wording"), SAYS)
WEIGHING = Weighing(0.5, {"names": Term(2.0, 1.0), "order": Term(4.0, 0.5)})


def walked(weighing: Weighing | None = WEIGHING, /, **values: float) -> Walk:
    """The walk through a cut and a weigh with only these measurements."""
    return walk(
        (LOW, WEIGH), {}, {name: Measurement(one) for name, one in values.items()}, weighing
    )


@pytest.mark.parametrize(
    ("values", "log_odds"),
    [
        pytest.param({"names": 1.0, "order": 0.5}, 0.5, id="neutral: the base"),
        pytest.param({"names": 0.5, "order": 0.5}, -0.5, id="0.5 + 2 × -0.5"),
        pytest.param({"names": 0.0, "order": 0.0}, -3.5, id="0.5 + 2 × -1 + 4 × -0.5"),
        pytest.param({"names": 1.0, "order": 1.0}, 2.5, id="0.5 + 0 + 4 × 0.5"),
        pytest.param({"names": 0.75, "order": 0.75}, 1.0, id="0.5 - 0.5 + 1"),
        pytest.param({"names": 0.5}, -0.5, id="0.5 + 2 × -0.5, without the missing value"),
    ],
)
def test_log_odds_by_hand(values, log_odds):
    found = walked(**values)
    assert found.rule == "weighed"
    # The tree computes this with tanh.
    assert found.score == pytest.approx(1 + 4 / (1 + math.exp(-log_odds)))


def test_a_heuristic_without_weight_in_the_language_is_not_measured():
    weighing = Weighing(0.0, {"names": Term(1.0, 0.5), "order": Term(0.0, 0.5)})
    assert needed((WEIGH,), {}, weighing) == ("names",)
    every = dict.fromkeys(WEIGH.heuristics, Measurement(1.0))
    assert walk((WEIGH,), {}, every, weighing).contributions == {"names": 0.5}


@pytest.mark.parametrize(
    ("weighing", "values"),
    [
        pytest.param(WEIGHING, {}, id="nothing measured"),
        pytest.param(WEIGHING, {"wording": 1.0}, id="only a heuristic without weight"),
        pytest.param(Weighing(3.0, {}), {"names": 1.0}, id="only a base"),
        pytest.param(None, {"names": 1.0}, id="a language without evidence"),
    ],
)
def test_without_evidence_there_is_no_score(weighing, values):
    found = walked(weighing, **values)
    assert (found.score, found.rule, found.contributions) == (None, None, {})
    assert found.visits[-1] == Visit("weighed", None, None, "", False)


SHARES = st.one_of(st.none(), st.floats(0, 1))
WEIGHTS = st.floats(0, 1_000)


@given(
    st.floats(-1_000, 1_000),
    st.lists(st.tuples(WEIGHTS, st.floats(0, 1), SHARES), min_size=3, max_size=3),
    st.integers(0, 2),
    st.floats(0, 1),
)
def test_the_score_is_from_1_to_5_and_monotonic(base, terms, place, other):
    weighing = Weighing(
        base,
        {
            name: Term(weight, neutral)
            for name, (weight, neutral, _) in zip(WEIGH.heuristics, terms, strict=True)
        },
    )
    values = {
        name: value
        for name, (_, _, value) in zip(WEIGH.heuristics, terms, strict=True)
        if value is not None
    }
    name = WEIGH.heuristics[place]
    low, high = sorted((values.get(name, other), other))
    before = walked(weighing, **{**values, name: low}).score
    after = walked(weighing, **{**values, name: high}).score
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert LOWEST <= before <= after <= HIGHEST
