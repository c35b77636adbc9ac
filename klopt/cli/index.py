"""``klopt index``."""

from __future__ import annotations

import os
from pathlib import Path

import click

from klopt.batch.output import whole_binary
from klopt.cli.options import LINKS, PROFILE, TERMS, output_to, pages_in
from klopt.cli.terminal import bar, counted
from klopt.errors import InputError
from klopt.indexing.building import Recipe, build
from klopt.indexing.index_file import Index


@click.group("index")
def command() -> None:
    """Read help pages ahead into one file, and find the pages for a question."""


@command.command("build", epilog="Example: klopt index build --pages help/ -o help.klopt")
@click.option(
    "--pages",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with the help pages.",
)
@LINKS
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
    recipe = Recipe(profile, terms, language)
    count = len({id(page) for page in known.values()})
    with whole_binary(output) as file, bar("Reading", count) as advance:
        old = _old(output)
        read_count = build(file, known, recipe, old=old, processes=processes, advance=advance)
    copied = f", {count - read_count:,} of them copied" if read_count < count else ""
    click.echo(f"{counted(count, 'page')}{copied}. Written to {output}.", err=True)


@command.command("show", epilog="Example: klopt index show help.klopt --check")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--check", is_flag=True, help="Also read every page, to see that none was altered.")
@click.option("--names", is_flag=True, help="Also the names of all pages, one a line.")
def show(file: Path, check: bool, names: bool) -> None:
    """Say what an index file holds, and with what it fits."""
    index = Index.open(file)
    if check:
        index.check()
    plain_names = "plain_names = " + str(index.plain_names).lower()
    click.echo(
        f"{counted(index.page_count, 'page')} "
        f"({counted(len(index), 'name')}), {index.size_bytes / 2**20:.1f} MB\n"
        f"Read by klopt {index.klopt}, for profiles with {plain_names}"
    )
    for code, digest in index.languages.items():
        click.echo(f"{counted(index.page_counts[code], 'page')} in {code}, tables {digest[:8]}")
    if check:
        click.echo("Every page is as it was written.")
    for name in index if names else ():
        click.echo(name)


def _old(path: Path) -> Index | None:
    """The index that is built again, where pages can be copied from it."""
    try:
        return Index.open(path) if path.is_file() else None
    except InputError:
        return None
