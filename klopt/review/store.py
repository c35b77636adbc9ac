"""What people said of answers, in a company's ``rated.jsonl``: on the disk before it is told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from klopt.appended_file import AppendedFile, sync_folder
from klopt.batch.output import to_json, whole_binary
from klopt.batch.rows import Row, read_lines, rows_of
from klopt.company.folder import held
from klopt.errors import InputError

_KEY_CHARS: Final = 16
_OURS: Final = ("rating", "message_type", "untrue", "note", "rater")


def key_of(row_id: str, question: str, answer: str) -> str:
    """A name for an answer that fits into an address: the same in the log and among the rated.

    >>> key_of("7", "Kan dat?", "Ja.") == key_of("7", "Kan dat?", "Nee.")
    False
    """
    said = json.dumps([row_id, question, answer])
    return hashlib.sha256(said.encode()).hexdigest()[:_KEY_CHARS]


@dataclass(frozen=True, slots=True)
class PersonOpinion:
    """What one person said of one answer.

    Attributes:
        rating: From 1 (untrue) to 5 (true); None while nothing is said.
        message_type: The right one; empty where nothing is said, and the log says nothing either.
        untrue: The words of the answer that are not true, to the letter.
        note: Anything else.
    """

    rating: float | None = None
    message_type: str = ""
    untrue: tuple[str, ...] = ()
    note: str = ""

    @property
    def version(self) -> str:
        """Changes with what is said, so that one tab sees what another stored.

        >>> PersonOpinion().version == PersonOpinion(rating=4).version
        False
        """
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:_KEY_CHARS]


class ChangedError(Exception):
    """Something else was stored in the meantime."""


class Ratings:
    """The file of rated answers, one line for each answer and person.

    A first rating is a line at the end of the file. Who rates again replaces the own line: the
    file is written anew and takes the old one's place when it is whole, so that `klopt evaluate`
    and `klopt fit` count every opinion once. Either is on the disk when `put` returns. Lines that
    cannot be read stay as they are; a last line that a crash cut off is cut away at the next
    rating, and is all that the crash can cost. Others may write at the same time: each holds the
    company's folder while it writes, and reads first what changed. The file need not be there.

    Raises:
        InputError: It cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[tuple[str, str], PersonOpinion] = {}
        self._stamp: object = ()
        self.refresh()

    def get(self, key: str, rater: str) -> PersonOpinion:
        """What a person said of an answer; an empty opinion where nothing was said."""
        return self._found.get((key, rater), PersonOpinion())

    def by(self, rater: str) -> dict[str, float]:
        """Answer → rating, of one person, in the order of the file."""
        return {
            key: opinion.rating
            for (key, who), opinion in self._found.items()
            if who == rater and opinion.rating is not None
        }

    @property
    def raters(self) -> list[str]:
        """Everybody who rated, by name; empty is who gave none."""
        return sorted(
            {who for (_, who), opinion in self._found.items() if opinion.rating is not None}
        )

    def rows(self) -> Iterator[Row]:
        """The rows of the file that can be read, one by one."""
        if self._path.is_file():
            with self._path.open("rb") as file:
                yield from _rows(file)

    def refresh(self) -> None:
        """Reads the file again if somebody else wrote it."""
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

    def put(self, row: Mapping[str, Any], rater: str, said: PersonOpinion, version: str) -> None:
        """Stores what a person said of a row of the log; the same twice is stored once.

        ``version`` is that of what the person saw.

        Raises:
            ChangedError: Something else stands there than the person saw; nothing is stored.
            InputError: The file cannot be written.
        """
        place = key_of(row["id"], row["question"], row["answer"]), rater
        said = replace(said, message_type=said.message_type or str(row.get("message_type") or ""))
        with held(self._path.parent):
            self.refresh()
            stored = self._found.get(place, PersonOpinion())
            if stored == said:
                return
            if stored.version != version:
                raise ChangedError
            line = to_json(_line(row, rater, said)).encode() + b"\n"
            try:
                if place in self._found:
                    self._replace(place, line)
                else:
                    self._append(line)
            except OSError as error:
                raise InputError(f"{self._path}: cannot be written: {error.strerror}") from None
            self._found[place] = said
            self._stamp = _stamp(self._path)

    def _append(self, line: bytes) -> None:
        is_new = not self._path.exists()
        with AppendedFile(self._path) as file:
            whole = file.read()
            last = whole.rpartition(b"\n")[2]
            if _is_cut_off(last):
                file.cut(len(whole) - len(last))
            elif last:
                line = b"\n" + line
            file.add(line)
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
    """Which answer and person a row is of."""
    if row.turn is None:
        return None
    rater = row.fields.get("rater")
    key = key_of(row.id, row.turn.question, row.turn.answer)
    return key, rater if isinstance(rater, str) else ""


def _opinion(row: Row) -> PersonOpinion:
    turn, note, untrue = row.turn, row.fields.get("note"), row.fields.get("untrue")
    corrected = row.fields.get("message_type")
    return PersonOpinion(
        rating=None if turn is None else turn.rating,
        message_type=corrected if isinstance(corrected, str) else "",
        untrue=tuple(map(str, untrue)) if isinstance(untrue, list) else (),
        note=note if isinstance(note, str) else "",
    )


def _line(row: Mapping[str, Any], rater: str, said: PersonOpinion) -> dict[str, Any]:
    """The row of the log with what was said of it; what was not said is left out."""
    rating = said.rating
    if rating is not None and rating.is_integer():
        rating = int(rating)
    own = {**asdict(said), "rating": rating, "untrue": list(said.untrue), "rater": rater}
    kept = {name: value for name, value in row.items() if name not in _OURS}
    return kept | {name: own[name] for name in _OURS if own[name] not in (None, "", [])}


def _is_cut_off(last: bytes) -> bool:
    """Whether a last line without its end is no whole row."""
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
