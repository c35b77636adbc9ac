"""``klopt report``."""

from __future__ import annotations

import gc
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import click

from klopt._internal.files import whole_file
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.fields import tell_unread
from klopt.cli.options import (
    argument,
    as_command,
    globbed,
    option,
    output_to,
    refuse_both_or_neither,
    shared,
)
from klopt.cli.report_rows import RatingsOfRows, count_unread, joined, scored_rows
from klopt.cli.scoring import (
    ScoringOptions,
    TranslationOptions,
    demo_rows,
    demo_terms,
    warn_to_retrieve,
)
from klopt.cli.terminal import FORMS, Screen, counted, tell, tracked, warn, write_figures
from klopt.logs.formats import kind_of, unpacked
from klopt.logs.rows import Row, read_mappings, with_warnings
from klopt.logs.scoring import core_count, score_log
from klopt.report.log_figures import LogFigures
from klopt.report.log_page import render
from klopt.report.scored import LogRow, ScoredRow
from klopt.report.wording import LANGUAGES, spoken
from klopt.version import VERSION

if TYPE_CHECKING:
    from klopt.scoring.scorer import Scorer

_GC_THRESHOLD: Final = 50_000
_DEMO_PAGE: Final = Path("klopt-demo.html")
_OF_SCORES: Final = {"verdict", "status"}  # Columns that every row of scores has
_START_BYTES: Final = 1_000_000
_REPEATED: Final = (
    *(
        "pages",
        "index",
        "retrieve",
        "profile",
        "terms",
        "all_types",
        "names",
        "encoding",
        "time",
        "language",
    ),
)  # Options that a second report of the same log needs too
_NO_PAGE: Final = (".json", ".jsonl", ".csv", ".xlsx")  # endings for which a page is not meant


@as_command("report", "klopt report log.jsonl --pages help/ -o report.html")
def command(
    *,
    file: Annotated[str | None, argument("[FILE]")],
    demo: options.Demo,
    setup: options.SetupOptions,
    names: options.Names,
    encoding: options.Encoding,
    logs: tuple[str, ...] = option(
        "The chat log, where FILE has its scores: adds questions, whole answers and times. A name "
        f"with * or ? stands for all files that match; {options.MULTIPLE}",
        "--log",
        metavar="FILE",
        callback=globbed,
    ),
    ratings: str | None = option(
        "Ratings of the answers by people, such as the rated.jsonl of `klopt company review`: they "
        "make the number of untrue answers more precise.",
        metavar="FILE",
    ),
    time: str | None = option(
        "Field of the log with the time, such as meta.sent; klopt finds common names.",
        metavar="FIELD",
    ),
    language: str = option(
        "Language of the page: nl, en, or auto for that of most answers.",
        type=click.Choice(["auto", *LANGUAGES]),
        default="auto",
    ),
    worst: int = option(
        "Number of answers with the lowest scores to show; the figures cover all answers.",
        type=click.IntRange(0, 100_000),
        default=5000,
    ),
    output: Path | None = output_to("Write the page to this file."),
    form: Annotated[
        str | None,
        shared("Print the figures in this format.", "--format", type=click.Choice(FORMS[1:])),
    ],
) -> int:
    """Write a page for a browser: how many answers are probably untrue, and what to do about it.

    FILE is a chat log, which is scored as by `klopt score`, or the output of `klopt score -o`.
    The page begins with the pages to check, the worst answers and the questions without a page;
    printed, that fits one sheet. Below are verdicts over time and by message type, all pages, names
    that are on no page, and the answers with the lowest scores. It needs no network.

    Exit code 3 when a row could not be read; klopt reports the other rows.
    """
    refuse_both_or_neither(file, demo)
    if demo and logs:
        raise click.UsageError("--demo has its own log; omit --log.")
    if output is None and Screen().has_tables(form):
        if not demo:
            raise click.UsageError(
                "Give a file for the page, such as -o report.html, or --format json."
            )
        output = _DEMO_PAGE
    if output is not None and output.suffix.lower() in _NO_PAGE:
        raise click.UsageError(
            f"-o writes an HTML page, not {output.suffix}; for the figures leave out -o and give "
            "--format json or csv."
        )
    is_log = file is not None and _is_log(file, setup)
    if is_log and logs:
        raise click.UsageError(f"{file} is a log without scores; omit --log.")
    if not (is_log or logs) and (time or names or encoding):
        raise click.UsageError("--time, --map and --encoding need a log: as FILE, or with --log.")
    figures = LogFigures(worst)
    problems: list[str] = []
    with ExitStack() as stack:
        # No object here is part of a cycle; frequent garbage collection would cost a tenth.
        stack.callback(gc.set_threshold, *gc.get_threshold())
        gc.set_threshold(_GC_THRESHOLD)
        page = stack.enter_context(whole_file(output)) if output is not None else None
        if file is None:
            from klopt.scoring.scorer import Scorer  # slow to import

            both = _scoring(demo_rows(), Scorer.load(terms=demo_terms()))
        elif is_log:
            scoring = ScoringOptions(**vars(setup), language="auto", names=names)
            scorer = scoring.scorer(TranslationOptions(None, None, None), stack)
            rows = tracked(
                with_warnings(scoring.rows(file, encoding=encoding, is_answered=True), warn),
                "Scoring",
                file,
            )
            both = _scoring(rows, scorer, time, figures, problems)
        else:
            both = joined(scored_rows(file, figures, problems), logs, names, time, encoding)
        rated = None if ratings is None else RatingsOfRows(ratings)
        for row, logged in both:
            rating = None if rated is None else rated.take(row, logged)
            figures.add(row, logged if rating is None else replace(logged, rating=rating))
        if rated is not None:
            rated.give_warning()
        if is_log:
            warn_to_retrieve(setup, figures.reasons["no_contexts"], figures.total)
        name = "the demo log" if file is None else file
        tell_unread(problems, name, "rows", is_all=not figures.total, count=figures.unread)
        if time is not None and not figures.by_day:
            raise click.UsageError(
                f'--time: no row of {", ".join(logs or [name])} has a time in "{time}" that can be '
                "read: ISO 8601, day-month-year, or seconds since 1970."
            )
        if page is not None:
            shown_in = spoken(figures.languages) if language == "auto" else language
            log = file if is_log else next(iter(logs), None)
            retrieve = setup.retrieve or figures.retrieve
            commands = () if file is None else _rating_commands(file, log, setup.pages, retrieve)
            title = None if file is None else Path(file).name
            page.writelines(render(figures, shown_in, title, commands))
    if output is None or form is not None:
        found = {"file": name, "klopt": VERSION, **figures.to_dict()}
        write_figures(found, form, sys.stdout.buffer)
    if output is not None:
        tell(f"{_sentence(figures)} Written to {output}.")
    return EXIT_BAD_INPUT if figures.unread else 0


