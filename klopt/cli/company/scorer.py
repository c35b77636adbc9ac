"""The scorer of a company's folder, which finds pages for answers without contexts."""

from __future__ import annotations

from collections.abc import Iterable

from klopt.cli.scoring import temporary_index
from klopt.cli.terminal import counted, warn
from klopt.company.folder import FILE, Company
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.scoring.setup import Setup
from klopt.types import Pages


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
