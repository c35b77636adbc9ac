"""``klopt company suggest``."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click
from rich.table import Column

from klopt.batch.rows import read_rows
from klopt.cli import EXIT_BAD_INPUT, options
from klopt.cli.fields import Readable, read_log
from klopt.cli.options import as_command, option
from klopt.cli.terminal import Screen, bar, counted, shown, table, tell, tracked, warn, write
from klopt.company.folder import Company, held
from klopt.company.suggesting import Answers, named, suggest, thinned
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.records import Page, Turn
from klopt.report.wording import brief

_MOST_IDS: Final = 4
_EXAMPLE_CHARS: Final = 160


@as_command(
    "suggest",
    "klopt company suggest acme/ --rated rated.jsonl, then klopt company suggest acme/ --apply "
    "synonyms-dd64b5",
)
def command(
    *,
    folder: options.CompanyFolder,
    rated: str | None = option(
        "Answers with a rating (1 to 5) or a label; FOLDER/rated.jsonl without it, if there.",
        metavar="FILE",
    ),
    log: str | None = option(
        "Answers that nobody rated; the log that company.toml names without it.", metavar="FILE"
    ),
    accepted: tuple[str, ...] = option("Put it into the folder.", "--apply", metavar="ID"),
    rejected: tuple[str, ...] = option("Never suggest it again.", "--reject", metavar="ID"),
    names: options.Names,
    form: options.Format,
) -> int:
    """Suggest what to change in the FOLDER of a company.

    From rated answers on which klopt and people differ: names to allow or to deny, synonyms that
    stand on two pages, pages to mend. From a log alone: names that no page has, in many answers.
    What an entry does to answers, klopt company check says.

    Nothing changes until you --apply a suggestion; both options may be given several times. Exit
    code 3 when a row could not be read; the others are used all the same.
    """
    company = Company.open(folder)
    file = rated or (str(company.rated) if company.rated.is_file() else None)
    pages = company.pages()
    if accepted or rejected:
        _decide(company, accepted, rejected)
        return 0
    read = read_log(read_rows(file, pages=pages, names=names), file, names) if file else None
    turns, unread = (read.turns, read.unread_count) if read is not None else ((), 0)
    source = log or (str(company.log) if company.log is not None else None)
    rated_turns = {(turn.question, turn.answer) for turn in turns}
    logged, failed = _logged(source, pages, names) if source else ([], 0)
    logged = [turn for turn in logged if (turn.question, turn.answer) not in rated_turns]
    if not turns and not logged:
        raise click.UsageError(
            "there are no answers to learn from: give --rated FILE, --log FILE, or both."
        )
    profile = company.load()
    with bar("Scoring", len(turns) + len(logged)) as advance:
        answers = Answers(profile, (*turns, *logged), advance)
    suggested = suggest(answers, pages)
    with held(folder):
        suggestions = Suggestions.read(folder)
        # What answers suggested before, and do not any more, is gone; what the pages did stays.
        before = tuple(
            suggestion
            for suggestion in suggestions.all
            if suggestion.status != "open" or not suggestion.answers
        )
        after = Suggestions(folder, before).joined(suggested)
        after.write()
    is_open = {suggestion.id for suggestion in after.open}
    console = Screen()
    kept = [suggestion for suggestion in suggested if suggestion.id in is_open]
    if not kept:
        tell(f"Nothing to suggest from {counted(len(turns) + len(logged), 'answer')}.")
    elif console.has_tables(form):
        _show(kept, folder, console)
    else:
        rows = (
            {"id": suggestion.id, "does": named(suggestion), **dataclasses.asdict(suggestion)}
            for suggestion in kept
        )
        write(rows, form)
    return EXIT_BAD_INPUT if unread or failed else 0


def _logged(
    file: str, pages: Mapping[str, Page], names: Mapping[str, str]
) -> tuple[list[Turn], int]:
    """Turns of a log, evenly over all of it, and how many rows could not be read."""
    rows = Readable(tracked(read_rows(file, pages=pages, names=names), "Reading", file), file)
    turns = (row.turn for row in rows if row.turn is not None)
    kept = thinned(dataclasses.replace(turn, rating=None, label=None) for turn in turns)
    if len(kept) < rows.count:
        warn(f"{file}: {len(kept):,} of {rows.count:,} answers are looked at, evenly over the log")
    return kept, len(rows.problems)


def _decide(company: Company, accepted: Sequence[str], rejected: Sequence[str]) -> None:
    """Puts accepted suggestions into the folder, and remembers what was rejected."""
    if twice := set(accepted) & set(rejected):
        raise click.UsageError(f"{', '.join(sorted(twice))}: either --apply or --reject.")
    with held(company.path):
        suggestions = Suggestions.read(company.path)
        told = [
            f"{status}: {suggestion_id}, {named(suggestions[suggestion_id])}"
            for status, ids in (("accepted", accepted), ("rejected", rejected))
            for suggestion_id in ids
        ]
        suggestions.decided(accepted, "accepted").decided(rejected, "rejected").write()
    for line in told:
        click.echo(line)
    if accepted:
        click.echo(f"What it does to answers: klopt company check {company.path}")


def _show(suggested: Sequence[Suggestion], folder: Path, console: Screen) -> None:
    entries = [suggestion for suggestion in suggested if suggestion.entry is not None]
    pages = [suggestion for suggestion in suggested if suggestion.entry is None]
    for caption, some in {"For you to judge": entries, "Pages to mend": pages}.items():
        if some:
            console.print(shown(f"\n{caption}", "bold"))
            columns = (Column("id", no_wrap=True), Column("what", ratio=2), Column("why", ratio=4))
            console.print(
                table(
                    columns,
                    ((suggestion.id, named(suggestion), _why(suggestion)) for suggestion in some),
                )
            )
    does = "Take one over" if entries else "When a page is mended, tick it off"
    console.print(
        shown(
            f"\n{does} with: klopt company suggest {folder} --apply {suggested[0].id}; --reject ID "
            "leaves it out for good."
        ),
        soft_wrap=True,
    )


def _why(suggestion: Suggestion) -> str:
    """Where it came from, an example, and which answers it is about."""
    example = brief("".join(suggestion.examples[:1]), _EXAMPLE_CHARS)
    more = len(suggestion.answers) - _MOST_IDS
    others = f" and {more} more" if more > 0 else ""
    sentences = (
        f"{suggestion.why[:1].upper()}{suggestion.why[1:]}.",
        f"For example: {example}" if example else "",
        f"Answers: {', '.join(suggestion.answers[:_MOST_IDS])}{others}.",
    )
    return " ".join(filter(None, sentences))
