"""The draws: the same every time, and figures on them equal to scipy's on the rows drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from klopt.evaluation import Estimate, Resampling, counted
from klopt.evaluation.agreement import auc, auc_difference, spearman, spearman_difference
from klopt.evaluation.estimate import share, with_interval

SCORES = np.array([1.0, 1.4, 1.4, 2.2, 2.6, 3.0, 3.0, 3.3, 3.9, 4.2, 4.2, 5.0])
RATINGS = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 5.0, 2.0, 4.0, 3.0, 5.0, 4.0, 5.0])
IS_TRUE = RATINGS > 3
DRAWN = [[0, 1, 1, 1, 1, 2], [0, 2, 1, 2, 1, 0], [2, 1, 1, 1, 1, 0]]
INTERVAL = (0.7975730130909962, 0.4607058692999974, 0.951302420221995)


def test_the_draws_are_these_on_every_machine():
    """PCG64's raw stream, which numpy promises not to change."""
    assert Resampling(seed=0, resamples=3).counts(6).tolist() == DRAWN
    assert Resampling(seed=1, resamples=3).counts(6).tolist() != DRAWN


def test_an_interval_to_the_last_digit():
    found = spearman(SCORES, RATINGS)
    assert (found.value, found.low, found.high) == pytest.approx(INTERVAL, abs=1e-12)
    assert spearman(SCORES, RATINGS) == found
    assert spearman(SCORES, RATINGS, Resampling(seed=1)) != found


FIGURES = (counted.spearman, counted.kendall, counted.pearson)
SCIPYS = (stats.spearmanr, stats.kendalltau, stats.pearsonr)


@pytest.mark.parametrize(("ours", "scipys"), [*zip(FIGURES, SCIPYS, strict=True)])
def test_correlations_of_drawn_rows_are_scipys_of_the_rows_written_out(ours, scipys):
    counts = Resampling(resamples=40).counts(len(SCORES))
    for line, value in zip(counts, ours(counts, SCORES, RATINGS), strict=True):
        rows = np.repeat(np.arange(len(SCORES)), line.astype(int))
        assert value == pytest.approx(scipys(SCORES[rows], RATINGS[rows]).statistic, abs=1e-12)
    swapped = ours(counts, RATINGS, SCORES)
    assert swapped == pytest.approx(ours(counts, SCORES, RATINGS))


def test_auc_of_drawn_rows_counts_the_pairs():
    counts = Resampling(resamples=20).counts(len(SCORES))
    for line, value in zip(counts, counted.auc(counts, SCORES, IS_TRUE), strict=True):
        rows = np.repeat(np.arange(len(SCORES)), line.astype(int))
        true, untrue = SCORES[rows][IS_TRUE[rows]], SCORES[rows][~IS_TRUE[rows]]
        pairs = [(a > b) + 0.5 * (a == b) for a in true for b in untrue]
        assert value == pytest.approx(sum(pairs) / len(pairs))


def test_a_resample_without_the_other_class_or_without_spread_is_not_a_number_and_no_warning():
    only_first = np.array([[3.0, 0.0, 0.0]])
    first, second = np.array([1.0, 2.0, 3.0]), np.array([1.0, 5.0, 4.0])
    for figure in FIGURES:
        assert np.isnan(figure(only_first, first, second)).all()
    assert np.isnan(counted.kappa_quadratic(only_first, first, first)).all()
    assert np.isnan(counted.auc(only_first, first, np.array([True, False, False]))).all()


def test_fewer_than_ten_rows_give_no_interval():
    nine = spearman(SCORES[:9], RATINGS[:9])
    assert (nine.low, nine.high) == (None, None)
    assert nine.value is not None
    assert nine.reason == "no interval with fewer than 10 rows"
    assert spearman(SCORES[:10], RATINGS[:10]).low is not None


def test_no_interval_when_most_resamples_cannot_be_computed():
    values = np.array([np.nan, np.nan, 0.5])
    found = with_interval(0.5, 20, values)
    assert (found.value, found.low) == (0.5, None)
    assert found.reason == "no interval: in most resamples it cannot be computed"
    assert with_interval(0.5, 20, np.array([np.nan, 0.4, 0.6])).low == pytest.approx(0.405)


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        # Wilson: (5 + z²/2 ± z sqrt(z²/4)) / (5 + z²), z² = 3.8415.
        (5, 5, 0.5655, 1.0),
        (0, 5, 0.0, 0.4345),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_shares(count, n, low, high):
    found = share(count, n)
    assert found.value == count / n
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_the_difference_is_the_figures_difference_and_turns_with_the_order():
    other = SCORES[::-1]
    one = spearman_difference(SCORES, other, RATINGS)
    two = spearman_difference(other, SCORES, RATINGS)
    expected = spearman(SCORES, RATINGS).value - spearman(other, RATINGS).value
    assert one.estimate.value == pytest.approx(expected)
    assert two.estimate.value == pytest.approx(-expected)
    swapped = -one.estimate.high, -one.estimate.low
    assert (two.estimate.low, two.estimate.high) == pytest.approx(swapped)
    by_class = auc_difference(SCORES, other, IS_TRUE)
    expected = auc(SCORES, IS_TRUE).value - auc(other, IS_TRUE).value
    assert by_class.estimate.value == pytest.approx(expected)


def test_no_difference_and_one_without_an_interval():
    found = spearman_difference([1, 2, 3], [1, 2, 3], [4, 4, 4]).estimate
    assert (found.value, found.reason) == (None, "all ratings are the same")
    few = auc_difference([1, 2, 3], [3, 2, 1], [False, True, True]).estimate
    assert (few.value, few.low) == (pytest.approx(1), None)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Estimate(math.nan), "finite figures"),
        (lambda: Estimate(math.inf), "finite figures"),
        (lambda: Estimate(0.5, low=math.nan), "finite figures"),
        (lambda: Estimate(None), "says why"),
        (lambda: Resampling(-1, 10), "a seed is 0 or more and resamples"),
        (lambda: Resampling(0, 0), "and resamples 1 or more"),
        (lambda: spearman([1, math.nan, 3], [1, 2, 3]), "finite figures"),
    ],
)
def test_what_is_no_figure(make, message):
    with pytest.raises(ValueError, match=message):
        make()
