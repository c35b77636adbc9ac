"""Fields of a rated log, and columns of numbers from it and from other files."""

from __future__ import annotations

import difflib
import math
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import click

from klopt.cli.options import same_file
from klopt.cli.terminal import warn
from klopt.errors import InputError
from klopt.evaluation.features import NumberColumn
from klopt.evaluation.rated import InputColumn, is_rated
from klopt.logs.rows import Row, Warnings, read_mappings
from klopt.report.wording import brief
from klopt.types import Turn, field_of, row_id

ABSENT: Final = object()  # Result of `value_at` for an unknown field

_MAX_GROUPS: Final = 50
MAX_WARNINGS: Final = 5  # Unreadable rows of which klopt shows the problem
_MAX_NAMES: Final = 15
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DECIMAL_COMMA: Final = re.compile(r"[+-]?[0-9]+,[0-9]+")
_MAX_DEPTH: Final = 4
_TRUTH: Final = {"false": 0.0, "true": 1.0}
_SCORE: Final = "score"
_METRICS: Final = "metrics"

Numbered = Sequence[tuple[int, object]]  # Values of one field with their row numbers


def value_at(row: Mapping[str, Any], path: str) -> object:
    """Return the value of a field, or of a dotted name inside objects.

    >>> value_at({"meta": {"bleu": 0.4}, "a.b": 1}, "meta.bleu")
    0.4
    """
    if path in row:
        return row[path]
    for dot in re.finditer(r"\.", path):
        inner = row.get(path[: dot.start()])
        if isinstance(inner, Mapping):
            value = value_at(inner, path[dot.end() :])
            if value is not ABSENT:
                return value
    return ABSENT


def number(value: object) -> float | None:
    """Return a number, or a text of one, as a float; true is 1, false is 0; None for any other.

    >>> number("0.5"), number(True), number("0,5"), number(float("inf"))
    (0.5, 1.0, None, None)
    """
    if isinstance(value, str):
        text = value.strip().casefold()
        value = _TRUTH.get(text, float(text) if _NUMBER.fullmatch(text) else None)
    try:
        read = float(value) if isinstance(value, int | float | Decimal) else math.nan
    except OverflowError:
        return None
    return read if math.isfinite(read) else None


def is_missing(value: object) -> bool:
    """Whether a value is absent, null, empty or NaN."""
    return value in (None, ABSENT) or str(value).strip().casefold() in ("", "nan")


def number_paths(objects: Iterable[object], depth: int = 1) -> Iterator[str]:
    """Yield the names of all numbers, dotted inside objects."""
    for item in objects:
        for name, value in item.items() if isinstance(item, Mapping) else ():
            if number(value) is not None:
                yield str(name)
            elif isinstance(value, Mapping) and depth < _MAX_DEPTH:
                yield from (f"{name}.{inner}" for inner in number_paths([value], depth + 1))


def no_field(
    option: str, field: str, file: str, fields: Sequence[str], kind: str = "fields"
) -> click.UsageError:
    """Return the error for an unknown field, with the nearest name and the known ones."""
    close = difflib.get_close_matches(field, fields, n=1)
    hint = f' Did you mean "{brief(close[0])}"?' if close else ""
    where = "standard input" if file == "-" else file
    there = f"The {kind} are {listed(fields)}." if fields else "No field has numbers."
    return click.UsageError(
        f'{option}: no row of {where} has a field "{brief(field)}".{hint} {there}'
    )


def listed(fields: Sequence[str]) -> str:
    """Return names for a message, the first of them if there are many."""
    shown = ", ".join(map(brief, fields[:_MAX_NAMES]))
    return f"{shown} …" if len(fields) > _MAX_NAMES else shown


class Readable:
    """Rows that are turns; at the end it warns about the others, or fails if there is none."""

    def __init__(self, rows: Iterable[Row], file: str) -> None:
        self._rows, self._file = rows, file
        self.count = 0
        self.problems: list[str] = []

    def __iter__(self) -> Iterator[Row]:
        warnings = Warnings(warn)
        for row in self._rows:
            for text in row.warnings:
                warnings.add(row.place, text)
            if row.turn is None:
                self.problems.append(row.problem or "")
            else:
                self.count += 1
                yield row
        warnings.give()
        tell_unread(self.problems, self._file, "rows", is_all=not self.count)


@dataclass(frozen=True, slots=True)
class Log:
    """A log in memory: the rows that are turns, and the number of other rows."""

    file: str
    rows: tuple[Row, ...]
    unread_count: int

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turn of each row."""
        return tuple(row.turn for row in self.rows if row.turn is not None)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields in the order of the file."""
        return tuple(dict.fromkeys(str(name) for row in self.rows for name in row.fields))


