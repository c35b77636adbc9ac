"""Figures of agreement by hand, their intervals, differences, and reasons for missing figures."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.evaluation.agreement import (
    accuracy_margin_1,
    auc,
    auc_difference,
    kendall,
    pearson,
    spearman,
    spearman_difference,
)
from klopt.evaluation.agreement import quadratic_weighted_kappa as kappa
from klopt.evaluation.estimate import Estimate, Resampling, share
from klopt.evaluation.features import NumberColumn, column_agreement
from klopt.evaluation.message_types import mean_recognition, recognition_of
from tests.evaluation.rated_rows import judged

QUICK = Resampling(resamples=50)
CORRELATIONS = (spearman, kendall, pearson)

SCORES = st.floats(1, 5).map(lambda value: round(value, 3))
PAIRS = st.lists(st.tuples(SCORES, st.integers(1, 5)), min_size=3, max_size=40)


@pytest.mark.parametrize(
    ("figure", "scores", "ratings", "value"),
    [
        # One swap of neighbours: 1 - 6 (1 + 1) / (4 (16 - 1)).
        (spearman, [1, 2, 3, 4], [1, 3, 2, 4], 0.8),
        # Ranks 1, 2.5, 2.5, 4 and 1 to 4: 4.5 / sqrt(4.5 x 5).
        (spearman, [1, 2, 2, 3], [1, 2, 3, 4], 4.5 / math.sqrt(22.5)),
        (spearman, [5, 4, 3, 2], [1, 2, 4, 5], -1.0),
        # Five pairs of six in the same order, one in the other.
        (kendall, [1, 2, 3, 4], [1, 3, 2, 4], 4 / 6),
        # Tau-b: five concordant, one tied in the scores: 5 / sqrt(5 x 6).
        (kendall, [1, 2, 2, 3], [1, 2, 3, 4], 5 / math.sqrt(30)),
        # Deviations -1, 0, 1 and -4/3, -1/3, 5/3: 3 / sqrt(2 x 14/3).
        (pearson, [1, 2, 3], [1, 2, 4], 3 / math.sqrt(28 / 3)),
        # Observed 1/3; expected 15/9 over all nine pairs; 1 - 0.2.
        (kappa, [1, 2, 3], [1, 3, 3], 0.8),
        # 2.5 rounds to three stars, 2.49 to two.
        (kappa, [1, 2.5, 2.49], [1, 3, 2], 1.0),
        (kappa, [3, 3, 3], [1, 3, 5], 0.0),
        # True 3 and 5, untrue 1 and 3: 1, 1/2, 1 and 1 of four pairs.
        (auc, [1, 3, 3, 5], [False, False, True, True], 3.5 / 4),
        (auc, [2, 2, 2], [False, True, True], 0.5),
        # The margin includes its ends: |2 - 1| and |4 - 5|.
        (accuracy_margin_1, [2, 2.001, 4, 1], [1, 1, 5, 5], 0.5),
    ],
)
def test_figures_by_hand(figure, scores, ratings, value):
    assert figure(scores, ratings).value == pytest.approx(value, abs=1e-12)


FEW = "fewer than 3 rows"
UNDEFINED = [
    ([], [], FEW),
    ([1, 2], [1, 2], FEW),
    ([3, 3, 3], [1, 2, 5], "all scores are the same"),
    ([3, 3 + 1e-12, 3], [1, 2, 5], "all scores are the same"),
    ([1, 2, 3], [4, 4, 4], "all ratings are the same"),
]


@pytest.mark.parametrize(
    ("figure", "scores", "judgements", "reason"),
    [
        *((figure, *case) for figure in CORRELATIONS for case in UNDEFINED),
        (auc, [], [], FEW),
        (auc, [1, 2, 3], [True, True, True], "no untrue answers"),
        (auc, [1, 2, 3], [False, False, False], "no true answers"),
        (kappa, [3, 3], [1, 5], FEW),
        (kappa, [3, 3.2, 2.9], [3, 3, 3], "all scores and ratings fall on the same star"),
    ],
)
def test_missing_figures(figure, scores, judgements, reason):
    found = figure(scores, judgements)
    assert (found.value, found.low, found.high, found.p) == (None, None, None, None)
    assert (found.n, found.reason) == (len(scores), reason)


@pytest.mark.parametrize("figure", [*CORRELATIONS, kappa, accuracy_margin_1, auc])
def test_different_numbers_of_scores_and_judgements(figure):
    with pytest.raises(ValueError, match="3 scores for 2 judgements"):
        figure([1, 2, 3], [1, 2])


@given(PAIRS)
def test_figures_and_intervals_are_bounded(pairs):
    scores, ratings = zip(*pairs, strict=True)
    is_true = [rating > 3 for rating in ratings]
    found = [figure(scores, ratings, QUICK) for figure in CORRELATIONS]
    found += [kappa(scores, ratings, QUICK), auc(scores, is_true, QUICK)]
    for one in found:
        assert (one.value is None) <= (one.reason is not None)
        assert one.value is None or -1 <= one.value <= 1
        assert (one.low is None) == (one.high is None)
        if one.low is not None:
            assert -1 <= one.low <= one.high <= 1


# Intervals and differences

TWELVE = np.array([1.0, 1.4, 1.4, 2.2, 2.6, 3.0, 3.0, 3.3, 3.9, 4.2, 4.2, 5.0])
RATED = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 5.0, 2.0, 4.0, 3.0, 5.0, 4.0, 5.0])
IS_TRUE = RATED > 3
FIGURES = [(spearman, RATED), (kendall, RATED), (pearson, RATED), (auc, IS_TRUE)]
FIGURES += [(kappa, RATED)]


@pytest.mark.parametrize(("figure", "judgements"), FIGURES)
def test_a_seed_gives_one_interval_around_the_figure(figure, judgements):
    found = figure(TWELVE, judgements)
    assert found.low < found.value < found.high
    assert figure(TWELVE, judgements) == found
    other = figure(TWELVE, judgements, Resampling(seed=1))
    assert other != found
    assert (other.low, other.high) == pytest.approx((found.low, found.high), abs=0.1)


def test_ten_rows_are_needed_for_an_interval():
    nine = spearman(TWELVE[:9], RATED[:9])
    assert nine.value is not None
    assert (nine.low, nine.reason) == (None, "no interval with fewer than 10 rows")
    assert spearman(TWELVE[:10], RATED[:10]).low is not None


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        # Wilson: (5 + z²/2 ± z sqrt(z²/4)) / (5 + z²), z² = 3.8415.
        (5, 5, 0.5655, 1.0),
        (0, 5, 0.0, 0.4345),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_intervals_of_shares(count, n, low, high):
    found = share(count, n)
    assert found.value == count / n
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("difference", "figure", "judgements"),
    [(spearman_difference, spearman, RATED), (auc_difference, auc, IS_TRUE)],
)
def test_a_difference_of_two_figures(difference, figure, judgements):
    other = TWELVE[::-1]
    one, two = difference(TWELVE, other, judgements), difference(other, TWELVE, judgements)
    expected = figure(TWELVE, judgements).value - figure(other, judgements).value
    assert one.estimate.value == pytest.approx(expected)
    assert two.estimate.value == pytest.approx(-expected)
    swapped = -one.estimate.high, -one.estimate.low
    assert (two.estimate.low, two.estimate.high) == pytest.approx(swapped)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Estimate(math.nan), "must be finite"),
        (lambda: Estimate(0.5, low=math.inf), "must be finite"),
        (lambda: Estimate(None), "needs a reason"),
        (lambda: Resampling(-1, 10), "seed must be at least 0"),
        (lambda: Resampling(0, 0), "resamples at least 1"),
        (lambda: spearman([1, math.nan, 3], [1, 2, 3]), "must be finite numbers"),
    ],
)
def test_invalid_figures_and_settings(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# Message types

EXPECTED = ["a", "a", "b", "b", "b"]
FOUND = ["a", "b", "b", "b", "a"]


def test_one_message_type_by_hand():
    """b: 3 rows, found 3 times, 2 of them correct; 3 of 5 rows correct."""
    found = recognition_of(EXPECTED, FOUND, ["b"])
    figures = found.precision, found.recall, found.f1, found.accuracy
    assert [one.value for one in figures] == pytest.approx([2 / 3, 2 / 3, 2 / 3, 3 / 5])
    assert {one.n for one in figures} == {5}


def test_all_message_types_by_hand():
    """a: 1/2 in both, 2 rows; b: 2/3 in both, 3 rows."""
    found = mean_recognition(EXPECTED, FOUND)
    for one in (found.f1, found.accuracy, found.precision, found.recall):
        assert one.value == pytest.approx((2 * 1 / 2 + 3 * 2 / 3) / 5)


def test_message_types_of_no_rows():
    assert mean_recognition([], []).f1.reason == "no rows"
    assert recognition_of([], [], ["a"]).accuracy.reason == "no rows"


# A column with another score


def test_a_column_is_compared_on_the_rows_that_have_it():
    few, values = Resampling(resamples=100), (*TWELVE[::-1][:-1], None)
    rows = [
        dataclasses.replace(judged(score, rating), place=place)
        for place, (score, rating) in enumerate(zip(TWELVE, RATED, strict=True))
    ]
    found = column_agreement(NumberColumn("x", values), [row.turn for row in rows], rows, few)
    own, others, ratings = TWELVE[:-1], np.array(values[:-1]), RATED[:-1]
    assert found.spearman_difference == spearman_difference(own, others, ratings, few).estimate
    decided = ratings != 3
    expected = auc_difference(own[decided], others[decided], IS_TRUE[:-1][decided], few).estimate
    assert found.auc_difference == expected
    assert (found.n, found.missing_count) == (11, 1)
