"""``klopt index``."""

from __future__ import annotations

import os
import textwrap
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import click
from rich.table import Column
from rich.text import Text

from klopt._internal.files import whole_binary
from klopt.cli import Group, options
from klopt.cli.options import (
    EMBEDDER,
    argument,
    as_command,
    open_index,
    option,
    output_to,
    refuse_overwriting,
)
from klopt.cli.terminal import Screen, bar, counted, figures, give, give_figures, shown, tell
from klopt.errors import InputError, UnknownLanguageError
from klopt.logs.pages import read_folder
from klopt.retrieval.building import build
from klopt.retrieval.index_file import Index
from klopt.retrieval.parts import is_replaceable
from klopt.retrieval.search import FoundPage
from klopt.retrieval.skipped import summary
from klopt.retrieval.vectors import Embedder
from klopt.scoring.profile import Profile
from klopt.scoring.setup import Languages, Setup
from klopt.types import clean

_PASSAGE_CHARS: Final = 200
_IndexFile = Annotated[Path, argument("FILE")]


@click.group("index", cls=Group)
def command() -> None:
    """Read help pages into an index file, and find the pages for a question."""


@as_command("build", "klopt index build --pages help/ -o help.klopt", command)
def build_command(
    *,
    pages: options.PagesToRead,
    output: Path = output_to(
        "The index file; it replaces an old one only when it is complete.", required=True
    ),
    profile: options.ProfileName,
    terms: options.Terms,
    embedder: Path | None = option(
        "Folder of a sentence-embedding model (ONNX), for a search by meaning and across "
        f"languages; needs the extra encoder. Searching needs the same folder in {EMBEDDER}.",
        metavar="DIR",
    ),
    language: options.LanguageOfPages,
    follow_links: bool = option("Also read pages that are links to files outside the folder."),
    processes: int = option(
        "Number of processes.",
        type=click.IntRange(1),
        default=os.cpu_count() or 1,
        show_default="one per core",
    ),
) -> None:
    """Write an index file of the pages in a folder.

    Unchanged pages are copied from the existing file. Give the --profile and the --terms that
    answers are scored with.
    """
    folder = read_folder(pages, follow_links=follow_links)
    refuse_overwriting("-o", output, "one of the pages", (pages / name for name in folder.pages))
    if not is_replaceable(output):
        raise click.UsageError(
            f"{output} exists and is not an index; choose another file for -o, or remove it."
        )
    setup = Setup(Profile.load(profile), terms=terms)
    model = None if embedder is None else Embedder(embedder)
    count = len({id(page) for page in folder.pages.values()})
    try:
        with whole_binary(output) as file, bar("Reading", count) as advance:
            built = build(
                file,
                folder.pages,
                setup,
                language=language,
                embedder=model,
                old=_old(output),
                processes=processes,
                advance=advance,
                skipped=folder.skipped,
            )
    except UnknownLanguageError as error:
        raise UnknownLanguageError(f"{pages}: {error}") from None
    copied = f", {built.copied_count:,} of them copied" if built.copied_count else ""
    tell(f"{counted(built.page_count, 'page')}{copied}. Written to {output}.")
    for line in summary(built.skipped):
        tell(clean(f"{line}."))
    if built.skipped:
        tell(f"`klopt index show {output} --skipped` lists all of these.")


@as_command("show", "klopt index show help.klopt --check", command)
def show(
    *,
    file: _IndexFile,
    check: bool = option("Also read every page and verify its checksum."),
    names: bool = option("Also list the names of all pages."),
    skipped: bool = option("Also list the files and pages that are not read or searched, and why."),
    profile: options.ProfileName,
    terms: options.Terms,
    form: options.Format,
) -> None:
    """Show what an index file contains, and whether it fits a profile."""
    index = Index.open(file)
    if check:
        index.check()
    fit = _fit(index, Profile.load(profile), terms)

    def show(screen: Screen) -> None:
        pages, names_count = counted(index.page_count, "page"), counted(len(index), "name")
        screen.print(f"{pages} ({names_count}), {index.size_bytes / 2**20:.1f} MB")
        screen.print(shown(f'Read by klopt {index.klopt} for profile "{index.profile}"'))
        for code, digest in index.languages.items():
            pages = counted(index.page_counts[code], "page")
            screen.print(f"{pages} in {code}, tables {digest[:8]}")
        for line in summary(index.skipped):
            screen.print(shown(line), soft_wrap=True)
        if index.encoder:
            screen.print(shown(f"Vectors of model {index.encoder}"))
        screen.print(shown(fit))
        if check:
            screen.print("Every page matches its checksum.")
        for name in index if names else ():
            screen.print(shown(name), soft_wrap=True)
        for one in index.skipped if skipped else ():
            screen.print(shown(str(one)), soft_wrap=True)

    found = {
        "pages": dict(index.page_counts),
        "bytes": index.size_bytes,
        "klopt": index.klopt,
        "profile": index.profile,
        "tables": dict(index.languages),
        "encoder": index.encoder,
        "fit": fit,
        "skipped_counts": dict(Counter(one.reason for one in index.skipped)),
        **({"names": list(index)} if names else {}),
        **({"skipped": [asdict(one) for one in index.skipped]} if skipped else {}),
    }
    give_figures(found, show, form)


@as_command("search", 'klopt index search help.klopt "Hoe werkt wifi?"', command)
def search(
    *,
    file: _IndexFile,
    question: Annotated[str, argument("QUESTION")],
    count: int = option("Number of pages.", "-k", type=click.IntRange(1, 1000), default=5),
    profile: options.ProfileName,
    terms: options.Terms,
    language: Annotated[
        str,
        options.shared(
            "Language of the question: nl, en, or auto to detect it.",
            default="auto",
            metavar="CODE",
        ),
    ],
    form: options.Format,
) -> None:
    """Find the pages that match a QUESTION best.

    An index with vectors also finds pages by meaning, with its model's folder in KLOPT_EMBEDDER.
    Give the --profile and --terms that the index was built with.
    """
    index = open_index(file)
    index.check_searchable()
    Languages(Profile.load(profile), terms, index)  # fails where the index does not fit
    language = index.language_of(question) if language == "auto" else language
    hits = index.search(question, count, language=language)
    if not hits:
        known = ", ".join(index.languages) or "no language"
        other = f'The question is in "{language}", and no page is; there are pages in {known}.'
        tell("No page contains a word of the question." if language in index.languages else other)
        return

    def to_dict(hit: FoundPage) -> dict[str, Any]:
        found = " ".join(index.passage(hit, question, language=language).split())
        passage = textwrap.shorten(found, _PASSAGE_CHARS, placeholder=" …")
        figure = round(hit.score, 3)
        return {"page": hit.page.id, "score": figure, "title": hit.title, "passage": passage}

    def cells(hit: FoundPage) -> tuple[str, str, Text]:
        passage = shown(to_dict(hit)["passage"], "dim")
        title = Text.assemble(shown(hit.title or ""), "\n", passage)
        return f"{hit.score:.2f}", hit.page.id, title

    page, title = Column("page", overflow="fold"), Column("title and passage", ratio=1)
    give(hits, (figures("score"), page, title), cells, to_dict, form=form)


def _fit(index: Index, profile: Profile, terms: tuple[Path, ...]) -> str:
    try:
        Languages(profile, terms, index)
    except InputError as error:
        return f'Does not fit profile "{profile.name}": {clean(str(error))}'
    return f'Fits profile "{profile.name}"{" with these terms" if terms else ""}.'


def _old(path: Path) -> Index | None:
    try:
        return Index.open(path) if path.is_file() else None
    except InputError:
        return None
