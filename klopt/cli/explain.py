"""``klopt explain``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from klopt.batch.rows import Row
from klopt.cli import EXIT_BAD_INPUT
from klopt.cli.demo import demo_rows, demo_terms
from klopt.cli.marked import marked
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
from klopt.cli.table import STYLES
from klopt.cli.terminal import clean, has_colour, shown
from klopt.errors import InputError
from klopt.measurement import Evidence, Measurement
from klopt.scoring.assessment import Assessment
from klopt.scoring.explanation import texts
from klopt.scoring.scorer import Scorer

_EVIDENCE = 6


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
def command(
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
    scorer = Scorer.load(profile, all_types=all_types, terms=demo_terms() if demo else terms)
    check_language(language, scorer)
    rows = demo_rows() if demo else open_rows(file or "", pages, language, names)
    row = _find(rows, row_id, file or "the demo log")
    if row.turn is None:
        raise InputError(row.problem or "")
    console = Console(highlight=False)
    assessment = scorer.score(row.turn, measure_all=True)
    _show(row, assessment, console)
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


def _show(row: Row, one: Assessment, console: Console) -> None:
    turn = row.turn
    assert turn is not None
    console.print(Text("Question  ", style="bold").append(clean(turn.question), style="not bold"))
    console.print(_type_line(turn.question, one))
    console.print()
    console.print("[bold]Answer[/]")
    console.print(marked(turn.answer, one, colour=has_colour(console)))
    if has_colour(console) and one.measurements:
        console.print(
            "[green]green[/]: a page has it   [bold red]red[/]: no page has it", style="dim"
        )
    console.print()
    console.print(shown(one.explanation, f"bold {STYLES[one.verdict]}"))
    if one.path:
        console.print()
        _show_path(one, console)
        _show_features(one, console)
    console.print()
    console.print(shown(one.fingerprint, "dim"))


def _type_line(question: str, one: Assessment) -> Text:
    line = Text("Type      ", style="bold")
    line.append(one.message_type or "not known", style="none")
    if one.span is not None:
        decided = question[one.span[0] : one.span[1]]
        line.append(f"  (pattern {one.pattern}: “{clean(decided)}”)", style="dim")
    elif one.pattern:
        line.append(f"  ({one.pattern})", style="dim")
    return line


def _show_path(one: Assessment, console: Console) -> None:
    console.print("[bold]Path through the tree[/]")
    features = texts("en")["features"]
    for visit in one.path:
        if visit.heuristic is None:
            said = (
                f"mean of the measured features = {visit.value:.2f}"
                if visit.value is not None
                else "nothing measurable"
            )
        elif visit.value is None:
            said = f"{features[visit.heuristic]}: {one.measurements[visit.heuristic].reason}"
        else:
            said = f"{features[visit.heuristic]} = {visit.value:.2f}, {visit.condition}?"
        end = f"yes: score {one.score:.1f}" if visit.decided and visit.heuristic else "no, go on"
        if visit.heuristic is None and visit.decided:
            end = f"score 1 + 4 × mean = {one.score:.1f}"
        console.print(Text(f"  {visit.node:<18} {said} → {end}"))
    console.print()


def _show_features(one: Assessment, console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("feature", no_wrap=True)
    table.add_column("value", justify="right")
    table.add_column("evidence", ratio=1)
    for name, measurement in one.measurements.items():
        value = "–" if measurement.value is None else f"{measurement.value:.2f}"
        table.add_row(name, value, _evidence(measurement))
    console.print(table)


def _evidence(measurement: Measurement) -> Text:
    """The first pieces of evidence, what no page supports before the rest."""
    if measurement.value is None:
        return shown(measurement.reason or "", "dim")
    text = Text()
    ranked = sorted(measurement.evidence, key=lambda item: item.kind != "unsupported")
    for item in ranked[:_EVIDENCE]:
        words = clean(" ".join(_words(item).split()))
        words = words if len(words) <= 50 else words[:49] + "…"
        sign = {"supported": "✓", "unsupported": "✗", "found": "·"}[item.kind]
        where = f" ({clean(item.page)}:{item.page_start})" if item.page else ""
        style = {"supported": "green", "unsupported": "red", "found": "none"}[item.kind]
        text.append(f"{sign} {words}", style=style)
        text.append(f"{where}  ", style="dim")
    if len(ranked) > _EVIDENCE:
        text.append(f"… {len(ranked) - _EVIDENCE} more", style="dim")
    return text


def _words(item: Evidence) -> str:
    """A pair of words that no page has says more than the stretch between them."""
    entry = item.entry or ""
    return entry if item.kind == "unsupported" and " – " in entry else item.text
