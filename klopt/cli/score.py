"""``klopt score``, and its table, which ``klopt demo`` shows too."""

from __future__ import annotations

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

from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.interrupts import stoppable
from klopt.cli.models import OpinionOptions
from klopt.cli.options import argument, as_command, format_of, globbed, option, output_to
from klopt.cli.scoring import (
    ScoringOptions,
    TranslationOptions,
    how_to_translate,
    warn_to_retrieve,
)
from klopt.cli.terminal import (
    FORMS,
    Screen,
    bar,
    figures,
    ids,
    line_count,
    table,
    tell,
    tracked,
    warn,
)
from klopt.errors import KloptError
from klopt.logs.writing import kind_written

if TYPE_CHECKING:
    from klopt.logs.resume import LogRun
    from klopt.logs.rows import Row
    from klopt.scoring.assessment import Assessment
    from klopt.scoring.scorer import Scorer

_WIDE: Final = 110  # Columns from which the table shows message types
STYLES: Final = {"send": "green", "review": "yellow", "block": "red", "unscored": "dim"}


@dataclass(frozen=True, slots=True)
class LogOptions:
    """The options for long logs."""

    processes: int | None = option(
        "Number of processes; it does not change the output.",
        type=click.IntRange(1, 256),
        show_default="one per core, or one for a few rows",
    )
    restart: bool = option("Start over instead of resuming a stopped run.")


@as_command("score", "klopt score log.jsonl --pages help/ -o scores.jsonl")
def command(
    *,
    files: Annotated[tuple[str, ...], argument("FILE...", callback=globbed)],
    scoring: ScoringOptions,
    encoding: options.Encoding = None,
    translating: TranslationOptions,
    advising: OpinionOptions,
    output: Path | None = output_to(
        "Write to this file: CSV, Excel (.xlsx), JSON, Parquet or Arrow by its ending, else JSON "
        "lines; compressed if it ends in .gz or .zst. CSV and Excel repeat question and answer."
    ),
    form: Annotated[str | None, format_of((*FORMS, "parquet", "arrow"))],
    log: LogOptions,
) -> int:
    """Score the answers of FILEs: JSON, CSV, Parquet, Arrow or Excel, or - for standard input.

    A file may be compressed with gzip or zstd; a name with * or ? stands for all files that match.

    Each row has a question, an answer and contexts: texts, pages, or names of pages in the
    folder of --pages. klopt also reads the field names of ragas, deepeval and others, and the
    conversations that Intercom, Zendesk, Rasa and others export: each answer of the bot is a row.

    Prints a table on a terminal, otherwise JSON lines, one per row in order. Exit code 3 when a
    row could not be read (its status is "error", with the reason) or nothing was scored. To resume
    a stopped run, give the same command again.
    """
    from klopt.logs.resume import RunSettings, open_run, run_facts
    from klopt.logs.rows import with_warnings
    from klopt.logs.scoring import Tally, score_rows

    kind = kind_written(output, form)
    with ExitStack() as stack:
        scorer = scoring.scorer(translating, stack, advising)
        console = Screen()
        if console.has_tables(form, output):
            tally = Tally()
            rows = tracked(scoring.rows(*files, encoding=encoding), "Scoring", *files)
            show_table(list(tally.count(score_rows(with_warnings(rows, warn), scorer))), console)
            warn_to_retrieve(scoring, tally.reasons["no_contexts"], tally.verdicts.total())
            console.print(f"\n{tally.summary()}")
            if tally.without_terms and not scoring.terms:
                console.print(
                    "Company terms were not measured; extract them with klopt company terms."
                )
        else:
            facts = run_facts(files, scoring.terms, **_made_with(scoring, translating, advising))
            has_repeats = scorer.setup.adviser is None and scorer.setup.translate is None
            settings = RunSettings(output, kind, facts, log.restart, has_repeats)
            with open_run(settings, warn) as run:
                rows = scoring.rows(*files, encoding=encoding)
                _go_through(rows, run, scorer, log, line_count(*files))
            tally = run.tally
            warn_to_retrieve(scoring, tally.reasons["no_contexts"], tally.verdicts.total())
            if output is not None:
                hint = " For Excel, write .xlsx instead." if kind == "csv" else ""
                tell(f"{tally.summary()} Written to {output}.{hint}")
            elif tally.untranslated or not tally.verdicts:
                tell(tally.summary())
    if tally.untranslated["not_in_cache"] and scorer.setup.translate is not None:
        tell(how_to_translate(translating, scorer.setup.translate.target))
    is_failed = tally.errors or tally.refused_untranslated or not tally.scored
    return EXIT_BAD_INPUT if is_failed else 0


def _go_through(
    rows: Iterable[Row], run: LogRun, scorer: Scorer, log: LogOptions, total: int | None
) -> None:
    def warn_once(sentence: str) -> None:
        if not run.is_skipping:  # the earlier run warned
            warn(sentence)

    from klopt.logs.rows import with_warnings
    from klopt.logs.scoring import ALONE, core_count, score_log

    if run.done:
        tell(f"Resuming a stopped run after row {run.done:,}.")
    results = score_log(
        run.remaining(with_warnings(stoppable(rows), warn_once)),
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
        if run.saved_count and not run.is_skipping:
            again = shlex.join(
                ["klopt", *(argument for argument in sys.argv[1:] if argument != "--restart")]
            )
            tell(f"Saved up to row {run.saved_count:,}. Resume with: {again}")
        raise


def _made_with(
    scoring: ScoringOptions, translating: TranslationOptions, advising: OpinionOptions
) -> dict[str, object]:
    """Return the settings that a resumed run must share, under the names for messages."""
    from klopt.logs.resume import pages_digest
    from klopt.scoring.profile import Profile

    profile = Profile.load(scoring.profile)
    index = scoring.opened_index
    names = sorted(scoring.names.items())
    reading = (scoring.language, names, scoring.all_types, scoring.retrieve)
    return {
        "profile": f"{profile.name}@{profile.digest}",
        "pages": "" if scoring.pages is None else pages_digest(scoring.known_pages),
        "index": "" if index is None else index.digest,
        "setting": (reading, translating, advising.opinion),
    }


def show_table(results: Sequence[tuple[Row, Assessment]], console: Console) -> None:
    """Print a table with one line per row."""
    from klopt.scoring.explanation import decimal

    has_types = console.width >= _WIDE
    has_ratings = any(row.turn is not None and row.turn.rating is not None for row, _ in results)
    columns: list[Column | str] = [ids(), *(["type"] if has_types else []), figures("score")]
    columns += [figures("rated")] if has_ratings else []
    columns += ["verdict", Column("why", ratio=1, no_wrap=True)]
    cells: list[list[str | Text]] = []
    for row, found in results:
        rating = None if row.turn is None else row.turn.rating
        verdict = "error" if found.status == "error" else found.verdict
        kind = [found.message_type or ""] if has_types else []
        score = "–" if found.score is None else decimal(found.score, "en")
        rated = ["" if rating is None else f"{rating:g}"] if has_ratings else []
        shown = Text().append(verdict, STYLES[found.verdict])
        cells.append([found.id, *kind, score, *rated, shown, found.why])
    console.print(table(columns, cells, expand=True))
