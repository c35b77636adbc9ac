"""``klopt company suggest``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.table import Column

from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.company.review import rating_steps, tell_check
from klopt.cli.company.scorer import company_rows, company_scorer, warn_without_contexts
from klopt.cli.fields import Readable, read_log
from klopt.cli.options import as_command, option
from klopt.cli.terminal import (
    Screen,
    bar,
    counted,
    next_steps,
    shown,
    table,
    tell,
    tracked,
    warn,
    write,
)
from klopt.company.folder import Company, denied_names, held
from klopt.company.suggestions import Suggestion, Suggestions, score_answers, suggest, thinned
from klopt.logs.rows import Row
from klopt.report.wording import brief
from klopt.types import Turn

_MAX_IDS: Final = 4
_EXAMPLE_CHARS: Final = 160


@as_command(
    "suggest",
    "klopt company suggest acme/ --rated rated.jsonl, then klopt company suggest acme/ --apply "
    "product_names-645d99",
)
def command(
    *,
    folder: options.CompanyFolder,
    rated: str | None = option(
        "Answers with a rating (1 to 5) or a label; by default FOLDER/rated.jsonl, if it exists.",
        metavar="FILE",
    ),
    log: str | None = option(
        "Unrated answers; by default the log of company.toml.", metavar="FILE"
    ),
    accepted: tuple[str, ...] = option("Accept a suggestion.", "--apply", metavar="ID"),
    rejected: tuple[str, ...] = option("Never suggest it again.", "--reject", metavar="ID"),
    names: options.Names,
    encoding: options.Encoding,
    form: options.Format,
) -> int:
    """Suggest names to allow and pages to improve.

    A name that is on no page is suggested if true answers that klopt does not send contain it, or
    many answers of the log. A page is suggested if untrue answers contradict it.

    Nothing changes until you --apply a suggestion; --apply and --reject can be repeated. Exit
    code 3 if a row could not be read; klopt uses the others.
    """
    company = Company.open(folder)
    if accepted or rejected:
        _decide(company, accepted, rejected)
        return 0
    pages = company.pages()
    file = rated or (str(company.rated) if company.rated.is_file() else None)

    def rows(of: str) -> Iterable[Row]:
        return company_rows(company, of, pages, names, encoding)

    read = read_log(rows(file), file, names) if file else None
    rated_turns, unread_count = (read.turns, read.unread_count) if read is not None else ((), 0)
    source = log or (str(company.log) if company.log is not None else None)
    logged, failed_count = _logged(source, rows(source)) if source else ([], 0)
    known = {(turn.question, turn.answer) for turn in rated_turns}
    new = (turn for turn in logged if (turn.question, turn.answer) not in known)
    turns = [*rated_turns, *new]
    if not turns:
        raise click.UsageError("No answers to read: give --rated FILE, --log FILE, or both.")
    scorer = company_scorer(company, company.load(), pages)
    reason_codes: list[str | None] = []
    with bar("Scoring", len(turns)) as advance:
        answers = score_answers(scorer, turns, advance, reason_codes.append)
        found = suggest(answers, pages, partial(denied_names, folder))
    warn_without_contexts(company, [*reason_codes, *[None] * len(answers)])
    with held(folder):
        suggestions = Suggestions.read(folder).updated(found)
        suggestions.write()
    console = Screen()
    if not suggestions.open:
        tell(f"Nothing to suggest from {counted(len(turns), 'answer')}.")
        tell(rating_steps(company, len(turns)))
    elif console.has_tables(form):
        _show(suggestions.open, folder, console)
    else:
        every = suggestions.open
        write(({"id": one.id, "does": one.action, **asdict(one)} for one in every), form)
    return EXIT_BAD_INPUT if unread_count or failed_count else 0


def _logged(file: str, every: Iterable[Row]) -> tuple[list[Turn], int]:
    """Return unrated turns spread over a log, and the number of unreadable rows."""
    rows = Readable(tracked(every, "Reading", file), file)
    turns = (row.turn for row in rows if row.turn is not None)
    kept = thinned(replace(turn, rating=None, label=None) for turn in turns)
    if len(kept) < rows.count:
        warn(f"{file}: klopt reads {len(kept):,} of {rows.count:,} answers, spread over the log")
    return kept, len(rows.problems)


def _decide(company: Company, accepted: Sequence[str], rejected: Sequence[str]) -> None:
    if both := set(accepted) & set(rejected):
        raise click.UsageError(
            f"{', '.join(sorted(both))}: give either --apply or --reject, not both."
        )
    with held(company.path):
        suggestions = Suggestions.read(company.path)
        decisions = [
            f"{status}: {suggestion_id}, {suggestions[suggestion_id].action}"
            for status, ids in (("accepted", accepted), ("rejected", rejected))
            for suggestion_id in ids
        ]
        suggestions.decided(accepted, "accepted").decided(rejected, "rejected").write()
    for line in decisions:
        click.echo(line)
    tell_check(company)


def _show(suggested: Sequence[Suggestion], folder: Path, console: Screen) -> None:
    names = [suggestion for suggestion in suggested if suggestion.name]
    pages = [suggestion for suggestion in suggested if not suggestion.name]
    for caption, some in {"Names to allow": names, "Pages to improve": pages}.items():
        if some:
            console.print(shown(f"\n{caption}", "bold"))
            columns = (Column("id", no_wrap=True), Column("what", ratio=2), Column("why", ratio=4))
            console.print(table(columns, ((one.id, one.action, _why(one)) for one in some)))
    command, first = ["klopt", "company", "suggest", folder], suggested[0].id
    apply = "allow the name" if names else "mark the page as done, once it is improved"
    reject = [*command, "--reject", first], "never suggest it again"
    tell(next_steps(([*command, "--apply", first], apply), reject))


def _why(suggestion: Suggestion) -> str:
    example = brief("".join(suggestion.examples[:1]), _EXAMPLE_CHARS)
    more = len(suggestion.answers) - _MAX_IDS
    others = f" and {more} more" if more > 0 else ""
    such_as = f" For example: {example}" if example else ""
    answers = f"Answers: {', '.join(suggestion.answers[:_MAX_IDS])}{others}."
    return f"{suggestion.why[:1].upper()}{suggestion.why[1:]}.{such_as} {answers}"
