"""Checks against references as a table for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from klopt.batch.checking import CheckedRow
from klopt.cli.judged_words import GOOD, why
from klopt.cli.table import LONGEST_ID
from klopt.cli.terminal import clean, shown

POOR: Final = 0.5
NONE: Final = "–"

_NARROWEST_WORDS: Final = 24
_NARROWEST_FIGURE: Final = 4
_GAP: Final = 2


def show_judged(rows: Sequence[CheckedRow], console: Console) -> None:
    """One line for each row, or two tables where the terminal is too narrow for one.

    Where it is too narrow for the figures alone, lines wrap and no figure is cut. Nothing for no
    rows.
    """
    if not rows:
        return
    figures = dict(_columns(rows))
    least = _width(rows) + sum(map(_heading_width, figures))
    width = console.width
    if least + _NARROWEST_WORDS <= width:
        console.print(_table(rows, figures, words=True))
        return
    console.width = max(width, least)
    console.print(_table(rows, figures, words=False))
    console.width = width
    if told := [row for row in rows if why(row)]:
        console.print()
        console.print(_table(told, {}, words=True))


def _table(
    rows: Sequence[CheckedRow], figures: Mapping[str, Sequence[Text]], *, words: bool
) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("id", width=_width(rows), overflow="fold")
    for name in figures:
        table.add_column(name, justify="right", width=_heading_width(name) - _GAP)
    if words:
        table.add_column("what to look at", ratio=1)
    for place, row in enumerate(rows):
        cells = [shown(row.row.id), *(texts[place] for texts in figures.values())]
        table.add_row(*cells, *([shown(why(row))] if words else []))
    return table


def _width(rows: Sequence[CheckedRow]) -> int:
    """Of the longest id, or the longest that is shown in one line."""
    longest = max(cell_len(clean(row.row.id)) for row in rows)
    return min(LONGEST_ID, max(cell_len("id"), longest))


def _heading_width(name: str) -> int:
    """Of a column of figures, with the gap before it; its heading may take several lines."""
    return max(_NARROWEST_FIGURE, *map(len, name.split())) + _GAP


def _columns(rows: Sequence[CheckedRow]) -> Iterator[tuple[str, list[Text]]]:
    """Score, figures, and what people said: heading and cells."""
    if any(row.is_checked for row in rows):
        yield "score", [_score(row.check.score if row.check is not None else None) for row in rows]
    for name in dict.fromkeys(name for row in rows for name in row.figures.values):
        heading = name.replace("_", " ").replace(".", " ")
        yield heading, [Text(_figure(row.figures.values.get(name))) for row in rows]
    if any(said := [_said(row) for row in rows]):
        yield "people", [Text(one) for one in said]


def _score(score: float | None) -> Text:
    if score is None:
        return Text(NONE, style="dim")
    style = "green" if score >= GOOD else "red" if score < POOR else "yellow"
    return Text(f"{score:.2f}", style=style)


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}".removesuffix(".00")


def _said(row: CheckedRow) -> str:
    """The rating, or the label; empty without either."""
    turn = row.row.turn
    if turn is None:
        return ""
    if turn.rating is not None:
        return f"{turn.rating:g}"
    return {True: "right", False: "wrong", None: ""}[turn.label]
