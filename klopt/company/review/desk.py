"""One person's review of a company: the current answer, ratings, agreement, suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from klopt.company.folder import Company, held
from klopt.company.review.book import Book
from klopt.company.review.store import PersonOpinion, Ratings
from klopt.company.suggestions import Status, Suggestion, Suggestions
from klopt.errors import KloptError
from klopt.evaluation.agreement import quadratic_weighted_kappa, spearman
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.logs.rows import Row
from klopt.scoring.scorer import Scorer
from klopt.types import Pages

_QUICK: Final = Resampling(resamples=500)
"""Computed after every click; `klopt evaluate` takes more resamples."""
_FIRST_S: Final = 2.0
_AGAIN_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class AgreementSoFar:
    """Agreement with one person's ratings: of all answers, the untrue ones and the true ones."""

    spearman: Estimate
    untrue: int
    untrue_sent: int
    true: int
    true_held: int


@lru_cache(maxsize=4)
def agreement(rows: tuple[tuple[float, str, float], ...]) -> AgreementSoFar:
    """Return the agreement on rows of score, verdict and rating.

    >>> one = agreement(((4.5, "send", 5.0), (3.1, "send", 1.0)))
    >>> one.untrue, one.untrue_sent, one.true_held, one.spearman.n
    (1, 1, 0, 2)
    """
    untrue = [verdict == "send" for _, verdict, rating in rows if rating <= UNTRUE_TO]
    true = [verdict == "send" for _, verdict, rating in rows if rating >= TRUE_FROM]
    scores, ratings = [round(row[0], 6) for row in rows], [row[2] for row in rows]
    return AgreementSoFar(
        spearman(scores, ratings, _QUICK),
        len(untrue),
        sum(untrue),
        len(true),
        len(true) - sum(true),
    )


@lru_cache(maxsize=16)
def kappa(first: tuple[float, ...], second: tuple[float, ...]) -> Estimate:
    """Return the weighted kappa of two people on the same answers, -1 to 1."""
    return quadratic_weighted_kappa(first, second, _QUICK)


class DecidedError(Exception):
    """Somebody else decided on the suggestion in the meantime."""


class ReviewDesk:
    """One person's work on one company.

    ``rater`` may be empty; ``names`` maps klopt's field names to the log's where no alias fits;
    ``at`` is the current answer.
    """

    def __init__(
        self,
        company: Company,
        log: Iterable[Row],
        pages: Pages,
        rater: str = "",
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.company, self.rater = company, rater
        self.ratings = Ratings(company.rated)
        self.book = Book(chain(self.ratings.rows(), log), Scorer(company.load()), pages, names)
        self.at: str | None = None

    @property
    def rated(self) -> dict[str, float]:
        """Answer → rating of this person."""
        self.ratings.refresh()
        return self.ratings.by(self.rater)

    def opinion(self, key: str) -> PersonOpinion:
        """Return this person's opinion on an answer."""
        self.ratings.refresh()
        return self.ratings.get(key, self.rater)

    def begin(self) -> str | None:
        """Return the answer to begin or continue with; None while there is none."""
        rated = self.rated
        self.book.wait(len(rated) + 1, _FIRST_S)
        return self.at if self.at is not None and self.at not in rated else self._unrated(rated)

    def before(self, key: str) -> str | None:
        """Return the answer before another, in the order of the log."""
        order = self._order(key)
        place = order.index(key)
        return order[place - 1] if place else None

    def after(self, key: str, *, only_unrated: bool = False) -> str | None:
        """Return the next answer in the order of the log; after the last, the first unrated one."""
        order, rated = self._order(key), self.rated
        for other in order[order.index(key) + 1 :]:
            if not only_unrated or other not in rated:
                return other
        return self._unrated(rated)

    def rate(self, key: str, given: PersonOpinion, version: str) -> None:
        """Store this person's opinion on an answer, as `Ratings.put` does."""
        self.ratings.put(self.book.row(key), self.rater, given, version)

    def agreement(self) -> AgreementSoFar:
        """Return the agreement with this person so far."""
        scored = ((self.book.get(key), rating) for key, rating in self.rated.items())
        return agreement(
            tuple(
                (answer.score, answer.verdict, rating)
                for answer, rating in scored
                if answer is not None
            )
        )

    def kappas(self) -> list[tuple[str, str, Estimate]]:
        """Return the kappa of each two people who rated the same answers."""
        everybody = {who: self.ratings.by(who) for who in self.ratings.raters}
        pairs = (
            (first, second, [key for key in everybody[first] if key in everybody[second]])
            for first, second in combinations(sorted(everybody), 2)
        )
        return [
            (
                first,
                second,
                kappa(*(tuple(map(everybody[who].get, both)) for who in (first, second))),
            )
            for first, second, both in pairs
            if both
        ]

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Return the suggestions in the company's file."""
        return Suggestions.read(self.company.path).all

    def decide(self, name: str, status: Status, seen: str) -> None:
        """Accept or reject a suggestion, and score again with the changed profile.

        Raises:
            DecidedError: Its status is not the one that was ``seen``; nothing is changed.
            KloptError: The profile would be invalid, or there is none; nothing is changed.
        """
        with held(self.company.path):
            found = Suggestions.read(self.company.path)
            before = found[name].status
            if before == status:
                return
            if before != seen:
                raise DecidedError
            after = found.decided([name], status)
            try:
                profile = self.company.load()
                scorer = Scorer(profile)
                for language in profile.languages:
                    scorer.prepare(language)
            except KloptError:
                found.decided([name], before)
                raise
            after.write()
        if "accepted" in (status, before) and found[name].name:
            self.book.rescore(scorer)
            self.book.wait(len(self.rated), _AGAIN_S)

    def _order(self, at: str | None = None) -> list[str]:
        """Return the answers with a score, and ``at``, in the order of the log."""
        return [key for key in self.book if key == at or self.book.get(key) is not None]

    def _unrated(self, rated: Mapping[str, float]) -> str | None:
        return next((key for key in self._order() if key not in rated), None)
