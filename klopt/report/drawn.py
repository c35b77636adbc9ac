"""Coordinates in the charts of an evaluation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from klopt.evaluation.estimate import Estimate
from klopt.evaluation.thresholds import RiskPoint
from klopt.report.wording import Wording
from klopt.scoring.tree import HIGHEST, LOWEST

LEFT, TOP, WIDE, HIGH = 50.0, 24.0, 320.0, 240.0  # Left, top, width and height of a plot
_STEP: Final = 0.05


class Bar(NamedTuple):
    """A figure, a reference value and an interval, on a line from 0 to 1."""

    at: float
    tick: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Scale:
    """The ends of a bar, and its neutral value."""

    low: float
    high: float
    neutral: float

    def bar(self, estimate: Estimate) -> Bar:
        """Return the place of a known figure, and of its interval if there is one."""
        low, high = (
            None if end is None else self.place(end) for end in (estimate.low, estimate.high)
        )
        return Bar(self.place(estimate.value or 0.0), self.place(self.neutral), low, high)

    def place(self, value: float) -> float:
        """Return the place of a value, from 0 to 1.

        >>> Scale(-1.0, 1.0, 0.0).place(0.5)
        0.75
        """
        return (value - self.low) / (self.high - self.low)


CORRELATION: Final = Scale(-1.0, 1.0, 0.0)
COIN: Final = Scale(0.0, 1.0, 0.5)
SHARE: Final = Scale(0.0, 1.0, 0.0)


def around_zero(estimates: Iterable[Estimate]) -> Scale:
    """Return a scale in steps of 0.05 that holds all differences.

    >>> around_zero([Estimate(0.03, -0.02, 0.07)])
    Scale(low=-0.1, high=0.1, neutral=0.0)
    """
    every = (end for one in estimates for end in (one.value, one.low, one.high))
    ends = [abs(end) for end in every if end is not None]
    reach = max(1, math.ceil(round(max(ends, default=0.0) / _STEP, 6))) * _STEP
    return Scale(-round(reach, 2), round(reach, 2), 0.0)


def place(across: float, up: float) -> tuple[float, float]:
    """Return the coordinates of shares from 0 to 1, from the left and from below.

    >>> place(0.25, 0.75)
    (130.0, 84.0)
    """
    return LEFT + WIDE * across, TOP + HIGH * (1 - up)


def up(score: float) -> float:
    """Return the place of a score from 1 to 5, from 0 to 1."""
    return (score - LOWEST) / (HIGHEST - LOWEST)


def reach(risk: Iterable[RiskPoint]) -> float:
    """Return the highest share on the axis of a risk chart, in fifths."""
    return max(1, math.ceil(round(5 * max((at.untrue for at in risk), default=0.0), 6))) / 5


def shares(words: Wording, top: float = 1.0) -> list[tuple[float, str]]:
    """Return place and text of the marks along an axis of shares."""
    return [(part / 4, words.percent(part / 4 * top)) for part in range(5)]


def stars(*, is_between: bool = False) -> list[tuple[float, str]]:
    """Return the marks for 1 to 5: from end to end, or each in the middle of its fifth."""
    return [((star - 0.5) / 5 if is_between else up(star), f"{star}") for star in range(1, 6)]
