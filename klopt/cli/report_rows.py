"""The rows of a report: scores beside their rows of the log and ratings by people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from klopt.cli.fields import MAX_WARNINGS
from klopt.cli.terminal import counted, tracked, warn
from klopt.errors import InputError, RecordError
from klopt.evaluation.rated import rating_of
from klopt.logs.csv_rows import unprotected
from klopt.logs.formats import ROW_LIMIT_CHARS, Found, kind_of, lines_of, unpacked
from klopt.logs.json_rows import read_lines
from klopt.logs.rows import read_mappings, read_rows, with_warnings
from klopt.logs.writing import cell
from klopt.report.log_figures import LogFigures
from klopt.report.scored import LogRow, ScoredRow
from klopt.report.wording import brief
from klopt.text.markup import without_html


def scored_rows(
    file: str, figures: LogFigures, problems: list[str]
) -> Iterator[tuple[int, ScoredRow, LogRow]]:
    """Yield the readable rows with their numbers; count the others and keep the first problems.

    A row of the log that `klopt score` could not read is one of the others.
    """
    for number, row, _ in tracked(_found(file), "Reading", file):
        try:
            if isinstance(row, str):
                raise RecordError(row)
            scored = row if isinstance(row, ScoredRow) else ScoredRow.from_mapping(row)
        except RecordError as error:
            count_unread(f"row {number}: {error}", figures, problems)
            continue
        if scored.reason_code == "row":
            count_unread(f"{scored.id}: {scored.reason}", figures, problems)
            continue
        yield number, scored, LogRow() if isinstance(row, ScoredRow) else _repeated(scored, row)


def _repeated(scored: ScoredRow, row: Mapping[str, object]) -> LogRow:
    """Return the question and the answer that CSV and Excel output repeats."""
    texts = [row.get(name) for name in ("question", "answer")]
    question, answer = (unprotected(text) if isinstance(text, str) else "" for text in texts)
    return LogRow(without_html(question), answer if scored.is_of(answer) else "")


def count_unread(problem: str, figures: LogFigures, problems: list[str]) -> None:
    """Count a row that cannot be read; keep the problem if it is one of the first."""
    figures.unread += 1
    if len(problems) < MAX_WARNINGS:
        problems.append(problem)


def _found(file: str) -> Iterator[Found | tuple[int, ScoredRow, None]]:
    """Yield the rows; lines of JSON are parsed directly where possible."""
    if kind_of(Path(file)) != "jsonl" or not Path(file).is_file():
        yield from read_mappings(file, None)
        return
    with unpacked(file) as data:
        for number, line in enumerate(lines_of(data, file), 1):
            row = ScoredRow.from_line(line) if len(line) <= ROW_LIMIT_CHARS else None
            yield from read_lines([line], file, number) if row is None else [(number, row, None)]


def joined(
    rows: Iterable[tuple[int, ScoredRow, LogRow]],
    logs: Sequence[str],
    names: Mapping[str, str],
    time: str | None,
    encoding: str | None,
) -> Iterator[tuple[ScoredRow, LogRow]]:
    """Yield each row with its row of the log, which is in the same order and may have more.

    The rows match if they have the same id and the same answer, since ids may occur twice.
    """
    if not logs:
        yield from ((row, repeated) for _, row, repeated in rows)
        return
    files = [(log, log if len(logs) > 1 else "") for log in logs]
    read = partial(read_rows, names=names, with_contexts=False, encoding=encoding, warn=warn)
    logged = (row for log, shown in files for row in read(log, file=shown))
    for number, row, _ in rows:
        problem = "is not in the log, or in another order; give the log that was scored"
        for own in logged:
            if row.id not in (own.id, cell(own.id)):
                continue
            if own.turn is not None and row.is_of(own.turn.answer):
                yield row, LogRow.of(own.turn, own.fields, time)
                break
            problem = "has another answer in the log; give the log that was scored, and its --map"
        else:
            raise InputError(
                f'{", ".join(logs)}: row {number} of the scores, "{row.id}", {problem}'
            )


class RatingsOfRows:
    """Ratings by people, matched by id and answer; in order where an id has several."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._by_id = defaultdict[str, list[tuple[str, float | None]]](list)
        self._without: list[str] = []
        rows = read_rows(file, with_contexts=False, needed=())
        for row in with_warnings(rows, lambda text: warn(f"{file}: {text}")):
            if row.turn is not None:
                self._by_id[row.id].append((row.turn.answer, rating_of(row.turn)))

    def take(self, row: ScoredRow, logged: LogRow) -> float | None:
        """Return the rating of an answer; one without an answer is for the first with its id."""
        if (own := self._by_id.get(row.id)) is None:
            return None
        own_words = logged.answer.split()
        fitting = [
            place
            for place, (answer, _) in enumerate(own)
            if not answer or (answer.split() == own_words if own_words else row.is_of(answer))
        ]
        if not fitting:
            self._without.append(row.id)
            return None
        place = next((place for place in fitting if own[place][0]), fitting[0])
        answer, rating = own[place]
        if len(own) > 1 or not answer:  # else also for the same answer again
            del own[place]
        return rating

    def give_warning(self) -> None:
        """Warn about answers with the id of a rating that is of another answer."""
        if count := len(self._without):
            answers = counted(count, "answer")
            warn(
                f"{self._file}: {answers} without a rating, since the rating of the same id is of "
                f'another answer; the first: "{brief(self._without[0])}"'
            )
