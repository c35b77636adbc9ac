"""What is on the reviewer's desk: the answer at hand, those before it, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from klopt.batch.rows import Row
from klopt.company.folder import Company, held
from klopt.company.suggestions import Status, Suggestion, Suggestions
from klopt.errors import KloptError
from klopt.evaluation.estimate import Estimate
from klopt.records import Pages
from klopt.review.book import Book
from klopt.review.figures import Agreement, agreement, kappas
from klopt.review.store import Opinion, Ratings
from klopt.scoring.scorer import Scorer

_FIRST_S: Final = 2.0
_AGAIN_S: Final = 5.0


class DecidedError(Exception):
    """Somebody else decided on a suggestion in the meantime."""


class Desk:
    """One person's work on one company.

    Args:
        company: The company.
        log: The rows of its log.
        pages: The help pages that rows name.
        rater: Who rates; empty without a name.
        names: Our field name → the log's, where no alias fits.

    Attributes:
        at: The answer at hand.
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
        self.book = Book(_joined(self.ratings, log), Scorer(company.load()), pages, names)
        self.at: str | None = None
        self._figures: tuple[object, Agreement] | None = None
        self._kappas: tuple[object, list[tuple[str, str, Estimate]]] | None = None
        self.was: float | None = None

    @property
    def rated(self) -> dict[str, float]:
        """What this person rated."""
        self.ratings.refresh()
        return self.ratings.by(self.rater)

    def opinion(self, key: str) -> Opinion:
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
        """The answer after another, in the order of the log; after the last the first unrated.

        Args:
            key: The other.
            only_unrated: Passes over those that were rated.
        """
        order, rated = self._order(key), self.rated
        for one in order[order.index(key) + 1 :]:
            if not only_unrated or one not in rated:
                return one
        return self._unrated(rated)

    def say(self, key: str, said: Opinion, version: str) -> None:
        """Stores what the person says of an answer, as `Ratings.put`."""
        self.ratings.put(self.book.row(key), self.rater, said, version)

    def agreement(self) -> Agreement:
        """How far klopt agrees with this person now."""
        rated = self.rated
        found = {key: one for key in rated if (one := self.book.get(key)) is not None}
        state = tuple((key, one.score, one.verdict, rated[key]) for key, one in found.items())
        if self._figures is None or self._figures[0] != state:
            self._figures = state, agreement(rated, found)
        now = self._figures[1]
        if self.was is None and now.spearman.low is not None:
            self.was = now.spearman.value
        return now

    def kappas(self) -> list[tuple[str, str, Estimate]]:
        """Each two people who rated the same answers, and how far they agree."""
        everybody = {who: self.ratings.by(who) for who in self.ratings.raters}
        if self._kappas is None or self._kappas[0] != everybody:
            self._kappas = everybody, kappas(everybody)
        return self._kappas[1]

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Those of the company's file, as it is now."""
        return Suggestions.read(self.company.path).all

    def decide(self, name: str, status: Status, seen: str) -> None:
        """Accepts or rejects a suggestion, and scores anew by what the profile is then.

        Args:
            name: Its id.
            status: What becomes of it.
            seen: The status that the person saw.

        Raises:
            DecidedError: It has another status by now; nothing is changed.
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
            self.was = self.agreement().spearman.value
            self.book.rescore(scorer)
            self.book.wait(len(self.rated), _AGAIN_S)

    def _order(self, at: str | None = None) -> list[str]:
        """The answers that have a score, in the order of the log, and one that may have none."""
        return [key for key in self.book if key == at or self.book.get(key) is not None]

    def _unrated(self, rated: Mapping[str, float]) -> str | None:
        return next((key for key in self._order() if key not in rated), None)


def _joined(ratings: Ratings, log: Iterable[Row]) -> Iterator[Row]:
    yield from ratings.rows()
    yield from log
