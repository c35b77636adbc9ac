"""``klopt company init``."""

from __future__ import annotations

import time
from pathlib import Path

import click

from klopt.cli.options import (
    LanguageOfPages,
    PagesToRead,
    as_command,
    option,
    read_folder,
)
from klopt.cli.terminal import counted
from klopt.company.folder import Company
from klopt.report.view import clean

_THERE = click.Path(path_type=Path, exists=True)
_NEW_FOLDER = click.Path(path_type=Path, file_okay=False)
_RATINGS = (
    "Rate 50 answers first, and run `klopt fit`: it says whether they brought anything. Where "
    "`default` puts answers in order by itself, more ratings mainly show how right klopt is; where "
    "it cannot, each counts, up to 200."
)
_SHOWN = 8


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

    Writes a profile, and the names of products that stand on the pages, each with where it was
    found. Then score with: --profile DIR.
    """
    from klopt.company.starting import start

    began = time.monotonic()
    again = f"klopt company init --pages {pages} --language"
    language, found = read_folder(
        pages,
        language,
        lambda other: f"; add them after this with: {again} {other} --update -o {output}",
    )
    names = start(Company(output, name or "", (pages,), log), found, language, update=update)
    seconds = time.monotonic() - began
    say(f"{output}: {counted(len(found), 'page')} in {language}, read in {seconds:.0f} s")
    if names:
        examples = ", ".join(one.name for one in names[:_SHOWN])
        say(f"\nNames of products, each with where it was found: {len(names)}, such as {examples}")
        say(
            f"  in {output / language / 'product_names.toml'}; look at them: a wrong one lets a "
            "wrong answer pass. Take out what is wrong; it does not come back."
        )
    else:
        say("\nNo new names of products.")
    say(f"\n{_RATINGS}")
    say(f"\nTry it: klopt score {log or 'LOG'} --pages {pages} --profile {output}")


def say(sentence: str) -> None:
    """A line on standard output; what pages and logs say in it is made safe."""
    click.echo(clean(sentence))
