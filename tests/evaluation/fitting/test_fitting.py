"""Samples, folds, fitted weights and thresholds, and held-out scores."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Profile, Scorer, Turn
from klopt.errors import InputError, ProfileError
from klopt.evaluation.fitting.evidence_weights import Sample, fit_weights, sample, splits
from klopt.evaluation.fitting.evidence_weights import samples as samples_of
from klopt.evaluation.fitting.fitting import (
    FitSettings,
    fit,
    held_out_scores,
    sent,
    threshold_by_risk,
)
from klopt.evaluation.fitting.held_out import figures
from klopt.scoring.tree import Term, Weighing
from tests.evaluation.fitting.judged import judged, many, profile

SMALL = profile()
UNSCORED = Scorer.load("afas").refuse("x", "")
SCORED = dataclasses.replace(UNSCORED, score=3.0, language="nl")
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


# Samples and folds


@pytest.mark.parametrize(
    ("rating", "label", "expected"),
    [(2.5, None, 2.5), (None, True, 5.0), (None, False, 1.0), (2.0, True, 2.0), (None, None, None)],
)
def test_the_rating_of_a_sample(rating, label, expected):
    found = sample(Turn("Hoe?", "Zo.", rating=rating, label=label), SCORED)
    assert (None if found is None else found.rating) == expected


def test_an_unscored_turn_is_no_sample():
    turn = Turn("Hoe?", "Zo.", rating=4)
    assert samples_of([(turn, UNSCORED), (turn, SCORED)]) == [sample(turn, SCORED)]


PAGES = st.lists(st.sampled_from("abcdefgh"), max_size=20)


@given(PAGES, st.integers(2, 12), st.integers(0, 3))
def test_a_page_is_in_one_fold_only(pages, count, seed):
    samples = [judged(3, page=page) for page in pages]
    held_out: list[int] = []
    for inside, outside in splits(samples, count=count, seed=seed):
        assert {pages[place] for place in inside}.isdisjoint(pages[place] for place in outside)
        assert sorted([*inside, *outside]) == list(range(len(pages)))
        assert outside
        held_out += outside
    assert sorted(held_out) == list(range(len(pages)))


# Thresholds


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
