"""``klopt score``, and its table, which ``klopt demo`` shows too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Column
from rich.text import Text

from klopt.batch.output import write_rows
from klopt.batch.rows import Row, score_rows
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.opinions import Advising, advising_options
from klopt.cli.options import FILE, JSON, OUTPUT, refuse_overwriting, warn
from klopt.cli.terminal import Screen, counted, id_column, plain_table, shown, tracked
from klopt.cli.translations import (
    ScoringOptions,
    TranslationOptions,
    scoring_options,
    translation_options,
)
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import decimal

_WIDE: Final = 110
"""A narrower terminal shows no message types, for the reason needs the room."""
STYLES: Final = {"send": "green", "review": "yellow", "block": "red", "unscored": "dim"}


@click.command("score", epilog="Example: klopt score log.jsonl --pages help/ -o scores.jsonl")
@FILE
@scoring_options
@translation_options
@advising_options
@OUTPUT
@JSON
def command(
    advising: Advising,
    translating: TranslationOptions,
    scoring: ScoringOptions,
    file: str,
    output: Path | None,
    as_json: bool,
) -> int:
    """Score the answers of FILE: JSONL, CSV or Parquet, or - for JSONL on standard input.

    Each row has a question, an answer and contexts: texts, pages, or names of pages in the
    folder of --pages. Fields by the names of ragas, deepeval and others are understood.

    A table when you look on, JSON lines (one a row, in order) otherwise. Exit code 3 when a row
    could not be read; the others are scored all the same.
    """
    outputs = {"-o": output, "--record": advising.model.record}
    refuse_overwriting(outputs, {"the input": [file], **advising.read})
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack, advising)
        tally = Tally()
        rows = tracked(scoring.rows(file), "Scoring", file)
        results = tally.count(score_rows(rows, scorer, warn))
        console = Screen()
        if output is None and console.is_terminal and not as_json:
            show_table(list(results), console)
            console.print(f"\n{tally.summary()}")
            if tally.without_terms and not scoring.terms:
                console.print("Company terms were not measured: klopt company terms learns them.")
        else:
            write_rows((one.to_dict() for _, one in results), output)
            if output is not None:
                click.echo(f"{tally.summary()} Written to {output}.", err=True)
            elif tally.untranslated or not tally.verdicts:
                click.echo(tally.summary(), err=True)
    if tally.without_pages and scoring.index is not None and not scoring.retrieve:
        rows_without = counted(tally.without_pages, "row")
        warn(f"{rows_without} without contexts: --retrieve 3 finds pages for them in the index.")
    return EXIT_BAD_INPUT if tally.errors or tally.refused_untranslated else 0


def show_table(results: Sequence[tuple[Row, Assessment]], console: Console) -> None:
    """One line for each row."""
    ratings = [None if row.turn is None else row.turn.rating for row, _ in results]
    is_rated = any(rating is not None for rating in ratings)
    rated = [Column("rated", justify="right")] if is_rated else []
    score, why = Column("score", justify="right"), Column("why", ratio=1, no_wrap=True)
    kind = ["type"] if console.width >= _WIDE else []
    table = plain_table(id_column(), *kind, score, *rated, "verdict", why)
    table.expand = True
    for rating, (_, one) in zip(ratings, results, strict=True):
        table.add_row(
            shown(one.id),
            *([one.message_type or ""] if kind else []),
            "–" if one.score is None else decimal(one.score, "en"),
            *(["" if rating is None else f"{rating:g}"] if is_rated else []),
            Text().append("error" if one.status == "error" else one.verdict, STYLES[one.verdict]),
            shown(one.why),
        )
    console.print(table)


class Tally:
    """Counts assessments as they come by, so that a long log is not kept in memory."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.errors = 0
        self.untranslated: Counter[str] = Counter()
        self.on_original = 0
        self.without_terms = False
        self.without_pages = 0

    def count(self, results: Iterable[tuple[Row, Assessment]]) -> Iterator[tuple[Row, Assessment]]:
        """The same results, counted on their way through."""
        for row, one in results:
            self.verdicts[one.verdict] += 1
            is_on_original = one.status == "scored_on_original"
            is_refused = one.reason_code == "not_translated"
            if one.translation is not None and (is_on_original or is_refused):
                self.untranslated[one.translation.reason_code or ""] += 1
            self.without_pages += one.reason_code == "no_contexts"
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
        line = f"{counted(self.verdicts.total(), 'answer')}: {', '.join(parts)}."
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
