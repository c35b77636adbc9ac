"""What each heuristic is worth: alone (selection) and in the tree (ablation, table 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt import heuristics
from klopt.evaluation.agreement import rho, spearman
from klopt.evaluation.difference import spearman_difference
from klopt.evaluation.estimate import Estimate
from klopt.evaluation.rated import Rated, graded
from klopt.evaluation.resampling import Resampling
from klopt.measurement import Measurement
from klopt.records import MESSAGE_TYPES
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.scoring.tree import walk

SELECTED_BELOW_P: Final = 0.10
_LEFT_OUT: Final = Measurement.missing("left out")
_SYMBOLS: Final = {one.name: one.symbol for one in heuristics.ALL}


@dataclass(frozen=True, slots=True)
class Feature:
    """One heuristic's own values against the ratings.

    Attributes:
        name: The heuristic.
        symbol: The paper's marks for it.
        n: Answers on which it could be measured.
        missing_count: Answers on which it could not.
        spearman: Rho of its values with the ratings.
        selected: Whether the paper's rule takes it: rho above 0 and p below 0.10.
    """

    name: str
    symbol: str
    n: int
    missing_count: int
    spearman: Estimate
    selected: bool


@dataclass(frozen=True, slots=True)
class Ablation:
    """What the score loses when one heuristic is left out of the tree.

    Attributes:
        name: The heuristic.
        spearman_without: Rho of the score without it.
        brings: Rho with it less rho without it, on the same rows and draws.
    """

    name: str
    spearman_without: Estimate
    brings: Estimate


@dataclass(frozen=True, slots=True)
class TypeCell:
    """One heuristic on one message type: rho without an interval, and the rows under it."""

    n: int
    spearman: float | None


@dataclass(frozen=True, slots=True)
class HeuristicTypes:
    """One heuristic on each message type."""

    name: str
    types: dict[str, TypeCell]


def features(rows: Sequence[Rated], scorer: Scorer, resampling: Resampling) -> tuple[Feature, ...]:
    """Each heuristic of the profile by itself: the first selection of the paper, section 5.2.

    The paper also keeps features that literature or a heuristic speaks for; that is a choice
    of people, and not made here.
    """
    rated, ratings = graded(rows)
    found = []
    for name in names(scorer):
        pairs = _values(rated, ratings, name)
        figure = spearman([one for one, _ in pairs], [one for _, one in pairs], resampling)
        selected = (
            figure.value is not None
            and figure.p is not None
            and figure.value > 0
            and figure.p < SELECTED_BELOW_P
        )
        missing_count = len(rated) - len(pairs)
        found.append(
            Feature(name, _SYMBOLS.get(name, ""), len(pairs), missing_count, figure, selected)
        )
    return tuple(found)


def ablation(rows: Sequence[Rated], scorer: Scorer, resampling: Resampling) -> tuple[Ablation, ...]:
    """The paper's last selection, section 5.2: each heuristic left out in turn.

    Only rows that still get a score without the heuristic are compared.
    """
    rated, ratings = graded(rows)
    found = []
    for name in names(scorer):
        kept = [
            (row.score, without, rating)
            for row, rating in zip(rated, ratings, strict=True)
            if (without := score_without(row.assessment, scorer, name)) is not None
        ]
        full, less = [one for one, _, _ in kept], [round(one, 6) for _, one, _ in kept]
        judgements = [one for _, _, one in kept]
        found.append(
            Ablation(
                name,
                spearman(less, judgements, resampling),
                spearman_difference(full, less, judgements, resampling).estimate,
            )
        )
    return tuple(found)


def by_type(rows: Sequence[Rated], scorer: Scorer) -> tuple[HeuristicTypes, ...]:
    """Rho of each heuristic on each message type that was scored: table 2, measured."""
    rated, ratings = graded(rows)
    kinds = [
        kind for kind in MESSAGE_TYPES if any(r.assessment.message_type == kind for r in rated)
    ]
    found = []
    for name in names(scorer):
        cells: dict[str, TypeCell] = {}
        for kind in kinds:
            own = [
                (row, rating)
                for row, rating in zip(rated, ratings, strict=True)
                if row.assessment.message_type == kind
            ]
            pairs = _values([row for row, _ in own], [rating for _, rating in own], name)
            cells[kind] = TypeCell(
                len(pairs), rho([one for one, _ in pairs], [one for _, one in pairs])
            )
        found.append(HeuristicTypes(name, cells))
    return tuple(found)


def names(scorer: Scorer) -> tuple[str, ...]:
    """The heuristics of the scorer's profile, in the paper's order."""
    return tuple(name for name in _SYMBOLS if name in scorer.profile.weights)


def _values(
    rows: Sequence[Rated], ratings: Sequence[float], name: str
) -> list[tuple[float, float]]:
    """The heuristic's value and the rating, where it could be measured."""
    found = [
        (row.assessment.measurements[name].value, rating)
        for row, rating in zip(rows, ratings, strict=True)
    ]
    return [(round(value, 6), rating) for value, rating in found if value is not None]


def score_without(assessment: Assessment, scorer: Scorer, name: str) -> float | None:
    """The tree walked again with one heuristic as if it had nothing to measure."""
    profile = scorer.profile
    outcome = walk(
        profile.tree,
        profile.weights,
        lambda asked: _LEFT_OUT if asked == name else assessment.measurements[asked],
        profile.evidence.get(assessment.read_as or ""),
    )
    return outcome.score
