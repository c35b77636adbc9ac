"""Score the rows of a log in order, repeated turns once, and count the outcomes."""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Final, TypeVar

from klopt._internal.cached import Recent
from klopt._internal.files import to_json
from klopt.errors import PatternTimeoutError, RecordError, TranslationError, UnknownLanguageError
from klopt.logs.rows import Row
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.types import Turn

R = TypeVar("R")

VERDICTS: Final = ("send", "review", "block", "unscored")
_TERMS: Final = "company_specific_terms"


@dataclass(frozen=True, slots=True)
class Counted:
    """What a summary counts of an assessment; ``untranslated`` says why a translation failed."""

    verdict: str
    status: str
    message_type: str | None
    reason_code: str | None
    reason: str | None
    untranslated: str | None
    lacks_terms: bool

    @classmethod
    def of(cls, scored: Assessment) -> Counted:
        """Extract what is counted from an assessment."""
        note, terms = scored.translation, scored.measurements.get(_TERMS)
        is_missing = scored.status == "scored_on_original" or scored.reason_code == "not_translated"
        return cls(
            *(
                scored.verdict,
                scored.status,
                scored.message_type,
                scored.reason_code,
                scored.reason,
            ),
            (note.reason_code or "") if note is not None and is_missing else None,
            terms is not None and terms.value is None,
        )

    @property
    def is_error(self) -> bool:
        """Whether the row is invalid, or klopt failed on it."""
        return self.status == "error" and self.reason_code != "not_translated"


@dataclass
class Tally:
    """Counts of rows by outcome.

    ``errors`` counts rows that could not be read, or on which klopt failed; ``repeated`` the scored
    rows that have the score of an earlier one; ``without_terms``: company terms could not be
    measured in some row.
    """

    verdicts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    message_types: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    untranslated: Counter[str] = field(default_factory=Counter)
    errors: int = 0
    on_original: int = 0
    repeated: int = 0
    without_terms: bool = False

    @classmethod
    def of(cls, saved: Mapping[str, Any]) -> Tally:
        """Restore a tally from ``vars`` of one; raise ValueError if fields or types differ."""
        own = cls()
        if {name: type(value) for name, value in saved.items()} != {
            name: dict if isinstance(value, Counter) else type(value)
            for name, value in vars(own).items()
        }:
            raise ValueError("its counts have other fields")
        for name, value in saved.items():
            setattr(own, name, Counter(value) if isinstance(value, dict) else value)
        return own

    def add(self, counted: Counted, *, is_repeat: bool = False) -> None:
        """Count one row."""
        self.verdicts[counted.verdict] += 1
        self.statuses[counted.status] += 1
        if counted.message_type is not None:
            self.message_types[counted.message_type] += 1
        if counted.verdict == "unscored":
            self.reasons[counted.reason_code or ""] += 1
        if counted.untranslated is not None:
            self.untranslated[counted.untranslated] += 1
        self.errors += counted.is_error
        self.on_original += counted.status == "scored_on_original"
        self.repeated += is_repeat and counted.verdict != "unscored"
        self.without_terms |= counted.lacks_terms

    def count(self, results: Iterable[tuple[R, Assessment]]) -> Iterator[tuple[R, Assessment]]:
        """Yield the same results, counting each."""
        for row, assessment in results:
            self.add(Counted.of(assessment))
            yield row, assessment

    @property
    def scored(self) -> int:
        """Answers with a score."""
        return self.verdicts.total() - self.verdicts["unscored"]

    @property
    def refused_untranslated(self) -> int:
        """Answers that were not scored because they were not translated."""
        return self.untranslated.total() - self.on_original

    def summary(self) -> str:
        """Return how many answers got which verdict, in one line."""
        total = self.verdicts.total()
        if not total:
            return "No rows."
        parts = [f"{self.verdicts[name]:,} {name}" for name in VERDICTS if self.verdicts[name]]
        line = f"{total:,} answer{'s' if total > 1 else ''}: {', '.join(parts)}."
        if self.repeated:
            is_one = self.repeated == 1
            line += f" {self.repeated:,} repeat{'s' if is_one else ''} an earlier answer and "
            line += f"{'was' if is_one else 'were'} not scored again."
        if self.errors:
            line += f" {self.errors:,} could not be read."
        if count := self.untranslated.total():
            why = ", ".join(f"{code} {own}" for code, own in sorted(self.untranslated.items()))
            line += f" {count:,} {'was' if count == 1 else 'were'} not translated ({why}): "
            scored = f"{self.on_original:,} scored on the original text"
            line += f"{scored}, {self.refused_untranslated:,} not scored."
        return line


ALONE: Final = 200  # rows that are scored before worker processes start

NO_TYPE: Final = {"message_type": None, "pattern": None, "span": None, "text": None}
"""The fields of a row that could not be classified, besides its id and the reason."""

_GROUP_ROWS: Final = 16
_GROUP_CHARS: Final = 500_000  # in total, or so many rows, go to a worker at a time
RECENT_TURNS: Final = 20_000
_RECENT_CHARS: Final = 20_000_000  # of results, and turns, remembered to recognise repeats


def assess(row: Row, scorer: Scorer, since_s: float | None = None) -> Assessment:
    """Score a row, or give the reason for none; ``since_s`` is when its time budget began."""
    if row.turn is None:
        return scorer.refuse(row.id, row.problem or "")
    waited_ms = 0.0 if since_s is None else (time.monotonic() - since_s) * 1000
    return next(scorer.score_many([row.turn], budget_ms=row.budget_ms, waited_ms=waited_ms))


def score_rows(rows: Iterable[Row], scorer: Scorer) -> Iterator[tuple[Row, Assessment]]:
    """Score rows in order as they arrive; several at once when the scorer waits for a model."""

    def scored(row: Row) -> tuple[Row, Assessment]:
        return row, assess(row, scorer)

    if scorer.at_once == 1:
        return map(scored, rows)
    from klopt.llm.calls import ordered_map

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


Job = Future[ScoredLine]  # The result of a turn, shared by all rows with that turn
Entry = tuple[Row, Job, bool]
Result = tuple[Row, ScoredLine, bool]  # A row, its result, and whether it repeats an earlier row


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

    A row that repeats a recent one gets its result. With second opinions or a translator, every row
    is scored in this process, as the first ``alone`` rows are.
    """
    if scorer.setup.adviser is not None or scorer.setup.translate is not None:
        for row, assessment in score_rows(rows, scorer):
            yield row, ScoredLine.of(assessment), False
        return
    recent: Recent[bytes, Job] = Recent(RECENT_TURNS, _RECENT_CHARS)

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


_WORKER_SCORER: Final[list[Scorer]] = []  # The scorer of a worker process


def _start(scorer: Scorer) -> None:
    _WORKER_SCORER.append(scorer)


def _score(turns: list[Turn]) -> list[ScoredLine]:
    return [ScoredLine.of(assessment) for assessment in _WORKER_SCORER[0].score_many(turns)]
