"""``klopt company init`` and ``klopt company terms``."""

from __future__ import annotations

import datetime
import time
from itertools import islice
from pathlib import Path
from typing import Final

import click

from klopt import lexicons
from klopt._internal.files import whole_file
from klopt.cli import options
from klopt.cli.company.scorer import company_rows
from klopt.cli.options import as_command, option, output_to, pages_in_one_language
from klopt.cli.scoring import has_answer
from klopt.cli.terminal import counted, next_steps, tell, tracked
from klopt.evaluation.fitting.terms import extract_terms, to_lexicon
from klopt.retrieval import MAX_RETRIEVED
from klopt.text.reader import Reader
from klopt.types import clean

_EXAMPLES: Final = 8
_EXISTING: Final = click.Path(path_type=Path, exists=True)
_FOLDER: Final = click.Path(path_type=Path, file_okay=False)


@as_command("init", "klopt company init --pages help/ --log chats.jsonl -o acme/")
def init(
    *,
    pages: options.PagesToRead,
    log: Path | None = option("The company's chat log, for later commands.", type=_EXISTING),
    retrieve: int = option(
        "Find K of the pages for each answer of the log that names none; later commands do so too.",
        type=click.IntRange(0, MAX_RETRIEVED),
        default=0,
        metavar="K",
    ),
    names: options.Names,
    encoding: options.Encoding,
    language: options.LanguageOfPages,
    name: str | None = option("The company's name; by default that of the folder."),
    update: bool = option("Add new names to an existing folder."),
    output: Path = option(
        "The company's folder.", *("-o", "--output"), type=_FOLDER, required=True, metavar="DIR"
    ),
) -> None:
    """Create a company's folder from its help pages.

    Writes a profile, and the product names on the pages with an example of each. Then score with
    --profile DIR. --map and --encoding are stored for later commands.
    """
    from klopt.company.folder import Company
    from klopt.company.review.store import RATINGS_WANTED
    from klopt.company.starting import start

    began = time.monotonic()
    again = f"klopt company init --pages {pages} --language"
    language, kept_pages = pages_in_one_language(
        pages,
        language,
        lambda other: f"; add them after this with: {again} {other} --update -o {output}",
    )
    company = Company(output, name or "", (pages,), log, retrieve, names, encoding)
    to_rate = RATINGS_WANTED
    if log is not None:
        rows = company_rows(company, log, None, names, encoding)
        to_rate = len([*islice(filter(has_answer, rows), RATINGS_WANTED)])
    found_names = start(company, kept_pages, language, update=update)
    made = (
        f"{'Updated' if update else 'Created'} {output} from {counted(len(kept_pages), 'page')} in "
        f"{language}, in {time.monotonic() - began:.0f} s."
    )
    found = f"No {'new ' * update}product names found: klopt company allow {output} NAME adds one."
    if found_names:
        examples = ", ".join(entry.name for entry in found_names[:_EXAMPLES])
        found = (
            f"\nCheck {counted(len(found_names), 'product name')}, such as {examples}\n"
            f"  in {output / language / 'product_names.toml'}, each with an example: a wrong name "
            "lets a wrong answer pass. Delete what is wrong; klopt does not add it again."
        )
    click.echo(clean(f"{made}\n{found}"))
    command, given = ["klopt", "company"], [] if Company.open(output).log else ["--log", "LOG"]
    steps = (
        ([*command, "check", output, *given, "--accept"], "score the log and store the run"),
        ([*command, "suggest", output, *given], "find names to allow and pages to improve"),
        ([*command, "review", output, *given], f"rate {counted(to_rate, 'answer')}"),
    )
    tell(next_steps(*steps))


@as_command("terms", "klopt company terms --pages help/nl -o terms-nl.toml")
def terms(
    *,
    pages: options.PagesToRead,
    language: options.LanguageOfPages,
    output: Path | None = output_to("Write the lexicon to this file instead of standard output."),
) -> None:
    """Extract a company's own terms from its help pages.

    Takes the 10,000 most frequent words on the pages, except words of general language. Needs the
    extra `terms`: pip install 'klopt[terms]'.
    """
    language, kept_pages = pages_in_one_language(
        pages,
        language,
        lambda other: f": terms are of one language; --language {other} extracts those",
    )
    reader = Reader(lexicons.load(language))
    found = extract_terms(tracked(kept_pages, "Reading"), reader)
    text = to_lexicon(found, source=pages.resolve().name, today=datetime.date.today())
    if output is None:
        click.echo(text, nl=False)
        command = ["klopt", "company", "terms", "--pages", pages, "-o", "company_terms.toml"]
        where, steps = "", next_steps((command, f"in the folder {language}/ of the company"))
    else:
        with whole_file(output) as file:
            file.write(text)
        command = ["klopt", "score", "LOG", "--pages", pages, "--terms", output]
        steps = next_steps((command, "show the share of these terms in each answer"))
        where = f", written to {output}"
    examples = ", ".join(found.terms[:_EXAMPLES])
    frequent = f" The most frequent: {examples}." if found.terms else " Give more pages."
    tell(
        f"{found.page_count} pages, {found.lemma_count} lemmas, {len(found.terms)} company terms"
        f"{where}.{frequent}\n{steps}"
    )
