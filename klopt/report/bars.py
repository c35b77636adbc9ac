"""Small drawings inside tables: an interval, a measurement, a rating beside a score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from klopt.report.elements import Markup
from klopt.report.figures import decimal, score
from klopt.report.shape import Estimate
from klopt.report.svg import box, circle, drawing, label, line

_WIDTH: Final = 120.0
_HEIGHT: Final = 16.0
_EDGE: Final = 6.0
_STEP: Final = 0.05


@dataclass(frozen=True, slots=True)
class Scale:
    """The figures that a bar runs between, and the one that means nothing."""

    low: float
    high: float
    neutral: float

    def place(self, value: float) -> float:
        """Where a value stands in the bar; at the edge when it lies outside.

        >>> Scale(-1.0, 1.0, 0.0).place(0.5), Scale(0.0, 1.0, 0.5).place(7.0)
        (87.0, 114.0)
        """
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return _EDGE + (_WIDTH - 2 * _EDGE) * share


CORRELATION: Final = Scale(-1.0, 1.0, 0.0)
COIN: Final = Scale(0.0, 1.0, 0.5)


def around_zero(estimates: Iterable[Estimate]) -> Scale:
    """A scale for differences that holds all of them, in steps of 0.05.

    >>> around_zero([Estimate(0.03, -0.02, 0.07)])
    Scale(low=-0.1, high=0.1, neutral=0.0)
    """
    ends = [
        abs(end) for one in estimates for end in (one.value, one.low, one.high) if end is not None
    ]
    reach = max(1, math.ceil(round(min(max(ends, default=0.0), 2.0) / _STEP, 6))) * _STEP
    return Scale(-round(reach, 2), round(reach, 2), 0.0)


def interval_bar(estimate: Estimate, scale: Scale, name: str) -> Markup | None:
    """A line for the interval, a dot for the figure, a tick where there is no relation."""
    if estimate.value is None:
        return None
    middle = _HEIGHT / 2
    neutral = scale.place(scale.neutral)
    said = f"{name}: {decimal(estimate.value)}"
    spread = None
    if estimate.low is not None and estimate.high is not None:
        said += f", interval {decimal(estimate.low)} to {decimal(estimate.high)}"
        spread = line(
            scale.place(estimate.low), middle, scale.place(estimate.high), middle, "range"
        )
    return drawing(
        _WIDTH,
        _HEIGHT,
        "bar",
        said,
        f"On a line from {decimal(scale.low)} to {decimal(scale.high)}.",
        line(_EDGE, middle, _WIDTH - _EDGE, middle, "axis"),
        line(neutral, 2.0, neutral, _HEIGHT - 2, "tick"),
        spread,
        circle(scale.place(estimate.value), middle, 4.0, "dot"),
    )


def value_bar(value: float, expected: float | None, name: str) -> Markup:
    """A measurement from 0 to 1, with a tick where the rating would have it."""
    wide = _WIDTH - 2 * _EDGE
    tick = None
    said = f"{name}: {decimal(value)}"
    if expected is not None:
        at = _EDGE + wide * expected
        tick = line(at, 1.0, at, _HEIGHT - 1, "tick")
        said += f", the rating says {decimal(expected)}"
    return drawing(
        _WIDTH,
        _HEIGHT,
        "bar",
        said,
        "On a line from 0 to 1; the tick is what the rating says.",
        box(_EDGE, 5.0, wide, 6.0, "ground"),
        box(_EDGE, 5.0, wide * min(max(value, 0.0), 1.0), 6.0, "fill"),
        tick,
    )


def rating_scale(rating: float, given: float) -> Markup:
    """From 1 to 5: a square for the person, a dot for klopt, and the gap between them."""
    person, klopt = (30.0 + 50.0 * (min(max(one, 1.0), 5.0) - 1) for one in (rating, given))
    return drawing(
        260,
        58,
        "scale",
        f"Person {decimal(rating, 0)}, klopt {score(given)}",
        "On a line from 1 (untrue) to 5 (true): the square is the person, the dot is klopt.",
        line(30.0, 29.0, 230.0, 29.0, "axis"),
        *(line(30.0 + 50 * step, 25.0, 30.0 + 50 * step, 33.0, "axis") for step in range(5)),
        line(person, 29.0, klopt, 29.0, "range"),
        box(person - 6, 23.0, 12.0, 12.0, "person"),
        circle(klopt, 29.0, 6.0, "dot"),
        label(person, 14.0, "person", "middle"),
        label(klopt, 52.0, f"klopt {score(given)}", "middle"),
    )
