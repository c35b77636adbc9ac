"""Terminal output: tables, progress bars, and messages without control characters."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.rule import Rule
from rich.table import Column, Table
from rich.text import Text

from klopt._internal.files import to_json, whole_binary
from klopt.cli.interrupts import stoppable
from klopt.logs.formats import kind_of
from klopt.logs.writing import put_csv, put_list
from klopt.types import clean

T = TypeVar("T")

FORMS: Final = ("table", "json", "jsonl", "csv")  # Formats of ``--format``
MAX_ID_CHARS: Final = 32  # Width of an id in a table; a longer one is folded

_RULE_WIDTH: Final = 80
_LINES: Final = (".jsonl", ".ndjson")


class Screen(Console):
    """Console without highlighting; in a file or a pipe it wraps, folds and cuts nothing.

    Print a line with a path with ``soft_wrap``, so that it can be copied from a terminal.
    """

    def __init__(self) -> None:
        super().__init__(highlight=False)
        self._is_seen = sys.stdout.isatty()
        if not self._is_seen:
            self.width = sys.maxsize

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401 - as rich has it
        """Print as rich does; in a file or a pipe, each object at its own width."""
        if self._is_seen:
            super().print(*objects, **options)
            return
        for printed in objects:
            if isinstance(printed, Table):
                printed.expand = False
                for column in printed.columns:
                    column.max_width = None
            elif isinstance(printed, Rule):
                options["width"] = _RULE_WIDTH
        with self.capture() as captured:
            super().print(*objects, **options)
        lines = (line.rstrip(" ") for line in captured.get().split("\n"))  # of padding
        click.echo("\n".join(lines), nl=False, color=True)

    def has_tables(self, form: str | None, output: Path | None = None) -> bool:
        """Whether to print tables: on a terminal, or with ``--format table``."""
        if form == "table" and output is not None:
            raise click.UsageError("--format table is for the screen; omit it, or -o.")
        return form == "table" if form is not None else output is None and self._is_seen

    def on_broken_pipe(self) -> None:
        """Let the command handle a closed pipe; rich would exit with code 1."""
        raise


def shown(text: str, style: str = "") -> Text:
    """Return a text without control characters, markup and emoji codes."""
    return Text(clean(text), style=style)


def table(
    columns: Iterable[Column | str], rows: Iterable[Sequence[str | Text]], *, expand: bool = False
) -> Table:
    """Return a table without lines; its cells have no control characters."""
    made = Table(*columns, box=None, pad_edge=False, header_style="bold", expand=expand)
    for cells in rows:
        made.add_row(*(shown(cell) if isinstance(cell, str) else cell for cell in cells))
    return made


def give(
    rows: Iterable[T],
    columns: Iterable[Column | str],
    cells: Callable[[T], Sequence[str | Text]],
    to_dict: Callable[[T], Mapping[str, Any]],
    *,
    form: str | None = None,
    output: Path | None = None,
) -> None:
    """Print or write rows in a format of `FORMS`; by default a table or JSON lines."""
    screen = Screen()
    if screen.has_tables(form, output):
        screen.print(table(columns, map(cells, rows)))
    else:
        write(map(to_dict, rows), form, output)


def write(
    rows: Iterable[Mapping[str, Any]], form: str | None = None, output: Path | None = None
) -> None:
    """Write rows one by one, or CSV at once, in the stated format or that of the file's ending."""
    with whole_binary(output) as sink:
        match form or (kind_of(output) if output is not None else None):
            case "csv":
                every = list(rows)
                names = list(dict.fromkeys(name for row in every for name in row))
                put_csv(names, every, sink)
            case "json":
                put_list((to_json(row).encode() for row in rows), sink)
            case _:
                for row in rows:
                    sink.write(to_json(row).encode() + b"\n")


def give_figures(
    figures: Mapping[str, Any], show: Callable[[Screen], None], form: str | None
) -> None:
    """Show figures as tables on a terminal, or write them as `write_figures`."""
    screen = Screen()
    if screen.has_tables(form):
        show(screen)
    else:
        write_figures(figures, form, sys.stdout.buffer)


def write_figures(figures: Mapping[str, Any], form: str | None, sink: BinaryIO) -> None:
    """Write figures as JSON on one line or several, or as CSV with columns figure and value."""
    if form == "csv":
        leaves = ({"figure": name, "value": value} for name, value in _leaves(figures))
        put_csv(("figure", "value"), leaves, sink)
    else:
        text = to_json(figures, indent=2 if form == "json" else None)
        sink.write(text.encode() + b"\n")
    sink.flush()


def _leaves(figures: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    """Yield the values of nested objects with dotted names; a list is one value."""
    for name, value in figures.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def figures(heading: str) -> Column:
    """Return a column of figures."""
    return Column(heading, justify="right")


def ids() -> Column:
    """Return a column of ids, in which a long id takes several lines."""
    return Column("id", max_width=MAX_ID_CHARS, overflow="fold")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "entry"), counted(2000, "entry"), counted(0, "row")
    ('1 entry', '2,000 entries', '0 rows')
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def tracked(items: Iterable[T], doing: str, *files: str) -> Iterator[T]:
    """Yield the items, with a progress bar on a terminal."""
    with bar(doing, len(items) if isinstance(items, Sized) else line_count(*files)) as advance:
        for item in stoppable(items):
            yield item
            advance()


@contextmanager
def bar(doing: str, total: float | None, *, done: int = 0) -> Iterator[Callable[..., None]]:
    """Yield the function to call for each finished item; shows a progress bar on a terminal."""
    console = Console(stderr=True)
    with Progress(
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(doing, total=total, completed=done)
        yield lambda *_: None if progress.disable else progress.advance(task)


def line_count(*files: str) -> int | None:
    """Count the rows of files of JSON lines for a progress bar; None for others or no terminal."""
    count = 0
    for file in files if sys.stderr.isatty() else ():
        if not file.endswith(_LINES) or not Path(file).is_file():
            return None
        with Path(file).open("rb") as lines:
            count += sum(1 for line in lines if line.strip())
    return count or None


def tell(sentence: str) -> None:
    """Print a message on standard error."""
    click.echo(sentence, err=True)


def next_steps(*steps: tuple[Sequence[object], str]) -> str:
    """Return the commands to run next, quoted for a shell, each with its purpose."""
    lines = (f"  {shlex.join(map(str, words))}   {purpose}".rstrip() for words, purpose in steps)
    return clean("\n".join(("Next:", *lines)))


def warn(sentence: str) -> None:
    """Print a warning on standard error, without control characters."""
    tell(f"Warning: {clean(sentence)}")


def announce(what: str, url: str, *, opens: bool) -> None:
    """Print the address of a page and open it in the browser, without the opener's messages."""
    click.echo(f"{what} at {url} (stop with Ctrl-C)")
    if not opens:
        return
    stderr = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        click.launch(url)
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
