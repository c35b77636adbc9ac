"""``klopt company review``."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from klopt._internal.extras import needs
from klopt.cli import options
from klopt.cli.company.scorer import company_scorer
from klopt.cli.options import as_command, option
from klopt.cli.terminal import announce, next_steps, tell
from klopt.company.folder import Company
from klopt.company.review.store import RATINGS_WANTED, Ratings
from klopt.errors import InputError
from klopt.logs.rows import read_rows


def rating_steps(company: Company) -> str:
    """Return the commands until the ratings are used: rate answers, compare, fit."""
    folder, rated = company.path, company.rated
    count = Ratings(rated).count
    if count < RATINGS_WANTED:
        log = [] if company.log or count else ["--log", "LOG"]
        purpose = f"rate {RATINGS_WANTED - count} more answers" if count else "rate 50 answers"
        return (f"{count} of {RATINGS_WANTED} ratings.\n" if count else "") + next_steps(
            (["klopt", "company", "review", folder, *log], purpose)
        )
    options = [rated, "--pages", company.page_folders[0], "--profile", folder]
    fitted = ["--weights", "kept", "--untrue-sent", "0.1", "-o", folder / "fitted.toml"]
    return f"{count} ratings.\n" + next_steps(
        (["klopt", "evaluate", *options], "compare scores with the ratings"),
        (
            ["klopt", "fit", *options, *fitted],
            "find the threshold at which 1 in 10 sent answers is untrue",
        ),
    )


def tell_check(company: Company) -> None:
    """Print the command that shows which scores a change moved."""
    tell(next_steps((["klopt", "company", "check", company.path], "see which scores change")))


@as_command("review", "klopt company review acme/ --log chats.jsonl")
def command(
    *,
    folder: options.CompanyFolder,
    log: Path | None = option("The chat log to rate; by default that of the folder."),
    rater: str = option(
        "Name of the rater. Two people who rate the same answers see their agreement.",
        "--as",
        default="",
        metavar="NAME",
    ),
    shuffle: bool = option("Offer the answers in random order, not in the order of the log."),
    port: int = option(
        "The port; by default a free one.",
        type=click.IntRange(0, 65535),
        default=0,
        show_default=False,
    ),
    no_browser: options.NoBrowser,
    names: options.Names,
) -> None:
    """Rate answers and decide on suggestions, on a local web page.

    Ratings go to rated.jsonl in FOLDER, which klopt evaluate and klopt fit read; each is on disk
    before the page confirms it. Stop with Ctrl-C.
    """
    with needs("company", "the review page needs the packages of the service"):
        from klopt.company.review.app import language_of, run
        from klopt.company.review.desk import ReviewDesk, shuffled
    company = Company.open(folder)
    source = log or company.log
    if source is None:
        raise InputError(
            f"{folder}: no chat log; give one with --log FILE, or put it into company.toml "
            'as log = "chats.jsonl"'
        )
    pages = company.pages()
    language = language_of(read_rows(str(source), names=names, with_contexts=False))
    rows = read_rows(str(source), pages=pages, names=names)
    scorer_of = partial(company_scorer, company, pages=pages)
    desk = ReviewDesk(
        company, shuffled(rows) if shuffle else rows, pages, rater.strip(), names, scorer_of
    )
    try:
        run(desk, port, language, partial(announce, "klopt review", opens=not no_browser))
    finally:
        tell(rating_steps(replace(company, log=log or company.log)))
