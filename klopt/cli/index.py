"""``klopt index``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final

import click
from rich.table import Column

from klopt.batch.output import whole_binary
from klopt.cli import Group, options
from klopt.cli.options import argument, as_command, option, output_to, pages_in, refuse_overwriting
from klopt.cli.terminal import Screen, bar, counted, figures, give, give_figures, shown, tell
from klopt.errors import InputError
from klopt.indexing.building import build
from klopt.indexing.index_file import Index
from klopt.indexing.parts import is_replaceable
from klopt.records import clean
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Languages, Setup

_BEGINS_CHARS: Final = 100
_IndexFile = Annotated[Path, argument("FILE")]


@click.group("index", cls=Group)
def command() -> None:
    """Read help pages ahead into one file, and find the pages for a question."""


@as_command("build", "klopt index build --pages help/ -o help.klopt", command)
def build_command(
    *,
    pages: options.PagesToRead,
    output: Path = output_to(
        "The index file; it appears, or takes the place of the old one, when it is whole.",
        required=True,
    ),
    profile: options.ProfileName,
    terms: options.Terms,
    vectors: bool = option(
        "Find pages by what they mean too, and in another language than the question (with the "
        "extra encoder; 200 to 400 ms a page)."
    ),
    language: str = option("Of pages that do not tell; auto: that of most pages.", default="auto"),
    processes: int = option(
        "How many read at a time.",
        type=click.IntRange(1),
        default=os.cpu_count() or 1,
        show_default="one a core",
    ),
) -> None:
    """Read the pages of a folder into an index file.

    A page that did not change since the file was built is copied from it. Give the --profile and
    the --terms that answers are scored with.
    """
    known = pages_in(pages)
    refuse_overwriting("-o", output, "one of the pages", (pages / name for name in known))
    if not is_replaceable(output):
        raise click.UsageError(
            f"{output} is there and is no index; choose another file for -o, or remove it."
        )
    setup = Setup(Profile.load(profile), terms=terms)
    count = len({id(page) for page in known.values()})
    with whole_binary(output) as file, bar("Reading", count) as advance:
        copied_count = build(
            file,
            known,
            setup,
            language=language,
            vectors=vectors,
            old=_old(output),
            processes=processes,
            advance=advance,
        )
    copied = f", {copied_count:,} of them copied" if copied_count else ""
    tell(f"{counted(count, 'page')}{copied}. Written to {output}.")


@as_command("show", "klopt index show help.klopt --check", command)
def show(
    *,
    file: _IndexFile,
    check: bool = option("Also read every page, to see that none was altered."),
    names: bool = option("Also the names of all pages, one a line."),
    profile: options.ProfileName,
    terms: options.Terms,
    form: options.Format,
) -> None:
    """Say what an index file holds, and whether it fits."""
    index = Index.open(file)
    if check:
        index.check()
    fit = _fit(index, Profile.load(profile), terms)

    def show(screen: Screen) -> None:
        screen.print(
            f"{counted(index.page_count, 'page')} "
            f"({counted(len(index), 'name')}), {index.size_bytes / 2**20:.1f} MB"
        )
        screen.print(shown(f'Read by klopt {index.klopt} for profile "{index.profile}"'))
        for code, digest in index.languages.items():
            screen.print(
                f"{counted(index.page_counts[code], 'page')} in {code}, tables {digest[:8]}"
            )
        if index.encoder:
            screen.print(shown(f"Vectors of encoder {index.encoder}"))
        screen.print(shown(fit))
        if check:
            screen.print("Every page is as it was written.")
        for name in index if names else ():
            screen.print(shown(name), soft_wrap=True)

    found = {
        "pages": dict(index.page_counts),
        "bytes": index.size_bytes,
        "klopt": index.klopt,
        "profile": index.profile,
        "tables": dict(index.languages),
        "encoder": index.encoder,
        "fit": fit,
        **({"names": list(index)} if names else {}),
    }
    give_figures(found, show, form)


@as_command("search", 'klopt index search help.klopt "Hoe werkt wifi?"', command)
def search(
    *,
    file: _IndexFile,
    question: Annotated[str, argument("QUESTION")],
    count: int = option("How many pages.", "-k", type=click.IntRange(1, 1000), default=5),
    profile: options.ProfileName,
    terms: options.Terms,
    language: options.Language,
    form: options.Format,
) -> None:
    """Find the pages that fit a QUESTION best, by its words, and what it means.

    What it means counts, and pages in other languages, where the index was built with --vectors.
    Compounds count as their parts too, and words of headings count more. Give the --profile and
    the --terms that the index was built with.
    """
    index = Index.open(file)
    Languages(Profile.load(profile), terms, index)  # says whether the index fits
    language = index.language_of(question) if language == "auto" else language
    hits = index.search(question, count, language=language)
    if not hits and language not in index.languages:
        known = ", ".join(index.languages) or "no language"
        note = f'The question is in "{language}", and no page is; there are pages in {known}.'
    else:
        note = "" if hits else "No page has a word of the question."
    if note:
        tell(note)
        return
    give(
        hits,
        (figures("score"), Column("page", overflow="fold"), Column("begins with", ratio=1)),
        lambda hit: (
            f"{hit.score:.2f}",
            hit.page.id,
            shown(" ".join(hit.page.text[:_BEGINS_CHARS].split()), "dim"),
        ),
        lambda hit: {"page": hit.page.id, "score": round(hit.score, 3)},
        form=form,
    )


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
