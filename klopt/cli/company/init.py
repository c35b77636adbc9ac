"""``klopt company init`` and ``terms``: what is made of help pages."""

from __future__ import annotations

import datetime
import time
from pathlib import Path

import click

from klopt import lexicons
from klopt.batch.output import whole_file
from klopt.cli import options
from klopt.cli.options import as_command, option, output_to, read_folder
from klopt.cli.terminal import counted, tell, tracked
from klopt.reading.reader import Reader
from klopt.records import clean
from klopt.tuning.terms import learn_terms, to_lexicon

_THERE = click.Path(path_type=Path, exists=True)
_NEW_FOLDER = click.Path(path_type=Path, file_okay=False)
_SHOWN = 8


@as_command("init", "klopt company init --pages help/ --log chats.jsonl -o acme/")
def init(
    *,
    pages: options.PagesToRead,
    log: Path | None = option(
        "The company's chat log, for the commands that read one.", type=_THERE
    ),
    language: options.LanguageOfPages,
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
    from klopt.company.folder import Company
    from klopt.company.starting import start

    began = time.monotonic()
    again = f"klopt company init --pages {pages} --language"
    language, kept_pages = read_folder(
        pages,
        language,
        lambda other: f"; add them after this with: {again} {other} --update -o {output}",
    )
    names = start(Company(output, name or "", (pages,), log), kept_pages, language, update=update)
    seconds = time.monotonic() - began
    done = "is up to date" if update else "is made"
    _say(
        f"{output} {done}: a profile, from {counted(len(kept_pages), 'page')} in {language}, in "
        f"{seconds:.0f} s."
    )
    if names:
        examples = ", ".join(entry.name for entry in names[:_SHOWN])
        _say(
            f"\nLook at the names of products: {len(names)}, such as {examples}\n"
            f"  in {output / language / 'product_names.toml'}, each with where it was found: a "
            "wrong one lets a wrong answer pass. Take out what is wrong; it does not come back."
        )
    else:
        _say(f"Its pages have no {'new ' if update else ''}names of products to add.")
    rest = "" if log else " --log LOG"
    _say(
        "\nGo on with:\n"
        f"  klopt score {log or 'LOG'} --pages {pages} --profile {output}\n"
        f"  klopt company review {output}{rest}   rate 50 answers on a page of this machine\n"
        f"  klopt fit {output / 'rated.jsonl'} --pages {pages} --profile {output} -o "
        f"{output / 'fitted.toml'}   says whether they brought anything"
    )


def _say(sentence: str) -> None:
    """A line on standard output; what pages and logs say in it is made safe."""
    click.echo(clean(sentence))


@as_command("terms", "klopt company terms --pages help/nl -o terms-nl.toml")
def terms(
    *,
    pages: options.PagesToRead,
    language: options.LanguageOfPages,
    output: Path | None = output_to("The lexicon file; standard output without it."),
) -> None:
    """Learn the company's own terms from its help pages.

    Takes the 10,000 most frequent words of the pages and keeps those that the general language
    does not have. Needs the extra `terms`: pip install 'klopt[terms]'.
    """
    language, kept_pages = read_folder(
        pages,
        language,
        lambda other: f": terms are of one language; --language {other} learns those",
    )
    reader = Reader(lexicons.load(language))
    learnt = learn_terms(tracked(kept_pages, "Reading"), reader)
    text = to_lexicon(learnt, source=pages.resolve().name, today=datetime.date.today())
    if output is None:
        click.echo(text, nl=False)
    else:
        with whole_file(output) as file:
            file.write(text)
    where = f", written to {output}" if output else ""
    examples = ", ".join(learnt.terms[:_SHOWN])
    frequent = f" The most frequent: {examples}." if learnt.terms else " Give more pages."
    tell(
        f"{learnt.page_count} pages, {learnt.lemma_count} lemmas, {len(learnt.terms)} terms of the "
        f"company's own{where}.{frequent}"
    )
