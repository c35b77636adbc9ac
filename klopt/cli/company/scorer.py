"""The log and the scorer of a company's folder, which finds pages for answers without contexts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from klopt.cli.scoring import answered, temporary_index
from klopt.cli.terminal import counted, warn
from klopt.company.folder import FILE, Company
from klopt.errors import InputError
from klopt.logs.rows import Row, read_rows
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.setup import Setup
from klopt.types import Pages

READING: Final = ("log", "names", "encoding")  # Parameters that say how a log is read


def company_rows(
    company: Company,
    log: Path | str,
    pages: Pages | None,
    names: Mapping[str, str],
    encoding: str | None,
) -> Iterator[Row]:
    """Yield the rows of a log, read as the command or else ``company.toml`` says.

    Ratings have our own field names. Contexts are left out without pages.
    """
    is_rated = Path(log) == company.rated
    hints: list[str] = []
    rows = read_rows(
        str(log),
        pages=pages,
        names=names if is_rated else {**company.names, **names},
        encoding=encoding or (None if is_rated else company.encoding),
        with_contexts=pages is not None,
        warn=warn,
        suggest=hints.append,
    )
    return answered(rows, hints)


def no_log(company: Company) -> InputError:
    """Return the error for a command that needs a log."""
    return InputError(
        f"{company.path}: no chat log; give one with --log FILE, or put it into {FILE} "
        'as log = "chats.jsonl"'
    )


def company_scorer(company: Company, profile: Profile, pages: Pages) -> Scorer:
    """Return a scorer without translation and second opinions."""
    if not company.retrieve:
        return Scorer(profile)
    index = temporary_index(pages, Setup(profile))
    return Scorer(profile, index=index, retrieve=company.retrieve)


def warn_without_contexts(company: Company, reason_codes: Iterable[str | None]) -> None:
    """Warn if most answers have no score because their rows name no pages."""
    codes = [*reason_codes]
    without = codes.count("no_contexts")
    if without and 2 * without > len(codes) and not company.retrieve:
        warn(
            f"{counted(without, 'answer')} of {len(codes)} have no score, because the log names "
            f"no pages: add the line retrieve = 3 to {company.path / FILE}, and klopt finds them"
        )
