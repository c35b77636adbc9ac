"""What is read of logs that grow, scored, kept, and counted for the page."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from klopt.batch.cores import assess
from klopt.batch.rows import rows_of
from klopt.errors import InputError, KloptError
from klopt.records import Pages
from klopt.report.log_figures import SHOWN, LogFigures
from klopt.report.scored import AskedRow, ScoredRow, day_in
from klopt.scoring.scorer import Scorer
from klopt.watching.growing import logs_in, read_on
from klopt.watching.store import Store

PERIODS: Final[Mapping[str, int]] = {"today": 1, "week": 7, "all": 100_000}
"""What the page can show, each with its days until today."""
_LOOK_EVERY_S: Final = 1.0
_NOTES: Final = 20
_NOTE_CHARS: Final = 300
_LOG: Final = logging.getLogger("klopt")


@dataclass(frozen=True, slots=True)
class Watched:
    """What is watched: logs and folders of logs, and how their rows are read and scored.

    ``names`` are as for `klopt.batch.rows.read_rows`; ``language`` is that of rows that state
    none; ``time`` is the field that says when. What is to come counts as today, or it would never
    be too old.
    """

    sources: Sequence[Path]
    scorer: Scorer
    pages: Pages | None = None
    names: Mapping[str, str] | None = None
    language: str = "auto"
    time: str | None = None


class Watch:
    """The figures of each period, which follow the store, and a thread that fills it.

    Attributes:
        lock: Held by who changes the figures or reads them.
        figures: By period.
        notes: What was wrong with the last rows, the newest last.
        version: Changes with whatever the page shows.
        bounds: How long and how much is kept.
        too_old_count: Rows that were read and not kept, since they are older than that.
        is_reading: Whether the logs were not yet read to their end.
    """

    def __init__(self, store: Store, watched: Watched) -> None:
        self._store, self._watched = store, watched
        self.bounds = store.bounds
        self.too_old_count = 0
        self.lock = threading.Lock()
        self.figures = _none_yet()
        self.notes: deque[str] = deque(maxlen=_NOTES)
        self.version = ""
        self.is_reading = True
        self._day = date.min
        self._last = 0
        self._stopping = threading.Event()

    def start(self) -> None:
        """Looks at the logs every second, in a thread, until `stop`."""
        threading.Thread(target=self._run, daemon=True).start()

    def stop(self) -> None:
        """Ends the thread after the row at hand."""
        self._stopping.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.look()
            except KloptError as error:
                self._note(str(error))
            except Exception:
                _LOG.exception("the logs could not be looked at")
                self._note("klopt failed; what it says in the terminal tells why")
            self._stopping.wait(_LOOK_EVERY_S)

    def look(self) -> None:
        """Reads, scores, keeps and counts what is new."""
        self._count()
        before = self.too_old_count
        for log in logs_in(self._watched.sources):
            while self._read(log) and not self._stopping.is_set():
                self._count()
        self.is_reading = False
        self._count()
        if count := self.too_old_count - before:
            days = self.bounds.days
            _LOG.warning("rows left out, older than %s days (--keep-days): %s", days, count)

    def _read(self, log: Path) -> bool:
        """Keeps the next rows of a log; whether there were any."""
        watched, known = self._watched, self._store.positions()
        try:
            position, found = read_on(log, known, watched.names)
        except InputError as error:
            self._note(str(error))
            return False
        except OSError as error:
            self._note(f"{log}: cannot be read: {error.strerror}")
            return False
        if position in known:
            return False
        answers, unread, old = [], 0, 0
        today = date.today()
        too_old = self.bounds.too_old(today)
        rows = rows_of(found, pages=watched.pages, names=watched.names, file=str(log))
        for row in rows:
            if self._stopping.is_set():
                return False
            if row.turn is None:
                unread += 1
                self._note(row.problem or "")
                continue
            if row.warning is not None:
                self._note(f"{row.place}: {row.warning}")
            day = min(day_in(row.fields, watched.time) or today, today)
            if day <= too_old:
                old += 1
                continue
            turn = row.turn
            if turn.language == "auto":
                turn = replace(turn, language=watched.language)
            key = self._store.key_of(row.id, turn.question, turn.answer)
            if self._store.has(key):
                continue
            scored = ScoredRow.from_mapping(
                assess(replace(row, turn=turn), watched.scorer).to_dict()
            )
            answers.append((key, scored, AskedRow(turn.question, turn.answer, day)))
        self._store.add(answers, replace(position, unread_count=position.unread_count + unread))
        self.too_old_count += old
        return True

    def _count(self) -> None:
        """Has the figures follow the store, and the day."""
        today = date.today()
        if self._store.prune(today) or today != self._day:
            self._day, self._last = today, 0
            with self.lock:
                self.figures = _none_yet()
        for number, row, asked in self._store.answers(self._last):
            self._last = number
            with self.lock:
                for period, days in PERIODS.items():
                    if asked.day is not None and asked.day > today - timedelta(days):
                        self.figures[period].add(row, asked)
        unread = sum(position.unread_count for position in self._store.positions())
        for figures in self.figures.values():
            figures.unread = unread
        counts = f"{self._last}-{unread}-{self.too_old_count}-{len(self.notes)}"
        self.version = f"{today}-{counts}-{self.is_reading:d}"

    def _note(self, text: str) -> None:
        with self.lock:
            if (short := text[:_NOTE_CHARS]) not in self.notes:
                self.notes.append(short)


def _none_yet() -> dict[str, LogFigures]:
    return {period: LogFigures(SHOWN) for period in PERIODS}
