"""Scores on either side of a threshold: table 5 of the AFAS paper, and what stopping costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.agreement import accuracy_margin_1
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.rated import Rated, apart, decided
from klopt.scoring.tree import HIGHEST, LOWEST

STARS: Final = (1, 2, 3, 4, 5)
HELD_BACK_MOST_SHARE: Final = 0.10
_STEPS: Final = tuple(step / 10 for step in range(10, 51))


@dataclass(frozen=True, slots=True)
class StarRow:
    """The ``n`` answers that people gave one number of stars (halves are rounded up).

    The shares of them whose score is at most 1 from the rating, the lowest, below and above the
    line to send from, and the highest.
    """

    rating: int
    n: int
    margin_1: Estimate
    score_1: Estimate
    below_send: Estimate
    above_send: Estimate
    score_5: Estimate


def star_rows(rows: Sequence[Rated], send_from: float) -> tuple[StarRow, ...]:
    """Five rows, from 1 star to 5; shares without a value where no answer was rated so."""
    return tuple(_row(stars, rows, send_from) for stars in STARS)


def _row(stars: int, rows: Sequence[Rated], send_from: float) -> StarRow:
    scores, ratings = apart(
        (row.score, row.turn.rating)
        for row in rows
        if row.turn.rating is not None and math.floor(row.turn.rating + 0.5) == stars
    )
    conditions = (
        [score == LOWEST for score in scores],
        [score < send_from for score in scores],
        [score > send_from for score in scores],
        [score == HIGHEST for score in scores],
    )
    shares = (share(sum(one), len(one)) for one in conditions)
    return StarRow(stars, len(scores), accuracy_margin_1(scores, ratings), *shares)


@dataclass(frozen=True, slots=True)
class CostPoint:
    """One threshold on the curve; a share is None when there are no such answers."""

    threshold: float
    caught_share: float | None
    held_back_share: float | None


@dataclass(frozen=True, slots=True)
class CostAt:
    """One threshold with intervals."""

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
        at: The profile's own; then, if there are true answers, the highest threshold on the
            curve that holds back at most 10% of them.
    """

    untrue_count: int
    true_count: int
    points: tuple[CostPoint, ...]
    at: tuple[CostAt, ...]


def costs(rows: Sequence[Rated], send_from: float) -> Costs:
    """The costs of stopping what scores below a threshold.

    Source: AFAS paper, section 6.2.3 (67% of the 1-star answers and 21% of the 5-star ones
    score below 3), with ratings 1 and 2 together as untrue, 4 and 5 as true.
    """
    pairs = list(zip(*decided(rows), strict=True))
    untrue, true = ([row.score for row, one in pairs if one is side] for side in (False, True))
    thresholds = [send_from, *([_cautious(true)] if true else [])]
    return Costs(
        len(untrue),
        len(true),
        tuple(CostPoint(one, _below(untrue, one).value, _below(true, one).value) for one in _STEPS),
        tuple(CostAt(one, _below(untrue, one), _below(true, one)) for one in thresholds),
    )


def _below(scores: Sequence[float], threshold: float) -> Estimate:
    return share(sum(score < threshold for score in scores), len(scores))


def _cautious(true: Sequence[float]) -> float:
    """The highest threshold on the curve that holds back at most a tenth of the true scores."""
    return max(
        step
        for step in _STEPS
        if sum(score < step for score in true) <= HELD_BACK_MOST_SHARE * len(true)
    )
