"""Rows scored in their order, none lost; those of a log on all cores, and what repeats once."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from klopt.batch.output import to_json
from klopt.batch.rows import Row
from klopt.batch.tally import Counted
from klopt.cached import Recent
from klopt.errors import (
    PatternTimeoutError,
    RecordError,
    TranslationError,
    UnknownLanguageError,
)
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer

ALONE: Final = 200
"""So many rows are scored before other processes are started: a short log has no use for them."""

NO_TYPE: Final = {"message_type": None, "pattern": None, "span": None, "text": None}
"""What a row has that could not be classified, beside its id and the reason."""

_CHUNK_ROWS: Final = 16
_CHUNK_CHARS: Final = 500_000
_KEPT: Final = 20_000
_KEPT_CHARS: Final = 20_000_000


def assess(row: Row, scorer: Scorer, since_s: float | None = None) -> Assessment:
    """The assessment of a row, or why there is none; its budget runs from a `time.monotonic`."""
    if row.turn is None:
        return scorer.refuse(row.id, row.problem or "")
    budget_ms = row.budget_ms
    if budget_ms is not None and since_s is not None:
        budget_ms = max(0.0, budget_ms - (time.monotonic() - since_s) * 1000)
    return next(scorer.score_many([row.turn], budget_ms=budget_ms))


def score_rows(rows: Iterable[Row], scorer: Scorer) -> Iterator[tuple[Row, Assessment]]:
    """Scores rows in order, as they come; several at once where the scorer waits for a model."""

    def scored(row: Row) -> tuple[Row, Assessment]:
        return row, assess(row, scorer)

    if scorer.at_once == 1:
        return map(scored, rows)
    from klopt.models.in_order import in_order

    return in_order(scored, rows, scorer.at_once)


def classified(turn: Turn, scorer: Scorer) -> dict[str, Any]:
    """The row of output for a turn; the type that it states, if any, is not looked at.

    >>> row = classified(Turn("Hoe voeg ik een printer toe?", "", id="1"), Scorer.load())
    >>> row["id"], row["message_type"]
    ('1', 'instruction')
    """
    try:
        classification, span = scorer.classify(Turn(turn.question, "", language=turn.language))
    except (PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError) as error:
        return {"id": turn.id, **NO_TYPE, "reason": str(error)}
    return {
        "id": turn.id,
        "message_type": classification.message_type,
        "pattern": classification.pattern,
        "span": None if span is None else list(span),
        "text": None if span is None else turn.question[span[0] : span[1]],
    }


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """What is counted of an assessment, and its fields behind the id as an object of JSON."""

    fields: str
    counted: Counted

    @classmethod
    def of(cls, assessment: Assessment) -> ScoredLine:
        """That of an assessment."""
        fields = assessment.to_dict()
        del fields["id"]
        return cls(to_json(fields), Counted.of(assessment))

    def line(self, row_id: str) -> bytes:
        """The row of output, for an id."""
        return f"{to_json({'id': row_id})[:-1]}, {self.fields[1:]}\n".encode()


Job = Future[ScoredLine]
"""What comes of a turn, once for all the rows that have it."""
Entry = tuple[Row, Job, bool]
"""A row, its job, and whether an earlier row has the same."""
Result = tuple[Row, ScoredLine, bool]
"""A row, what came of it, and whether it repeats an earlier one."""


def core_count() -> int:
    """How many cores this process may use, from 1."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux has it
        return os.cpu_count() or 1


def score_log(
    rows: Iterable[Row],
    scorer: Scorer,
    *,
    processes: int = 1,
    alone: int = ALONE,
) -> Generator[Result]:
    """Scores rows in order, none lost, the same however many processes do it.

    A row with question, answer, contexts, language and message type of one of the last rows gets
    what came of that. Where second opinions are asked for or a translation is read, all rows are
    scored here and by themselves.
    """
    if scorer.setup.adviser is not None or scorer.setup.translate is not None:
        for row, assessment in score_rows(rows, scorer):
            yield row, ScoredLine.of(assessment), False
        return
    known: Recent[bytes, Job] = Recent(_KEPT, _KEPT_CHARS)

    def with_job(row: Row) -> Entry:
        job = Job()
        if row.turn is None:
            job.set_result(ScoredLine.of(assess(row, scorer)))
            return row, job, False
        key = digest(row.turn)
        if (earlier := known.get(key)) is not None:
            return row, earlier, True
        known.put(key, job)
        job.add_done_callback(lambda done: known.put(key, done, len(done.result().fields)))
        return row, job, False

    entries = map(with_job, rows)
    for row, job, is_repeat in entries if processes == 1 else islice(entries, alone):
        if not job.done():
            job.set_result(ScoredLine.of(assess(row, scorer)))
        yield row, job.result(), is_repeat
    if (first := next(entries, None)) is not None:
        yield from _elsewhere(chain([first], entries), scorer, processes)


def digest(turn: Turn) -> bytes:
    """What two turns share that are scored alike; 16 bytes."""
    read = [turn.question, turn.answer, turn.language, turn.message_type]
    for page in turn.pages:
        read += page.text, page.id, page.title, page.url, page.format
    total = hashlib.blake2b(digest_size=16)
    for text in read:
        data = (text or "").encode("utf-8", "surrogatepass")
        total.update(b"%d:%b" % (len(data), data))
    return total.digest()


def _elsewhere(entries: Iterable[Entry], scorer: Scorer, processes: int) -> Iterator[Result]:
    from klopt.processes import ENDED_TWICE, in_processes  # a short log has no use for them

    groups = (
        (chunk, [row.turn for row, _, is_repeat in chunk if row.turn and not is_repeat])
        for chunk in _chunks(entries)
    )
    for chunk, lines in in_processes(processes, _score, groups, _start, scorer):
        own_lines = iter(lines)
        for row, job, is_repeat in chunk:
            if row.turn and not is_repeat:
                line = next(own_lines)
                job.set_result(line or ScoredLine.of(scorer.refuse(row.id, ENDED_TWICE)))
            yield row, job.result(), is_repeat


def _chunks(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Some rows at a time, fewer where they are long."""
    chunk: list[Entry] = []
    chars = 0
    for entry in entries:
        chunk.append(entry)
        if (turn := entry[0].turn) is not None:
            chars += len(turn.answer) + sum(len(page.text) for page in turn.pages)
        if len(chunk) == _CHUNK_ROWS or chars >= _CHUNK_CHARS:
            yield chunk
            chunk, chars = [], 0
    if chunk:
        yield chunk


_OWN: Final[list[Scorer]] = []
"""In a process that scores: with what."""


def _start(scorer: Scorer) -> None:
    _OWN.append(scorer)


def _score(turns: list[Turn]) -> list[ScoredLine]:
    return [ScoredLine.of(assessment) for assessment in _OWN[0].score_many(turns)]
