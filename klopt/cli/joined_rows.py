"""``klopt evaluate --with``: the numbers of another file, joined to the log by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from klopt.batch.rows import read_mappings
from klopt.cli.columns import Sourced, number_column
from klopt.cli.judged_rows import MOST_TOLD, Log, brief
from klopt.cli.options import warn
from klopt.cli.row_numbers import is_missing, is_truth, number, value_at
from klopt.errors import InputError
from klopt.evaluation import NumberColumn
from klopt.records import field_of, row_id

_SCORE: Final = "score"
_METRICS: Final = "metrics"

Rows = Mapping[str, tuple[int, Mapping[str, Any]]]
"""Id → number of the row and its fields."""


@dataclass(frozen=True, slots=True)
class Joined:
    """What ``--with`` gave.

    Attributes:
        columns: One for each number, one value for each turn of the log.
        unread_count: Rows of the other files that could not be read.
    """

    columns: tuple[Sourced, ...]
    unread_count: int


def joined(log: Log, others: Sequence[str], file: str, names: Mapping[str, str]) -> Joined:
    """The columns of all files of ``--with``, in order.

    Of a row of ``klopt judge`` its ``score`` becomes a column by the name of its solver, and
    each of its ``metrics`` one; of any other row every number does, unless it is a field that
    klopt itself reads. Where the ids do not match is said on standard error.

    Raises:
        InputError: A file is not there, or no row of it could be read.
        click.UsageError: A file cannot be joined, has no numbers, or is given twice.
    """
    _check(others, file)
    columns: list[Sourced] = []
    unread_count = 0
    for other in others:
        rows, unread = _read(other, names)
        _match(log, rows, other, file)
        columns += _columns(log, rows, other, names)
        unread_count += unread
    return Joined(tuple(columns), unread_count)


def _check(others: Sequence[str], file: str) -> None:
    for place, other in enumerate(others):
        if _same(other, file):
            raise click.UsageError(
                f"--with: {other} is the input itself; --column FIELD names a number in it."
            )
        if any(_same(other, one) for one in others[:place]):
            raise click.UsageError(f"--with: {other} is given twice.")


def _same(first: str, second: str) -> bool:
    if "-" in (first, second):
        return first == second
    one, other = Path(first), Path(second)
    return one.exists() and other.exists() and one.samefile(other)


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
    if not rows:
        first = f"; the first: {unread[0]}" if unread else ""
        raise InputError(f"{other}: no row could be read{first}")
    for problem in unread[:MOST_TOLD]:
        warn(problem)
    if len(unread) > MOST_TOLD:
        warn(f"{len(unread) - MOST_TOLD} more rows of {other} could not be read")
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
            f"{other}: {_counted(len(strangers), len(rows))} an id that {file} does not have; "
            f'the first: "{brief(strangers[0])}"'
        )
    alone = [row.id for row in log.rows if row.id not in rows]
    if alone:
        warn(
            f"{file}: {_counted(len(alone), len(log.rows))} an id that {other} does not have, "
            f'and no number from it; the first: "{brief(alone[0])}"'
        )


def _counted(count: int, total: int) -> str:
    return f"{count} of {total} rows {'has' if count == 1 else 'have'}"


def _columns(log: Log, rows: Rows, other: str, names: Mapping[str, str]) -> list[Sourced]:
    found = []
    for path, name in _paths(rows, names).items():
        values = [(place, value_at(fields, path)) for place, fields in rows.values()]
        if _is_number_field(path, [value for _, value in values]):
            column = number_column(name, values, other)
            by_id = dict(zip(rows, column.values, strict=True))
            own = tuple(by_id.get(row.id) for row in log.rows)
            found.append(Sourced(NumberColumn(name, own), other))
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
        found[_SCORE] = _solver(every)
    inside = dict.fromkeys(
        str(name)
        for fields in every
        if isinstance(fields.get(_METRICS), Mapping)
        for name in fields[_METRICS]
    )
    for name in inside:
        path = f"{_METRICS}.{name}"
        found[path] = path if name in found.values() or not name else name
    return found


def _solver(every: Sequence[Mapping[str, Any]]) -> str:
    """The solver whose scores these are, when there is one and the same."""
    solvers = {str(fields["solver"]) for fields in every if fields.get("solver")}
    return solvers.pop() if len(solvers) == 1 else _SCORE


def _is_number_field(path: str, values: Sequence[object]) -> bool:
    """Whether most of what a field says are numbers; what is only true and false is not.

    A score and a metric that have no value in any row are still a column, of nothing.
    """
    said = [value for value in values if not is_missing(value)]
    if not said:
        return path == _SCORE or path.startswith(f"{_METRICS}.")
    numbers = [value for value in said if number(value) is not None]
    return 2 * len(numbers) > len(said) and not all(map(is_truth, numbers))
