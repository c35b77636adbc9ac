"""The probability of a claim and of an answer: bounds, order, and no dependence on length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Scorer
from klopt.verification import Finding, support_upper_bound
from klopt.verification.claims import SUPPORTED_FROM, label_of
from klopt.verification.findings import CERTAIN
from klopt.verification.networks import FEATURES, HIGHEST, LOWEST, SupportWeights, support_of_answer

CLAIMS = st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 60)), min_size=1, max_size=12)


@pytest.mark.parametrize("kind", sorted(CERTAIN))
def test_a_certain_contradiction_bounds_a_claim_below_support(kind):
    assert support_upper_bound([Finding(kind, "against", (0, 1), None)]) < SUPPORTED_FROM


@pytest.mark.parametrize(
    ("kind", "side"), [("value", "against"), ("value", "open"), ("amount", "for")]
)
def test_other_findings_do_not_bound_a_claim(kind, side):
    assert support_upper_bound([Finding(kind, side, (0, 1), None)]) == 1.0


@pytest.mark.parametrize(
    ("truth", "chances", "kinds", "label"),
    [
        (SUPPORTED_FROM, (0.3, 0.5, 0.2), [], "supported"),
        (SUPPORTED_FROM - 0.01, (0.9, 0.02, 0.08), [], "not_stated"),
        (0.2, (0.3, 0.5, 0.2), [], "contradicted"),
        (0.6, (0.3, 0.5, 0.2), [], "not_stated"),
        (0.2, (0.5, 0.3, 0.2), [], "not_stated"),
        (0.4, (0.5, 0.1, 0.4), ["amount"], "contradicted"),
        (0.4, (0.5, 0.1, 0.4), ["value"], "not_stated"),
    ],
)
def test_a_label_follows_the_probability_and_the_contradictions(truth, chances, kinds, label):
    findings = [Finding(kind, "against", (0, 1), (2, 3)) for kind in kinds]
    assert label_of(truth, chances, findings) == label


def test_the_shipped_weights_are_not_negative():
    weights = SupportWeights.load().weights
    assert weights.shape == (len(FEATURES),)
    assert (weights >= 0).all()
    assert weights.any()


@given(st.lists(st.floats(-7, 7), min_size=len(FEATURES), max_size=len(FEATURES)))
def test_a_higher_feature_lowers_no_claim(values):
    weights, row = SupportWeights.load(), np.array([values, values])
    for column in range(len(FEATURES)):
        more = row.copy()
        more[1, column] += 1
        low, high = weights.probabilities(more)
        assert LOWEST <= low <= high <= HIGHEST


@given(CLAIMS)
def test_an_answer_lies_between_its_claims(claims):
    likely = [min(HIGHEST, max(LOWEST, one)) for one, _ in claims]
    assert min(likely) - 1e-9 <= support_of_answer(claims) <= max(likely) + 1e-9


def test_a_value_on_no_page_is_not_supported():
    scorer = Scorer.load()
    page = "# Adres\n\nEen nieuw adres geldt voor loonstroken die na 14 dagen verschijnen."
    answer = "De verwerking van bestanden duurt 24 uur."
    found = scorer.score("Hoelang duurt de verwerking?", answer, [page])
    assert found.verdict != "send"
    assert found.claims[0].relation != "supported"
