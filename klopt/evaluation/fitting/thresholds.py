"""The threshold to send from, by the share of untrue answers among those sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL, Estimate, share
from klopt.evaluation.fitting.samples import Sample
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.scoring.tree import LOWEST, printed

_STEPS: Final = tuple(round(LOWEST + step * 0.1, 1) for step in range(41))

Scored = Sequence[tuple[Sample, float]]
"""Rated answers with their held-out scores."""


class FittedThresholds(NamedTuple):
    """Scores at which the verdicts of a profile change."""

    block_below: float
    send_from: float


@dataclass(frozen=True, slots=True)
class Sent:
    """Numbers of rated answers that a threshold sends, and of all; true means 4 or more."""

    count: int
    untrue_count: int
    true_count: int
    total: int
    total_true: int

    @property
    def untrue(self) -> Estimate:
        """Share of the sent answers that is untrue."""
        return share(self.untrue_count, self.count)

    @property
    def true(self) -> Estimate:
        """Share of the true answers that is sent."""
        return share(self.true_count, self.total_true)


def sent(scored: Scored, send_from: float) -> Sent:
    """Count what a threshold sends; an answer held for a fault is not sent at any score.

    >>> sent([(Sample({}, 5.0, "nl", "a"), 4.0), (Sample({}, 4.0, "nl", "b"), 2.0)], 3.0).count
    1
    """
    ratings = [
        sample.rating for sample, score in scored if printed(score) >= send_from and not sample.held
    ]
    return Sent(
        len(ratings),
        sum(rating <= UNTRUE_TO for rating in ratings),
        sum(rating >= TRUE_FROM for rating in ratings),
        len(scored),
        sum(sample.rating >= TRUE_FROM for sample, _ in scored),
    )


def threshold_by_risk(scored: Scored, untrue_share: float) -> float | None:
    """Return the lowest score sent where at most a share of the sent answers is untrue.

    That is not the lowest threshold: one below all scores that may be sent would also send what
    nobody rated. Laplace's rule of succession, (untrue + 1) / (sent + 2), corrects for choosing the
    threshold where few answers happen to be untrue.

    Returns:
        From 1 to 5, in steps of 0.1; None if no threshold that sends ten answers is safe enough.
    """
    for threshold in _STEPS:
        found = sent(scored, threshold)
        if found.count < FEWEST_FOR_INTERVAL:
            return None
        if found.untrue_count + 1 <= untrue_share * (found.count + 2):
            scores = (printed(score) for sample, score in scored if not sample.held)
            return min(score for score in scores if score >= threshold)
    return None
