"""Numbers that stand beside klopt's score: of this log, and of other files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from klopt.batch.rows import read_mappings
from klopt.cli.fields import (
    ABSENT,
    BY_PEOPLE,
    Log,
    brief,
    is_missing,
    is_truth,
    listed,
    no_field,
    number,
    number_paths,
    tell_unread,
    value_at,
)
from klopt.cli.options import same_file, warn
from klopt.evaluation import NumberColumn
from klopt.records import field_of, row_id

_DECIMAL_COMMA: Final = re.compile(r"[+-]?[0-9]+,[0-9]+")
_SCORE: Final = "score"
_METRICS: Final = "metrics"

Rows = Mapping[str, tuple[int, Mapping[str, Any]]]
"""Id → number of the row and its fields."""


Sourced = tuple[NumberColumn, str]
"""A column, and the file that it came from."""


def told_apart(found: Sequence[Sourced]) -> tuple[NumberColumn, ...]:
    """The columns under names of their own: those that share one get the name of their file.

    Raises:
        click.UsageError: Two have one name and one file.
    """
    shown = [column.name for column, _ in found]
    for is_whole in (False, True):
        shown = [
            f"{column.name} ({source if is_whole else Path(source).name})"
            if shown.count(name) > 1
            else name
            for (column, source), name in zip(found, shown, strict=True)
        ]
    twice = next((name for name in shown if shown.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f'two columns are named "{brief(twice)}"; rename one in its file.')
    return tuple(
        NumberColumn(name, column.values) for (column, _), name in zip(found, shown, strict=True)
    )


def field_columns(
    log: Log, fields: Sequence[str], file: str, names: Mapping[str, str]
) -> list[Sourced]:
    """The columns of ``--column``, in order; says what in them is not a number.

    Raises:
        click.UsageError: A field is not there, holds no number, is given twice, or is what
            people said.
    """
    found = []
    for place, field in enumerate(fields):
        if not field:
            raise click.UsageError("--column: give the name of a field.")
        if field in fields[:place]:
            raise click.UsageError(f'--column: "{brief(field)}" is given twice.')
        if _is_by_people(log, field, names):
            raise click.UsageError(
                f'--column: "{brief(field)}" is what people said, which every column is held '
                "against; name another field."
            )
        numbered = [(row.number, value_at(row.fields, field)) for row in log.rows]
        if all(value is ABSENT for _, value in numbered):
            numbers = list(dict.fromkeys(number_paths(row.fields for row in log.rows)))
            raise no_field("--column", field, file, numbers, "fields with numbers")
        _refuse_without_numbers(f'--column: field "{brief(field)}" of {file}', numbered, field)
        found.append((_number_column(field, numbered, file), file))
    return found


def _is_by_people(log: Log, field: str, names: Mapping[str, str]) -> bool:
    """Whether the field is the one that is read as rating or label."""
    ours = field_of(field, names)
    if ours not in BY_PEOPLE or field not in log.fields:
        return False
    read = names.get(ours, ours)
    return read == field or read not in log.fields


def _refuse_without_numbers(where: str, numbered: Sequence[tuple[int, object]], field: str) -> None:
    """Stops at a field that says something in some row, but nowhere a number."""
    said = [(row, value) for row, value in numbered if not is_missing(value)]
    if not said or any(number(value) is not None for _, value in said):
        return
    row, first = said[0]
    if isinstance(first, Mapping):
        inside = list(dict.fromkeys(number_paths(value for _, value in said)))
        numbers = [f"{field}.{name}" for name in inside]
        hint = f"; name a number in one: {listed(numbers)}." if numbers else ", without numbers."
        raise click.UsageError(f"{where} holds objects{hint}")
    if isinstance(first, list):
        raise click.UsageError(f"{where} holds lists, not one number.")
    raise click.UsageError(
        f"{where} holds no number; the first value, in row {row}: {_quoted(first)}"
    )


def _number_column(name: str, numbered: Sequence[tuple[int, object]], file: str) -> NumberColumn:
    """A column of values with the rows they stand in; says which of them are not numbers."""
    values = tuple(number(value) for _, value in numbered)
    odd = [
        (row, value)
        for (row, value), read in zip(numbered, values, strict=True)
        if read is None and not is_missing(value)
    ]
    if odd:
        told = "1 value is not a number and counts as missing; in row"
        if len(odd) > 1:
            told = f"{len(odd)} values are not numbers and count as missing; the first, in row"
        row, first = odd[0]
        warn(f'{file}, column "{brief(name)}": {told} {row}: {_quoted(first)}')
    return NumberColumn(name, values)


def _quoted(value: object) -> str:
    """A value in a message, with a hint where a comma stands for the decimal point."""
    text = str(value)
    hint = " (a decimal comma: write a point)" if _DECIMAL_COMMA.fullmatch(text.strip()) else ""
    return f'"{brief(text)}"{hint}'


def joined(
    log: Log, others: Sequence[str], file: str, names: Mapping[str, str]
) -> tuple[list[Sourced], int]:
    """The columns of all files of ``--with``, in order; how many rows of them were not readable.

    Of a row of ``klopt judge`` its ``score`` becomes a column by the name of its solver, and
    each of its ``metrics`` one; of any other row every number does, unless it is a field that
    klopt itself reads. Where the ids do not match is said on standard error.

    Raises:
        InputError: A file is not there, or no row of it could be read.
        click.UsageError: A file cannot be joined, has no numbers, or is given twice.
    """
    for place, other in enumerate(others):
        if _is_same(other, file):
            raise click.UsageError(
                f"--with: {other} is the input itself; --column FIELD names a number in it."
            )
        if any(_is_same(other, one) for one in others[:place]):
            raise click.UsageError(f"--with: {other} is given twice.")
    columns: list[Sourced] = []
    unread_count = 0
    for other in others:
        rows, unread = _read(other, names)
        _match(log, rows, other, file)
        columns += _columns(log, rows, other, names)
        unread_count += unread
    return columns, unread_count


def _is_same(first: str, second: str) -> bool:
    return first == second == "-" or same_file(Path(first), second)


def _read(other: str, names: Mapping[str, str]) -> tuple[Rows, int]:
    rows: dict[str, tuple[int, Mapping[str, Any]]] = {}
    unread = []
    for place, fields, warning in read_mappings(other, None):
        if warning:
            warn(f"{other}, row {place}: {warning}")
        if isinstance(fields, str):
            unread.append(fields)
            continue
        name = row_id(fields, names) or row_id(fields)
        if not name:
            raise click.UsageError(
                f"--with: row {place} of {other} has no id, by which the rows are joined."
            )
        if name in rows:
            raise click.UsageError(
                f'--with: id "{brief(name)}" stands in rows {rows[name][0]} and {place} of '
                f"{other}; an id may stand there once."
            )
        rows[name] = (place, fields)
    tell_unread(unread, other, f"rows of {other}", is_all=not rows)
    return rows, len(unread)


def _match(log: Log, rows: Rows, other: str, file: str) -> None:
    """Stops where rows cannot be joined; says how many find no other."""
    places: dict[str, int] = {}
    for row in log.rows:
        if row.id in places and row.id in rows:
            raise click.UsageError(
                f'--with: id "{brief(row.id)}" stands in rows {places[row.id]} and {row.number} '
                f"of {file}, so it is not known which of them {other} speaks of."
            )
        places[row.id] = row.number
    strangers = [name for name in rows if name not in places]
    if len(strangers) == len(rows):
        raise click.UsageError(
            f"--with: no id of {other} is in {file}; the first is "
            f'"{brief(strangers[0])}", there it is "{brief(log.rows[0].id)}".'
        )
    if strangers:
        warn(
            f"{other}: {_have(strangers, rows)} an id that {file} does not have; "
            f'the first: "{brief(strangers[0])}"'
        )
    alone = [row.id for row in log.rows if row.id not in rows]
    if alone:
        warn(
            f"{file}: {_have(alone, log.rows)} an id that {other} does not have, "
            f'and no number from it; the first: "{brief(alone[0])}"'
        )


def _have(some: Sequence[str], every: Mapping[str, object] | Sequence[object]) -> str:
    return f"{len(some)} of {len(every)} rows {'has' if len(some) == 1 else 'have'}"


def _columns(log: Log, rows: Rows, other: str, names: Mapping[str, str]) -> list[Sourced]:
    found = []
    for path, name in _paths(rows, names).items():
        values = [(place, value_at(fields, path)) for place, fields in rows.values()]
        if _is_number_field(path, [value for _, value in values]):
            column = _number_column(name, values, other)
            by_id = dict(zip(rows, column.values, strict=True))
            own = tuple(by_id.get(row.id) for row in log.rows)
            found.append((NumberColumn(name, own), other))
    if not found:
        raise click.UsageError(
            f"--with: the rows of {other} have no numbers: no score, no metrics, and no number "
            "in any other field."
        )
    return found


def _paths(rows: Rows, names: Mapping[str, str]) -> dict[str, str]:
    """Where numbers may stand in the rows → what the column is called."""
    every = [fields for _, fields in rows.values()]
    top = dict.fromkeys(str(name) for fields in every for name in fields)
    found = {name: name for name in top if name and field_of(name, names) is None}
    if _SCORE in found:
        solvers = {str(fields["solver"]) for fields in every if fields.get("solver")}
        found[_SCORE] = solvers.pop() if len(solvers) == 1 else _SCORE
    metrics = [inner for fields in every if isinstance(inner := fields.get(_METRICS), Mapping)]
    for name in dict.fromkeys(str(name) for inner in metrics for name in inner):
        path = f"{_METRICS}.{name}"
        found[path] = path if name in found.values() or not name else name
    return found


def _is_number_field(path: str, values: Sequence[object]) -> bool:
    """Whether most of what a field says are numbers; what is only true and false is not.

    A score and a metric that have no value in any row are still a column, of nothing.
    """
    said = [value for value in values if not is_missing(value)]
    if not said:
        return path == _SCORE or path.startswith(f"{_METRICS}.")
    numbers = [value for value in said if number(value) is not None]
    return 2 * len(numbers) > len(said) and not all(map(is_truth, numbers))
