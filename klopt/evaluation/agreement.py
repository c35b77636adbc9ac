"""Agreement of scores with human judgements: correlations, AUC, kappa, and their differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.evaluation.estimate import (
    DEFAULT,
    FEW,
    FEWEST_ROWS,
    Estimate,
    Floats,
    Resampling,
    Statistic,
    share,
    stats,
)
from klopt.evaluation.rated import Rated, apart, decided, graded
from klopt.types import MESSAGE_TYPES

Scores = Sequence[float]
_TOLERANCE: Final = 1e-9
_SMALLEST_VARIANCE: Final = 1e-18
_KENDALL_RESAMPLES: Final = 500  # scipy computes Kendall's tau one resample at a time


def spearman(scores: Scores, ratings: Scores, resampling: Resampling = DEFAULT) -> Estimate:
    """Spearman's rho, from -1 to 1; undefined with fewer than 3 rows or constant values.

    Source: AFAS paper, section 6.1, table 4; the interval is ours.

    >>> spearman([1.0, 2.0, 3.5, 5.0], [1, 2, 4, 5]).value
    1.0
    """
    return _correlation("spearmanr", _rank_pearson, scores, ratings, resampling)


def kendall(scores: Scores, ratings: Scores, resampling: Resampling = DEFAULT) -> Estimate:
    """Kendall's tau-b, from -1 to 1. Source: HR chatbot paper, table 9.

    >>> kendall([1.0, 2.0, 3.5, 5.0], [1, 2, 4, 5]).value
    1.0
    """
    fewer = Resampling(resampling.seed, min(resampling.resamples, _KENDALL_RESAMPLES))
    return _correlation("kendalltau", _kendall, scores, ratings, fewer)


def pearson(scores: Scores, ratings: Scores, resampling: Resampling = DEFAULT) -> Estimate:
    """Pearson's r, from -1 to 1. Source: TechSupportEval, section V-A.

    >>> round(pearson([1.0, 2.0, 3.0], [1, 2, 4]).value, 3)
    0.982
    """
    return _correlation("pearsonr", _pearson, scores, ratings, resampling)


def auc(scores: Scores, is_true: Sequence[bool], resampling: Resampling = DEFAULT) -> Estimate:
    """Area under the ROC curve: the chance that a true answer outscores an untrue one, ties half.

    From 0 to 1. Source: TechSupportEval, section V-A.

    >>> auc([1.0, 3.0, 3.0, 5.0], [False, False, True, True]).value
    0.875
    """
    values, sides = _paired(scores, is_true)
    truth = sides > 0
    n, true_count, codes = len(values), int(truth.sum()), _codes(values)
    if (reason := _one_class(truth)) is not None:
        return Estimate.missing(n, reason)
    if min(true_count, n - true_count) < FEWEST_ROWS:
        reason = f"no interval with fewer than {FEWEST_ROWS} true or untrue answers"
        return Estimate(float(_auc(codes, truth)), n=n, reason=reason)
    return resampling.estimate(_auc, codes, truth)


def quadratic_weighted_kappa(
    scores: Scores, ratings: Scores, resampling: Resampling = DEFAULT
) -> Estimate:
    """Quadratic weighted kappa (Cohen, 1968) of whole stars, halves rounded up; from -1 to 1.

    >>> quadratic_weighted_kappa([1.2, 2.6, 4.5], [1, 3, 5]).value
    1.0
    """
    first, second = (np.floor(values + 0.5) for values in _paired(scores, ratings))
    if len(first) < FEWEST_ROWS:
        return Estimate.missing(len(first), FEW)
    undefined = "all scores and ratings fall on the same star"
    return resampling.estimate(_kappa, first, second, undefined=undefined)


def accuracy_margin_1(scores: Scores, ratings: Scores) -> Estimate:
    """The share of scores at most 1 from the rating. Source: AFAS paper, table 5.

    >>> accuracy_margin_1([2.0, 2.5, 4.0, 5.0], [1, 1, 5, 3]).value
    0.5
    """
    first, second = _paired(scores, ratings)
    return share(int((np.abs(first - second) <= 1 + _TOLERANCE).sum()), len(first))


@dataclass(frozen=True, slots=True)
class Difference:
    """The first figure less the second on the same rows and resamples, and both figures."""

    estimate: Estimate
    first: float | None = None
    second: float | None = None


def spearman_difference(
    first: Scores, second: Scores, ratings: Scores, resampling: Resampling = DEFAULT
) -> Difference:
    """Rho of the first scores with the ratings, less rho of the second.

    >>> spearman_difference([1, 2, 3, 4], [4, 3, 2, 1], [1, 2, 4, 5]).estimate.value
    2.0
    """
    left, right, people = _floats(first), _floats(second), _floats(ratings)
    reason = _obstacle(left, people) or _obstacle(right, people)
    return _difference(reason, _rank_pearson, (left, right), _codes(people), resampling)


def auc_difference(
    first: Scores, second: Scores, is_true: Sequence[bool], resampling: Resampling = DEFAULT
) -> Difference:
    """AUC of the first scores, less AUC of the second.

    >>> auc_difference([1, 2, 3, 4], [4, 3, 2, 1], [False, False, True, True]).estimate.value
    1.0
    """
    truth = np.asarray(is_true, dtype=bool)
    both = _floats(first), _floats(second)
    return _difference(_one_class(truth), _auc, both, truth, resampling)


def score_differences(
    rows: Sequence[Rated], others: Mapping[int, float], resampling: Resampling
) -> tuple[Difference, Difference]:
    """Rho and AUC of the rows' scores, less those of other scores (by place) for the same rows."""
    kept, ratings = graded(rows)
    sided, is_true = decided(rows)
    (ranked, classed) = (
        ([row.score for row in some], [others[row.place] for row in some]) for some in (kept, sided)
    )
    by_rank = spearman_difference(*ranked, ratings, resampling)
    return by_rank, auc_difference(*classed, is_true, resampling)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement with people of all rows or of a slice; with labels if none has a rating."""

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
    """Agreement for all rows, each language, each message type, and each named group."""
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
    stars = apart((row.score, row.turn.rating) for row in rows if row.turn.rating is not None)
    sided, is_true = decided(rows)
    rho, tau, r = (one(scores, ratings, resampling) for one in (spearman, kendall, pearson))
    return Agreement(
        name,
        *(rho, tau, r),
        quadratic_weighted_kappa(*stars, resampling),
        auc([row.score for row in sided], is_true, resampling),
        accuracy_margin_1(*stars),
    )


def ratio(part: Floats, whole: Floats) -> Floats:
    """``part / whole``, NaN where the whole is not above 0."""
    quotient: Floats = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=quotient, where=np.asarray(whole) > 0)
    return quotient


def _pearson(*columns: NDArray[Any], axis: int = -1) -> Floats:
    first, second = (column - column.mean(axis, keepdims=True) for column in columns)
    spreads = (first * first).sum(axis), (second * second).sum(axis)
    usable = np.minimum(*spreads) > _SMALLEST_VARIANCE * first.shape[axis]
    whole = np.where(usable, np.sqrt(spreads[0] * spreads[1]), 0.0)
    clipped: Floats = np.clip(ratio((first * second).sum(axis), whole), -1, 1)
    return clipped


def _rank_pearson(*columns: NDArray[Any], axis: int = -1) -> Floats:
    """Spearman's rho of columns of `_codes`."""
    return _pearson(*map(_midranks, columns), axis=axis)


