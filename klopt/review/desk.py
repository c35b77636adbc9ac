"""What is on the reviewer's desk: the answer at hand, those before it, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from klopt.batch.rows import Row
from klopt.company.folder import Company, held
from klopt.company.suggestions import Status, Suggestion, Suggestions
from klopt.errors import KloptError
from klopt.evaluation.agreement import quadratic_weighted_kappa, spearman
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO
from klopt.records import Pages
from klopt.review.book import Book
from klopt.review.store import PersonOpinion, Ratings
from klopt.scoring.scorer import Scorer

_QUICK: Final = Resampling(resamples=500)
"""After every click: the intervals of `klopt evaluate` are of more."""
_FIRST_S: Final = 2.0
_AGAIN_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class AgreementSoFar:
    """How far klopt agrees with one person: on all answers, the untrue ones and the true ones."""

    spearman: Estimate
    untrue: int
    untrue_sent: int
    true: int
    true_held: int


@lru_cache(maxsize=4)
def agreement(rows: tuple[tuple[float, str, float], ...]) -> AgreementSoFar:
    """How far klopt agrees on rows of score, verdict and rating.

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
    """How far two people agree on the same answers: weighted kappa, -1 to 1."""
    return quadratic_weighted_kappa(first, second, _QUICK)


class DecidedError(Exception):
    """Somebody else decided on a suggestion in the meantime."""


class ReviewDesk:
    """One person's work on one company.

    Without a name ``rater`` is empty; ``names`` has our field name → the log's, where no alias
    fits; ``at`` is the answer at hand.
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
        """What this person rated."""
        self.ratings.refresh()
        return self.ratings.by(self.rater)

    def opinion(self, key: str) -> PersonOpinion:
        """What this person said of an answer."""
        self.ratings.refresh()
        return self.ratings.get(key, self.rater)

    def begin(self) -> str | None:
        """The answer to begin or to go on with; None while there is none."""
        rated = self.rated
        self.book.wait(len(rated) + 1, _FIRST_S)
        return self.at if self.at is not None and self.at not in rated else self._unrated(rated)

    def before(self, key: str) -> str | None:
        """The answer before another, in the order of the log."""
        order = self._order(key)
        place = order.index(key)
        return order[place - 1] if place else None

    def after(self, key: str, *, only_unrated: bool = False) -> str | None:
        """The answer after another, in the order of the log; after the last the first unrated."""
        order, rated = self._order(key), self.rated
        for other in order[order.index(key) + 1 :]:
            if not only_unrated or other not in rated:
                return other
        return self._unrated(rated)

    def say(self, key: str, said: PersonOpinion, version: str) -> None:
        """Stores what the person says of an answer, as `Ratings.put`."""
        self.ratings.put(self.book.row(key), self.rater, said, version)

    def agreement(self) -> AgreementSoFar:
        """How far klopt agrees with this person now."""
        scored = ((self.book.get(key), rating) for key, rating in self.rated.items())
        return agreement(
            tuple(
                (answer.score, answer.verdict, rating)
                for answer, rating in scored
                if answer is not None
            )
        )

    def kappas(self) -> list[tuple[str, str, Estimate]]:
        """Each two people who rated the same answers, and how far they agree."""
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
        """Those of the company's file, as it is now."""
        return Suggestions.read(self.company.path).all

    def decide(self, name: str, status: Status, seen: str) -> None:
        """Accepts or rejects a suggestion, and scores anew by what the profile is then.

        Raises:
            DecidedError: It has another status than was ``seen``; nothing is changed.
            KloptError: It does not fit, or there is none of this name; nothing is changed.
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
        if "accepted" in (status, before) and found[name].entry is not None:
            self.book.rescore(scorer)
            self.book.wait(len(self.rated), _AGAIN_S)

    def _order(self, at: str | None = None) -> list[str]:
        """The answers that have a score, in the order of the log, and one that may have none."""
        return [key for key in self.book if key == at or self.book.get(key) is not None]

    def _unrated(self, rated: Mapping[str, float]) -> str | None:
        return next((key for key in self._order() if key not in rated), None)
