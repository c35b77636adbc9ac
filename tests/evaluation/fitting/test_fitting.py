"""Profiles fitted to rated answers, held-out scores, and weights."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Profile
from klopt.errors import InputError, ProfileError
from klopt.evaluation.fitting.evidence_weights import fit_weights
from klopt.evaluation.fitting.fitting import FitSettings, fit, held_out_scores
from klopt.evaluation.fitting.held_out import figures
from klopt.scoring.tree import Term, Weighing
from tests.evaluation.fitting.judged import judged, many, profile

SMALL = profile()
THREE = FitSettings(folds=3, weights="anew")
"""Fit everything, from these answers alone."""


@pytest.fixture(scope="module")
def samples():
    return many(60)


@pytest.fixture(scope="module")
def fitted(samples):
    return fit(samples, SMALL, THREE)


def test_the_tree_and_other_languages_are_unchanged(fitted):
    assert fitted.tree == SMALL.tree
    assert fitted.evidence["en"] == SMALL.evidence["en"]
    assert fitted.evidence["nl"].terms.keys() == {"statements_hold"}


def test_fitted_rows_are_recorded(samples):
    start = dataclasses.replace(SMALL, learnt_from={"nl": frozenset({b"old."}), "en": {b"kept"}})
    rows = [bytes([65, 65, 65, number]) for number in range(len(samples))]
    given = [dataclasses.replace(one, row=row) for one, row in zip(samples, rows, strict=True)]
    assert fit(given, start, THREE).rows == {"nl": frozenset(rows), "en": {b"kept"}}
    assert fit(given, start).rows["nl"] == frozenset([b"old.", *rows])


def test_held_out_scores_separate_true_and_untrue_answers():
    samples = many(120)
    found = figures(samples, held_out_scores(samples, SMALL, THREE), 3.0)["nl"]
    assert found[0] == "answers: 120 on 12 pages"
    assert float(found[2].removeprefix("AUC, true against untrue: ").split()[0]) > 0.9


def test_more_answers_move_weights_further_from_the_start(samples):
    weights = [
        fit(many(count), SMALL).evidence["nl"].terms["statements_hold"].weight
        for count in (20, 60, 600)
    ]
    assert weights == sorted(weights)
    assert weights[0] < 0.6 * weights[2]
    stayed = fit(samples, SMALL, FitSettings(nearness=1e6)).evidence["nl"]
    assert stayed == SMALL.evidence["nl"]


def test_a_held_out_score_does_not_depend_on_ratings_of_its_page(samples):
    before = held_out_scores(samples, SMALL, THREE)
    changed = [
        dataclasses.replace(one, rating=3.0) if one.group == "page-1" else one for one in samples
    ]
    after = held_out_scores(changed, SMALL, THREE)
    places = [place for place, one in enumerate(samples) if one.group == "page-1"]
    assert len(places) == 5
    assert [after[place] for place in places] == [before[place] for place in places]


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        (many(19), "19 rated answers in language nl are too few: fitting needs at least 20"),
        ([*many(30), *many(3, language="en")], "3 rated answers in language en are too few"),
        (
            [dataclasses.replace(one, rating=4.0) for one in many(30)],
            "all answers in language nl have the same rating",
        ),
    ],
    ids=["few", "few in one language", "alike"],
)
def test_too_few_or_equal_ratings_are_refused(samples, message):
    with pytest.raises(InputError, match=f"^{message}"):
        fit(samples, SMALL, THREE)


def test_a_profile_that_ends_in_a_sum_is_refused(samples):
    afas = Profile.load("afas")
    for refused in (lambda: fit(samples, afas), lambda: held_out_scores([], afas)):
        with pytest.raises(ProfileError, match=r'"afas" adds up its features .*, so there'):
            refused()


def test_figures_by_hand():
    """Rated 1: two of three below 3. Rated 5: one, and one held for a fault. 3 is neither."""
    ratings, scores = (1, 1, 1, 5, 5, 3, 2), (1.5, 2.9, 3.0, 4.0, 2.0, 3.0, None)
    samples = [judged(rating, page=str(n // 2)) for n, rating in enumerate(ratings)]
    samples[3] = dataclasses.replace(samples[3], held=True)
    lines = figures(samples, scores, 3.0)["nl"]
    assert lines[0] == "answers: 6 on 3 pages"
    assert lines[2] == "AUC, true against untrue: 0.67"
    assert lines[3] == "rated 1 and not sent from 3: 67% of 3 (95%: 21% to 94%)"
    assert lines[4] == "rated 5 and not sent from 3: 100% of 2 (95%: 34% to 100%)"
    assert all("nan" not in line for line in lines)


NAMES = ("complex_answer", "components_defined", "statements_hold")


def test_signal_has_more_weight_than_noise_and_an_opposing_feature_none():
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


def test_features_without_information_keep_their_weight():
    start = Weighing(0.25, {"components_defined": Term(1.5, 0.75), "step_order": Term(0.5, 1.0)})
    samples = [judged(1 + 4 * (n % 2), components_defined=0.5, step_order=0.5) for n in range(20)]
    found = fit_weights(samples, ("components_defined", "step_order", "statements_hold"), start)
    assert found.terms == start.terms
    assert fit_weights([], NAMES, start) == start
