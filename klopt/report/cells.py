"""Figures, names and verdicts as the cells of a table, and tables of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation import Estimate, Evaluation
from klopt.evaluation.evaluation import ProfileEvaluation
from klopt.report.view import Bar, Cell, Column, Group, Section, Table
from klopt.report.wording import (
    brief,
    chance,
    cut,
    decimal,
    feature_name,
    interval,
    listed,
    say,
    side,
    signed,
    texts,
    whole,
)

_LONGEST: Final = 100
_STEP: Final = 0.05


@dataclass(frozen=True, slots=True)
class Scale:
    """The figures that a bar runs between, and the one that means nothing."""

    low: float
    high: float
    neutral: float

    def place(self, value: float) -> float:
        """Where a value stands, from 0 to 1; at the edge when it lies outside.

        >>> Scale(-1.0, 1.0, 0.0).place(0.5), Scale(0.0, 1.0, 0.5).place(7.0)
        (0.75, 1.0)
        """
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)


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
    reach = max(1, math.ceil(round(min(max(ends, default=0.0), 2.0) / _STEP, 6))) * _STEP
    return Scale(-round(reach, 2), round(reach, 2), 0.0)


def missing(reason: str | None) -> Cell:
    """A cell without a figure, and why."""
    return Cell(reason=cut(reason or texts()["page"]["no_reason"], 200))


def figure(
    estimate: Estimate,
    write: Callable[[float], str] = decimal,
    scale: Scale | None = None,
    name: str = "",
) -> Cell:
    """A figure and its interval, and both as a drawing where there is a scale.

    >>> figure(Estimate(0.5, 0.25, 0.75)).interval
    '0.25 to 0.75'
    """
    if estimate.value is None:
        return missing(estimate.reason)
    ends = interval(estimate, decimal if write is signed else write)
    drawn = None
    if scale:
        said = f"{name}: {decimal(estimate.value)}"
        drawn = Bar(
            f"{said}, interval {interval(estimate)}" if ends else said,
            f"On a line from {decimal(scale.low)} to {decimal(scale.high)}.",
            at=scale.place(estimate.value),
            tick=scale.place(scale.neutral),
            low=None if estimate.low is None else scale.place(estimate.low),
            high=None if estimate.high is None else scale.place(estimate.high),
        )
    reason = "" if ends else missing(estimate.reason).reason
    return Cell(write(estimate.value), ends, reason, bar=drawn)


def by_chance(estimate: Estimate) -> Cell:
    """The p-value of a correlation; nothing for a figure that has none."""
    if estimate.p is not None:
        return Cell(chance(estimate.p))
    return missing(estimate.reason) if estimate.value is None else Cell()


def named(words: str, code: str) -> Cell:
    """Plain words for a code, with the code; the code alone where there are none."""
    shown = brief(code)
    return Cell(words, code="" if words == shown else shown)


def feature(name: str) -> Cell:
    """A measurement by its name for people and its name in the code."""
    return named(feature_name(name), name)


def verdict(section: str, less: Estimate, **names: str) -> Cell:
    """Whether a difference is sure, in words."""
    if less.value is None or less.low is None or less.high is None:
        return missing(less.reason)
    return Cell(say(section, f"verdict_{sure(less)}", **names))


def sure(less: Estimate) -> str:
    """The key of what the interval of a difference says, as its figures are written.

    >>> sure(Estimate(0.1, 0.05, 0.2)), sure(Estimate(0.1, 0.004, 0.2)), sure(Estimate(-0.1))
    ('better', 'level', 'level')
    >>> sure(Estimate(0.001, 0.0005, 0.004))
    'none'
    """
    figures = (less.value, less.low, less.high)
    value, low, high = (0 if one is None else side(one) for one in figures)
    if less.low is not None and less.high is not None and not (value or low or high):
        return "none"
    return "better" if low > 0 else "worse" if high < 0 else "level"


def in_words(found: Iterable[tuple[str, Cell]]) -> str:
    """Verdicts in one sentence, each with the names that it holds for."""
    groups: dict[str, list[str]] = {}
    for name, one in found:
        groups.setdefault(one.text or say("page", "unknown", reason=one.reason), []).append(name)
    return "; ".join(f"{verdict}: {listed(names)}" for verdict, names in groups.items()) + "."


def table(
    section: str,
    columns: Sequence[str | Column],
    rows: Sequence[Sequence[Cell | str | int]],
    caption: str,
    *,
    intervals: Sequence[str] = (),
    page_only: Sequence[str] = (),
    kind: str = "",
) -> Table:
    """A table of a section, its first rows when it is very long.

    Args:
        section: Where the heads stand in the texts.
        columns: Keys of heads, or columns as they are.
        rows: Their cells; a text or a count alone stands as it is.
        caption: Above it.
        intervals: Columns of which a terminal shows the interval too.
        page_only: Columns that a terminal has no room for.
        kind: The class in the style sheet.
    """
    heads = texts()[section]
    left_out = len(rows) - _LONGEST
    return Table(
        caption,
        tuple(
            one
            if isinstance(one, Column)
            else Column(heads[one], one in intervals, one not in page_only)
            for one in columns
        ),
        tuple(tuple(map(_cell, row)) for row in rows[:_LONGEST]),
        more=say("page", "more", count=whole(left_out)) if left_out > 0 else "",
        kind=kind,
    )


def _cell(one: Cell | str | int) -> Cell:
    if isinstance(one, Cell):
        return one
    return Cell(one if isinstance(one, str) else whole(one))


def people(found: Evaluation) -> str:
    """What the scores are held against: ratings, or labels where nobody rated."""
    return str(texts()["people"]["rated" if found.rows.rated else "labelled"])


def per_profile(
    key: str,
    found: Evaluation,
    group: Callable[[ProfileEvaluation, Evaluation], Group | None],
) -> Section | None:
    """A section with a part for each profile that has one; None when none has."""
    groups = tuple(made for one in found.profiles if (made := group(one, found)) is not None)
    intro = say(key, "intro", people=people(found))
    return Section(key, texts()[key]["heading"], intro, groups=groups) if groups else None
