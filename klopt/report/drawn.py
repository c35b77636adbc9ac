"""Where things lie in the drawings of an evaluation: bars of figures, and the curve of costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from klopt.evaluation import Estimate
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.report.wording import brief

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

    def bar(self, one: Estimate) -> Bar:
        """Where a figure that is known lies, and its interval where it has one."""
        low, high = (None if end is None else self.place(end) for end in (one.low, one.high))
        return Bar(self.place(one.value or 0.0), self.place(self.neutral), low, high)

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
        abs(end) for one in estimates for end in (one.value, one.low, one.high) if end is not None
    ]
    reach = max(1, math.ceil(round(max(ends, default=0.0) / _STEP, 6))) * _STEP
    return Scale(-round(reach, 2), round(reach, 2), 0.0)


class Point(NamedTuple):
    """A threshold on the curve: where it lies, from 0 to 1 both ways."""

    threshold: float
    caught_share: float
    held_back_share: float


class Curve(NamedTuple):
    """What thresholds of a profile cost, to be drawn."""

    name: str
    points: Sequence[Point]
    special: Sequence[Point]


def curve(one: ProfileEvaluation) -> Curve:
    """The curve of a profile; without points where nobody found an answer true, or untrue."""
    found = one.costs
    if not (found.untrue_count and found.true_count):
        return Curve(brief(one.name), (), ())
    every, special = (
        [Point(at.threshold, caught or 0.0, held_back or 0.0) for at, caught, held_back in some]
        for some in (
            [(at, at.caught_share, at.held_back_share) for at in found.points],
            [(at, at.caught.value, at.held_back.value) for at in found.at],
        )
    )
    return Curve(brief(one.name), every, list(dict.fromkeys(special)))


def place(point: Point) -> tuple[float, float]:
    """Across and down in the drawing: nothing held back on the left, all caught at the top.

    >>> place(Point(3.0, 0.75, 0.25))
    (130.0, 84.0)
    """
    return LEFT + WIDE * point.held_back_share, TOP + HIGH * (1 - point.caught_share)
