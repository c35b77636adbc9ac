"""``klopt report``."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Final, cast

import click

from klopt.batch.cores import score_rows
from klopt.batch.formats import ROW_LIMIT_CHARS, cell, kind_of, lines_of, unpacked
from klopt.batch.output import whole_file
from klopt.batch.rows import read_lines, read_mappings, read_rows
from klopt.batch.tables import Found
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.demo_log import demo_rows, demo_terms
from klopt.cli.fields import MOST_TOLD, tell_unread
from klopt.cli.options import (
    argument,
    as_command,
    globbed,
    option,
    output_to,
    refuse_both_or_neither,
    shared,
)
from klopt.cli.terminal import FORMS, Screen, counted, tell, tracked, write_figures
from klopt.errors import InputError, RecordError
from klopt.records import Turn
from klopt.report.log_figures import LogFigures
from klopt.report.log_page import render
from klopt.report.scored import AskedRow, ScoredRow
from klopt.report.wording import LANGUAGES, spoken
from klopt.version import VERSION

_LOOK_AFTER_OBJECTS: Final = 50_000
_DEMO_PAGE: Final = Path("klopt-demo.html")


@as_command("report", "klopt report scores.jsonl --log log.jsonl -o report.html")
def command(
    *,
    file: Annotated[str | None, argument("[SCORES]")],
    demo: options.Demo,
    logs: tuple[str, ...] = option(
        "The chat log that was scored: adds questions, whole answers and when they were given. "
        f"Names with * or ? stand for all that fit; {options.MULTIPLE}",
        "--log",
        metavar="FILE",
        callback=globbed,
    ),
    names: options.Names,
    time: str | None = option(
        "The field of --log that says when, such as meta.sent; common names are found.",
        metavar="FIELD",
    ),
    language: str = option(
        "Of the page: nl, en, or auto, that of the most answers.",
        type=click.Choice(["auto", *LANGUAGES]),
        default="auto",
    ),
    worst: int = option(
        "Show so many of the answers with the lowest scores; all are counted.",
        type=click.IntRange(0, 100_000),
        default=5000,
    ),
    output: Path | None = output_to("Write the page for a browser to this file."),
    form: Annotated[
        str | None,
        shared("Also print the figures.", "--format", type=click.Choice(FORMS[1:])),
        options.AS_JSON,
    ],
) -> int:
    """Show on one page what the chatbot answers, for people who look rather than read.

    SCORES is what `klopt score -o` wrote; --demo shows the demo company's. The page needs no
    network: how much can be sent, over time and by type of question; the help pages behind untrue
    answers; the questions that no page answers; the names that no page has; and the worst answers,
    to search and filter.

    Exit code 3 when a row could not be read; the others are reported all the same.
    """
    refuse_both_or_neither(file, demo)
    if demo and logs:
        raise click.UsageError("--demo has its own log; leave --log out.")
    if output is None and Screen().has_tables(form):
        if not demo:
            raise click.UsageError(
                "Say where the page goes, as in -o report.html, or --format json."
            )
        output = _DEMO_PAGE
    if not logs and (time or names):
        raise click.UsageError("--time and --map are about the log; name it with --log.")
    figures = LogFigures(worst)
    problems: list[str] = []
    with ExitStack() as stack:
        # What is kept has no cycles: to look for some after every few objects costs a tenth.
        stack.callback(gc.set_threshold, *gc.get_threshold())
        gc.set_threshold(_LOOK_AFTER_OBJECTS)
        page = stack.enter_context(whole_file(output)) if output is not None else None
        scored = () if file is None else _scored(file, figures, problems)
        both = _demo() if file is None else _joined(scored, logs, names, time)
        for row, asked in both:
            figures.add(row, asked)
        name = "the demo log" if file is None else file
        tell_unread(problems, name, "rows", is_all=not figures.total, count=figures.unread)
        if time is not None and not figures.by_day:
            raise click.UsageError(
                f'--time: no row of {", ".join(logs)} has a time in "{time}" that can be read: '
                "ISO 8601, day-month-year, or seconds since 1970."
            )
        if page is not None:
            told_in = spoken(figures.languages) if language == "auto" else language
            page.writelines(render(figures, told_in, Path(name).name))
    if output is None or form is not None:
        found = {"file": name, "klopt": VERSION, **figures.to_dict()}
        write_figures(found, form, sys.stdout.buffer)
    if output is not None:
        tell(f"{counted(figures.total, 'answer')}. Written to {output}.")
    return EXIT_BAD_INPUT if figures.unread else 0


def _demo() -> Iterator[tuple[ScoredRow, AskedRow]]:
    """The demo company's log, scored as `klopt demo` does."""
    from klopt.scoring.scorer import Scorer  # what reads scores needs no scorer

    for row, assessment in score_rows(demo_rows(), Scorer.load(terms=demo_terms())):
        asked = AskedRow.of(cast(Turn, row.turn), row.fields)
        yield ScoredRow.from_mapping(assessment.to_dict()), asked


def _scored(file: str, figures: LogFigures, problems: list[str]) -> Iterator[tuple[int, ScoredRow]]:
    """The rows that could be read, with their numbers; counts the others, and says why of some."""
    for number, row, _ in tracked(_found(file), "Reading", file):
        try:
            if isinstance(row, str):
                raise RecordError(row)
            yield number, row if isinstance(row, ScoredRow) else ScoredRow.from_mapping(row)
        except RecordError as error:
            figures.unread += 1
            if len(problems) < MOST_TOLD:
                problems.append(f"row {number}: {error}")


def _found(file: str) -> Iterator[Found | tuple[int, ScoredRow, None]]:
    """The rows as they stand; of lines of JSON at once what is read of them, where that can be."""
    if kind_of(Path(file)) != "jsonl" or not Path(file).is_file():
        yield from read_mappings(file, None)
        return
    with unpacked(file) as data:
        for number, line in enumerate(lines_of(data, file), 1):
            row = ScoredRow.from_line(line) if len(line) <= ROW_LIMIT_CHARS else None
            yield from read_lines([line], file, number) if row is None else [(number, row, None)]


def _joined(
    rows: Iterable[tuple[int, ScoredRow]],
    logs: Sequence[str],
    names: Mapping[str, str],
    time: str | None,
) -> Iterator[tuple[ScoredRow, AskedRow]]:
    """Each row with what the log says of it; both are in one order, and the log may have more."""
    if not logs:
        yield from ((row, AskedRow()) for _, row in rows)
        return
    several = len(logs) > 1
    logged = (
        row
        for log in logs
        for row in read_rows(log, names=names, with_contexts=False, file=log if several else "")
    )
    for number, row in rows:
        asked = next((own for own in logged if row.id in (own.id, cell(own.id))), None)
        if asked is None:
            raise InputError(
                f'{", ".join(logs)}: there is no "{row.id}" at or after the place of row {number} '
                "of the scores; give the log that was scored, in the order in which it was scored"
            )
        turn = asked.turn
        yield row, AskedRow() if turn is None else AskedRow.of(turn, asked.fields, time)
