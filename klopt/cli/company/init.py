"""``klopt company init``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from klopt.cli.options import (
    LanguageOfPages,
    PagesToRead,
    as_command,
    option,
    read_folder,
    warn,
)
from klopt.cli.terminal import counted
from klopt.company.folder import Company
from klopt.report.view import clean

if TYPE_CHECKING:
    from klopt.company.starting import Coverage, Start

_THERE = click.Path(path_type=Path, exists=True)
_NEW_FOLDER = click.Path(path_type=Path, file_okay=False)
_RATINGS = (
    "Rate 50 answers first, and run `klopt fit`: it says whether they brought anything. Where "
    "`default` puts answers in order by itself, more ratings mainly show how right klopt is; where "
    "it cannot, each counts, up to 200."
)
_SHOWN = 8
_EXAMPLES = 2
_FILES = {
    "terms": "company_terms.toml",
    "names": "product_names.toml",
    "abbreviations": "abbreviations.toml",
    "style": "components.toml, guides.toml",
}
_WHAT = {
    "terms": "words of your own",
    "names": "names of products",
    "abbreviations": "abbreviations",
    "style": "ways to mark names and number steps",
    "synonyms": "pairs of words that may mean the same",
}


@as_command("init", "klopt company init --pages help/ --log chats.jsonl -o acme/")
def command(
    *,
    pages: PagesToRead,
    log: Path | None = option(
        "The company's chat log, for the commands that read one.",
        type=_THERE,
        metavar="FILE",
    ),
    language: LanguageOfPages,
    name: str | None = option("The company's name; that of the folder without it."),
    update: bool = option("Add what is new to a folder that is there."),
    output: Path = option(
        "The company's folder, to be made.",
        *("-o", "--output"),
        type=_NEW_FOLDER,
        required=True,
        metavar="DIR",
    ),
) -> None:
    """Make a company's folder from its help pages.

    Writes a profile, the company's own words, names, abbreviations and style, each with where it
    was found, and suggests what somebody has to decide on. Then score with: --profile DIR.
    """
    from klopt.company.starting import start

    began = time.monotonic()
    again = f"klopt company init --pages {pages} --language"
    language, found = read_folder(
        pages,
        language,
        lambda other: f"; add them after this with: {again} {other} --update -o {output}",
    )
    started = start(
        Company(output, name or "", (pages,), log),
        found,
        language,
        update=update,
    )
    _tell(started, output, time.monotonic() - began)
    say(f"\n{_RATINGS}")
    say(f"\nTry it: klopt score {log or 'LOG'} --pages {pages} --profile {output}")


def _tell(started: Start, folder: Path, seconds: float) -> None:
    """The summary, on standard output."""
    language = started.language
    say(f"{folder}: {counted(started.now.pages, 'page')} in {language}, read in {seconds:.0f} s")
    if started.missing:
        warn(f"no words of your own: {started.missing}")
    say("\nPut in, each with where it was found:")
    new = set(map(id, started.new))
    for kind in started.found:
        entries = [one for one in kind.entries if id(one) in new]
        if kind.kind in _FILES and entries:
            names = (one.about if one.pattern else one.name for one in entries[:_SHOWN])
            examples = ", ".join(one.partition(";")[0] for one in names)
            say(f"  {len(entries):>5}  {_WHAT[kind.kind]}: {examples}")
            files = sorted({f"{one.lexicon}.toml" for one in entries})
            say(f"         in {folder / language}: {', '.join(files)}")
    if not new:
        say("  nothing new")
    _tell_coverage(started.before, started.now)
    _tell_open(started, folder)


def say(sentence: str) -> None:
    """A line on standard output; what pages and logs say in it is made safe."""
    click.echo(clean(sentence))


def _tell_coverage(before: Coverage, now: Coverage) -> None:
    say(f"\nOf {counted(now.pages, 'page')} klopt finds:")
    rows: Sequence[tuple[str, int, int]] = (
        ("buttons, menus or fields", before.components, now.components),
        ("steps", before.guides, now.guides),
    )
    for what, earlier, later in rows:
        change = f" ({earlier} without this folder)" if earlier != later else ""
        say(f"  {what} on {later}{change}")


def _tell_open(started: Start, folder: Path) -> None:
    if started.open:
        say(f"\nTo decide on, in {folder / 'suggestions.toml'}:")
        for one in started.open[:_SHOWN]:
            name = "" if one.entry is None else one.entry.name
            say(f"  {one.id}  {name}: {one.why}")
            for example in one.examples[:_EXAMPLES]:
                say(f"      “{example}”")
        if len(started.open) > _SHOWN:
            say(f"  and {len(started.open) - _SHOWN} more")
    first = next((one.kind for one in started.found if one.entries and one.kind != "terms"), None)
    if first is not None:
        say(
            f"\nLook first at {_FILES[first]} ({_WHAT[first]}): a wrong entry there lets a wrong "
            "answer pass. Take out what is wrong; it does not come back."
        )
