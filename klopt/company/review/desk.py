"""One person's review of a company: the scored answers, ratings, agreement, suggestions."""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nsmallest
from itertools import combinations
from tempfile import TemporaryFile
from typing import Any, Final

from klopt.company.folder import Company, held
from klopt.company.review.store import PersonOpinion, Ratings, key_of
from klopt.company.suggestions import Status, Suggestion, Suggestions, without_true
from klopt.errors import KloptError
from klopt.evaluation.agreement import quadratic_weighted_kappa, spearman
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import TRUE_FROM, UNTRUE_TO, apart
from klopt.logs.rows import Row
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile
from klopt.scoring.scorer import Scorer
from klopt.types import Pages, Turn

MAX_ROWS: Final = 20_000  # Maximum number of answers of a log; a rater does not get through more
_LOG: Final = logging.getLogger("klopt")


@dataclass(frozen=True, slots=True)
class BookedAnswer:
    """The outcome of scoring one answer; ``kind`` is its message type.

    ``retrieved`` are the pages that klopt found for it, by name.
    """

    key: str
    score: float
    verdict: str
    kind: str
    retrieved: tuple[str, ...] = ()


def shuffled(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield `MAX_ROWS` random rows in random order, both the same for everybody."""
    yield from nsmallest(MAX_ROWS, rows, _key)


def _key(row: Row) -> str:
    """Return the name of a row's answer, which is a digest; empty for an unreadable row."""
    return "" if row.turn is None else key_of(row.id, row.turn.question, row.turn.answer)


def _once(rated: Iterable[Row], log: Iterable[Row]) -> Iterator[Row]:
    """Yield all rated rows, and of the log each question with the same answer once."""
    seen: set[str] = set()
    for is_rated, rows in ((True, rated), (False, log)):
        for row in rows:
            turn = row.turn
            content = row.place if turn is None else key_of("", turn.question, turn.answer)
            if is_rated or content not in seen:
                yield row
            seen.add(content)


class Book:
    """All answers, in a temporary file from which one row at a time is read.

    A thread reads the log and then scores it, rated answers first, so that a page opens at once.
    ``left_out`` is the number of rows over the maximum.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        scorer: Scorer,
        pages: Pages,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self._scorer, self._pages, self._names = scorer, pages, names or {}
        self._spool = TemporaryFile()  # noqa: SIM115 (as long as the book)
        self._places: dict[str, tuple[int, int]] = {}
        self._scored: dict[str, BookedAnswer] = {}
        self._unscored: dict[str, str] = {}
        self._waiting: deque[str] = deque()
        self._lock, self._changed = threading.Lock(), threading.Condition()
        self._count = 0
        self.is_read, self.is_done, self.left_out = False, False, 0
        threading.Thread(target=self._work, args=(rows,), daemon=True).start()

    def rescore(self, scorer: Scorer) -> None:
        """Score everything again; until then the earlier scores stay."""
        with self._changed:
            self._scorer, self._waiting = scorer, deque([*self._places])
            self.is_done, self._count = False, 0
            self._changed.notify_all()

    def wait_for(self, key: str, seconds: float) -> None:
        """Wait, at most some seconds, until an answer or the whole log is read."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_read or key in self._places, seconds)

    def wait(self, count: int, seconds: float) -> None:
        """Wait, at most some seconds, until a number of answers, or all, are scored."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_done or self._count >= count, seconds)

    @property
    def unscored(self) -> Counter[str]:
        """Reason code → number of answers without a score, which are not offered."""
        return Counter([*self._unscored.values()])

    @property
    def available(self) -> int:
        """The number of answers that can be rated: those without a score cannot, once known."""
        if not self.is_read:
            return MAX_ROWS
        return sum(key not in self._unscored for key in self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter([*self._places])

    def __len__(self) -> int:
        return len(self._places)

    @property
    def scored(self) -> list[BookedAnswer]:
        """The answers that are scored so far."""
        return [*self._scored.values()]

    def get(self, key: str) -> BookedAnswer | None:
        """Return the outcome for an answer; None while it has no score."""
        return self._scored.get(key)

    def row(self, key: str) -> dict[str, Any]:
        """Return the log's row of an answer, with ``id``, ``question`` and ``answer``."""
        start, size = self._places[key]
        with self._lock:
            self._spool.seek(start)
            found: dict[str, Any] = json.loads(self._spool.read(size))
        return found

    def assess(self, row: Mapping[str, Any]) -> tuple[Turn, Assessment]:
        """Return a row as a turn with the pages it is compared with, and its assessment."""
        turn = Turn.from_mapping(row, pages=self._pages)
        found = next(self._scorer.score_many([turn]))
        return replace(turn, contexts=found.retrieved) if found.retrieved else turn, found

    def _work(self, rows: Iterable[Row]) -> None:
        with self._reporting():
            for key in self._read(rows):
                self._waiting.append(key)
        with self._changed:
            self.is_read = True
        while True:
            with self._changed:
                self.is_done = not self._waiting
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting)
                key = self._waiting.popleft()
            with self._reporting():
                self._score(key)
            self._count += 1

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Keep errors for the page, since nobody waits for the thread."""
        try:
            yield
        except Exception as error:
            _LOG.exception("not all of the log could be read and scored")
            self._unscored[""] = str(error)

    def _read(self, rows: Iterable[Row]) -> Iterator[str]:
        """Store the rows; yield the keys of new ones."""
        for row in rows:
            if row.turn is None:
                self._unscored[row.place] = "row"
                continue
            key = _key(row)
            if key in self._places:
                continue
            if len(self._places) >= MAX_ROWS:
                self.left_out += 1
                continue
            own = {"id": row.id, "question": row.turn.question, "answer": row.turn.answer}
            fields = {o: row.fields[t] for o, t in self._names.items() if t in row.fields}
            # JSON has no NaN and no dates.
            text = json.dumps({**own, **row.fields, **fields, **own}, default=str)
            clean = json.dumps(json.loads(text, parse_constant=lambda _: None)).encode()
            with self._lock:
                start = self._spool.seek(0, 2)
                self._spool.write(clean)
            self._places[key] = start, len(clean)
            yield key

    def _score(self, key: str) -> None:
        _, found = self.assess(self.row(key))
        if found.score is None:
            self._scored.pop(key, None)
            self._unscored[key] = found.reason_code or "row"
            return
        self._unscored.pop(key, None)
        names = tuple(page.id for page in found.retrieved)
        kind = found.message_type or ""
        self._scored[key] = BookedAnswer(key, found.score, found.verdict, kind, names)


_QUICK: Final = Resampling(resamples=500)  # computed after every click
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
    rho = spearman([round(row[0], 6) for row in rows], [row[2] for row in rows], _QUICK)
    return AgreementSoFar(rho, len(untrue), sum(untrue), len(true), len(true) - sum(true))


@lru_cache(maxsize=16)
def kappa(first: tuple[float, ...], second: tuple[float, ...]) -> Estimate:
    """Return the weighted kappa of two people on the same answers, -1 to 1."""
    return quadratic_weighted_kappa(first, second, _QUICK)


class DecidedError(Exception):
    """Somebody else decided on the suggestion in the meantime."""


class ReviewDesk:
    """One person's work on one company; ``at`` is the current answer."""

    def __init__(
        self,
        company: Company,
        log: Iterable[Row],
        pages: Pages,
        rater: str = "",
        names: Mapping[str, str] | None = None,
        scorer_of: Callable[[Profile], Scorer] = Scorer,
    ) -> None:
        self.company, self.rater, self._scorer_of = company, rater, scorer_of
        self.ratings = Ratings(company.rated)
        rows = _once(self.ratings.rows(), log)
        self.book = Book(rows, scorer_of(company.load()), pages, names)
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
        """Store this person's opinion on an answer, as `Ratings.put` does.

        The row names the pages that klopt found, so that the rating is about the same ones later.
        """
        row, answer = self.book.row(key), self.book.get(key)
        if answer is not None and answer.retrieved:
            row["contexts"] = [*answer.retrieved]
        self.ratings.put(row, self.rater, given, version)

    def agreement(self) -> AgreementSoFar:
        """Return the agreement with this person so far."""
        scored = ((self.book.get(key), rating) for key, rating in self.rated.items())
        return agreement(tuple((one.score, one.verdict, rating) for one, rating in scored if one))

    def kappas(self) -> list[tuple[str, str, Estimate]]:
        """Return the kappa of each two people who rated the same answers."""
        everybody = {who: self.ratings.by(who) for who in self.ratings.raters}
        found = []
        for first, second in combinations(sorted(everybody), 2):
            one, other = everybody[first], everybody[second]
            if both := [(one[key], other[key]) for key in one if key in other]:
                found.append((first, second, kappa(*map(tuple, apart(both)))))
        return found

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Return the suggestions in the company's file that this person's ratings leave."""
        every = Suggestions.read(self.company.path).all
        if not any(one.page and one.status == "open" for one in every):
            return every
        true = [key for key, rating in self.rated.items() if rating > UNTRUE_TO]
        rows = (self.book.row(key) for key in true if key in self.book)
        answers = {row["id"]: row["answer"] for row in rows}
        return tuple(left for one in every if (left := without_true(one, answers)) is not None)

    def decide(self, name: str, status: Status, seen: str) -> None:
        """Accept or reject a suggestion, and score again with the changed profile.

        DecidedError if its status is not the one that was ``seen``, and another KloptError if the
        profile would be invalid; then nothing is changed.
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
                scorer = self._scorer_of(profile)
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
