"""Assessments as a table for a person at a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from klopt.batch.rows import Row
from klopt.cli.terminal import shown
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import decimal

LONGEST_ID: Final = 32
STYLES: Final = {"send": "green", "review": "yellow", "block": "red", "unscored": "dim"}


def show_table(results: Sequence[tuple[Row, Assessment]], console: Console) -> None:
    """One line for each row."""
    rated = any(row.turn is not None and row.turn.rating is not None for row, _ in results)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("id", max_width=LONGEST_ID, overflow="fold")
    table.add_column("type")
    table.add_column("score", justify="right")
    if rated:
        table.add_column("rated", justify="right")
    table.add_column("verdict")
    table.add_column("why", ratio=1)
    for row, one in results:
        cells = [
            shown(one.id),
            Text(one.message_type or ""),
            Text("–" if one.score is None else decimal(one.score, "en")),
        ]
        if rated:
            rating = row.turn.rating if row.turn is not None else None
            cells.append(Text("" if rating is None else f"{rating:g}"))
        verdict = "error" if one.status == "error" else one.verdict
        cells.append(Text().append(verdict, style=STYLES[one.verdict]))
        table.add_row(*cells, shown(_why(one)))
    console.print(table)


def _why(one: Assessment) -> str:
    """What the tree saw; without that, which node decided."""
    if one.score is None:
        return one.sentences[0]
    return " ".join(one.sentences[2:] or one.sentences[1:])


class Tally:
    """Counts assessments as they come by, so that a long log is not kept in memory."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.errors = 0
        self.untranslated: Counter[str] = Counter()
        self.on_original = 0
        self.without_terms = False

    def count(self, results: Iterable[tuple[Row, Assessment]]) -> Iterator[tuple[Row, Assessment]]:
        """The same results, counted on their way through."""
        for row, one in results:
            self.verdicts[one.verdict] += 1
            is_on_original = one.status == "scored_on_original"
            is_refused = one.reason_code == "not_translated"
            if one.translation is not None and (is_on_original or is_refused):
                self.untranslated[one.translation.reason_code or ""] += 1
            self.errors += one.status == "error" and not is_refused
            self.on_original += is_on_original
            terms = one.measurements.get("company_specific_terms")
            self.without_terms |= terms is not None and terms.value is None
            yield row, one

    @property
    def refused_untranslated(self) -> int:
        """Answers that were not scored because they were not translated."""
        return self.untranslated.total() - self.on_original

    def summary(self) -> str:
        """How many answers got which verdict, in one line."""
        if not self.verdicts:
            return "No rows."
        parts = [f"{self.verdicts[name]} {name}" for name in STYLES if self.verdicts[name]]
        line = f"{self.verdicts.total()} answers: {', '.join(parts)}."
        if self.errors:
            line += f" {self.errors} of them could not be read."
        if self.untranslated:
            why = ", ".join(f"{code} {count}" for code, count in sorted(self.untranslated.items()))
            line += (
                f" {self.untranslated.total()} of them were not translated ({why}): "
                f"{self.on_original} scored on the original text, "
                f"{self.refused_untranslated} not scored."
            )
        return line
