"""Ratings of answers in a company's ``rated.jsonl``, one line for each answer and person."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from klopt._internal.files import Journal, sync_folder, to_json, whole_binary
from klopt.company.folder import held
from klopt.errors import InputError
from klopt.logs.json_rows import read_lines
from klopt.logs.rows import Row, rows_of

RATINGS_WANTED: Final = 50  # Ratings that show how well klopt fits a company's answers
_KEY_CHARS: Final = 16
_FIELDS: Final = ("rating", "message_type", "untrue", "note", "rater")  # replaced by a rating


def key_of(row_id: str, question: str, answer: str) -> str:
    """Return a name for an answer that fits into a URL, the same in the log and among ratings.

    >>> key_of("7", "Kan dat?", "Ja.") == key_of("7", "Kan dat?", "Nee.")
    False
    """
    return _digest([row_id, question, answer])


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:_KEY_CHARS]


@dataclass(frozen=True, slots=True)
class PersonOpinion:
    """One person's rating of one answer, from 1 (untrue) to 5 (true), or None.

    ``message_type`` is empty if neither person nor log gives one; ``untrue`` are words of the
    answer, verbatim.
    """

    rating: float | None = None
    message_type: str = ""
    untrue: tuple[str, ...] = ()
    note: str = ""

    @property
    def version(self) -> str:
        """A digest by which one tab sees what another stored.

        >>> PersonOpinion().version == PersonOpinion(rating=4).version
        False
        """
        return _digest(asdict(self))


class ChangedError(Exception):
    """Something else was stored in the meantime."""


class Ratings:
    """The file of rated answers, which need not exist yet; InputError if it cannot be read.

    A new rating is appended; a changed one replaces its line, so that `klopt evaluate` and `klopt
    fit` count every opinion once. Either is on disk when `put` returns. Unreadable lines stay; the
    next rating removes a last line that a crash cut off. Other processes may write too: each locks
    the folder, and first reads what changed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[tuple[str, str], PersonOpinion] = {}
        self._stamp: object = ()
        self.refresh()

    def get(self, key: str, rater: str) -> PersonOpinion:
        """Return a person's opinion on an answer, or an empty one."""
        return self._found.get((key, rater), PersonOpinion())

    def by(self, rater: str) -> dict[str, float]:
        """Return answer → rating of one person, in the order of the file."""
        own = {key: one.rating for (key, who), one in self._found.items() if who == rater}
        return {key: rating for key, rating in own.items() if rating is not None}

    @property
    def count(self) -> int:
        """The number of answers that somebody rated."""
        return len({key for (key, _), one in self._found.items() if one.rating is not None})

    @property
    def raters(self) -> list[str]:
        """Everybody who rated; the empty name is who gave none."""
        return sorted({who for (_, who), one in self._found.items() if one.rating is not None})

    def rows(self) -> Iterator[Row]:
        """Yield the readable rows of the file."""
        if self._path.is_file():
            with self._path.open("rb") as file:
                yield from _rows(file)

    def refresh(self) -> None:
        """Read the file again if it changed."""
        stamp = _stamp(self._path)
        if stamp == self._stamp:
            return
        found = {}
        try:
            for row in self.rows():
                if (place := _place(row)) is not None:
                    found[place] = _opinion(row)
        except OSError as error:
            raise InputError(f"{self._path}: cannot be read: {error.strerror}") from None
        self._found, self._stamp = found, stamp

    def put(self, row: Mapping[str, Any], rater: str, given: PersonOpinion, version: str) -> None:
        """Store a person's opinion on a row of the log; the same twice is stored once.

        ``version`` is that of the opinion that the person saw: ChangedError if the stored one
        differs. InputError if the file cannot be written.
        """
        place = key_of(row["id"], row["question"], row["answer"]), rater
        own_type = given.message_type or str(row.get("message_type") or "")
        given = replace(given, message_type=own_type)
        with held(self._path.parent):
            self.refresh()
            stored = self._found.get(place, PersonOpinion())
            if stored == given:
                return
            if stored.version != version:
                raise ChangedError
            line = to_json(_line(row, rater, given)).encode() + b"\n"
            try:
                if place in self._found:
                    self._replace(place, line)
                else:
                    self._append(line)
            except OSError as error:
                raise InputError(f"{self._path}: cannot be written: {error.strerror}") from None
            self._found[place] = given
            self._stamp = _stamp(self._path)

    def _append(self, line: bytes) -> None:
        is_new = not self._path.exists()
        with Journal(self._path) as file:
            whole = file.read()
            last = whole.rpartition(b"\n")[2]
            if _is_cut_off(last):
                file.truncate(len(whole) - len(last))
            elif last:
                line = b"\n" + line
            file.append(line)
            file.sync()
        if is_new:
            sync_folder(self._path.parent)

    def _replace(self, place: tuple[str, str], line: bytes) -> None:
        with self._path.open("rb") as before, whole_binary(self._path) as after:
            for number, old in enumerate(before, 1):
                if any(_place(row) == place for row in _rows([old], number)):
                    old, line = line, b""
                after.write(old if old.endswith(b"\n") or not old else old + b"\n")


def _rows(lines: BinaryIO | list[bytes], first: int = 1) -> Iterator[Row]:
    return rows_of(read_lines(lines, "rated.jsonl", first), with_contexts=False)


def _place(row: Row) -> tuple[str, str] | None:
    if row.turn is None:
        return None
    rater = row.fields.get("rater")
    key = key_of(row.id, row.turn.question, row.turn.answer)
    return key, rater if isinstance(rater, str) else ""


def _opinion(row: Row) -> PersonOpinion:
    kind, note = (row.fields.get(name) for name in ("message_type", "note"))
    kind, note = (own if isinstance(own, str) else "" for own in (kind, note))
    given = row.fields.get("untrue")
    untrue = tuple(map(str, given)) if isinstance(given, list) else ()
    return PersonOpinion(None if row.turn is None else row.turn.rating, kind, untrue, note)


def _line(row: Mapping[str, Any], rater: str, given: PersonOpinion) -> dict[str, Any]:
    """Return the row of the log with an opinion; empty fields are left out."""
    rating = given.rating
    if rating is not None and rating.is_integer():
        rating = int(rating)
    own = {**asdict(given), "rating": rating, "untrue": list(given.untrue), "rater": rater}
    kept = {name: value for name, value in row.items() if name not in _FIELDS}
    return kept | {name: own[name] for name in _FIELDS if own[name] not in (None, "", [])}


def _is_cut_off(last: bytes) -> bool:
    """Return whether a last line without its newline is not a whole row."""
    try:
        return not last or not json.loads(last)
    except ValueError:
        return True


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
