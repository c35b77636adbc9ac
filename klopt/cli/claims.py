"""``klopt claims``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click
from rich.console import Console
from rich.table import Column

from klopt.batch.claims import AUTO, ComparedClaim, agreement, compare_claims
from klopt.batch.output import write_rows
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import (
    AsJson,
    File,
    Output,
    as_command,
    option,
    refuse_overwriting,
    warn,
)
from klopt.cli.terminal import Screen, counted, figures, ids, table, tracked
from klopt.comparing import LABELS, LANGUAGES, Comparison
from klopt.scoring.explanation import texts

_MOST_PAIRS: Final = 6


@as_command("claims", "klopt claims claims.jsonl -o compared.jsonl")
def command(
    *,
    file: File,
    language: str = option(
        "Of the rows that state none; auto votes for each row.",
        type=click.Choice((*LANGUAGES, AUTO)),
        default=AUTO,
    ),
    output: Output,
    as_json: AsJson,
) -> int:
    """Say whether passages support claims, contradict them, or do not state them.

    Each row of FILE (JSONL, CSV or Parquet, or - for JSONL on standard input) has a passage and a
    claim, and may have the question that the claim answers, a language and an id. Of each text
    the first 120 words are compared. Where rows have a label (supported, contradicted or
    not_stated), the last line says how often it was found.

    A table when you look on, JSON lines (one a row, in order) otherwise. Exit code 3 when a row
    could not be compared; the others are compared all the same.
    """
    refuse_overwriting({"-o": output}, {"the input": [file]})
    tally = _Tally()
    results = tally.count(tracked(compare_claims(file, language), "Comparing", file))
    console = Screen()
    if console.is_looked_at(output, as_json=as_json):
        _show(list(results), console)
        console.print(f"\n{tally.summary()}")
    else:
        write_rows((one.to_dict() for one in results), output)
        written = "" if output is None else f" Written to {output}."
        if output is not None or tally.judged or not tally.row_count:
            click.echo(f"{tally.summary()}{written}", err=True)
    return EXIT_BAD_INPUT if tally.failed_count else 0


def _show(results: Sequence[ComparedClaim], console: Console) -> None:
    """One line for each row."""
    columns = (ids(), "label", figures("chance"), Column("what speaks against it", ratio=1))
    console.print(table(columns, map(_cells, results)))


def _cells(one: ComparedClaim) -> tuple[str, ...]:
    found = one.comparison
    if found is None:
        return one.id, "–", "", one.problem or ""
    why = one.problem or "; ".join(against(found.rivals, one.language))
    return one.id, found.label, f"{found.probabilities[found.label]:.2f}", why


def against(rivals: Sequence[tuple[str, str]], language: str | None) -> list[str]:
    """What claim and passage say in each other's place, in words, the first few."""
    sentence: str = texts(language)["statements"]["rivals"]
    return [sentence.format(answer=own, page=page) for own, page in rivals[:_MOST_PAIRS]]


class _Tally:
    """Counts rows as they come by, and tells of those that could not be compared."""

    def __init__(self) -> None:
        self.labels: Counter[str] = Counter()
        self.failed_count = 0
        self.judged: list[tuple[str, Comparison]] = []

    @property
    def row_count(self) -> int:
        """Of all rows."""
        return self.labels.total() + self.failed_count

    def count(self, results: Iterable[ComparedClaim]) -> Iterator[ComparedClaim]:
        """The same results, counted on their way through."""
        for one in results:
            for sentence in (*one.warnings, *([one.problem] if one.problem else [])):
                warn(sentence)
            if one.comparison is None:
                self.failed_count += 1
            else:
                self.labels[one.comparison.label] += 1
                if one.label is not None:
                    self.judged.append((one.label, one.comparison))
            yield one

    def summary(self) -> str:
        """How many claims got which label, and how often people say the same."""
        if not self.row_count:
            return "No rows."
        parts = [f"{self.labels[name]} {name}" for name in LABELS if self.labels[name]]
        if self.failed_count:
            parts.append(f"{self.failed_count} could not be compared")
        told = f"{counted(self.row_count, 'claim')}: {', '.join(parts)}."
        return f"{told} {agreement(self.judged)}" if self.judged else told
