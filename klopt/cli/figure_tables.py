"""Tables of figures at a terminal, and how their cells are written."""

from __future__ import annotations

from typing import Final

from rich.console import Console, JustifyMethod
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from klopt.cli.evaluation_words import share, signed, two
from klopt.cli.terminal import shown
from klopt.evaluation import Estimate

NONE: Final = "–"
_LONGEST_NAME: Final = 32
_WIDEST: Final = 200


def print_table(console: Console, title: str, table: Table) -> None:
    """A table at its own width; where the terminal is narrower, lines wrap and no figure is cut."""
    console.print(shown(f"\n{title}", style="bold"))
    widest = console.options.update(max_width=_WIDEST)
    width = console.width
    console.width = max(width, Measurement.get(console, widest, table).maximum)
    console.print(table)
    console.width = width


def figure_table(*columns: str, left: int = 1) -> Table:
    """A table as wide as its cells; the first ``left`` columns are words, the others figures."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for place, name in enumerate(columns):
        justify: JustifyMethod = "left" if place < left else "right"
        table.add_column(Text(name), justify=justify, no_wrap=place > 0)
    table.columns[0].max_width = _LONGEST_NAME
    table.columns[0].overflow = "fold"
    return table


def value(figure: Estimate, as_share: bool = False) -> str:
    """The figure, or a dash."""
    if figure.value is None:
        return NONE
    return share(figure.value) if as_share else two(figure.value)


def difference(figure: Estimate) -> str:
    """A difference with its sign, or a dash."""
    return NONE if figure.value is None else signed(figure.value)


def interval(figure: Estimate, as_share: bool = False) -> str:
    """Its interval, or a dash."""
    if figure.low is None or figure.high is None:
        return NONE
    if as_share:
        return f"{share(figure.low)} to {share(figure.high)}"
    return f"{two(figure.low)} to {two(figure.high)}"


def with_interval(figure: Estimate) -> str:
    """The figure and its interval for a sentence, or why there is none."""
    if figure.value is None:
        return f"none, {figure.reason}"
    return f"{value(figure)} ({interval(figure)})" if figure.low is not None else value(figure)


def chance(figure: Estimate) -> str:
    """The p-value of a correlation; empty where there is none."""
    if figure.p is None:
        return ""
    return "<0.001" if figure.p < 0.001 else f"{figure.p:.3f}"
