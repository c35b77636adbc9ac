"""Features beside ratings: alone (selection), left out of the tree (ablation), in two profiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt import heuristics
from klopt.evaluation.agreement import score_differences, spearman, spearman_difference
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import Rated, apart, graded, judgements
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.tree import Grounds, Walk, walk

SELECTED_BELOW_P: Final = 0.10


@dataclass(frozen=True, slots=True)
class Feature:
    """The values of one heuristic against the ratings."""

    name: str
    symbol: str
    n: int
    missing_count: int
    spearman: Estimate
    selected: bool


@dataclass(frozen=True, slots=True)
class Ablation:
    """Rho of the score without one heuristic, and what the heuristic adds to it."""

    name: str
    spearman_without: Estimate
    brings: Estimate


@dataclass(frozen=True, slots=True)
class FeatureDifference:
    """Rho of one heuristic as measured by two profiles, on the answers where both measure it."""

    name: str
    n: int
    differ_count: int
    first: float | None
    second: float | None
    spearman_difference: Estimate


@dataclass(frozen=True, slots=True)
class ProfileComparison:
    """The first profile less the second, on the ``n`` rated answers that both score."""

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


def features(rows: Sequence[Rated], scorer: Scorer, resampling: Resampling) -> tuple[Feature, ...]:
    """Rho of each heuristic of the profile by itself: the paper's first selection, section 5.2."""
    pairs = list(zip(*graded(rows), strict=True))
    found = []
    for name in names(scorer):
        values, ratings = apart(
            (value, rating) for row, rating in pairs if (value := row.value(name)) is not None
        )
        figure = spearman(values, ratings, resampling)
        p, n = 1.0 if figure.p is None else figure.p, len(values)
        selected = (figure.value or 0.0) > 0 and p < SELECTED_BELOW_P
        symbol = heuristics.BY_NAME[name].symbol
        found.append(Feature(name, symbol, n, len(pairs) - n, figure, selected))
    return tuple(found)


def ablation(rows: Sequence[Rated], scorer: Scorer, resampling: Resampling) -> tuple[Ablation, ...]:
    """Rho without each heuristic in turn, on rows that still get a score (paper, section 5.2).

    Both scores are held below the threshold by the faults that are found: with a heuristic that is
    left out, those of the others.
    """
    rated, ratings = graded(rows)
    found = []
    for name in names(scorer):
        scores, judgements = apart(
            ((row.score, without), rating)
            for row, rating in zip(rated, ratings, strict=True)
            if (without := _score_without(name, row, scorer.profile)) is not None
        )
        full, less = apart(scores)
        alone = spearman(less, judgements, resampling)
        brings = spearman_difference(full, less, judgements, resampling).estimate
        found.append(Ablation(name, alone, brings))
    return tuple(found)


def compare(
    names: tuple[str, str], pairs: Sequence[tuple[Rated, Rated]], resampling: Resampling
) -> ProfileComparison:
    """Compare two profiles on the same turns, in total and feature by feature."""
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
                name in first.assessment.measurements and name in second.assessment.measurements
                for first, second, _ in rated
            )
        ),
    )


def _feature(
    name: str, rated: Sequence[tuple[Rated, Rated, float]], resampling: Resampling
) -> FeatureDifference:
    values, ratings = apart(
        ((one, other), rating)
        for first, second, rating in rated
        if (one := first.value(name)) is not None and (other := second.value(name)) is not None
    )
    found = spearman_difference(*apart(values), ratings, resampling)
    differ_count = sum(first != second for first, second in values)
    return FeatureDifference(
        name, len(values), differ_count, found.first, found.second, found.estimate
    )


def names(scorer: Scorer) -> tuple[str, ...]:
    """The heuristics of the scorer's profile, in the paper's order."""
    return tuple(name for name in heuristics.BY_NAME if name in scorer.profile.weights)


def _score_without(name: str, row: Rated, profile: Profile) -> float | None:
    """Return the score of a row without one heuristic; its own where that changes nothing."""
    one = row.assessment
    whole, less = walked(one, profile), walked(one, profile, name)
    others = {other: found for other, found in one.measurements.items() if other != name}
    faults = profile.faulty(others)
    if less.score is None:
        return None
    if less.score == whole.score and faults == profile.faulty(one.measurements):
        return row.score
    is_weighed = bool(profile.evidence) and less.rule == profile.tree[-1].node
    grounds = Grounds(
        score=less.score,
        faults=faults,
        is_weighed=is_weighed,
        is_open=is_weighed and one.abstained,
        is_partly_read=one.languages is not None,
    )
    return round(profile.decide(grounds).score or less.score, 6)


def walked(assessment: Assessment, profile: Profile, without: str = "") -> Walk:
    """Walk the tree again, with one heuristic perhaps treated as not measurable."""
    return walk(
        profile.tree,
        profile.weights,
        {name: one for name, one in assessment.measurements.items() if name != without},
        profile.evidence.get(assessment.read_as or ""),
    )
