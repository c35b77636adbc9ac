"""Two scorers on the same rows: how much better is the first, and is that chance?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from klopt.evaluation import counted
from klopt.evaluation.agreement import DEFAULT, obstacle, one_class
from klopt.evaluation.estimate import Estimate
from klopt.evaluation.rated import Rated, decided, graded
from klopt.evaluation.resampling import Counts, Floats, Resampling, with_interval


@dataclass(frozen=True, slots=True)
class Difference:
    """The first's figure less the second's, on the same rows and the same draws.

    Attributes:
        estimate: The difference with its interval.
        first_better: The share of resamples in which the first is better, ties half; None
            when there is no difference to speak of.
        first: The first's own figure on these rows; None where there is none.
        second: The second's.
    """

    estimate: Estimate
    first_better: float | None
    first: float | None = None
    second: float | None = None


def spearman_difference(
    first: Sequence[float],
    second: Sequence[float],
    ratings: Sequence[float],
    resampling: Resampling = DEFAULT,
) -> Difference:
    """How much higher the first scores' rho with the ratings is than the second's.

    >>> spearman_difference([1, 2, 3, 4], [4, 3, 2, 1], [1, 2, 4, 5]).estimate.value
    2.0
    """
    both, people = _arrays(first, second), np.asarray(ratings, dtype=np.float64)
    reasons = [obstacle(scores, people) for scores in both]
    return _difference(
        reasons[0] or reasons[1],
        both,
        lambda counts, scores: counted.spearman(counts, scores, people),
        resampling,
    )


def auc_difference(
    first: Sequence[float],
    second: Sequence[float],
    is_true: Sequence[bool],
    resampling: Resampling = DEFAULT,
) -> Difference:
    """How much higher the first scores' AUC is than the second's.

    >>> auc_difference([1, 2, 3, 4], [4, 3, 2, 1], [False, False, True, True]).estimate.value
    1.0
    """
    both, truth = _arrays(first, second), np.asarray(is_true, dtype=bool)
    return _difference(
        one_class(truth),
        both,
        lambda counts, scores: counted.auc(counts, scores, truth),
        resampling,
    )


def score_differences(
    rows: Sequence[Rated], others: Mapping[int, float], resampling: Resampling
) -> tuple[Difference, Difference]:
    """Rho and AUC of the rows' scores less those of other scores for the same answers.

    Args:
        rows: Rated answers.
        others: Place of a row → its other score.
        resampling: The draws, the same for both.
    """
    kept, ratings = graded(rows)
    sided, is_true = decided(rows)
    (first, second), (left, right) = (
        ([row.score for row in some], [others[row.place] for row in some]) for some in (kept, sided)
    )
    return (
        spearman_difference(first, second, ratings, resampling),
        auc_difference(left, right, is_true, resampling),
    )


def _arrays(*scores: Sequence[float]) -> list[Floats]:
    return [np.asarray(one, dtype=np.float64) for one in scores]


def _difference(
    reason: str | None,
    scores: Sequence[Floats],
    statistic: Callable[[Counts, Floats], Floats],
    resampling: Resampling,
) -> Difference:
    n = len(scores[0])
    if reason is not None:
        return Difference(Estimate.missing(n, reason), None)
    ones = np.ones((1, n))
    first, second = (float(statistic(ones, one)[0]) for one in scores)
    values = resampling.values(
        lambda counts: statistic(counts, scores[0]) - statistic(counts, scores[1]), n
    )
    estimate = with_interval(first - second, n, values)
    if estimate.low is None:
        return Difference(estimate, None, first, second)
    usable = values[np.isfinite(values)]
    first_better = float(np.mean((usable > 0) + 0.5 * (usable == 0)))
    return Difference(estimate, first_better, first, second)
