"""What is shown on a terminal: other people's text made safe, tables, bars; and Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, Final, NoReturn, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.rule import Rule
from rich.table import Column, Table
from rich.text import Text

from klopt.batch.formats import kind_of, put_csv, put_list
from klopt.batch.output import to_json, whole_binary
from klopt.records import clean

T = TypeVar("T")

FORMS: Final = ("table", "json", "jsonl", "csv")
"""In which rows and figures are printed, as ``--format`` says."""
LONGEST_ID: Final = 32

_ENDLESS: Final = sys.maxsize
_RULE_WIDTH: Final = 80

_LINES: Final = (".jsonl", ".ndjson")
_ASKED: Final = threading.Event()


class Screen(Console):
    """Where tables and sentences go: what looks like a number or a path gets no colour.

    In a file or a pipe, whatever asks for colours there, no line wraps and no cell is folded or
    cut. In a window a line with a path is printed with ``soft_wrap``, so that it is copied whole.
    """

    def __init__(self) -> None:
        super().__init__(highlight=False)
        self._is_seen = sys.stdout.isatty()
        if not self._is_seen:
            self.width = _ENDLESS

    def print(self, *objects: Any, **options: Any) -> None:  # noqa: ANN401 - as rich has it
        """Prints as rich does, each thing at its own width where nobody looks on."""
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
        """Whether rows and figures are shown as tables: on a terminal, or where asked for."""
        if form == "table" and output is not None:
            raise click.UsageError("--format table is for the screen: leave it out, or -o.")
        return form == "table" if form is not None else output is None and self._is_seen

    def on_broken_pipe(self) -> None:
        """Leaves a reader who has seen enough to the command, where rich would end in exit 1."""
        raise


def shown(text: str, style: str = "") -> Text:
    """A text made safe, in which markup and emoji codes are only characters."""
    return Text(clean(text), style=style)


def table(
    columns: Iterable[Column | str], rows: Iterable[Sequence[str | Text]], *, expand: bool = False
) -> Table:
    """A table without lines; texts in its cells are made safe."""
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
    """Rows in a form of `FORMS`; without one a table on a terminal, and JSON lines elsewhere."""
    screen = Screen()
    if screen.has_tables(form, output):
        screen.print(table(columns, map(cells, rows)))
    else:
        write(map(to_dict, rows), form, output)


def write(
    rows: Iterable[Mapping[str, Any]], form: str | None = None, output: Path | None = None
) -> None:
    """Rows as they come, in the form that is stated or that the ending of the file says.

    Those of CSV are held until the last is known, and with it every column.
    """
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
    """Figures as a person reads them, or as `write_figures`."""
    screen = Screen()
    if screen.has_tables(form):
        show(screen)
    else:
        write_figures(figures, form, sys.stdout.buffer)


def write_figures(figures: Mapping[str, Any], form: str | None, sink: BinaryIO) -> None:
    """Figures as an object of JSON, on one line or several, or as CSV: a name and a value each."""
    if form == "csv":
        leaves = ({"figure": name, "value": value} for name, value in _leaves(figures))
        put_csv(("figure", "value"), leaves, sink)
    else:
        text = to_json(figures, indent=2 if form == "json" else None)
        sink.write(text.encode() + b"\n")
    sink.flush()


def _leaves(figures: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, object]]:
    """What objects in one another hold, by names with dots; a list is one value."""
    for name, value in figures.items():
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def figures(heading: str) -> Column:
    """A column of figures."""
    return Column(heading, justify="right")


def ids() -> Column:
    """A column of ids, in which a long one takes several lines."""
    return Column("id", max_width=LONGEST_ID, overflow="fold")


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "entry"), counted(2000, "entry"), counted(0, "row")
    ('1 entry', '2,000 entries', '0 rows')
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def tracked(items: Iterable[T], doing: str, *files: str) -> Iterator[T]:
    """The same items, with a bar while somebody looks on."""
    with bar(doing, len(items) if isinstance(items, Sized) else line_count(*files)) as advance:
        for item in stoppable(items):
            yield item
            advance()


@contextmanager
def bar(doing: str, total: float | None, *, done: int = 0) -> Iterator[Callable[..., None]]:
    """Gives what is called for each that is done, and shows how many while somebody looks on."""
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
    """How many rows files of JSON lines have, for a bar.

    None where one is another, no file is given, or nobody looks on.
    """
    count = 0
    for file in files if sys.stderr.isatty() else ():
        if not file.endswith(_LINES) or not Path(file).is_file():
            return None
        with Path(file).open("rb") as lines:
            count += sum(1 for line in lines if line.strip())
    return count or None


def tell(sentence: str) -> None:
    """A sentence on standard error."""
    click.echo(sentence, err=True)


def warn(sentence: str) -> None:
    """The same, of something that should not be so; other people's text in it is made safe."""
    tell(f"Warning: {clean(sentence)}")


@contextmanager
def listening() -> Iterator[None]:
    """Remembers Ctrl-C beside raising `KeyboardInterrupt`, for `stoppable`.

    Compiled code of libraries swallows the exception now and then. Where something else handles
    the signal already, or in a thread, nothing changes.
    """
    _ASKED.clear()
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def stoppable(items: Iterable[T]) -> Iterator[T]:
    """The same items, until Ctrl-C."""
    for item in items:
        if _ASKED.is_set():
            raise KeyboardInterrupt
        yield item


def _stop(_: int, __: FrameType | None) -> NoReturn:
    _ASKED.set()
    raise KeyboardInterrupt


def announce(what: str, url: str, *, opens: bool) -> None:
    """Says where a page is, and opens it in the browser.

    Where there is none, what its opener complains is not shown.
    """
    click.echo(f"{what} at {url} (stop with Ctrl-C)")
    if not opens:
        return
    complaints = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        click.launch(url)
    finally:
        os.dup2(complaints, 2)
        os.close(complaints)
