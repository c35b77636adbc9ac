"""Where the line lies from which answers are sent: by how much of it is untrue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL, Estimate, share
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.scoring.tree import LOWEST, printed
from klopt.tuning.samples import Sample

_PLACES: Final = tuple(round(LOWEST + step * 0.1, 1) for step in range(41))

Scored = Sequence[tuple[Sample, float]]
"""Judged answers, each with a score that its own judgement did not move."""


class DrawnLines(NamedTuple):
    """Where the verdicts of a profile begin."""

    block_below: float
    send_from: float


@dataclass(frozen=True, slots=True)
class Sent:
    """What a line sends of judged answers.

    Attributes:
        count: How many are sent.
        untrue_count: How many of those people called untrue (2 or less).
        true_count: How many of those they called true (4 or more).
        total: How many there are, sent or not.
        total_true: How many of those are true.
    """

    count: int
    untrue_count: int
    true_count: int
    total: int
    total_true: int

    @property
    def untrue(self) -> Estimate:
        """Of what is sent, the share that is untrue."""
        return share(self.untrue_count, self.count)

    @property
    def true(self) -> Estimate:
        """Of what is true, the share that is sent."""
        return share(self.true_count, self.total_true)


def sent(scored: Scored, send_from: float) -> Sent:
    """What is sent from a line on; what is held for a fault is not sent, whatever its score.

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


def line_by_risk(scored: Scored, untrue_share: float) -> float | None:
    """The lowest line from which at most a share of what is sent is untrue.

    A line is drawn where few answers happen to be untrue, so that on others more are: one untrue
    answer more than there are, of two more, is counted (Laplace's rule of succession).

    Returns:
        From 1 to 5, in steps of 0.1, as scores are printed; None when no line that sends ten
        answers is that safe.
    """
    for place in _PLACES:
        found = sent(scored, place)
        if found.count < FEWEST_FOR_INTERVAL:
            return None
        if found.untrue_count + 1 <= untrue_share * (found.count + 2):
            return place
    return None
