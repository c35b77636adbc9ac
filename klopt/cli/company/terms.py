"""``klopt company terms``."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from klopt import lexicons
from klopt.batch.output import whole_file
from klopt.cli.options import (
    LanguageOfPages,
    PagesToRead,
    as_command,
    output_to,
    read_folder,
)
from klopt.cli.terminal import tracked
from klopt.reading.reader import Reader
from klopt.tuning.terms import learn_terms, to_lexicon

_SHOWN = 12


@as_command("terms", "klopt company terms --pages help/nl -o terms-nl.toml")
def command(
    *,
    pages: PagesToRead,
    language: LanguageOfPages,
    output: Path | None = output_to("The lexicon file; standard output without it."),
) -> None:
    """Learn the company's own terms from its help pages.

    Takes the 10,000 most frequent words of the pages and keeps those that the general language
    does not have. Needs the extra `terms`: pip install 'klopt[terms]'.
    """
    language, found = read_folder(
        pages,
        language,
        lambda other: f": terms are of one language; --language {other} learns those",
    )
    reader = Reader(lexicons.load(language))
    learnt = learn_terms(tracked(found, "Reading"), reader)
    text = to_lexicon(learnt, source=pages.resolve().name, today=datetime.date.today())
    if output is None:
        click.echo(text, nl=False)
    else:
        with whole_file(output) as file:
            file.write(text)
    where = f", written to {output}" if output else ""
    examples = ", ".join(learnt.terms[:_SHOWN])
    frequent = f" The most frequent: {examples}." if learnt.terms else " Give more pages."
    click.echo(
        f"{learnt.page_count} pages, {learnt.lemma_count} lemmas, {len(learnt.terms)} terms of the "
        f"company's own{where}.{frequent}",
        err=True,
    )
