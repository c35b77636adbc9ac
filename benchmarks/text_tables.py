"""Figures as aligned text of at most 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from klopt.evaluation import Estimate

WIDTH: Final = 100
NONE: Final = "–"


def number(value: float | None, *, signed: bool = False) -> str:
    """Two decimals, no minus before zero.

    >>> number(-0.001), number(0.5, signed=True), number(None)
    ('0.00', '+0.50', '–')
    """
    if value is None:
        return NONE
    text = f"{value:+.2f}" if signed else f"{value:.2f}"
    return "0.00" if text in ("-0.00", "+0.00") else text


def figure(one: Estimate, *, signed: bool = False) -> str:
    """A figure with its 95% interval.

    >>> figure(Estimate(0.5, 0.25, 0.75, 20))
    '0.50 [0.25, 0.75]'
    """
    if one.low is None or one.high is None:
        return number(one.value, signed=signed)
    low, high = number(one.low, signed=signed), number(one.high, signed=signed)
    return f"{number(one.value, signed=signed)} [{low}, {high}]"


def percent(one: Estimate) -> str:
    """A share with its 95% interval.

    >>> percent(Estimate(0.5, 0.25, 0.75, 20))
    '50% [25–75]'
    """
    if one.value is None:
        return NONE
    if one.low is None or one.high is None:
        return f"{one.value:.0%}"
    return f"{one.value:.0%} [{one.low * 100:.0f}–{one.high * 100:.0f}]"


def p_value(one: Estimate) -> str:
    """A p-value, or a dash.

    >>> p_value(Estimate(0.5, n=9, p=0.0001)), p_value(Estimate(0.5, n=9, p=0.04))
    ('<0.001', '0.040')
    """
    if one.p is None:
        return NONE
    return "<0.001" if one.p < 0.001 else f"{one.p:.3f}"


def counts(some: Iterable[Estimate]) -> str:
    """The rows under the figures of one line; once when they are the same.

    >>> counts([Estimate(0.5, n=9), Estimate(0.6, n=9)])
    '9'
    """
    return "/".join(str(n) for n in dict.fromkeys(one.n for one in some))


def grid(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    r"""A titled table: the first column to the left, the others to the right.

    Args:
        title: Above it, wrapped.
        head: The columns.
        rows: As many cells each.

    >>> print(*grid("Title", ["", "n"], [["all", "10"]]), sep="\n")
    <BLANKLINE>
    Title
            n
      all  10
    """
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        ("  " + "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])).rstrip()
        for row in (head, *rows)
    ]
    return ["", *textwrap.wrap(title, WIDTH), *lines]
