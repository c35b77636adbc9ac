"""What a threshold costs: untrue answers that it stops, true ones that it holds back too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.estimate import Estimate
from klopt.evaluation.rated import Judged, decided
from klopt.evaluation.shares import share
from klopt.evaluation.stars import NEUTRAL

HELD_BACK_MOST_SHARE: Final = 0.10
_STEPS: Final = range(10, 51)


@dataclass(frozen=True, slots=True)
class CostPoint:
    """One threshold on the curve; a share is None when there are no such answers."""

    threshold: float
    caught_share: float | None
    held_back_share: float | None


@dataclass(frozen=True, slots=True)
class CostAt:
    """One threshold with intervals.

    Attributes:
        threshold: Answers that score below it are stopped.
        caught: The share of the untrue answers that is stopped.
        held_back: The share of the true answers that is stopped.
    """

    threshold: float
    caught: Estimate
    held_back: Estimate


@dataclass(frozen=True, slots=True)
class Costs:
    """The curve from 1.0 to 5.0 in steps of 0.1, and the thresholds that one would choose.

    Attributes:
        untrue_count: Answers that people called untrue.
        true_count: Answers that people called true.
        points: The curve.
        at: Neutral, 3.0; then, if there are true answers, the highest threshold on the curve
            that holds back at most 10% of them.
    """

    untrue_count: int
    true_count: int
    points: tuple[CostPoint, ...]
    at: tuple[CostAt, ...]


def costs(rows: Sequence[Judged]) -> Costs:
    """The costs of stopping what scores below a threshold.

    Source: AFAS paper, section 6.2.3 (67% of the 1-star answers and 21% of the 5-star ones
    score below 3), with ratings 1 and 2 together as untrue, 4 and 5 as true.
    """
    judged, is_true = decided(rows)
    pairs = list(zip(judged, is_true, strict=True))
    untrue = sorted(row.score for row, one in pairs if not one)
    true = sorted(row.score for row, one in pairs if one)
    thresholds = [NEUTRAL, *([_cautious(true)] if true else [])]
    return Costs(
        len(untrue),
        len(true),
        tuple(
            CostPoint(step / 10, _below(untrue, step / 10).value, _below(true, step / 10).value)
            for step in _STEPS
        ),
        tuple(CostAt(one, _below(untrue, one), _below(true, one)) for one in thresholds),
    )


def _below(scores: Sequence[float], threshold: float) -> Estimate:
    return share(sum(score < threshold for score in scores), len(scores))


def _cautious(true: Sequence[float]) -> float:
    """The highest threshold on the curve that holds back at most a tenth of the true scores."""
    return max(
        step / 10
        for step in _STEPS
        if sum(score < step / 10 for score in true) <= HELD_BACK_MOST_SHARE * len(true)
    )
