"""The help pages behind the answers of a log: how often and in which passage they differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar, get_args

from klopt.report.evidence import has_counter_evidence
from klopt.report.scored import ScoredRow
from klopt.scoring.assessment import CheckedClaim
from klopt.scoring.tree import Verdict

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
NAME_CHARS: Final = 200  # Characters of a name, and of a passage where passages are distinguished
_KEPT: Final = 20_000  # distinct pages, names or questions; of twice as many the rarest go
_PASSAGES: Final = 10  # Passages of a page; of twice as many the rarest go
_SHOWN_PASSAGES: Final = 3
_CLAIM_CHARS: Final = 1000
_UNNAMED: Final = re.compile(r"context-\d{1,9}")

K = TypeVar("K")
T = TypeVar("T")


@dataclass(slots=True)
class Clash:
    """A passage beside the gravest claim at fault, and the number of such claims.

    ``contradicted`` of them contradict the passage; the claim is of a blocked answer if one is.
    """

    claim: CheckedClaim
    is_blocked: bool
    count: int = 0
    contradicted: int = 0

    def order(self) -> tuple[bool, bool, bool, int, float]:
        """Return the sort key of passages, the one that shows best what is wrong first."""
        is_vague, has_no_words, truth = gravity(self.claim)
        return is_vague, not self.is_blocked, has_no_words, -self.count, truth


@dataclass(slots=True)
class PageCounts:
    """The answers of one language that rest on a page.

    ``contradicted`` and ``not_stated`` count claims at fault; ``contradicting`` the different
    answers that the page contradicts.
    """

    name: str = ""
    language: str = ""
    verdicts: Counter[str] = field(default_factory=Counter)
    contradicted: int = 0
    not_stated: int = 0
    contradicting: int = 0
    passages: dict[tuple[int, str], Clash] = field(default_factory=dict)

    def add(self, claim: CheckedClaim, *, is_blocked: bool) -> None:
        """Count a claim at fault beside its passage."""
        is_contradicted = claim.relation == "contradicted"
        self.contradicted += is_contradicted
        self.not_stated += not is_contradicted
        place = claim.passage
        if place is None:
            return
        key = place.line, place.text[:NAME_CHARS]
        new = Clash(_shortened(claim), is_blocked)
        clash = self.passages.setdefault(key, new)
        if replace(new, count=clash.count).order() < clash.order():
            clash.claim, clash.is_blocked = new.claim, is_blocked
        clash.count += 1
        clash.contradicted += is_contradicted
        prune(self.passages, lambda each: (each.contradicted, each.count), _PASSAGES)

    def clashes(self) -> list[Clash]:
        """Return the passages, the one that most claims contradict first."""
        return sorted(self.passages.values(), key=lambda each: (-each.contradicted, -each.count))

    @property
    def worst(self) -> Clash:
        """The passage that shows best what is wrong; of a page that contradicts a claim."""
        return min(self.passages.values(), key=Clash.order)

    @property
    def is_behind_untrue(self) -> bool:
        """Whether an untrue answer rests on it."""
        return bool(self.verdicts["block"] or self.contradicted or self.not_stated)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts for JSON."""
        names = ("contradicting", "contradicted", "not_stated")
        passages = [
            {"line": place.line, "text": place.text[:NAME_CHARS], "count": clash.count}
            for clash in self.clashes()[:_SHOWN_PASSAGES]
            if (place := clash.claim.passage) is not None
        ]
        about = {"page": self.name, "language": self.language or None, **by_verdict(self.verdicts)}
        return {**about, **{name: getattr(self, name) for name in names}, "passages": passages}


def count_pages(
    pages: dict[tuple[str, str], PageCounts], row: ScoredRow, *, is_repeat: bool
) -> bool:
    """Count the pages of an answer, by name and language; return whether some have no name."""
    own: dict[str, PageCounts] = {}
    for page in row.pages:
        if not _UNNAMED.fullmatch(page):
            key = page[:NAME_CHARS], (row.language or "")[:NAME_CHARS]
            if key not in pages:
                pages[key] = PageCounts(*key)
            own[page] = pages[key]
            own[page].verdicts[row.verdict] += 1
    contradicting = set()
    for claim in row.claims if row.verdict != "send" else ():
        if not claim.fault or claim.passage is None or claim.passage.page not in own:
            continue
        counts = own[claim.passage.page]
        counts.add(claim, is_blocked=row.verdict == "block")
        if claim.relation == "contradicted":
            contradicting.add(claim.passage.page)
    for page in () if is_repeat else contradicting:
        own[page].contradicting += 1
    prune(pages, lambda each: each.verdicts.total())
    return len(own) < len(row.pages)


def behind_untrue(pages: Mapping[tuple[str, str], PageCounts]) -> list[PageCounts]:
    """Return the pages, those that contradict most different answers first."""

    def order(page: PageCounts) -> tuple[int, int, int, int, str, str]:
        fault_count = page.contradicted + page.not_stated
        block, review = page.verdicts["block"], page.verdicts["review"]
        return -page.contradicting, -fault_count, -block, -review, page.name, page.language

    return sorted(pages.values(), key=order)


def by_verdict(verdicts: Counter[str]) -> dict[str, int]:
    """Return the number of answers by verdict."""
    return {verdict: verdicts[verdict] for verdict in VERDICTS}


def gravity(claim: CheckedClaim) -> tuple[bool, bool, float]:
    """Return the sort key of claims at fault, the gravest first: contradicted in known words."""
    is_clear = bool(claim.wrong) and has_counter_evidence(claim)
    return claim.relation != "contradicted", not is_clear, claim.truth


def _shortened(claim: CheckedClaim) -> CheckedClaim:
    """Return a claim without the end of a long text, and then without marks."""
    place = claim.passage
    if place is None or max(len(claim.text), len(place.text)) <= _CLAIM_CHARS:
        return claim
    place = replace(place, text=place.text[:_CLAIM_CHARS])
    text = claim.text[:_CLAIM_CHARS]
    return replace(claim, text=text, passage=place, differing=(), wrong=(), rivals=())


def prune(found: dict[K, T], count: Callable[[T], Any], kept: int = 0) -> None:
    """Drop the rarest entries where there are too many, the latest ones first."""
    kept = kept or _KEPT
    if len(found) > 2 * kept:
        for key in sorted(found, key=lambda each: count(found[each]), reverse=True)[kept:]:
            del found[key]
