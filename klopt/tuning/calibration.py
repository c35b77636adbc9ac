"""Puts the line between untrue and true at the score from which a profile sends.

A fit orders answers; where the line lies is a choice. Here it lies where a stated share of the
true answers falls below it: what a company loses by stopping what scores less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from klopt.scoring.tree import HIGHEST, LOWEST, Term, Weighing, logistic

_STEEPNESS: Final = tuple(round(0.5 + step * 0.1, 1) for step in range(36))


def calibrate(
    weighing: Weighing,
    log_odds: Sequence[float],
    ratings: Sequence[float],
    *,
    held_back_share: float,
    send_from: float,
) -> Weighing:
    """The same order of answers, the line at ``send_from``, scores as near the ratings as can be.

    Args:
        weighing: What was learnt.
        log_odds: Of answers that it was not learnt from, by weighings learnt in the same way.
        ratings: Of those answers, 1 to 5.
        held_back_share: Of the answers rated 5, about this share scores below ``send_from``.
        send_from: The profile's, between 1 and 5.

    Returns:
        All weights multiplied by one number, from 0.5 to 4, and another base. Unchanged when no
        answer is rated 5.
    """
    highest = [one for one, rating in zip(log_odds, ratings, strict=True) if rating == HIGHEST]
    if not highest:
        return weighing
    line = float(np.quantile(highest, held_back_share))
    at = log_odds_of(send_from)
    steepness = min(_STEEPNESS, key=lambda number: _error(number, line, at, log_odds, ratings))
    terms = {
        name: Term(term.weight * steepness, term.neutral) for name, term in weighing.terms.items()
    }
    return Weighing(steepness * (weighing.base - line) + at, terms)


def log_odds_of(score: float) -> float:
    """The log-odds that come to a score between 1 and 5.

    >>> log_odds_of(3.0)
    0.0
    """
    return math.log((score - LOWEST) / (HIGHEST - score))


def _error(
    steepness: float,
    line: float,
    at: float,
    log_odds: Sequence[float],
    ratings: Sequence[float],
) -> float:
    """The mean square of what the scores are off."""
    scores = [
        LOWEST + (HIGHEST - LOWEST) * logistic(steepness * (one - line) + at) for one in log_odds
    ]
    return float(np.mean((np.array(scores) - np.array(ratings)) ** 2))
