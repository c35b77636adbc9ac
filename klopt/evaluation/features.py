"""What each heuristic is worth: alone (selection) and in the tree (ablation)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt import heuristics
from klopt.evaluation.agreement import spearman, spearman_difference
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import Rated, apart, graded
from klopt.records import Measurement
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.tree import Walk, walk

SELECTED_BELOW_P: Final = 0.10
_LEFT_OUT: Final = Measurement.missing("left out")


@dataclass(frozen=True, slots=True)
class Feature:
    """One heuristic's own values against the ratings."""

    name: str
    symbol: str
    n: int
    missing_count: int
    spearman: Estimate
    selected: bool


@dataclass(frozen=True, slots=True)
class Ablation:
    """What the score loses when one heuristic is left out of the tree."""

    name: str
    spearman_without: Estimate
    brings: Estimate


def features(rows: Sequence[Rated], scorer: Scorer, resampling: Resampling) -> tuple[Feature, ...]:
    """Each heuristic of the profile by itself: the first selection of the paper, section 5.2.

    The paper also keeps features that literature or a heuristic speaks for; that is a choice
    of people, and not made here.
    """
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
    """The paper's last selection, section 5.2: each heuristic left out in turn.

    Only rows that still get a score without the heuristic are compared.
    """
    rated, ratings = graded(rows)
    found = []
    for name in names(scorer):
        scores, judgements = apart(
            ((row.score, round(without, 6)), rating)
            for row, rating in zip(rated, ratings, strict=True)
            if (without := walked(row.assessment, scorer.profile, name).score) is not None
        )
        full, less = apart(scores)
        alone = spearman(less, judgements, resampling)
        brings = spearman_difference(full, less, judgements, resampling).estimate
        found.append(Ablation(name, alone, brings))
    return tuple(found)


def names(scorer: Scorer) -> tuple[str, ...]:
    """The heuristics of the scorer's profile, in the paper's order."""
    return tuple(name for name in heuristics.BY_NAME if name in scorer.profile.weights)


def walked(assessment: Assessment, profile: Profile, without: str = "") -> Walk:
    """The tree walked again, perhaps with one heuristic as if it had nothing to measure."""
    return walk(
        profile.tree,
        profile.weights,
        lambda name: _LEFT_OUT if name == without else assessment.measurements.get(name, _LEFT_OUT),
        profile.evidence.get(assessment.read_as or ""),
    )