def _kendall(*columns: NDArray[Any], axis: int = -1) -> Floats:
    first, second = (np.atleast_2d(np.moveaxis(column, axis, -1)) for column in columns)
    tau = stats().kendalltau
    pairs = zip(first, second, strict=True)
    return np.array([tau(one, other, method="asymptotic").statistic for one, other in pairs])


def _auc(*columns: NDArray[Any], axis: int = -1) -> Floats:
    codes, truth = columns
    true_count = truth.sum(axis)
    rank_sum = np.where(truth, _midranks(codes), 0.0).sum(axis)
    return ratio(
        rank_sum - true_count * (true_count + 1) / 2, true_count * (truth.shape[axis] - true_count)
    )


def _kappa(*columns: NDArray[Any], axis: int = -1) -> Floats:
    """1 - observed / expected squared distance; sums of whole numbers are exact."""
    first, second = columns
    n = first.shape[axis]
    observed = n * ((first - second) ** 2).sum(axis)
    squares = n * (first**2 + second**2).sum(axis)
    kappa: Floats = 1 - ratio(observed, squares - 2 * first.sum(axis) * second.sum(axis))
    return kappa


def _codes(values: Floats) -> NDArray[np.intp]:
    """Each value's place among the different values, from 0: ranks need no more."""
    codes: NDArray[np.intp] = np.unique(values, return_inverse=True)[1]
    return codes


