"""``klopt score``."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from klopt.batch.output import open_output
from klopt.batch.scoring import score_rows
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.options import check_language, open_rows, same_file, scoring_options, warn
from klopt.cli.progress import counted
from klopt.cli.table import Tally, show_table
from klopt.cli.translation_options import TranslationOptions, translation_options
from klopt.cli.translations import translating_scorer


@click.command(
    "score",
    epilog="Example: klopt score log.jsonl --pages help/ -o scores.jsonl",
)
@scoring_options
@translation_options
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write JSON lines to this file; it appears when it is whole.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON lines on a terminal too, no table.")
def command(
    translating: TranslationOptions,
    file: str,
    profile: str,
    pages: Path | None,
    terms: tuple[Path, ...],
    language: str,
    all_types: bool,
    names: dict[str, str],
    output: Path | None,
    as_json: bool,
) -> int:
    """Score the answers of FILE: JSONL, CSV or Parquet, or - for JSONL on standard input.

    Each row has a question, an answer and contexts: texts, pages, or names of pages in the
    folder of --pages. Fields by the names of ragas, deepeval and others are understood.

    A table when you look on, JSON lines (one a row, in order) otherwise. Exit code 3 when a row
    could not be read; the others are scored all the same.
    """
    if same_file(output, file):
        raise click.UsageError(f"{output} is the input; choose another file for -o.")
    with ExitStack() as stack:
        scorer = translating_scorer(translating, profile, stack, all_types=all_types, terms=terms)
        check_language(language, scorer)
        rows = open_rows(file, pages, language, names)
        tally = Tally()
        results = tally.count(score_rows(counted(rows, file, "Scoring"), scorer, warn))
        console = Console(highlight=False)
        if output is None and console.is_terminal and not as_json:
            show_table(list(results), console)
            console.print(f"\n{tally.summary()}")
            if tally.without_terms and not terms:
                console.print("Company terms were not measured: klopt company terms learns them.")
        else:
            with open_output(output) as write:
                for _, one in results:
                    write(one.to_dict())
            if output is not None or not tally.verdicts:
                where = f" Written to {output}." if output is not None else ""
                click.echo(f"{tally.summary()}{where}", err=True)
            elif tally.untranslated:
                click.echo(tally.summary(), err=True)
    return EXIT_BAD_INPUT if tally.errors or tally.refused_untranslated else 0
