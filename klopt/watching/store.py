"""Scored answers in a file of their own (SQLite): bounded, and without texts unless told."""

from __future__ import annotations

import hashlib
import html
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from secrets import token_bytes
from typing import Final

from klopt.batch.output import to_json
from klopt.errors import InputError
from klopt.records import Page, Pages
from klopt.report.scored import AskedRow, ScoredRow
from klopt.scoring.assessment import CheckedStatement, PagePlace
from klopt.translation.memory import COMPUTED
from klopt.watching.growing import Position

APPLICATION_ID: Final = 0x6B6C7077
"""``klpw`` in ASCII, by which a store is told from another SQLite file."""
_VERSION: Final = 1
_BUSY_S: Final = 30.0
_LEFT: Final = 0.95
"""So many of the rows stay when there are too many, so that not every row costs another."""
_NO_TEXT: Final = "…"
_NAME_CHARS: Final = 200
"""So much is kept of an id, and of the name of a page."""
_WORDS: Final = re.compile(r"\w+").findall
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS answer (
  number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, day TEXT NOT NULL,
  question TEXT NOT NULL, answer TEXT NOT NULL, row TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS answer_day ON answer (day);
CREATE TABLE IF NOT EXISTS log (
  path TEXT PRIMARY KEY, offset INTEGER NOT NULL, row_count INTEGER NOT NULL,
  unread_count INTEGER NOT NULL, mark BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS secret (value BLOB NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long and how much is kept.

    Attributes:
        days: By the day of an answer.
        row_count: The newest; the oldest go some at a time.
        with_texts: Whether questions and answers are kept. Without them the file has a keyed
            digest of each question, no word of it, and none of the answer.
    """

    days: int = 30
    row_count: int = 100_000
    with_texts: bool = False

    def too_old(self, today: date) -> date:
        """The last day of which nothing is kept any more."""
        return today - timedelta(self.days)


class Store:
    """Answers that were scored, and how far each log was read, in one file.

    What is read of a log and where it was read to are written at one blow, so that nothing is lost
    or counted twice however a process ends.

    Raises:
        InputError: The file is another's, damaged, or cannot be written.
    """

    def __init__(self, path: Path, bounds: Bounds, known: Pages | None = None) -> None:
        self._path, self.bounds, self._known = path, bounds, known or {}
        with self._told():
            self._file = sqlite3.connect(
                path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
            self._file.execute("BEGIN")  # another process may make it just now
            (own,) = self._file.execute("PRAGMA application_id").fetchone()
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            (tables,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
            is_computed = self._file.execute(COMPUTED).fetchone() is not None
            self._file.execute("COMMIT")
            if tables and (own, version, is_computed) != (APPLICATION_ID, _VERSION, False):
                raise InputError(
                    f"{path}: not what this klopt watch keeps; name another file with --keep"
                )
            with suppress(sqlite3.OperationalError):  # another process does so just now
                self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA secure_delete = ON")
            if not tables:
                self._make()
            (self._secret,) = self._file.execute("SELECT value FROM secret").fetchone()

    def _make(self) -> None:
        secret = token_bytes(16).hex()
        self._file.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} INSERT INTO secret SELECT x'{secret}' "
            "WHERE NOT EXISTS (SELECT * FROM secret);"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {_VERSION}; COMMIT;"
        )

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def positions(self) -> list[Position]:
        """How far each log was read."""
        with self._told():
            return [Position(*row) for row in self._file.execute("SELECT * FROM log")]

    def key_of(self, row_id: str, question: str, answer: str) -> bytes:
        """By what an answer is kept once, also when its log is read anew."""
        return self._digest(repr((row_id, question, answer)), 16)

    def has(self, key: bytes) -> bool:
        """Whether an answer is kept."""
        with self._told():
            found = self._file.execute("SELECT 1 FROM answer WHERE key = ?", (key,))
            return found.fetchone() is not None

    def add(
        self, answers: Iterable[tuple[bytes, ScoredRow, AskedRow]], position: Position | None = None
    ) -> None:
        """Keeps answers, each by its `key_of` once, and how far their log was read."""
        rows = [(key, *self._kept(row, asked)) for key, row, asked in answers]
        with self._told():
            self._file.execute("BEGIN IMMEDIATE")
            try:
                self._file.executemany(
                    "INSERT OR IGNORE INTO answer (key, day, question, answer, row) "
                    "VALUES (?, ?, ?, ?, ?)",
                    rows,
                )
                if position is not None:
                    self._file.execute(
                        "INSERT OR REPLACE INTO log VALUES (?, ?, ?, ?, ?)", astuple(position)
                    )
                self._file.execute("COMMIT")
            except BaseException:
                self._file.execute("ROLLBACK")
                raise

    def prune(self, today: date) -> bool:
        """Lets go of what is too old or too much; whether anything was."""
        oldest = self.bounds.too_old(today).isoformat()
        with self._told():
            (count,) = self._file.execute("SELECT count(*) FROM answer").fetchone()
            gone = self._file.execute("DELETE FROM answer WHERE day <= ?", (oldest,)).rowcount
            if count - gone > self.bounds.row_count:
                left = int(self.bounds.row_count * _LEFT)
                gone += self._file.execute(
                    "DELETE FROM answer WHERE number NOT IN "
                    "(SELECT number FROM answer ORDER BY day DESC, number DESC LIMIT ?)",
                    (left,),
                ).rowcount
            return gone > 0

    def answers(self, after: int = 0) -> Iterator[tuple[int, ScoredRow, AskedRow]]:
        """The answers behind a number, in the order in which they came."""
        with self._told():
            found = self._file.execute(
                "SELECT number, day, question, answer, row FROM answer WHERE number > ? "
                "ORDER BY number",
                (after,),
            )
            for number, day, question, answer, row in found:
                fields = json.loads(row)
                read = replace(ScoredRow.from_mapping(fields), pages=tuple(fields["pages"]))
                yield number, read, AskedRow(question, answer, date.fromisoformat(day))

    def _kept(self, row: ScoredRow, asked: AskedRow) -> tuple[str, str, str, str]:
        """What is written of an answer: its day, question and answer, and the rest as JSON."""
        question, answer = asked.question, asked.answer
        if not self.bounds.with_texts:
            row, answer = _without_texts(row, self._known), ""
            question = f"#{self._digest(' '.join(question.casefold().split()), 6).hex()}"
        day = asked.day or date.today()
        written = to_json(asdict(_with_short_names(row)))
        return day.isoformat(), _storable(question), _storable(answer), written

    def _digest(self, text: str, size: int) -> bytes:
        data = text.encode("utf-8", "replace")
        return hashlib.blake2b(data, key=self._secret, digest_size=size).digest()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except (sqlite3.Error, OSError, LookupError, TypeError, ValueError) as error:
            raise InputError(f"{self._path}: cannot be read or written: {error}") from None


def _without_texts(row: ScoredRow, known: Mapping[str, Page]) -> ScoredRow:
    """A row without words of its answer, or of pages that are not the company's."""
    statements = []
    for said in row.statements:
        place = said.passage
        if place is not None and not _is_there(place, known):
            place = replace(place, text="")
        text = _NO_TEXT if said.fault else ""
        statements.append(
            CheckedStatement(text, 0, 0, said.relation, said.fault, said.truth, place, slots=())
        )
    return replace(row, statements=tuple(statements), measurements={}, explanation="")


def _is_there(place: PagePlace, known: Mapping[str, Page]) -> bool:
    """Whether a known page has these words there: a row may bring another by the same name."""
    page = known.get(place.page)
    if page is None:
        return False
    written = html.unescape(page.text[place.start : place.end])
    return set(_WORDS(place.text)) <= set(_WORDS(written))


def _with_short_names(row: ScoredRow) -> ScoredRow:
    statements = tuple(
        said
        if said.passage is None
        else replace(said, passage=replace(said.passage, page=said.passage.page[:_NAME_CHARS]))
        for said in row.statements
    )
    pages = tuple(page[:_NAME_CHARS] for page in row.pages)
    return replace(row, id=row.id[:_NAME_CHARS], pages=pages, statements=statements)


def _storable(text: str) -> str:
    """A text without halves of characters, which no file can hold."""
    return text.encode("utf-8", "replace").decode()
