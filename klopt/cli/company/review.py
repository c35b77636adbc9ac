"""``klopt company review``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from klopt.batch.rows import read_rows
from klopt.cli import options
from klopt.cli.options import as_command, option
from klopt.cli.terminal import announce
from klopt.company.folder import Company
from klopt.errors import InputError
from klopt.extras import needs


@as_command("review", "klopt company review acme/ --log chats.jsonl")
def command(
    *,
    folder: options.CompanyFolder,
    log: Path | None = option(
        "The chat log whose answers are rated; that of the folder when left out."
    ),
    rater: str = option(
        "Who rates. Two people who rate the same answers see how far they agree.",
        "--as",
        default="",
        metavar="NAME",
    ),
    port: int = option(
        "The port; one that is free when left out.",
        type=click.IntRange(0, 65535),
        default=0,
        show_default=False,
    ),
    no_browser: options.NoBrowser,
    names: options.Names,
) -> None:
    """Rate answers on a web page, and decide what is suggested.

    The page is on this machine alone. Ratings go to rated.jsonl in FOLDER, which klopt evaluate
    and klopt fit read; each is on the disk before the page says so. Stop with Ctrl-C.
    """
    with needs("company", "the page of the review needs the packages of a service"):
        from klopt.review.app import language_of, run
        from klopt.review.desk import ReviewDesk
    company = Company.open(folder)
    source = log or company.log
    if source is None:
        raise InputError(
            f"{folder}: names no chat log; give one with --log FILE, or put it into company.toml "
            'as log = "chats.jsonl"'
        )
    pages = company.pages()
    language = language_of(read_rows(str(source), names=names, with_contexts=False))
    rows = read_rows(str(source), pages=pages, names=names)
    desk = ReviewDesk(company, rows, pages, rater.strip(), names)
    run(desk, port, language, partial(announce, "klopt review", opens=not no_browser))