def _sentence(figures: LogFigures) -> str:
    """Return the number of answers and, with an estimate, of those that are probably untrue."""
    answers, untrue = counted(figures.total, "answer"), figures.untrue()
    if untrue is None:
        return f"{answers}, {figures.scored_count:,} scored."
    if untrue.rated_count >= figures.scored_count:
        return (
            f"{answers}, {figures.scored_count:,} scored, {round(untrue.count):,} of them untrue "
            "by your ratings."
        )
    return (
        f"{answers}, {figures.scored_count:,} scored, about {round(untrue.count):,} of them "
        f"probably untrue (between {floor(untrue.low):,} and {ceil(untrue.high):,})."
    )


def _is_log(file: str, setup: options.SetupOptions) -> bool:
    """Return whether a file is a log without scores; standard input is with --pages or --index."""
    is_to_score = setup.pages is not None or setup.index is not None
    if file == "-" or not Path(file).is_file():
        return is_to_score
    is_scored = _has_scores(file)
    if is_scored and is_to_score:
        raise click.UsageError(f"{file} has scores already; omit --pages and --index.")
    return not is_scored


def _has_scores(file: str) -> bool:
    """Return whether a file begins with a row of `klopt score`."""
    kind = kind_of(Path(file))
    if kind in ("parquet", "excel", "arrow"):
        first = next((row for _, row, _ in read_mappings(file, None)), {})
        return not isinstance(first, str) and first.keys() >= _OF_SCORES
    with unpacked(file) as data:
        if kind == "csv":
            names = set(re.split(rb"\W+", data.readline(_START_BYTES)))
        else:
            names = set(re.findall(rb'"(\w+)"\s*:', data.read(_START_BYTES)))
    return {name.encode() for name in _OF_SCORES} <= names


def _rating_commands(
    file: str, log: str | None, pages: Path | None, retrieve: int
) -> tuple[str, ...]:
    """Return the commands that rate answers of a log and make the report again."""
    log = log or "log.jsonl"
    finding = ["--retrieve", str(retrieve)] if retrieve else []
    source = [file, *([] if log == file else ["--log", log]), *options.given(*_REPEATED)]
    commands = (
        ("company", "init", "--pages", str(pages or "help/"), *finding, "-o", "company/"),
        (
            "company",
            "review",
            "company/",
            "--log",
            log,
            *options.given("names", "encoding"),
            "--shuffle",
        ),
        ("report", *source, "--ratings", "company/rated.jsonl", "-o", "report.html"),
    )
    return tuple(shlex.join(("klopt", *command)) for command in commands)


def _scoring(
    rows: Iterable[Row],
    scorer: Scorer,
    time: str | None = None,
    figures: LogFigures | None = None,
    problems: list[str] | None = None,
) -> Iterator[tuple[ScoredRow, LogRow]]:
    """Score the readable rows of a log; count the others and keep the first problems."""
    for row, line, _ in score_log(rows, scorer, processes=core_count()):
        if row.turn is None and figures is not None and problems is not None:
            count_unread(f"{row.id}: {row.problem}", figures, problems)
            continue
        scored = ScoredRow.from_line(line.line({"id": row.id}))
        if scored is not None and row.turn is not None:
            yield scored, LogRow.of(row.turn, row.fields, time)
