"""Scores on either side of a threshold: table 5 of the AFAS paper, and what stopping costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from klopt.evaluation.agreement import accuracy_margin_1
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.features import walked
from klopt.evaluation.rated import Rated, apart, is_true, is_untrue, rating_of
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST, printed

STARS: Final = (1, 2, 3, 4, 5)
HELD_BACK_MOST_SHARE: Final = 0.10
LINES: Final = tuple(step / 10 for step in range(10, 51))
"""Those of the curve, from 1.0 to 5.0."""


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
    shares = (share(sum(holds), len(holds)) for holds in conditions)
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


class JudgedScore(NamedTuple):
    """What lines and pictures need of an answer that was scored and judged.

    Attributes:
        score: As it is printed.
        rating: 1 to 5; a label counts as 1 or 5.
        is_sent: Whether it is sent.
        is_held: Whether it is sent from no line, for a fault.
    """

    score: float
    rating: float
    is_sent: bool
    is_held: bool


Judged = Mapping[JudgedScore, int]
"""How often there is an answer that was judged, scored and sent alike."""


def judged_scores(rows: Sequence[Rated], profile: Profile) -> Counter[JudgedScore]:
    """The rows as they are counted for lines and pictures."""
    found: Counter[JudgedScore] = Counter()
    for row in rows:
        assessment, rating = row.assessment, rating_of(row.turn)
        own, is_sent = walked(assessment, profile).score, assessment.verdict == "send"
        is_held = not is_sent and own is not None and profile.verdict(own) == "send"
        is_held = is_held and not assessment.opinions  # which move the score as well
        if rating is not None:
            found[JudgedScore(printed(row.score), rating, is_sent, is_held)] += 1
    return found


def costs(judged: Judged, own: float) -> Costs:
    """The costs of stopping what scores below a threshold.

    At the profile's ``own`` line stopped is what its verdict does not send. At another it is what
    scores less as it is printed, or is held for a fault, as it would be from any line.

    Source: AFAS paper, section 6.2.3 (67% of the 1-star answers and 21% of the 5-star ones
    score below 3), with ratings 1 and 2 together as untrue, 4 and 5 as true.
    """
    untrue, true = (
        {answer: count for answer, count in judged.items() if is_side(answer.rating)}
        for is_side in (is_untrue, is_true)
    )

    def at(threshold: float) -> CostAt:
        return CostAt(threshold, *(_stopped(some, threshold, own) for some in (untrue, true)))

    steps = [at(step) for step in LINES]
    cautious = [step for step in steps if (step.held_back.value or 0.0) <= HELD_BACK_MOST_SHARE]
    return Costs(
        sum(untrue.values()),
        sum(true.values()),
        tuple(CostPoint(step.threshold, step.caught.value, step.held_back.value) for step in steps),
        (at(own), *(cautious[-1:] if true else ())),
    )


def _stopped(judged: Judged, threshold: float, own: float) -> Estimate:
    passed = (
        count
        for answer, count in judged.items()
        if (answer.is_sent if threshold == own else passes(answer, threshold))
    )
    total = sum(judged.values())
    return share(total - sum(passed), total)


def passes(answer: JudgedScore, line: float) -> bool:
    """Whether an answer would be sent from a line that is not its profile's."""
    return not answer.is_held and answer.score >= line
