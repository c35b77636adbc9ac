"""Assessments as a table for a person at a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from klopt.batch.rows import Row
from klopt.scoring.assessment import Assessment

STYLES: Final = {"send": "green", "review": "yellow", "block": "red", "unscored": "dim"}


def visible(text: str) -> str:
    """A text from a log as it can be shown: no control characters, no markup of ours."""
    return escape("".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text))


def show_table(results: Sequence[tuple[Row, Assessment]], console: Console) -> None:
    """One line for each row."""
    rated = any(row.turn is not None and row.turn.rating is not None for row, _ in results)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("id", no_wrap=True)
    table.add_column("type")
    table.add_column("score", justify="right")
    if rated:
        table.add_column("rated", justify="right")
    table.add_column("verdict")
    table.add_column("why", ratio=1)
    for row, one in results:
        cells = [
            visible(one.id),
            one.message_type or "",
            "–" if one.score is None else f"{one.score:.1f}",
        ]
        if rated:
            rating = row.turn.rating if row.turn is not None else None
            cells.append("" if rating is None else f"{rating:g}")
        cells.append(f"[{STYLES[one.verdict]}]{one.verdict}[/]")
        table.add_row(*cells, visible(_why(one)))
    console.print(table)


def _why(one: Assessment) -> str:
    """What the tree saw; without that, which node decided."""
    if one.score is None:
        return one.reason or ""
    return " ".join(one.sentences[2:] or one.sentences[1:])


class Tally:
    """Counts assessments as they come by, so that a long log is not kept in memory."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.errors = 0

    def count(self, results: Iterable[tuple[Row, Assessment]]) -> Iterator[tuple[Row, Assessment]]:
        """The same results, counted on their way through."""
        for row, one in results:
            self.verdicts[one.verdict] += 1
            self.errors += one.status == "error"
            yield row, one

    def summary(self) -> str:
        """How many answers got which verdict, in one line."""
        if not self.verdicts:
            return "No rows."
        parts = [f"{self.verdicts[name]} {name}" for name in STYLES if self.verdicts[name]]
        line = f"{self.verdicts.total()} answers: {', '.join(parts)}."
        return f"{line} {self.errors} could not be read." if self.errors else line
