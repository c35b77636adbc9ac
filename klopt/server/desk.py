"""What a working process does: reads a request, scores it, writes the answer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from klopt import shipped
from klopt.batch.classified import classified
from klopt.batch.cores import assess, score_rows
from klopt.batch.output import to_json
from klopt.batch.rows import Row, read_lines, rows_of
from klopt.batch.sources import Sources
from klopt.errors import KloptError
from klopt.indexing.index_file import Index
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.streaming import AnswerStream
from klopt.server.limits import MOST_FOUND
from klopt.server.refusal import RefusedError

_WHERE: Final = "the request"


@dataclass(frozen=True, slots=True)
class Said:
    """What is logged and counted of an assessment.

    Attributes:
        verdict: Its verdict.
        score: Its score.
        ground: The node of the tree that decided, or why it was not scored; never a text.
        why: The reason in words, which may quote the answer.
        fingerprint: What was used.
    """

    verdict: str
    score: float | None
    ground: str
    why: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The body of an answer, and what was said in it."""

    body: bytes
    said: tuple[Said, ...] = ()


class Desk:
    """A scorer and its pages, ready for requests.

    Raises:
        KloptError: As `Sources.open`.
    """

    def __init__(self, sources: Sources) -> None:
        # Nothing of a request goes to a translator or a model.
        self.scorer, self.pages = sources.open(asks_nobody=True)
        self.index = self.pages if isinstance(self.pages, Index) else None
        for language, first in shipped.table("klopt.server", "first.toml").items():
            if language in self.scorer.profile.languages:
                self.scorer.prepare(language)
                self.scorer.score(Turn(first["question"], first["answer"], first["page"]))


_OPEN: Final[list[Desk]] = []
"""The desk of this process."""
_NEXT: Final[list[Desk]] = []
"""The one that is to take its place."""
_STREAMS: Final[dict[str, AnswerStream]] = {}
"""Answers that are being written; they stay with the pages that they began with."""


def prepare_desk(sources: Sources, copy: Path | None = None) -> None:
    """Makes a desk, beside the one that is open.

    Args:
        sources: What turns are scored with.
        copy: A copy of the index that is read in its place; messages name the index.

    Raises:
        KloptError: As `Desk`, or the index was altered.
    """
    try:
        desk = Desk(dataclasses.replace(sources, index=copy or sources.index))
        if _OPEN and desk.index is not None:
            # The other processes go on meanwhile, so there is time to read all of it.
            desk.index.check()
    except KloptError as error:
        if copy is None:
            raise
        raise type(error)(str(error).replace(str(copy), str(sources.index))) from None
    _NEXT[:] = [desk]


def open_desk() -> None:
    """Opens the desk that was made, in place of the one that is open.

    Raises:
        RefusedError: None was made in this process.
    """
    if not _NEXT:
        raise RefusedError(503, "worker_ended", "the process that read the pages ended", 1)
    _OPEN[:] = _NEXT
    _NEXT.clear()


def score(body: bytes, since_s: float) -> Reply:
    """Scores one row.

    Args:
        body: A row in JSON.
        since_s: When the request was taken in, by `time.monotonic`.

    Raises:
        RefusedError: It is no row.
    """
    row = _row(_fields(body))
    _turn(row)
    found = assess(row, _OPEN[0].scorer, since_s)
    return Reply(_line(found.to_dict()), (_said(found),))


def score_lines(lines: Sequence[tuple[int, bytes]]) -> Reply:
    """Scores rows, a line each; one that cannot be read has the status ``error``.

    Args:
        lines: The number of each, from 1, and a row in JSON.
    """
    desk = _OPEN[0]
    read = (one for number, line in lines for one in read_lines([line], _WHERE, number))
    rows = rows_of(read, pages=desk.pages, with_budget=True)
    found = [one for _, one in score_rows(rows, desk.scorer)]
    return Reply(b"".join(_line(one.to_dict()) for one in found), tuple(map(_said, found)))


