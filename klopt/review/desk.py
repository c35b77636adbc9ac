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
from klopt.review.queue import next_answer
from klopt.review.store import Opinion, Ratings
from klopt.scoring.scorer import Scorer

_FIRST: Final = 50
"""So many answers are scored, if there is time, before the first is chosen."""
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
        self.profile = company.load()
        self.book = Book(_joined(self.ratings, log), Scorer(self.profile), pages, names)
        self._offered = [*self.rated]
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
        self.book.wait(_FIRST, _FIRST_S)
        rated = self.rated
        if self._offered and self._offered[-1] not in rated:
            return self._offered[-1]
        return self._pick(rated)

    def forget_passed(self) -> None:
        """Offers again what was passed over."""
        self._offered = [*self.rated]

    def before(self, key: str) -> str | None:
        """The answer that was offered before another."""
        offered = self._with(key)
        place = offered.index(key)
        return offered[place - 1] if place else None

    def after(self, key: str, *, only_unrated: bool = False) -> str | None:
        """The answer that was offered after another, or the next to offer.

        Args:
            key: The other.
            only_unrated: Passes over those that were rated.
        """
        offered, rated = self._with(key), self.rated
        for one in offered[offered.index(key) + 1 :]:
            if not only_unrated or one not in rated:
                return one
        return self._pick(rated)

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
            self.profile = profile
            self.book.rescore(scorer)
            self.book.wait(len(self.rated), _AGAIN_S)

    def _pick(self, rated: dict[str, float]) -> str | None:
        key = next_answer(self.book.scored, rated, self._offered, self.profile)
        if key is not None:
            self._offered.append(key)
        return key

    def _with(self, key: str) -> list[str]:
        """What was offered, with an answer that was opened by its address."""
        offered = self._offered
        if key not in offered:
            offered.append(key)
        return offered


def _joined(ratings: Ratings, log: Iterable[Row]) -> Iterator[Row]:
    yield from ratings.rows()
    yield from log
