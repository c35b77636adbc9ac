"""What a working process does: reads a request, scores it, writes the answer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Final

from klopt.batch.cores import assess, classified, score_rows
from klopt.batch.output import to_json
from klopt.batch.rows import Row, missing_fields, read_lines, rows_of
from klopt.indexing.index_file import Index
from klopt.records import Pages, Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.scoring.setup import Setup
from klopt.scoring.streaming import AnswerStream
from klopt.server.limits import MOST_FOUND, RefusedError

_WHERE: Final = "the request"
_ASKED: Final = ("question",)
_SCORED: Final = ("question", "answer")


@dataclass(frozen=True, slots=True)
class LoggedAssessment:
    """What is logged and counted of an assessment; of these only ``why`` may quote a text."""

    verdict: str
    score: float | None
    ground: str
    why: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ServedReply:
    """The body of an answer, and what is logged of the assessments in it."""

    body: bytes
    assessed: tuple[LoggedAssessment, ...] = ()


class Desk:
    """A scorer and its pages, ready for requests; nothing of one goes to a translator or a model.

    Raises:
        KloptError: What it is made of cannot be read, or does not fit together.
    """

    def __init__(self, setup: Setup, pages: Pages | None) -> None:
        self.index = setup.index if isinstance(setup.index, Index) else None
        self.pages = self.index if pages is None else pages
        profile = replace(setup.profile, translate=None, opinion=None)
        self.scorer = Scorer(replace(setup, profile=profile))
        for language in profile.languages:
            self.scorer.prepare(language)


_OPEN: Final[list[Desk]] = []
"""The desk of this process."""
_NEXT: Final[list[Desk]] = []
"""The one that is to take its place."""
_STREAMS: Final[dict[str, AnswerStream]] = {}
"""Answers that are being written; they stay with the pages that they began with."""


def prepare_desk(setup: Setup, pages: Pages | None) -> None:
    """Makes a desk, beside the one that is open."""
    desk = Desk(setup, pages)
    if _OPEN and desk.index is not None:
        # The other processes go on meanwhile, so there is time to read all of it.
        desk.index.check()
    _NEXT[:] = [desk]


def open_desk() -> None:
    """Opens the desk that was made, in place of the one that is open."""
    if not _NEXT:
        raise RefusedError(503, "worker_ended", "the process that read the pages ended", 1)
    _OPEN[:] = _NEXT
    _NEXT.clear()


def score(body: bytes, since_s: float) -> ServedReply:
    """Scores one row."""
    row = _row(_fields(body))
    _turn(row)
    assessment = assess(row, _OPEN[0].scorer, since_s)
    return ServedReply(_line(assessment.to_dict()), (_logged(assessment),))


def score_lines(lines: Sequence[tuple[int, bytes]]) -> ServedReply:
    """Scores rows, a line each; one that cannot be read has the status ``error``."""
    desk = _OPEN[0]
    read = chain.from_iterable(read_lines([line], _WHERE, number) for number, line in lines)
    rows = rows_of(read, pages=desk.pages, with_budget=True)
    named = (_named(row, place=f"{row.place}: ") for row in rows)
    scored = [assessment for _, assessment in score_rows(named, desk.scorer)]
    body = b"".join(_line(assessment.to_dict()) for assessment in scored)
    return ServedReply(body, tuple(map(_logged, scored)))


def classify(body: bytes, since_s: float) -> ServedReply:
    """Says what type of message the question of a row is; arguments and errors as `score`."""
    turn = _turn(_row(_fields(body), _ASKED, with_contexts=False))
    return ServedReply(_line(classified(turn, _OPEN[0].scorer)))


def search(body: bytes, since_s: float) -> ServedReply:
    """Finds the pages that fit a question best; arguments and errors as `score`."""
    index = _OPEN[0].index
    if index is None:
        message = "there is no index to search; klopt serve --index FILE gives it one"
        raise RefusedError(404, "no_index", message)
    given = _fields(body)
    k = given.pop("k", 5)
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MOST_FOUND:
        raise RefusedError(422, "row", f"k is not a whole number from 1 to {MOST_FOUND}")
    turn = _turn(_row(given, _ASKED, with_contexts=False))
    pages = [
        {"id": hit.page.id, "title": hit.title, "url": hit.page.url, "score": hit.score}
        for hit in index.search(turn.question, k, language=turn.language)
    ]
    return ServedReply(_line({"id": turn.id, "pages": pages}))


def list_pages(words: str) -> ServedReply:
    """The first of the names of pages that have these words in them, and how many there are."""
    pages = _OPEN[0].pages
    if isinstance(pages, Index):
        names = list(islice(pages, pages.page_count))  # behind them stand other names of the same
    else:
        names = list(dict.fromkeys(page.id for page in (pages or {}).values()))
    wanted = words.casefold()
    fitting = [name for name in names if wanted in name.casefold()]
    return ServedReply(_line({"count": len(fitting), "pages": fitting[:MOST_FOUND]}))


def open_stream(key: str, head: bytes) -> None:
    """Begins an answer that is still being written."""
    _STREAMS[key] = _OPEN[0].scorer.stream(_turn(_row(_fields(head), _ASKED)))


def feed_stream(key: str, pieces: Sequence[tuple[int, bytes]]) -> list[bytes]:
    """What is wrong in the answer so far and was not told before."""
    faults = _stream(key).feed("".join(_piece(number, line) for number, line in pieces))
    return [to_json(dataclasses.asdict(fault)).encode() for fault in faults]


def _piece(number: int, line: bytes) -> str:
    where = f"{_WHERE}, line {number}"
    piece = _json(line, where)
    text = piece.get("text") if isinstance(piece, Mapping) else None
    if not isinstance(text, str):
        message = f'{where}: after its first line each line is {{"text": "..."}}'
        raise RefusedError(422, "piece", message)
    return text


def finish_stream(key: str) -> ServedReply:
    """The assessment of the whole answer."""
    assessment = _stream(key).finish()
    return ServedReply(to_json(assessment.to_dict()).encode(), (_logged(assessment),))


def drop_stream(key: str) -> None:
    """Forgets a stream, finished or not."""
    _STREAMS.pop(key, None)


def _stream(key: str) -> AnswerStream:
    if key not in _STREAMS:
        message = "the process that read this answer ended; send the answer again"
        raise RefusedError(503, "worker_ended", message, 1)
    return _STREAMS[key]


def _logged(of: Assessment) -> LoggedAssessment:
    ground = of.rule or of.reason_code or of.status
    return LoggedAssessment(of.verdict, of.score, ground, of.why, of.fingerprint)


def _line(row: Mapping[str, Any]) -> bytes:
    return f"{to_json(row)}\n".encode()


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
    fields = _json(body)
    if not isinstance(fields, dict):
        raise RefusedError(422, "row", f"{_WHERE}: not a JSON object with the fields of a row")
    return fields


def _row(
    fields: Mapping[str, Any], needed: Sequence[str] = _SCORED, *, with_contexts: bool = True
) -> Row:
    (row,) = rows_of(
        [(1, fields, None)],
        pages=_OPEN[0].pages,
        with_contexts=with_contexts,
        with_place=False,
        with_budget=True,
    )
    return _named(row, needed)


def _named(row: Row, needed: Sequence[str] = _SCORED, place: str = "") -> Row:
    """The row; one that has other names for what is needed has that as its problem."""
    given = {name: value for name, value in row.fields.items() if name != "budget_ms"}
    hint = missing_fields(given, None, needed, "send {theirs} as {ours}?")
    return row if hint is None else replace(row, turn=None, problem=f"{place}{hint}")
