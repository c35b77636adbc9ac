"""The command to run next on a company's folder."""

from __future__ import annotations

from klopt.cli.terminal import next_steps, tell
from klopt.company.folder import Company
from klopt.company.review.store import RATINGS_WANTED, Ratings


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
        (["klopt", "fit", *options, *fitted], "find the threshold where 1 in 10 sent is untrue"),
    )


def tell_check(company: Company) -> None:
    """Print the command that shows which scores a change moved."""
    tell(next_steps((["klopt", "company", "check", company.path], "see which scores change")))
