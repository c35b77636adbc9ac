"""``klopt index``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click
from rich.table import Column

from klopt.batch.output import whole_binary, write_rows
from klopt.cli.options import (
    FOLDER,
    JSON,
    LANGUAGE,
    PROFILE,
    TERMS,
    output_to,
    pages_in,
    refuse_overwriting,
)
from klopt.cli.terminal import Screen, bar, counted, plain_table, shown
from klopt.errors import InputError
from klopt.indexing.building import Recipe, build
from klopt.indexing.index_file import Index
from klopt.indexing.parts import is_replaceable
from klopt.report.view import clean
from klopt.scoring.languages import Languages
from klopt.scoring.profile import Profile

_BEGINS_CHARS: Final = 100


@click.group("index")
def command() -> None:
    """Read help pages ahead into one file, and find the pages for a question."""


@command.command("build", epilog="Example: klopt index build --pages help/ -o help.klopt")
@FOLDER
@output_to(
    "The index file; it appears, or takes the place of the old one, when it is whole.",
    required=True,
)
@PROFILE
@TERMS
@click.option(
    "--language", default="auto", help="Of pages that do not tell; auto: that of most pages."
)
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    show_default="one a core",
    help="How many read at a time.",
)
def build_command(
    pages: Path,
    output: Path,
    profile: str,
    terms: tuple[Path, ...],
    language: str,
    processes: int,
) -> None:
    """Read the pages of a folder into an index file.

    A page that did not change since the file was built is copied from it. Give the --profile and
    the --terms that answers are scored with.
    """
    known = pages_in(pages)
    read = {"one of the pages": [pages / name for name in known], "given as --terms": terms}
    refuse_overwriting({"-o": output}, read)
    if not is_replaceable(output):
        raise click.UsageError(
            f"{output} is there and is no index; choose another file for -o, or remove it."
        )
    recipe = Recipe(profile, terms, language)
    count = len({id(page) for page in known.values()})
    with whole_binary(output) as file, bar("Reading", count) as advance:
        old = _old(output)
        copied_count = build(file, known, recipe, old=old, processes=processes, advance=advance)
    copied = f", {copied_count:,} of them copied" if copied_count else ""
    click.echo(f"{counted(count, 'page')}{copied}. Written to {output}.", err=True)


@command.command("show", epilog="Example: klopt index show help.klopt --check")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--check", is_flag=True, help="Also read every page, to see that none was altered.")
@click.option("--names", is_flag=True, help="Also the names of all pages, one a line.")
@PROFILE
@TERMS
def show(file: Path, check: bool, names: bool, profile: str, terms: tuple[Path, ...]) -> None:
    """Say what an index file holds, and whether it fits."""
    index = Index.open(file)
    if check:
        index.check()
    click.echo(
        f"{counted(index.page_count, 'page')} "
        f"({counted(len(index), 'name')}), {index.size_bytes / 2**20:.1f} MB\n"
        f'Read by klopt {index.klopt} for profile "{clean(index.profile)}"'
    )
    for code, digest in index.languages.items():
        click.echo(f"{counted(index.page_counts[code], 'page')} in {code}, tables {digest[:8]}")
    click.echo(_fit(index, Profile.load(profile), terms))
    if check:
        click.echo("Every page is as it was written.")
    for name in index if names else ():
        click.echo(name)


@command.command("search", epilog='Example: klopt index search help.klopt "Hoe werkt wifi?"')
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.argument("question")
@click.option("-k", "count", type=click.IntRange(1, 1000), default=5, help="How many pages.")
@PROFILE
@TERMS
@LANGUAGE
@JSON
def search(
    file: Path,
    question: str,
    count: int,
    profile: str,
    terms: tuple[Path, ...],
    language: str,
    as_json: bool,
) -> None:
    """Find the pages that fit a QUESTION best, by its words.

    Compounds count as their parts too, and words of headings count more. Give the --profile and
    the --terms that the index was built with.
    """
    index = Index.open(file)
    Languages(Profile.load(profile), terms, index)  # says whether the index fits
    language = index.language_of(question) if language == "auto" else language
    hits = index.search(question, count, language=language)
    if language not in index.languages:
        known = ", ".join(index.languages) or "no language"
        note = f'The question is in "{language}", and no page is; there are pages in {known}.'
    else:
        note = "" if hits else "No page has a word of the question."
    console = Screen()
    if as_json or not console.is_terminal:
        rows = ({"page": hit.page.id, "score": round(hit.score, 3)} for hit in hits)
        write_rows(rows, None)
        click.echo(note, err=True, nl=bool(note))
        return
    page = Column("page", overflow="fold")
    table = plain_table(Column("score", justify="right"), page, Column("begins with", ratio=1))
    for hit in hits:
        begins = " ".join(hit.page.text[:_BEGINS_CHARS].split())
        table.add_row(f"{hit.score:.1f}", shown(hit.page.id), shown(begins, "dim"))
    console.print(note or table)


def _fit(index: Index, profile: Profile, terms: tuple[Path, ...]) -> str:
    """Whether answers can be scored with it by a profile."""
    try:
        Languages(profile, terms, index)
    except InputError as error:
        return f'Does not fit profile "{profile.name}": {clean(str(error))}'
    return f'Fits profile "{profile.name}"{" with these terms" if terms else ""}.'


def _old(path: Path) -> Index | None:
    """The index that is built again, where pages can be copied from it."""
    try:
        return Index.open(path) if path.is_file() else None
    except InputError:
        return None
