"""A bar on standard error, while somebody looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    track,
)

from klopt.cli.stopping import stoppable

T = TypeVar("T")

_LINES: Final = (".jsonl", ".ndjson")


def counted(rows: Iterable[T], file: str, doing: str) -> Iterator[T]:
    """The same rows, counted on a terminal only; with an end where lines can be counted.

    Raises:
        KeyboardInterrupt: Ctrl-C, also where a library swallowed it.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from stoppable(rows)
        return
    yield from track(
        stoppable(rows), description=doing, total=line_count(file), console=console, transient=True
    )


@contextmanager
def bar(
    doing: str, total: float | None, *, hidden: bool = False
) -> Iterator[Callable[[int], None] | None]:
    """Gives what is told how many are done; None where nobody looks on.

    Args:
        doing: What is done, in a word.
        total: How many there are; None when that is not known.
        hidden: Shows no bar, as where lines are written to the same terminal.
    """
    console = Console(stderr=True)
    if hidden or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        task = progress.add_task(doing, total=total)
        yield lambda count: progress.update(task, completed=count)


def line_count(file: str) -> int | None:
    """How many rows a file of JSON lines has; None for any other, which would have to be read."""
    if not file.endswith(_LINES) or not Path(file).is_file():
        return None
    with Path(file).open("rb") as lines:
        return sum(1 for line in lines if line.strip())
