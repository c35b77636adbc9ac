"""``klopt score``, and its table, which ``klopt demo`` shows too."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import click
from rich.console import Console
from rich.table import Column
from rich.text import Text

from klopt.batch.formats import KINDS, kind_written
from klopt.batch.output import whole_file
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.options import argument, as_command, format_of, globbed, option, output_to
from klopt.cli.scoring import OpinionOptions, ScoringOptions, TranslationOptions
from klopt.cli.terminal import (
    FORMS,
    Screen,
    bar,
    counted,
    figures,
    ids,
    line_count,
    stoppable,
    table,
    tell,
    tracked,
    warn,
)
from klopt.errors import KloptError

if TYPE_CHECKING:
    from klopt.batch.going_on import LogRun
    from klopt.batch.rows import Row
    from klopt.scoring.assessment import Assessment
    from klopt.scoring.scorer import Scorer

_WIDE: Final = 110
"""A narrower terminal shows no message types, for the reason needs the room."""
STYLES: Final = {"send": "green", "review": "yellow", "block": "red", "unscored": "dim"}


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How a long log is gone through; see the options' help."""

    processes: int | None = option(
        "So many processes score; the output is the same for any number.",
        type=click.IntRange(1, 256),
        show_default="all cores, for more than a few rows",
    )
    max_errors: int | None = option(
        "Stop when more rows than this cannot be read. Without it none stops the others.",
        type=click.IntRange(min=0),
    )
    input_format: str | None = option(
        "The form of FILE, where its ending does not say.", type=click.Choice((*KINDS, "excel"))
    )
    summary: Path | None = option(
        "Also write the figures of the summary, as JSON.", type=options.NEW_FILE
    )
    restart: bool = option("Begin anew, also where a run over the same log was stopped.")


@as_command("score", "klopt score log.jsonl --pages help/ -o scores.jsonl")
def command(
    *,
    files: Annotated[tuple[str, ...], argument("FILE...", callback=globbed)],
    scoring: ScoringOptions,
    translating: TranslationOptions,
    advising: OpinionOptions,
    output: Path | None = output_to(
        "Write to this file, which appears when it is whole: CSV, Parquet or Arrow by its ending, "
        "else JSON lines; packed where it ends in .gz or .zst."
    ),
    form: Annotated[str | None, format_of((*FORMS, "parquet", "arrow")), options.AS_JSON],
    log: LogOptions,
) -> int:
    """Score the answers of FILEs: JSONL, CSV, Parquet, Arrow or Excel, or - for standard input.

    A file may be packed, by gzip or zstd; names with * or ? stand for all that fit, by name.

    Each row has a question, an answer and contexts: texts, pages, or names of pages in the
    folder of --pages. Fields by the names of ragas, deepeval and others are understood.

    A table when you look on, JSON lines (one a row, in order) otherwise. Exit code 3 when a row
    could not be read; it has the status "error" and the reason, and the others are scored all the
    same. A run over a long log that is stopped, in whatever way, is gone on with by the same
    command.
    """
    from klopt.batch.cores import score_rows
    from klopt.batch.going_on import RunSettings, made_with, open_run
    from klopt.batch.rows import told
    from klopt.batch.tally import Tally

    kind = kind_written(output, form)
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack, advising)
        console = Screen()
        if console.has_tables(form, output):
            tally = Tally()
            rows = tracked(scoring.rows(*files, stated=log.input_format), "Scoring", *files)
            show_table(list(tally.count(score_rows(told(rows, warn), scorer))), console)
            console.print(f"\n{tally.summary()}")
            if tally.without_terms and not scoring.terms:
                console.print("Company terms were not measured: klopt company terms learns them.")
        else:
            facts = made_with(files, scoring.terms, **_made_with(scoring, translating, advising))
            settings = RunSettings(output, kind, facts, log.restart, log.max_errors)
            with open_run(settings, warn) as run:
                rows = scoring.rows(*files, stated=log.input_format)
                _go_through(rows, run, scorer, log, line_count(*files))
            tally = run.tally
            if output is not None:
                tell(f"{tally.summary()} Written to {output}.")
            elif tally.untranslated or not tally.verdicts:
                tell(tally.summary())
        if log.summary is not None:
            with whole_file(log.summary) as summary:
                summary.write(f"{json.dumps(tally.to_dict(), indent=2)}\n")
    without_count = tally.reasons["no_contexts"]
    if without_count and scoring.index is not None and not scoring.retrieve:
        rows_without = counted(without_count, "row")
        warn(f"{rows_without} without contexts: --retrieve 3 finds pages for them in the index.")
    return EXIT_BAD_INPUT if tally.errors or tally.refused_untranslated else 0


def _go_through(
    rows: Iterable[Row], run: LogRun, scorer: Scorer, log: LogOptions, total: int | None
) -> None:
    """Scores what a run has not done before."""

    def warn_once(sentence: str) -> None:
        if not run.is_skipping:  # the run before said it
            warn(sentence)

    from klopt.batch.cores import ALONE, core_count, score_log
    from klopt.batch.rows import told

    if run.done:
        tell(f"Going on after row {run.done:,} of a run that was stopped.")
    results = score_log(
        run.rest(told(stoppable(rows), warn_once)),
        scorer,
        processes=log.processes or core_count(),
        alone=ALONE if log.processes is None else 0,
    )
    try:
        with bar("Scoring", total, done=run.done) as advance, closing(results):
            for result in stoppable(results):
                run.add(result)
                advance()
    except (KeyboardInterrupt, KloptError):
        if run.kept_count and not run.is_skipping:
            again = shlex.join(
                ["klopt", *(argument for argument in sys.argv[1:] if argument != "--restart")]
            )
            tell(f"{run.kept_count:,} rows are kept. This goes on: {again}")
        raise


def _made_with(
    scoring: ScoringOptions, translating: TranslationOptions, advising: OpinionOptions
) -> dict[str, object]:
    """What else a run is made with, by what it is called in a message."""
    from klopt.batch.going_on import pages_digest
    from klopt.scoring.profile import Profile

    profile = Profile.load(scoring.profile)
    index = scoring.opened_index
    return {
        "profile": f"{profile.name}@{profile.digest}",
        "pages": "" if scoring.pages is None else pages_digest(scoring.known_pages),
        "index": "" if index is None else index.digest,
        "setting": (
            (scoring.language, sorted(scoring.names.items()), scoring.all_types, scoring.retrieve),
            translating,
            advising.told,
        ),
    }


def show_table(results: Sequence[tuple[Row, Assessment]], console: Console) -> None:
    """One line for each row."""
    from klopt.scoring.explanation import decimal

    has_types = console.width >= _WIDE
    has_ratings = any(row.turn is not None and row.turn.rating is not None for row, _ in results)
    columns: list[Column | str] = [
        ids(),
        *(["type"] if has_types else []),
        figures("score"),
        *([figures("rated")] if has_ratings else []),
        "verdict",
        Column("why", ratio=1, no_wrap=True),
    ]
    cells: list[list[str | Text]] = []
    for row, assessment in results:
        rating = None if row.turn is None else row.turn.rating
        verdict = "error" if assessment.status == "error" else assessment.verdict
        cells.append(
            [
                assessment.id,
                *([assessment.message_type or ""] if has_types else []),
                "–" if assessment.score is None else decimal(assessment.score, "en"),
                *(["" if rating is None else f"{rating:g}"] if has_ratings else []),
                Text().append(verdict, STYLES[assessment.verdict]),
                assessment.why,
            ]
        )
    console.print(table(columns, cells, expand=True))