def _midranks(codes: NDArray[Any]) -> Floats:
    """Ranks from 1, ties at their mean rank: ``scipy.stats.rankdata``, eight times as fast."""
    lines = codes.reshape(-1, codes.shape[-1])
    size = int(codes.max()) + 1
    cells = lines + size * np.arange(len(lines))[:, None]
    tied = np.bincount(cells.ravel(), minlength=size * len(lines)).reshape(-1, size)
    ranks: Floats = (np.cumsum(tied, axis=1) - (tied - 1) / 2).ravel()[cells]
    return ranks.reshape(codes.shape)


def _obstacle(scores: Floats, ratings: Floats) -> str | None:
    if len(scores) < FEWEST_ROWS:
        return FEW
    for name, values in (("scores", scores), ("ratings", ratings)):
        if np.ptp(values) <= _TOLERANCE:
            return f"all {name} are the same"
    return None


def _one_class(truth: NDArray[np.bool_]) -> str | None:
    if len(truth) < FEWEST_ROWS:
        return FEW
    if truth.all():
        return "no untrue answers"
    return None if truth.any() else "no true answers"


def _correlation(
    name: str, statistic: Statistic, scores: Scores, ratings: Scores, resampling: Resampling
) -> Estimate:
    """A correlation of ``scipy.stats`` with its p-value, and the interval of our statistic."""
    columns = _paired(scores, ratings)
    if (reason := _obstacle(*columns)) is not None:
        return Estimate.missing(len(columns[0]), reason)
    found = getattr(stats(), name)(*columns)
    value = min(1.0, max(-1.0, float(found.statistic)))
    used = map(_codes, columns) if statistic is _rank_pearson else columns
    return resampling.estimate(statistic, *used, value=value, p=float(found.pvalue))


def _floats(values: Sequence[float]) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(found).all():
        raise ValueError("scores and ratings must be finite numbers")
    return found


def _paired(scores: Sequence[float], judgements: Sequence[float]) -> tuple[Floats, Floats]:
    first, second = _floats(scores), _floats(judgements)
    if len(first) != len(second):
        raise ValueError(f"{len(first)} scores for {len(second)} judgements: pass one for each")
    return first, second


def _difference(
    reason: str | None,
    statistic: Statistic,
    scores: tuple[Floats, Floats],
    judgements: NDArray[Any],
    resampling: Resampling,
) -> Difference:
    if reason is not None:
        return Difference(Estimate.missing(len(judgements), reason))

    def difference(*columns: NDArray[Any], axis: int = -1) -> Floats:
        first, second, people = columns
        less: Floats = statistic(first, people, axis=axis) - statistic(second, people, axis=axis)
        return less

    both = tuple(map(_codes, scores))
    first, second = (float(statistic(side, judgements)) for side in both)
    return Difference(
        resampling.estimate(difference, *both, judgements, value=first - second), first, second
    )
