"""Bootstrap and Wilson intervals: deterministic, close to known values, missing with a reason."""

import math

import numpy as np
import pytest

from klopt.evaluation import Estimate, Resampling
from klopt.evaluation.agreement import (
    auc,
    auc_difference,
    kendall,
    pearson,
    quadratic_weighted_kappa,
    spearman,
    spearman_difference,
)
from klopt.evaluation.estimate import share

SCORES = np.array([1.0, 1.4, 1.4, 2.2, 2.6, 3.0, 3.0, 3.3, 3.9, 4.2, 4.2, 5.0])
RATINGS = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 5.0, 2.0, 4.0, 3.0, 5.0, 4.0, 5.0])
IS_TRUE = RATINGS > 3
FIGURES = [(spearman, RATINGS), (kendall, RATINGS), (pearson, RATINGS), (auc, IS_TRUE)]
FIGURES += [(quadratic_weighted_kappa, RATINGS)]


@pytest.mark.parametrize(("figure", "judged"), FIGURES)
def test_the_same_seed_gives_the_same_interval_around_the_figure(figure, judged):
    found = figure(SCORES, judged)
    assert found.low < found.value < found.high
    assert figure(SCORES, judged) == found
    other = figure(SCORES, judged, Resampling(seed=1))
    assert other != found
    assert (other.low, other.high) == pytest.approx((found.low, found.high), abs=0.1)


def test_nine_rows_give_no_interval_and_ten_do():
    nine = spearman(SCORES[:9], RATINGS[:9])
    assert nine.value is not None
    assert (nine.low, nine.reason) == (None, "no interval with fewer than 10 rows")
    assert spearman(SCORES[:10], RATINGS[:10]).low is not None


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


@pytest.mark.parametrize(
    ("difference", "figure", "judged"),
    [(spearman_difference, spearman, RATINGS), (auc_difference, auc, IS_TRUE)],
)
def test_a_difference_is_that_of_the_figures_and_changes_sign_with_the_order(
    difference, figure, judged
):
    other = SCORES[::-1]
    one, two = difference(SCORES, other, judged), difference(other, SCORES, judged)
    expected = figure(SCORES, judged).value - figure(other, judged).value
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
