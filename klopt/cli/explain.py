"""``klopt explain``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console

from klopt.batch.rows import Row
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.demo import demo_rows, demo_terms
from klopt.cli.explanation import show_explanation
from klopt.cli.options import (
    ALL_TYPES,
    LANGUAGE,
    MAP,
    PAGES,
    PROFILE,
    TERMS,
    check_language,
    open_rows,
)
from klopt.cli.translation_options import TranslationOptions, translation_options
from klopt.cli.translations import translating_scorer
from klopt.errors import InputError


@click.command("explain", epilog="Example: klopt explain log.jsonl --pages help/ --id 42")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--demo", is_flag=True, help="The demo company's chat log instead of a file.")
@click.option("--id", "row_id", required=True, help="The row to explain.")
@PROFILE
@PAGES
@TERMS
@LANGUAGE
@ALL_TYPES
@MAP
@translation_options
def command(
    translating: TranslationOptions,
    file: str | None,
    demo: bool,
    row_id: str,
    profile: str,
    pages: Path | None,
    terms: tuple[Path, ...],
    language: str,
    all_types: bool,
    names: dict[str, str],
) -> int:
    """Show one answer of FILE: what the pages support, and the path to its score.

    Every feature is measured, those that the score did not need included.
    """
    if (file is None) != demo:
        raise click.UsageError("Give either a FILE or --demo.")
    with ExitStack() as stack:
        scorer = translating_scorer(
            translating,
            profile,
            stack,
            all_types=all_types,
            terms=demo_terms() if demo else terms,
        )
        check_language(language, scorer)
        rows = demo_rows() if demo else open_rows(file or "", pages, language, names)
        row = _find(rows, row_id, file or "the demo log")
        if row.turn is None:
            raise InputError(row.problem or "")
        console = Console(highlight=False)
        assessment = scorer.score(row.turn, measure_all=True)
        show_explanation(row.turn, assessment, console)
    return EXIT_BAD_INPUT if assessment.status == "error" else 0


def _find(rows: Iterable[Row], row_id: str, where: str) -> Row:
    seen: list[str] = []
    for row in rows:
        if row.id == row_id:
            return row
        seen.append(row.id)
    close = difflib.get_close_matches(row_id, seen, n=3)
    hint = f"; did you mean {', '.join(close)}?" if close else f"; it has {len(seen)} rows"
    raise InputError(f'{where}: there is no row "{row_id}"{hint}')
