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

from klopt.batch.rows import Row
from klopt.records import Pages, Turn
from klopt.review.store import key_of
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer

MOST_ROWS: Final = 20_000
"""So many answers of a log are offered; a rater does not get through the others."""
_LOG: Final = logging.getLogger("klopt")


@dataclass(frozen=True, slots=True)
class BookedAnswer:
    """What klopt makes of an answer, by its name; ``kind`` is its message type."""

    key: str
    score: float
    verdict: str
    kind: str


class Book:
    """All answers: the rows in a file of their own, of which one at a time is in memory.

    A thread reads the log and then scores it, so that a page opens at once; what people rated
    before goes first, since the agreement needs it. ``is_read`` tells that the log was read to its
    end, ``is_done`` that everything was scored, ``left_out`` how many rows were too many.
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
        """Scores everything anew; until it is, what was found before stands."""
        with self._changed:
            self._scorer, self._waiting = scorer, deque([*self._places])
            self.is_done, self._count = False, 0
            self._changed.notify_all()

    def wait_for(self, key: str, seconds: float) -> None:
        """Waits until an answer, or all of the log, is read; no longer than so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_read or key in self._places, seconds)

    def wait(self, count: int, seconds: float) -> None:
        """Waits until so many answers, or all, are scored; no longer than so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_done or self._count >= count, seconds)

    @property
    def unscored(self) -> Counter[str]:
        """Why answers have no score, in a word, and how many; nobody is asked to rate these."""
        return Counter([*self._unscored.values()])

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter([*self._places])

    def __len__(self) -> int:
        return len(self._places)

    @property
    def scored(self) -> list[BookedAnswer]:
        """What is scored so far."""
        return [*self._scored.values()]

    def get(self, key: str) -> BookedAnswer | None:
        """What is known of an answer; None while it is not scored."""
        return self._scored.get(key)

    def row(self, key: str) -> dict[str, Any]:
        """The row of an answer as the log has it, with ``id``, ``question`` and ``answer``."""
        start, size = self._places[key]
        with self._lock:
            self._spool.seek(start)
            found: dict[str, Any] = json.loads(self._spool.read(size))
        return found

    def assess(self, row: Mapping[str, Any]) -> tuple[Turn, Assessment]:
        """A row as a turn, with its assessment."""
        turn = Turn.from_mapping(row, pages=self._pages)
        return turn, next(self._scorer.score_many([turn]))

    def _work(self, rows: Iterable[Row]) -> None:
        with self._told():
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
            with self._told():
                self._score(key)
            self._count += 1

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Keeps what goes wrong for the page, since nobody waits for the thread."""
        try:
            yield
        except Exception as error:
            _LOG.exception("not all of the log could be read and scored")
            self._unscored[""] = str(error)

    def _read(self, rows: Iterable[Row]) -> Iterator[str]:
        """Takes the rows in; gives the keys of those that were not there."""
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
            # NaN is no JSON, and a table may hold dates.
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
