"""An evaluation as tables and sentences for a person at a terminal."""

from __future__ import annotations

from typing import Final

from rich.console import Console, JustifyMethod
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text

from klopt.evaluation import Evaluation
from klopt.report import worded
from klopt.report.view import Cell, Section, Table, clean
from klopt.report.wording import brief, texts

_NONE: Final = "–"
_LONGEST_NAME: Final = 32
_WIDEST: Final = 200
_STYLES: Final = {"own": "bold", "selected": "green"}


def show(found: Evaluation, console: Console) -> None:
    """The tables, then what they come to in plain words, which so stands where one looks first."""
    every = worded.sections(found)
    for section in every:
        if section.on_terminal:
            _show_section(section, console)
    console.print(Text(f"\n{texts()['page']['in_words']}", style="bold"))
    for sentence in (worded.lead(found), *worded.notes(found)):
        console.print(_text(f"- {sentence}"))
    for one in found.profiles:
        name = f"{brief(one.name)}: " if len(found.profiles) > 1 else ""
        for sentence in worded.sentences(one):
            console.print(_text(f"- {name}{sentence}"))
    for section in every:
        for sentence in section.sentences:
            console.print(_text(f"- {sentence}"))


def _show_section(section: Section, console: Console) -> None:
    for group in section.groups:
        for table in group.tables:
            _show_table(table, console)
        for note in group.notes:
            console.print(_text(note, "dim"))


def _show_table(table: Table, console: Console) -> None:
    """A table at its own width; where the terminal is narrower, lines wrap and no figure is cut."""
    console.print(_text(f"\n{table.caption}", "bold"))
    grid = _grid(table)
    widest = console.options.update(max_width=_WIDEST)
    width = console.width
    console.width = max(width, Measurement.get(console, widest, grid).maximum)
    console.print(grid)
    console.width = width
    if table.more:
        console.print(_text(table.more, "dim"))


def _grid(table: Table) -> Grid:
    """A table as wide as its cells; an interval stands in a column of its own."""
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    short = texts()["short"]
    for place, column in enumerate(table.columns):
        if not column.on_terminal:
            continue
        justify: JustifyMethod = "right" if place else "left"
        head = _text(short.get(column.head, column.head))
        grid.add_column(head, justify=justify, no_wrap=place > 0)
        if column.has_interval:
            grid.add_column(texts()["page"]["interval"], justify=justify, no_wrap=True)
    grid.columns[0].max_width = _LONGEST_NAME
    grid.columns[0].overflow = "fold"
    for row in table.rows[:: table.step]:
        cells: list[Text] = []
        for column, cell in zip(table.columns, row, strict=True):
            if column.on_terminal:
                cells.append(_cell(cell))
                if column.has_interval:
                    cells.append(_text(cell.interval or _NONE))
        grid.add_row(*cells)
    return grid


def _cell(one: Cell) -> Text:
    """The code where there is one, as it is shorter than the words; a dash where all is missing."""
    return _text(one.code or one.text or _NONE * bool(one.reason), _STYLES.get(one.tone, ""))


def _text(words: str, style: str = "") -> Text:
    return Text(clean(words), style=style)
