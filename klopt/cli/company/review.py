"""``klopt company review``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from klopt._internal.imports import needs
from klopt.cli import options
from klopt.cli.company.scorer import READING, company_rows, company_scorer, no_log
from klopt.cli.options import as_command, option
from klopt.cli.terminal import announce, counted, next_steps, tell
from klopt.company.folder import Company
from klopt.company.review.store import RATINGS_WANTED, Ratings
from klopt.evaluation.rated import MIN_SAMPLES


def rating_steps(company: Company, available: int = RATINGS_WANTED) -> str:
    """Return the commands until the ratings are used: rate answers, compare, fit.

    ``available`` is the number of answers of the log that can be rated.
    """
    folder, rated = company.path, company.rated
    count = Ratings(rated).count
    given = options.given(*READING, "rater")
    has_log = company.log is not None or "--log" in given
    wanted = min(RATINGS_WANTED, available) if has_log else RATINGS_WANTED
    if count < wanted:
        log = [] if has_log else ["--log", "LOG"]
        more = counted(wanted - count, "more answer") if count else counted(wanted, "answer")
        return (f"{count} of {wanted} ratings.\n" if count else "") + next_steps(
            (["klopt", "company", "review", folder, *log, *given], f"rate {more}")
        )
    both = [rated, "--pages", company.page_folders[0], "--profile", folder]
    fitted = ["--weights", "kept", "--untrue-sent", "0.1", "-o", folder / "fitted.toml"]
    compare = ["klopt", "evaluate", *both], "compare scores with the ratings"
    fit = (
        ["klopt", "fit", *both, *fitted],
        "find the threshold at which 1 in 10 sent answers is untrue",
    )
    steps = (compare, fit) if count >= MIN_SAMPLES else (compare,)
    return f"{counted(count, 'rating')}.\n{next_steps(*steps)}"


def tell_check(company: Company, *first: tuple[Sequence[object], str]) -> None:
    """Print other steps, and the command that shows which scores a change moved."""
    check = ["klopt", "company", "check", company.path, *options.given(*READING)]
    tell(next_steps(*first, (check, "see which scores change")))


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
    encoding: options.Encoding,
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
        raise no_log(company)
    pages = company.pages()
    language = language_of(company_rows(company, source, None, names, encoding))
    rows = company_rows(company, source, pages, names, encoding)
    names = {**company.names, **names}
    scorer_of = partial(company_scorer, company, pages=pages)
    desk = ReviewDesk(
        company, shuffled(rows) if shuffle else rows, pages, rater.strip(), names, scorer_of
    )
    try:
        run(desk, port, language, partial(announce, "klopt review", opens=not no_browser))
    finally:
        tell(rating_steps(company, desk.book.available))