def read_log(rows: Iterable[Row], file: str, names: Mapping[str, str]) -> Log:
    """Read rows of which some are rated; warn about repaired and unreadable rows."""
    readable = Readable(rows, file)
    log = Log(file, tuple(readable), len(readable.problems))
    if any(map(is_rated, log.turns)):
        return log
    read = [name for name in log.fields if field_of(name, names) in ("rating", "label")]
    none = f"; {listed(read)} has none" if read else ""
    others = [name for name in log.fields if field_of(name, names) is None]
    there = f" There are also {listed(others)}." if others else ""
    raise click.UsageError(
        f"{log.file}: no row has a rating (1 to 5) or a label (0 or 1, false or true){none}, so "
        f"there is nothing to compare the scores with.{there} "
        f"--map {_rating_in(log, others)} names the field that has it."
    )


def _rating_in(log: Log, fields: Sequence[str]) -> str:
    """Return the mapping of the first field that has only labels or only ratings."""
    for field in fields:
        given = (row.fields.get(field) for row in log.rows)
        values = {number(str(own).replace(",", ".")) for own in given if not is_missing(own)}
        numbers = [value for value in values if value is not None]
        if numbers and len(numbers) == len(values):
            if values <= {0, 1}:
                return shlex.quote(f"label={field}")
            if min(numbers) >= 1 and max(numbers) <= 5:
                return shlex.quote(f"rating={field}")
    return "rating=FIELD"


def tell_unread(
    problems: Sequence[str], file: str, rows: str, *, is_all: bool, count: int = 0
) -> None:
    """Warn about unreadable rows, of which ``problems`` are the first; fail if all are."""
    count = count or len(problems)
    if is_all:
        if not problems:
            raise InputError(f"{file}: no answer of a bot was found")
        raise InputError(f"{file}: no row could be read; the first: {problems[0]}")
    for problem in problems[:MAX_WARNINGS]:
        warn(problem)
    if count > MAX_WARNINGS:
        warn(f"{count - MAX_WARNINGS} more {rows} could not be read")


def groups(log: Log, field: str) -> InputColumn:
    """Return the field of ``--by`` as text for each turn."""
    if field not in log.fields:
        raise no_field("--by", field, log.file, log.fields)
    values = [row.fields.get(field) for row in log.rows]
    if any(isinstance(value, list | Mapping) for value in values):
        raise click.UsageError(f'--by: field "{field}" holds lists or objects, not one value.')
    texts = tuple(None if value in (None, "") else str(value) for value in values)
    count = len(set(texts) - {None})
    if count > _MAX_GROUPS:
        raise click.UsageError(
            f'--by: field "{field}" has {count} different values; at most {_MAX_GROUPS} make '
            "groups that can be compared."
        )
    return InputColumn(field, texts)


def number_columns(
    log: Log, fields: Sequence[str], others: Sequence[str], names: Mapping[str, str]
) -> tuple[tuple[NumberColumn, ...], int]:
    """Return the columns of ``--column`` and ``--with``, and the number of unreadable rows.

    A file of ``klopt judge`` gives its ``score``, named after the solver, and its ``metrics``; any
    other file gives every number that is not a field of klopt. Columns with the same name get the
    path of their file.
    """
    sourced = [(_own_column(log, field), log.file) for field in fields]
    unread_count = 0
    for other in others:
        if other == log.file or same_file(Path(other), log.file):
            raise click.UsageError(
                f"--with: {other} is the input itself; --column FIELD names a number in it."
            )
        rows, unread = _by_id(other, names)
        sourced += [(joined, other) for joined in _joined(log, rows, other, names)]
        unread_count += unread
    counts = Counter(column.name for column, _ in sourced)
    columns = {
        f"{column.name} ({file})" if counts[column.name] > 1 else column.name: column.values
        for column, file in sourced
    }
    if len(columns) < len(sourced):
        (name, _), *_ = counts.most_common(1)
        raise click.UsageError(
            f'two columns are named "{brief(name)}"; give each once, or rename one in its file.'
        )
    return tuple(NumberColumn(*column) for column in columns.items()), unread_count


