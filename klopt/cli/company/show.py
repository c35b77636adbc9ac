"""``klopt company show`` and ``lines``: what a folder holds, and what other lines would send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Column

from klopt.batch.output import whole_file
from klopt.batch.rows import read_rows
from klopt.cli import options
from klopt.cli.fields import read_log
from klopt.cli.options import as_command, option
from klopt.cli.terminal import (
    Screen,
    counted,
    figures,
    give_figures,
    ids,
    shown,
    table,
    tell,
    tracked,
    warn,
    write,
)
from klopt.company import lints
from klopt.company.folder import Company, asking_nobody, held
from klopt.company.lines import Changed, Sending, changed, curve, named
from klopt.company.settings import Keys, Settings, put_in
from klopt.company.suggestions import Suggestions
from klopt.errors import InputError
from klopt.evaluation.estimate import Estimate
from klopt.evaluation.rated import learnt_rows
from klopt.records import clean
from klopt.scoring.explanation import decimal
from klopt.scoring.profile import PROFILE_FILE, Profile
from klopt.scoring.scorer import Scorer

_EXAMPLES: Final = 4


@as_command("show", "klopt company show acme/ --flat > whole.toml")
def show(
    *,
    folder: options.CompanyFolder,
    flat: bool = option("The whole profile as TOML, with what it inherits."),
    name: options.CompanyProfile,
    form: options.Format,
) -> None:
    """Show what a company's FOLDER holds: its lexicons with counts, its lines, what it extends.

    With --flat the whole profile, as a file that extends no other; its lexicons are named as
    they are seen from FOLDER.
    """
    company = Company.open(folder)
    settings = Settings.of(folder / name)
    if flat:
        click.echo(settings.text(), nl=False)
        return
    lists = [
        {"file": file.path.relative_to(folder).as_posix(), "list": part, "entries": entries}
        for file in lints.files(company)
        for part, entries in sorted(_parts(file))
    ]
    console = Screen()
    if not console.has_tables(form):
        write(lists, form)
        return
    columns = (Column("file", overflow="fold"), "list", figures("entries"), "such as")
    if lists:
        console.print(table(columns, map(_listed, lists)))
        console.print()
    for line in _about(company, settings, Profile.load(folder / name)):
        console.print(shown(line))
    places = f"Pages: {', '.join(map(str, company.page_folders))}. Log: {company.log or 'none'}."
    console.print(shown(places), soft_wrap=True)
    open_count = len(Suggestions.read(company.path).open)
    console.print(f"{counted(open_count, 'suggestion')} to look at.")


def _listed(row: Mapping[str, Any]) -> tuple[str, ...]:
    entries = row["entries"]
    such_as = ", ".join(entries[:_EXAMPLES]) + (" …" if len(entries) > _EXAMPLES else "")
    return row["file"], row["list"], f"{len(entries):,}", such_as


def _parts(file: lints.File) -> Iterator[tuple[str, list[str]]]:
    """The lists of a lexicon with what stands in them, those without anything left out."""
    found: dict[str, list[str]] = {}
    for part, phrases in file.lexicon.lists.items():
        found[part] = list(phrases)
    for part, groups in file.lexicon.word_groups.items():
        found[part] = [" = ".join(group) for group in groups]
    for pattern in file.lexicon.patterns:
        found.setdefault(pattern.group, []).append(pattern.id)
    if file.lexicon.pairs:
        found["pairs"] = [f"{pair.one[0]} ↔ {pair.other[0]}" for pair in file.lexicon.pairs]
    for part, words in file.lexicon.values.items():
        found[part] = [f"{word} = {value:g}" for word, value in words.items()]
    return ((part, entries) for part, entries in found.items() if entries)


def _about(company: Company, settings: Settings, profile: Profile) -> Iterator[str]:
    origin = settings.origin
    yield f"{company.name}: the profile is {settings.source.name}, by the name {profile.name}."
    if settings.source.extends is not None:
        extended = " and ".join(settings.extended)
        yield f"It extends {extended}; --flat shows what it takes from there."
    yield (
        f"Sent from {profile.send_from:g} ({origin(('verdict', 'send_from'))}), blocked below "
        f"{profile.block_below:g} ({origin(('verdict', 'block_below'))})."
    )
    yield f"Message types that are scored: {', '.join(profile.message_types)}."
    if profile.review_on:
        finding = ", ".join(profile.review_on)
        yield f"Never sent unseen where one of these finds a fault: {finding}."


_MOST_SHOWN: Final = 20
_FIELDS: Final = {
    "sent": "sent, of all answers",
    "untrue_sent": "untrue, of what is sent",
    "untrue_held": "untrue answers that are not sent",
    "true_held": "true answers that are not sent",
    "blocked": "blocked, of all answers",
    "unscored": "not scored",
}
_LINE = options.Number(1, 5)
_CHANGED: Final = ("id", "rated", "score", "verdict", "why")


@as_command("lines", "klopt company lines acme/ --rated rated.jsonl --send-from 4.3")
def lines(
    *,
    folder: options.CompanyFolder,
    rated: Path | None = option("Rated answers, instead of rated.jsonl in FOLDER."),
    send_from: float | None = option("Send from this score on.", type=_LINE, metavar="SCORE"),
    block_below: float | None = option("Block below this score.", type=_LINE, metavar="SCORE"),
    is_written: bool = option("Also write that into the profile.", "--write"),
    name: options.CompanyProfile,
    form: options.Format,
) -> None:
    """Show what other lines would send and hold back, on rated answers of a company's FOLDER.

    Without any other line it shows what each line for sending would do. Nothing is written
    without --write.
    """
    company = Company.open(folder)
    path = folder / name
    path = path / PROFILE_FILE if path.is_dir() else path
    asked = {("verdict", "send_from"): send_from, ("verdict", "block_below"): block_below}
    given: dict[Keys, float] = {keys: line for keys, line in asked.items() if line is not None}
    if is_written and not given:
        raise click.UsageError("Give --send-from or --block-below to write.")
    now = Profile.load(path)
    lowest_sent, blocked = send_from or now.send_from, block_below or now.block_below
    if lowest_sent < blocked:
        raise click.UsageError(
            f"Answers would be sent from {lowest_sent:g} and blocked below {blocked:g}: give "
            f"{'--block-below' if block_below is None else '--send-from'} too."
        )
    text = put_in(path.read_text("utf-8"), given)
    # With the lowest line, what is sent from any other is known as well.
    lowest = replace(now, send_from=now.block_below)
    then = Profile.read(text, where=str(path), folder=path.parent) if given else lowest
    source = rated or company.rated
    if rated is None and not source.is_file():
        raise InputError(
            f"{source}: there is no such file; rate answers with `klopt company review {folder}`, "
            "or give rated ones by --rated FILE"
        )
    log = read_log(read_rows(str(source), pages=company.pages()), str(source), {})
    before, after = (
        list(Scorer(asking_nobody(profile)).score_many(tracked(log.turns, "Scoring")))
        for profile in (now, then)
    )
    lines = f"send from {now.send_from:g}, block below {now.block_below:g}"
    columns = {f"now ({lines})": Sending.of(log.turns, before)}
    changes: list[Changed] = []
    points: dict[float, Sending] = {}
    if given:
        columns[f"with {named(given)}"] = Sending.of(log.turns, after)
        changes = changed(log.turns, before, after)
    else:
        points = curve(log.turns, after, now)

    def show(console: Screen) -> None:
        _figures(console, columns)
        if given:
            _changes(console, changes, len(log.turns))
        else:
            _curve(console, points)
        console.print("In brackets: between which figures it lies, 95% sure.", style="dim")
        console.print(
            "\nIf you choose a line by these answers, it will do somewhat worse on others: try it "
            "on answers that you did not look at."
        )

    found = {
        "figures": {name: asdict(sending) for name, sending in columns.items()},
        "changed": [dict(zip(_CHANGED, _cells(change), strict=True)) for change in changes],
        "curve": {f"{line:g}": asdict(sending) for line, sending in points.items()},
    }
    give_figures(found, show, form)
    learnt = learnt_rows(log.turns, now)
    if learnt is not None:
        warn(
            f"the profile was learnt from {learnt.count} of these {learnt.total} answers, so that "
            "the figures are better than on others"
        )
    if is_written:
        with held(folder):
            text = put_in(path.read_text("utf-8"), given)
            with whole_file(path) as file:
                file.write(text)
        tell(clean(f"Written to {path}: {named(given)}."))


def _figures(console: Screen, columns: dict[str, Sending]) -> None:
    rows = (
        (words, *(_share(getattr(sending, field)) for sending in columns.values()))
        for field, words in _FIELDS.items()
    )
    console.print(table(["", *columns], rows))


def _curve(console: Screen, points: dict[float, Sending]) -> None:
    rows = (
        (f"{line:g}", *map(_share, (sending.sent, sending.untrue_sent, sending.true_held)))
        for line, sending in points.items()
    )
    console.print(table(["\nsend from", "sent", "untrue, of these", "true ones not sent"], rows))


def _changes(console: Screen, every: Sequence[Changed], count: int) -> None:
    console.print(f"\n{counted(len(every), 'answer')} of {count} would change:")
    columns = (ids(), *_CHANGED[1:-1], Column("why", ratio=1, no_wrap=True))
    if every:
        console.print(table(columns, map(_cells, every[:_MOST_SHOWN]), expand=True))
    if len(every) > _MOST_SHOWN:
        console.print(f"… and {len(every) - _MOST_SHOWN} more.")


def _cells(change: Changed) -> tuple[str, ...]:
    rating = change.turn.rating if change.turn.rating is not None else change.turn.label
    return (
        change.turn.id,
        "" if rating is None else f"{rating:g}",
        "–" if change.after.score is None else decimal(change.after.score, None, 2),
        f"{change.before.verdict} became {change.after.verdict}",
        change.after.why,
    )


def _share(share: Estimate) -> str:
    if share.value is None:
        return "–"
    count = f"{round(share.value * share.n)} of {share.n}"
    between = f" ({share.low:.0%}–{share.high:.0%})" if share.low is not None else ""
    return f"{count}, {share.value:.0%}{between}"