def classify(body: bytes, since_s: float) -> Reply:
    """Says what type of message the question of a row is; arguments and errors as `score`."""
    turn = _turn(_row(_fields(body), with_contexts=False))
    return Reply(_line(classified(turn, _OPEN[0].scorer)))


def search(body: bytes, since_s: float) -> Reply:
    """Finds the pages that fit a question best; arguments and errors as `score`.

    Raises:
        RefusedError: There is no index, or it is no question.
    """
    index = _OPEN[0].index
    if index is None:
        message = "there is no index to search; klopt serve --index FILE gives it one"
        raise RefusedError(404, "no_index", message)
    given = _fields(body)
    k = given.pop("k", 5)
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_FOUND:
        raise RefusedError(422, "row", f"k is not a whole number from 1 to {MOST_FOUND}")
    turn = _turn(_row(given, with_contexts=False))
    found = index.search(turn.question, k, language=turn.language)
    pages = [
        {"id": one.page.id, "title": one.title, "url": one.page.url, "score": one.score}
        for one in found
    ]
    return Reply(_line({"id": turn.id, "pages": pages}))


def open_stream(key: str, head: bytes) -> None:
    """Begins an answer that is still being written.

    Args:
        key: What it goes by.
        head: A row in JSON, of which the answer is not read.

    Raises:
        RefusedError: It is no row.
    """
    _STREAMS[key] = _OPEN[0].scorer.stream(_turn(_row(_fields(head))))


def feed_stream(key: str, pieces: Sequence[tuple[int, bytes]]) -> list[bytes]:
    """What is wrong in the answer so far and was not told before.

    Args:
        key: The stream.
        pieces: The next pieces of the answer, which are read as one: of each the number of its
            line and an object of JSON with a ``text``.

    Raises:
        RefusedError: One is no such object, or there is no such stream.
    """
    faults = _stream(key).feed("".join(_piece(number, line) for number, line in pieces))
    return [to_json(dataclasses.asdict(one)).encode() for one in faults]


def _piece(number: int, line: bytes) -> str:
    where = f"{_WHERE}, line {number}"
    found = _json(line, where)
    text = found.get("text") if isinstance(found, Mapping) else None
    if not isinstance(text, str):
        message = f'{where}: after its first line each line is {{"text": "..."}}'
        raise RefusedError(422, "piece", message)
    return text


def finish_stream(key: str) -> Reply:
    """The assessment of the whole answer.

    Raises:
        RefusedError: There is no such stream.
    """
    found = _stream(key).finish()
    return Reply(to_json(found.to_dict()).encode(), (_said(found),))


def drop_stream(key: str) -> None:
    """Forgets a stream, finished or not."""
    _STREAMS.pop(key, None)


def _stream(key: str) -> AnswerStream:
    if key not in _STREAMS:
        message = "the process that read this answer ended; send the answer again"
        raise RefusedError(503, "worker_ended", message, 1)
    return _STREAMS[key]


def _said(found: Assessment) -> Said:
    ground = found.rule or found.reason_code or found.status
    return Said(found.verdict, found.score, ground, found.why, found.fingerprint)


def _line(found: Mapping[str, Any]) -> bytes:
    return f"{to_json(found)}\n".encode()


def _json(text: bytes, where: str = _WHERE) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, "bad_json", f"{where}: not JSON: {error}") from None


def _turn(row: Row) -> Turn:
    if row.turn is None:
        raise RefusedError(422, "row", f"{_WHERE}: {row.problem}")
    return row.turn


def _fields(body: bytes) -> dict[str, Any]:
    found = _json(body)
    if not isinstance(found, dict):
        raise RefusedError(422, "row", f"{_WHERE}: not a JSON object with the fields of a row")
    return found


def _row(fields: Mapping[str, Any], *, with_contexts: bool = True) -> Row:
    pages = _OPEN[0].pages
    (row,) = rows_of(
        [(1, fields, None)],
        pages=pages,
        with_contexts=with_contexts,
        with_place=False,
        with_budget=True,
    )
    return row