def _own_column(log: Log, field: str) -> NumberColumn:
    numbered = [(row.number, value_at(row.fields, field)) for row in log.rows]
    if all(value is ABSENT for _, value in numbered):
        numbers = list(dict.fromkeys(number_paths(row.fields for row in log.rows)))
        raise no_field("--column", field, log.file, numbers, "fields with numbers")
    given = [(place, value) for place, value in numbered if not is_missing(value)]
    if given and all(number(value) is None for _, value in given):
        place, first = given[0]
        inside = list(dict.fromkeys(f"{field}.{path}" for path in number_paths([first])))
        hint = f" (name a number in it: {listed(inside)})" if inside else ""
        raise click.UsageError(
            f'--column: field "{brief(field)}" of {log.file} holds no number; the first value, in '
            f"row {place}: {_quoted(first)}{hint}"
        )
    return _number_column(field, numbered, log.file)


def _number_column(name: str, numbered: Numbered, file: str) -> NumberColumn:
    """Return a column; warn about values that are not numbers."""
    values = tuple(number(value) for _, value in numbered)
    pairs = zip(numbered, values, strict=True)
    if odd := [own for own, read in pairs if read is None and not is_missing(own[1])]:
        what = "1 value is not a number and counts as missing; in row"
        if len(odd) > 1:
            what = f"{len(odd)} values are not numbers and count as missing; the first, in row"
        place, first = odd[0]
        warn(f'{file}, column "{brief(name)}": {what} {place}: {_quoted(first)}')
    return NumberColumn(name, values)


def _quoted(value: object) -> str:
    text = str(value)
    hint = " (a decimal comma: write a point)" if _DECIMAL_COMMA.fullmatch(text.strip()) else ""
    return f'"{brief(text)}"{hint}'


def _by_id(other: str, names: Mapping[str, str]) -> tuple[dict[str, Row], int]:
    """Return the rows of a ``--with`` file by id, and the number of unreadable rows."""
    rows: dict[str, Row] = {}
    unread = []
    for place, fields, warning in read_mappings(other, None):
        if warning:
            warn(f"{other}, row {place}: {warning}")
        if isinstance(fields, str):
            unread.append(fields)
            continue
        name = row_id(fields, names) or row_id(fields)
        if not name:
            raise click.UsageError(f"--with: row {place} of {other} has no id to join it by.")
        if name in rows:
            raise click.UsageError(
                f"--with: rows {rows[name].number} and {place} of {other} have the same id "
                f'"{brief(name)}".'
            )
        rows[name] = Row(place, name, None, fields=fields)
    tell_unread(unread, other, f"rows of {other}", is_all=not rows)
    return rows, len(unread)


def _joined(
    log: Log, rows: Mapping[str, Row], other: str, names: Mapping[str, str]
) -> Iterator[NumberColumn]:
    """Yield the columns of another file; warn about ids in only one of the files."""
    own = dict.fromkeys(row.id for row in log.rows)
    if own.keys().isdisjoint(rows):
        raise click.UsageError(
            f"--with: no id of {other} is in {log.file}; the first is "
            f'"{brief(next(iter(rows)))}", there it is "{brief(next(iter(own)))}".'
        )
    for file, beside, ids, known in ((other, log.file, rows, own), (log.file, other, own, rows)):
        if alone := [name for name in ids if name not in known]:
            warn(
                f"{file}: {len(alone)} of {len(ids)} ids are not in {beside}; the first: "
                f'"{brief(alone[0])}"'
            )
    columns = []
    for path, name in _paths([row.fields for row in rows.values()], names).items():
        numbered = [(row.number, value_at(row.fields, path)) for row in rows.values()]
        if any(not isinstance(one, bool) and number(one) is not None for _, one in numbered):
            columns.append(_number_column(name, numbered, other))
    if not columns:
        raise click.UsageError(
            f"--with: the rows of {other} have no numbers: no score, no metrics, and no number "
            "in any other field."
        )
    for column in columns:
        values = dict(zip(rows, column.values, strict=True))
        yield NumberColumn(column.name, tuple(values.get(row.id) for row in log.rows))


def _paths(every: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, str]:
    """Return path of a number → name of its column."""
    top = dict.fromkeys(str(name) for fields in every for name in fields)
    paths = {name: name for name in top if name and field_of(name, names) is None}
    solvers = {str(fields["solver"]) for fields in every if fields.get("solver")}
    if _SCORE in paths and len(solvers) == 1:
        paths[_SCORE] = solvers.pop()
    metrics = [inner for fields in every if isinstance(inner := fields.get(_METRICS), Mapping)]
    for name in dict.fromkeys(str(name) for inner in metrics for name in inner):
        path = f"{_METRICS}.{name}"
        paths[path] = path if name in paths.values() or not name else name
    return paths
