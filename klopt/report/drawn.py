"""Where things lie in the drawings of an evaluation: bars of figures, and what has two axes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from klopt.evaluation import Estimate
from klopt.evaluation.pictures import RiskPoint
from klopt.report.wording import Wording
from klopt.scoring.tree import HIGHEST, LOWEST

LEFT, TOP, WIDE, HIGH = 50.0, 24.0, 320.0, 240.0
"""Where the plot lies in its drawing."""
_STEP: Final = 0.05


class Bar(NamedTuple):
    """A figure and its interval on a line from 0 to 1, and what they are held against."""

    at: float
    tick: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Scale:
    """The figures that a bar runs between, and the one that means nothing."""

    low: float
    high: float
    neutral: float

    def bar(self, estimate: Estimate) -> Bar:
        """Where a figure that is known lies, and its interval where it has one."""
        low, high = (
            None if end is None else self.place(end) for end in (estimate.low, estimate.high)
        )
        return Bar(self.place(estimate.value or 0.0), self.place(self.neutral), low, high)

    def place(self, value: float) -> float:
        """Where a value stands, from 0 to 1.

        >>> Scale(-1.0, 1.0, 0.0).place(0.5)
        0.75
        """
        return (value - self.low) / (self.high - self.low)


CORRELATION: Final = Scale(-1.0, 1.0, 0.0)
COIN: Final = Scale(0.0, 1.0, 0.5)
SHARE: Final = Scale(0.0, 1.0, 0.0)


def around_zero(estimates: Iterable[Estimate]) -> Scale:
    """A scale for differences that holds all of them, in steps of 0.05.

    >>> around_zero([Estimate(0.03, -0.02, 0.07)])
    Scale(low=-0.1, high=0.1, neutral=0.0)
    """
    ends = [
        abs(end)
        for estimate in estimates
        for end in (estimate.value, estimate.low, estimate.high)
        if end is not None
    ]
    reach = max(1, math.ceil(round(max(ends, default=0.0) / _STEP, 6))) * _STEP
    return Scale(-round(reach, 2), round(reach, 2), 0.0)


def place(across: float, up: float) -> tuple[float, float]:
    """Where shares from 0 to 1, from the left and from below, lie in the drawing.

    >>> place(0.25, 0.75)
    (130.0, 84.0)
    """
    return LEFT + WIDE * across, TOP + HIGH * (1 - up)


def up(score: float) -> float:
    """Where a score from 1 to 5 lies, from 0 to 1."""
    return (score - LOWEST) / (HIGHEST - LOWEST)


def reach(risk: Iterable[RiskPoint]) -> float:
    """The share at which a drawing of risk ends: a fifth, or as many fifths as it takes."""
    return max(1, math.ceil(round(5 * max((at.untrue for at in risk), default=0.0), 6))) / 5


def shares(words: Wording, top: float = 1.0) -> list[tuple[float, str]]:
    """Marks along an axis of shares: where, and what stands there."""
    return [(part / 4, words.percent(part / 4 * top)) for part in range(5)]


def stars(*, is_between: bool = False) -> list[tuple[float, str]]:
    """Marks for 1 to 5: from end to end, or each in the middle of its fifth."""
    return [((star - 0.5) / 5 if is_between else up(star), f"{star}") for star in range(1, 6)]
