"""Two profiles on the answers that both score, in total and feature by feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from klopt import heuristics
from klopt.evaluation.agreement import score_differences, spearman_difference
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import Rated, apart, judgements


@dataclass(frozen=True, slots=True)
class FeatureDifference:
    """One heuristic as the two profiles measure it, on the answers on which both could."""

    name: str
    n: int
    differ_count: int
    first: float | None
    second: float | None
    spearman_difference: Estimate


@dataclass(frozen=True, slots=True)
class ProfileComparison:
    """The first profile less the second, on the ``n`` rated answers that both score.

    Rho and AUC of each are None where there is none.

    Attributes:
        differ_count: Answers to which the two give other scores, to six decimals.
        features: Each heuristic that both profiles have, in the paper's order.
    """

    first: str
    second: str
    n: int
    differ_count: int
    spearman_first: float | None
    spearman_second: float | None
    spearman_difference: Estimate
    auc_first: float | None
    auc_second: float | None
    auc_difference: Estimate
    features: tuple[FeatureDifference, ...] = ()


def compare(
    names: tuple[str, str],
    pairs: Sequence[tuple[Rated, Rated]],
    resampling: Resampling,
) -> ProfileComparison:
    """Compares two profiles on the same turns."""
    firsts = [first for first, _ in pairs]
    others = {first.place: second.score for first, second in pairs}
    by_rank, by_class = score_differences(firsts, others, resampling)
    people = judgements(first.turn for first in firsts)
    rated = [(*pair, one) for pair, one in zip(pairs, people, strict=True) if one is not None]
    return ProfileComparison(
        *names,
        n=len(pairs),
        differ_count=sum(first.score != second.score for first, second in pairs),
        spearman_first=by_rank.first,
        spearman_second=by_rank.second,
        spearman_difference=by_rank.estimate,
        auc_first=by_class.first,
        auc_second=by_class.second,
        auc_difference=by_class.estimate,
        features=tuple(
            _feature(name, rated, resampling)
            for name in heuristics.BY_NAME
            if any(
                name in first_row.assessment.measurements and name in other.assessment.measurements
                for first_row, other, _ in rated
            )
        ),
    )


def _feature(
    name: str, rated: Sequence[tuple[Rated, Rated, float]], resampling: Resampling
) -> FeatureDifference:
    """One heuristic on the answers on which both profiles could measure it."""
    values, ratings = apart(
        ((first, second), rating)
        for first_row, other, rating in rated
        if (first := first_row.value(name)) is not None
        and (second := other.value(name)) is not None
    )
    found = spearman_difference(*apart(values), ratings, resampling)
    differ_count = sum(first != second for first, second in values)
    return FeatureDifference(
        name, len(values), differ_count, found.first, found.second, found.estimate
    )
