"""Score the rows of a log in order, on one or several processes, repeated turns once."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from klopt._internal.cached import Recent
from klopt._internal.files import to_json
from klopt.errors import PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError
from klopt.logs.rows import Row
from klopt.logs.tally import Counted
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.types import Turn

ALONE: Final = 200
"""Rows that are scored before worker processes start; a short log does not need them."""

NO_TYPE: Final = {"message_type": None, "pattern": None, "span": None, "text": None}
"""The fields of a row that could not be classified, besides its id and the reason."""

_GROUP_ROWS: Final = 16
_GROUP_CHARS: Final = 500_000
"""A worker gets this many rows at a time, or fewer with this many characters in total."""
_RECENT_TURNS: Final = 20_000
_RECENT_CHARS: Final = 20_000_000
"""Turns, and characters of their results, that are remembered to recognise repeats."""


def assess(row: Row, scorer: Scorer, since_s: float | None = None) -> Assessment:
    """Score a row; one without a turn gets an assessment with the reason.

    ``since_s`` is `time.monotonic` when the row's time budget began; None for now.
    """
    if row.turn is None:
        return scorer.refuse(row.id, row.problem or "")
    budget_ms = row.budget_ms
    if budget_ms is not None and since_s is not None:
        budget_ms = max(0.0, budget_ms - (time.monotonic() - since_s) * 1000)
    return next(scorer.score_many([row.turn], budget_ms=budget_ms))


def score_rows(rows: Iterable[Row], scorer: Scorer) -> Iterator[tuple[Row, Assessment]]:
    """Score rows in order as they arrive; several at once when the scorer waits for a model."""

    def scored(row: Row) -> tuple[Row, Assessment]:
        return row, assess(row, scorer)

    if scorer.at_once == 1:
        return map(scored, rows)
    from klopt.llm.ordered_map import ordered_map

    return ordered_map(scored, rows, scorer.at_once)


def classified(turn: Turn, scorer: Scorer) -> dict[str, Any]:
    """Return the message type of a question as an output row; the turn's own type is ignored.

    >>> classified(Turn("Hoe voeg ik een printer toe?", ""), Scorer.load())["message_type"]
    'instruction'
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
    """An assessment for output: its fields after the id as JSON, and what the summary counts."""

    fields: str
    counted: Counted

    @classmethod
    def of(cls, assessment: Assessment) -> ScoredLine:
        """Convert an assessment."""
        fields = assessment.to_dict()
        del fields["id"]
        return cls(to_json(fields), Counted.of(assessment))

    def line(self, given: Mapping[str, str]) -> bytes:
        """Return an output line that begins with the given fields of the row, such as its id."""
        return f"{to_json(given)[:-1]}, {self.fields[1:]}\n".encode()


Job = Future[ScoredLine]
"""The result of a turn, shared by all rows with that turn."""
Entry = tuple[Row, Job, bool]
Result = tuple[Row, ScoredLine, bool]
"""A row, its result, and whether it repeats an earlier row."""


def core_count() -> int:
    """Return how many cores this process may use, at least 1."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Linux only
        return os.cpu_count() or 1


def score_log(
    rows: Iterable[Row], scorer: Scorer, *, processes: int = 1, alone: int = ALONE
) -> Generator[Result]:
    """Score rows in order; the result does not depend on the number of processes.

    A row with the question, answer, contexts, language and message type of a recent row gets that
    row's result. With second opinions or a translator, every row is scored in this process, as the
    first ``alone`` rows are.
    """
    if scorer.setup.adviser is not None or scorer.setup.translate is not None:
        for row, assessment in score_rows(rows, scorer):
            yield row, ScoredLine.of(assessment), False
        return
    recent: Recent[bytes, Job] = Recent(_RECENT_TURNS, _RECENT_CHARS)

    def with_job(row: Row) -> Entry:
        job = Job()
        if row.turn is None:
            job.set_result(ScoredLine.of(assess(row, scorer)))
            return row, job, False
        key = digest(row.turn)
        if (earlier := recent.get(key)) is not None:
            return row, earlier, True
        recent.put(key, job)
        job.add_done_callback(lambda done: recent.put(key, done, len(done.result().fields)))
        return row, job, False

    entries = map(with_job, rows)
    for row, job, is_repeat in entries if processes == 1 else islice(entries, alone):
        if not job.done():
            job.set_result(ScoredLine.of(assess(row, scorer)))
        yield row, job.result(), is_repeat
    if (first := next(entries, None)) is not None:
        yield from _score_in_workers(chain([first], entries), scorer, processes)


def digest(turn: Turn) -> bytes:
    """Return 16 bytes that turns share if they get the same score."""
    parts = [turn.question, turn.answer, turn.language, turn.message_type]
    for page in turn.pages:
        parts += page.text, page.id, page.title, page.url, page.format
    total = hashlib.blake2b(digest_size=16)
    for text in parts:
        data = (text or "").encode("utf-8", "surrogatepass")
        total.update(b"%d:%b" % (len(data), data))
    return total.digest()


def _score_in_workers(entries: Iterable[Entry], scorer: Scorer, processes: int) -> Iterator[Result]:
    from klopt._internal.pool import ENDED_TWICE, in_processes  # a short log does not need it

    groups = (
        (group, [row.turn for row, _, is_repeat in group if row.turn and not is_repeat])
        for group in _grouped(entries)
    )
    for group, lines in in_processes(processes, _score, groups, _start, scorer):
        new_lines = iter(lines)
        for row, job, is_repeat in group:
            if row.turn and not is_repeat:
                line = next(new_lines)
                job.set_result(line or ScoredLine.of(scorer.refuse(row.id, ENDED_TWICE)))
            yield row, job.result(), is_repeat


def _grouped(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Divide rows into groups for workers."""
    group: list[Entry] = []
    chars = 0
    for entry in entries:
        group.append(entry)
        if (turn := entry[0].turn) is not None:
            chars += len(turn.answer) + sum(len(page.text) for page in turn.pages)
        if len(group) == _GROUP_ROWS or chars >= _GROUP_CHARS:
            yield group
            group, chars = [], 0
    if group:
        yield group


_WORKER_SCORER: Final[list[Scorer]] = []
"""The scorer of a worker process."""


def _start(scorer: Scorer) -> None:
    _WORKER_SCORER.append(scorer)


def _score(turns: list[Turn]) -> list[ScoredLine]:
    return [ScoredLine.of(assessment) for assessment in _WORKER_SCORER[0].score_many(turns)]
