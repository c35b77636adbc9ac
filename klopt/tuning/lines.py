"""Where the line lies from which answers are sent: by what is held back, or by what is untrue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL, Estimate, share
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.scoring.tree import HIGHEST, LOWEST, Term, Weighing, logistic, printed
from klopt.tuning.evidence_weights import log_odds_of
from klopt.tuning.samples import Sample

_STEEPNESS: Final = tuple(round(0.5 + step * 0.1, 1) for step in range(36))
_PLACES: Final = tuple(round(LOWEST + step * 0.1, 1) for step in range(41))

Scored = Sequence[tuple[Sample, float]]
"""Judged answers, each with a score that its own judgement did not move."""


class Lines(NamedTuple):
    """Where the verdicts of a profile begin."""

    block_below: float
    send_from: float


class Line(NamedTuple):
    """Brings log-odds to others in the same order, and so the line between untrue and true."""

    steepness: float
    shift: float

    def moved(self, weighing: Weighing) -> Weighing:
        """The weighing that gives the log-odds so moved."""
        terms = {
            name: Term(term.weight * self.steepness, term.neutral)
            for name, term in weighing.terms.items()
        }
        return Weighing(self.steepness * weighing.base + self.shift, terms)

    def score(self, log_odds: float) -> float:
        """The score, 1 to 5, of an answer with these log-odds before they are moved."""
        return LOWEST + (HIGHEST - LOWEST) * logistic(self.steepness * log_odds + self.shift)


def find_line(
    log_odds: Sequence[float],
    ratings: Sequence[float],
    *,
    held_back_share: float,
    send_from: float,
) -> Line:
    """The line at ``send_from``, and scores as near the ratings as can be.

    A fit orders answers; where the line lies is a choice. Here it lies where a stated share of
    the true answers falls below it: what a company loses by stopping what scores less.

    Args:
        log_odds: Of answers that were not learnt from, by weighings learnt in the same way.
        ratings: Of those answers, 1 to 5.
        held_back_share: Of the answers rated 5, about this share scores below ``send_from``.
        send_from: The profile's, between 1 and 5.

    Returns:
        A line of a steepness from 0.5 to 4. It moves nothing when no answer is rated 5.
    """
    highest = [one for one, rating in zip(log_odds, ratings, strict=True) if rating == HIGHEST]
    if not highest:
        return Line(1.0, 0.0)
    middle = float(np.quantile(highest, held_back_share))

    def error(line: Line) -> float:
        scores = np.array([line.score(one) for one in log_odds])
        return float(np.mean((scores - np.array(ratings)) ** 2))

    at = log_odds_of(send_from)
    return min((Line(one, at - one * middle) for one in _STEEPNESS), key=error)


AS_IT_IS: Final = Line(1.0, 0.0)


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
    ratings = [one.rating for one, score in scored if printed(score) >= send_from and not one.held]
    return Sent(
        len(ratings),
        sum(one <= UNTRUE_TO for one in ratings),
        sum(one >= TRUE_FROM for one in ratings),
        len(scored),
        sum(one.rating >= TRUE_FROM for one, _ in scored),
    )


def line_by_risk(scored: Scored, untrue_share: float) -> float | None:
    """The lowest line from which at most a share of what is sent is untrue.

    A line is drawn where few answers happen to be untrue, so that on others more are: one untrue
    answer more than there are, of two more, is counted (Laplace's rule of succession).

    Args:
        scored: Judged answers with their scores.
        untrue_share: From 0 to 1.

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
