"""The answers of a log that can be rated, scored in the background."""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any, Final

from klopt.company.review.store import key_of
from klopt.logs.rows import Row
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.types import Pages, Turn

MOST_ROWS: Final = 20_000
"""Maximum number of answers of a log; a rater does not get through more."""
_LOG: Final = logging.getLogger("klopt")


@dataclass(frozen=True, slots=True)
class BookedAnswer:
    """The outcome of scoring one answer; ``kind`` is its message type."""

    key: str
    score: float
    verdict: str
    kind: str


class Book:
    """All answers, in a temporary file from which one row at a time is read.

    A thread reads the log and then scores it, rated answers first, so that a page opens at once.
    ``is_read``: the log was read to its end; ``is_done``: everything was scored; ``left_out``: the
    number of rows over the maximum.
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
        """Return a row as a turn, with its assessment."""
        turn = Turn.from_mapping(row, pages=self._pages)
        return turn, next(self._scorer.score_many([turn]))

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
            key = key_of(row.id, row.turn.question, row.turn.answer)
            if key in self._places:
                continue
            if len(self._places) >= MOST_ROWS:
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
        self._scored[key] = BookedAnswer(key, found.score, found.verdict, found.message_type or "")
