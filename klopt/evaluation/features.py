"""Compare ratings with features, ablations, two profiles and other columns; list disagreements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt import heuristics
from klopt.evaluation.agreement import (
    auc,
    kendall,
    pearson,
    score_differences,
    spearman,
    spearman_difference,
)
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import InputColumn, Rated, apart, graded, is_rated, judgements, truth
from klopt.scoring.assessment import Assessment, CheckedClaim
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.tree import HIGHEST, LOWEST, Grounds, Walk, walk
from klopt.types import Evidence, Turn

SELECTED_BELOW_P: Final = 0.10
"""The paper selects a feature whose rho is positive with a p-value below this."""
_GAP_ABOVE: Final = 1.0 + 1e-9
"""Difference of score and rating beyond which they disagree; an exact 1.0 is no disagreement."""
_PASSAGE_CHARS: Final = 2000  # Characters of a passage that a disagreement holds
_DIGITS: Final = 12  # Significant digits in which two values of a column are compared


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
    """Two profiles on the ``n`` rated answers that both score; differences: first minus second."""

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
    """Return rho of each heuristic by itself, as in the paper's first selection (section 5.2)."""
    pairs = list(zip(*graded(rows), strict=True))
    found = []
    for name in heuristics_of(scorer):
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
    """Return rho without each heuristic in turn, on rows that still get a score (section 5.2).

    A fault found by another heuristic still keeps the score below the threshold for sending.
    """
    rated, ratings = graded(rows)
    found = []
    for name in heuristics_of(scorer):
        scores, people = apart(
            ((row.score, without), rating)
            for row, rating in zip(rated, ratings, strict=True)
            if (without := _score_without(name, row, scorer.profile)) is not None
        )
        full, less = apart(scores)
        brings = spearman_difference(full, less, people, resampling).estimate
        found.append(Ablation(name, spearman(less, people, resampling), brings))
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
    count = sum(first != second for first, second in values)
    return FeatureDifference(name, len(values), count, found.first, found.second, found.estimate)


def heuristics_of(scorer: Scorer) -> tuple[str, ...]:
    """Return the names of the heuristics that the scorer's profile measures, in a fixed order."""
    return tuple(name for name in heuristics.BY_NAME if name in scorer.profile.weights)


def _score_without(name: str, row: Rated, profile: Profile) -> float | None:
    """Return the score of a row without one heuristic; the row's own if nothing changes."""
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
    """Walk the tree with the measurements of an assessment, except that of ``without``."""
    measured = {name: one for name, one in assessment.measurements.items() if name != without}
    evidence = profile.evidence.get(assessment.read_as or "")
    return walk(profile.tree, profile.weights, measured, evidence)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The value of one heuristic (or why it has none), its weight and its evidence."""

    name: str
    value: float | None
    reason: str | None
    weight: float | None
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer on which score and person differ; a label counts as 1 or 5 for ``gap``."""

    id: str
    question: str
    answer: str
    rating: float | None
    label: bool | None
    score: float
    gap: float
    verdict: str
    rule: str | None
    message_type: str | None
    language: str | None
    explanation: str
    claims: tuple[CheckedClaim, ...]
    measurements: tuple[Weighed, ...]


def disagreements(rows: Sequence[Rated], most: int) -> tuple[Disagreement, ...]:
    """Return the ``most`` largest disagreements, the largest first.

    A score disagrees with a rating if they differ by more than 1; with a label if the answer is
    true and not sent, or untrue and sent.
    """
    found = [(gap, row) for row in rows if (gap := _gap(row)) is not None]
    found.sort(key=lambda pair: -pair[0])
    return tuple(_disagreement(gap, row) for gap, row in found[:most])


def _gap(row: Rated) -> float | None:
    if row.turn.rating is not None:
        gap = abs(row.score - row.turn.rating)
        return gap if gap > _GAP_ABOVE else None
    if (row.assessment.verdict == "send") is row.turn.label:
        return None
    return HIGHEST - row.score if row.turn.label else row.score - LOWEST


def _disagreement(gap: float, row: Rated) -> Disagreement:
    turn, one = row.turn, row.assessment
    return Disagreement(
        *(one.id, turn.question, turn.answer, turn.rating, turn.label, row.score, gap),
        *(one.verdict, one.rule, one.message_type, one.language, one.explanation),
        claims=tuple(map(_bounded, one.claims)),
        measurements=tuple(
            Weighed(name, each.value, each.reason, one.weights[name], each.evidence)
            for name, each in one.measurements.items()
        ),
    )


def _bounded(claim: CheckedClaim) -> CheckedClaim:
    if claim.passage is None or len(claim.passage.text) <= _PASSAGE_CHARS:
        return claim
    passage = replace(claim.passage, text=claim.passage.text[:_PASSAGE_CHARS])
    kept = tuple(span for span in claim.differing if span[1] <= _PASSAGE_CHARS)
    return replace(claim, passage=passage, differing=kept)


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A finite number for each answer on any scale, higher meaning more likely true; or None."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """Agreement of a column with people on ``n`` answers; differences: klopt minus the column."""

    name: str
    n: int
    missing_count: int
    spearman: Estimate
    kendall: Estimate
    pearson: Estimate
    auc: Estimate
    spearman_difference: Estimate
    auc_difference: Estimate


def check_columns(
    columns: Sequence[NumberColumn], turn_count: int, groups: InputColumn | None = None
) -> None:
    """Raise ValueError unless columns have one value for each turn and unique names."""
    names = [column.name for column in columns]
    lengths = [] if groups is None else [(groups.field, len(groups.values))]
    for name, length in (*lengths, *((column.name, len(column.values)) for column in columns)):
        if length != turn_count:
            raise ValueError(f'column "{name}" has {length} values for {turn_count} turns')
        if names.count(name) > 1:
            raise ValueError(f'two columns are named "{name}"; give each its own name')


def column_agreement(
    column: NumberColumn, turns: Sequence[Turn], rows: Sequence[Rated], resampling: Resampling
) -> ColumnAgreement:
    """Compare one column with the judgements; values equal to twelve digits are a tie.

    Source: HR chatbot paper, table 9; TechSupportEval, table IV. Intervals and differences are
    ours.

    >>> turns = [Turn("Kan dat?", "Ja.", rating=rating) for rating in (1, 2, 4, 5)]
    >>> bleu = NumberColumn("bleu", (0.1, 0.2, 0.3, 0.4))
    >>> column_agreement(bleu, turns, [], Resampling(resamples=100)).kendall.value
    1.0
    """
    values = _scaled(column.values)
    every = [(turn, value) for turn, value in zip(turns, values, strict=True) if is_rated(turn)]
    held = [(turn, value) for turn, value in every if value is not None]
    pairs = zip(values, judgements(turns), strict=True)
    figures = apart((one, at) for one, at in pairs if one is not None and at is not None)
    sides = apart((value, side) for turn, value in held if (side := truth(turn)) is not None)
    others = {place: value for place, value in enumerate(values) if value is not None}
    both = [row for row in rows if row.place in others]
    by_rank, by_class = score_differences(both, others, resampling)
    rho, tau, r = (one(*figures, resampling) for one in (spearman, kendall, pearson))
    return ColumnAgreement(
        *(column.name, len(held), len(every) - len(held)),
        *(rho, tau, r, auc(*sides, resampling), by_rank.estimate, by_class.estimate),
    )


def _scaled(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Return the values divided by a power of 2 to at most 1, so that their squares are finite."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    _, exponent = math.frexp(largest)
    return tuple(
        None if value is None else float(f"{math.ldexp(value, -exponent):.{_DIGITS}g}")
        for value in values
    )
