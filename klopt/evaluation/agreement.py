"""How well scores agree with what people said of the same answers, in all and in each part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.evaluation import counted
from klopt.evaluation.estimate import (
    DEFAULT,
    FEW,
    FEWEST_ROWS,
    Counts,
    Estimate,
    Floats,
    Resampling,
    share,
    stats,
    with_interval,
)
from klopt.evaluation.rated import Rated, apart, decided, graded
from klopt.records import MESSAGE_TYPES

_TOLERANCE: Final = 1e-9


def spearman(
    scores: Sequence[float], ratings: Sequence[float], resampling: Resampling = DEFAULT
) -> Estimate:
    """Spearman's rho: how far a higher score goes with a higher rating, from -1 to 1.

    Source: AFAS paper, section 6.1, table 4; the interval is ours. No value with fewer than 3
    rows, or when all scores or all ratings are the same.

    >>> spearman([1.0, 2.0, 3.5, 5.0], [1, 2, 4, 5]).value
    1.0
    """
    return _correlation(stats().spearmanr, counted.spearman, scores, ratings, resampling)


def rho(scores: Sequence[float], ratings: Sequence[float]) -> float | None:
    """Spearman's rho alone, without interval or p-value; None where there is none.

    >>> rho([1.0, 2.0, 3.5, 5.0], [1, 2, 4, 5]), rho([1.0, 2.0], [1, 2])
    (1.0, None)
    """
    first, second = _paired(scores, ratings)
    if _obstacle(first, second) is not None:
        return None
    return min(1.0, max(-1.0, float(stats().spearmanr(first, second).statistic)))


def kendall(
    scores: Sequence[float], ratings: Sequence[float], resampling: Resampling = DEFAULT
) -> Estimate:
    """Kendall's tau-b: of two answers, how often score and rating put the same one higher.

    Source: HR chatbot paper, table 9; tau-b, since ratings tie.

    >>> kendall([1.0, 2.0, 3.5, 5.0], [1, 2, 4, 5]).value
    1.0
    """
    return _correlation(stats().kendalltau, counted.kendall, scores, ratings, resampling)


def pearson(
    scores: Sequence[float], ratings: Sequence[float], resampling: Resampling = DEFAULT
) -> Estimate:
    """Pearson's r: how far score and rating lie on one line.

    Source: TechSupportEval, section V-A (there the ratings are labels, 0 and 1).

    >>> round(pearson([1.0, 2.0, 3.0], [1, 2, 4]).value, 3)
    0.982
    """
    return _correlation(stats().pearsonr, counted.pearson, scores, ratings, resampling)


def auc(
    scores: Sequence[float], is_true: Sequence[bool], resampling: Resampling = DEFAULT
) -> Estimate:
    """The chance that a true answer scores higher than an untrue one, ties half, from 0 to 1.

    The area under the ROC curve; 0.5 is what a coin does. Source: TechSupportEval, section V-A.
    No value with fewer than 3 rows, or when all are true or all untrue.

    >>> auc([1.0, 3.0, 3.0, 5.0], [False, False, True, True]).value
    0.875
    """
    values, sides = _paired(scores, is_true)
    truth = sides > 0
    n, true_count = len(values), int(truth.sum())
    reason = _one_class(truth)
    if reason is not None:
        return Estimate.missing(n, reason)
    above = stats().mannwhitneyu(values[truth], values[~truth], method="asymptotic").statistic
    value = float(above) / (true_count * (n - true_count))
    if min(true_count, n - true_count) < FEWEST_ROWS:
        return Estimate(value, n=n, reason=f"no interval with fewer than {FEWEST_ROWS} of a kind")
    return resampling.estimate(value, n, lambda counts: counted.auc(counts, values, truth))


def quadratic_weighted_kappa(
    scores: Sequence[float], ratings: Sequence[float], resampling: Resampling = DEFAULT
) -> Estimate:
    """Agreement in stars beyond chance, from -1 to 1; two stars off counts four times one off.

    Scores and ratings are rounded to whole stars, halves up. No value with fewer than 3 rows,
    or when both are one and the same star throughout. Source: Cohen (1968).

    >>> quadratic_weighted_kappa([1.2, 2.6, 4.5], [1, 3, 5]).value
    1.0
    """
    first, second = (np.floor(values + 0.5) for values in _paired(scores, ratings))
    return resampling.figure(
        lambda counts: counted.kappa_quadratic(counts, first, second),
        len(first),
        "all scores and ratings are the same star",
    )


def accuracy_margin_1(scores: Sequence[float], ratings: Sequence[float]) -> Estimate:
    """The share of scores at most 1 from the rating, the ends included.

    Source: AFAS paper, section 6.1 and table 5.

    >>> accuracy_margin_1([2.0, 2.5, 4.0, 5.0], [1, 1, 5, 3]).value
    0.5
    """
    first, second = _paired(scores, ratings)
    return share(int((np.abs(first - second) <= 1 + _TOLERANCE).sum()), len(first))


@dataclass(frozen=True, slots=True)
class Difference:
    """The first's figure less the second's, on the same rows and draws, and each by itself."""

    estimate: Estimate
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
    both, people = (_floats(first), _floats(second)), _floats(ratings)
    reason = _obstacle(both[0], people) or _obstacle(both[1], people)
    return _difference(reason, counted.spearman, both, people, resampling)


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
    both, truth = (_floats(first), _floats(second)), np.asarray(is_true, dtype=bool)
    return _difference(_one_class(truth), counted.auc, both, truth, resampling)


def score_differences(
    rows: Sequence[Rated], others: Mapping[int, float], resampling: Resampling
) -> tuple[Difference, Difference]:
    """Rho and AUC of the rows' scores less those of other scores for the same answers."""
    kept, ratings = graded(rows)
    sided, is_true = decided(rows)
    (first, second), (left, right) = (
        ([row.score for row in some], [others[row.place] for row in some]) for some in (kept, sided)
    )
    return (
        spearman_difference(first, second, ratings, resampling),
        auc_difference(left, right, is_true, resampling),
    )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the scores of one slice of the rows agree with people; see `spearman` and so on.

    The slice is ``all``, or a field and its value such as ``language: nl``. Where nothing is
    rated, the correlations are those with the labels.
    """

    slice: str
    spearman: Estimate
    kendall: Estimate
    pearson: Estimate
    kappa_quadratic: Estimate
    auc: Estimate
    accuracy_margin_1: Estimate


def slices(
    rows: Sequence[Rated], groups: Mapping[str, Sequence[Rated]], resampling: Resampling
) -> tuple[Agreement, ...]:
    """Agreement for all rows, each language, each message type, and each group by its name."""
    parts: dict[str, Sequence[Rated]] = {"all": rows}
    for language in sorted({str(row.assessment.language) for row in rows}):
        parts[f"language: {language}"] = [r for r in rows if r.assessment.language == language]
    for kind in MESSAGE_TYPES:
        if part := [row for row in rows if row.assessment.message_type == kind]:
            parts[f"message type: {kind}"] = part
    every = (*parts.items(), *groups.items())
    return tuple(_agreement(name, part, resampling) for name, part in every)


def _agreement(name: str, rows: Sequence[Rated], resampling: Resampling) -> Agreement:
    kept, ratings = graded(rows)
    scores = [row.score for row in kept]
    stars, given = apart(
        (row.score, row.turn.rating) for row in rows if row.turn.rating is not None
    )
    sided, is_true = decided(rows)
    return Agreement(
        slice=name,
        spearman=spearman(scores, ratings, resampling),
        kendall=kendall(scores, ratings, resampling),
        pearson=pearson(scores, ratings, resampling),
        kappa_quadratic=quadratic_weighted_kappa(stars, given, resampling),
        auc=auc([row.score for row in sided], is_true, resampling),
        accuracy_margin_1=accuracy_margin_1(stars, given),
    )


def _obstacle(scores: Floats, ratings: Floats) -> str | None:
    """Why no correlation can be computed, or None."""
    if len(scores) < FEWEST_ROWS:
        return FEW
    for name, values in (("scores", scores), ("ratings", ratings)):
        if np.ptp(values) <= _TOLERANCE:
            return f"all {name} are the same"
    return None


def _one_class(truth: NDArray[np.bool_]) -> str | None:
    """Why true and untrue answers cannot be told apart, or None."""
    if len(truth) < FEWEST_ROWS:
        return FEW
    if truth.all():
        return "no untrue answers"
    return None if truth.any() else "no true answers"


def _correlation(
    point: Callable[[Floats, Floats], Any],
    resampled: Callable[[Counts, Floats, Floats], Floats],
    scores: Sequence[float],
    ratings: Sequence[float],
    resampling: Resampling,
) -> Estimate:
    first, second = _paired(scores, ratings)
    n, reason = len(first), _obstacle(first, second)
    if reason is not None:
        return Estimate.missing(n, reason)
    found = point(first, second)
    value = min(1.0, max(-1.0, float(found.statistic)))
    return resampling.estimate(
        value, n, lambda counts: resampled(counts, first, second), p=float(found.pvalue)
    )


def _floats(values: Sequence[float]) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(found).all():
        raise ValueError("scores and ratings are finite figures")
    return found


def _paired(scores: Sequence[float], judgements: Sequence[float]) -> tuple[Floats, Floats]:
    first, second = _floats(scores), _floats(judgements)
    if len(first) != len(second):
        raise ValueError(f"{len(first)} scores and {len(second)} judgements: they do not pair up")
    return first, second


def _difference(
    reason: str | None,
    statistic: Callable[[Counts, Floats, Any], Floats],
    scores: tuple[Floats, Floats],
    judgements: NDArray[Any],
    resampling: Resampling,
) -> Difference:
    n = len(scores[0])
    if reason is not None:
        return Difference(Estimate.missing(n, reason))

    def each(counts: Counts) -> list[Floats]:
        return [statistic(counts, side, judgements) for side in scores]

    first, second = (float(figures[0]) for figures in each(np.ones((1, n))))
    values = resampling.values(lambda counts: np.subtract(*each(counts)), n)
    return Difference(with_interval(first - second, n, values), first, second)
