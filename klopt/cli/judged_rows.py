"""A rated chat log for ``klopt evaluate``: its turns, and fields of it beside klopt's own."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import click

from klopt.batch.rows import Row
from klopt.cli.options import warn
from klopt.errors import InputError
from klopt.evaluation import Column
from klopt.evaluation.rated import is_rated
from klopt.records import Turn, field_of

_MOST_GROUPS: Final = 50
MOST_TOLD: Final = 5
_MOST_NAMED: Final = 15
_LONGEST_NAME_CHARS: Final = 40
JUDGEMENTS: Final = ("rating", "label")


@dataclass(frozen=True, slots=True)
class Log:
    """A chat log that was read whole.

    Attributes:
        rows: Those that are turns.
        unread: What is wrong with each of the others.
    """

    rows: tuple[Row, ...]
    unread: tuple[str, ...]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns, in order."""
        return tuple(row.turn for row in self.rows if row.turn is not None)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields, in the order in which they first stand."""
        return tuple(dict.fromkeys(str(name) for row in self.rows for name in row.fields))


def read_log(rows: Iterable[Row], file: str, names: Mapping[str, str]) -> Log:
    """Reads all rows; says on standard error what was mended and what could not be read.

    Raises:
        InputError: No row could be read.
        click.UsageError: No row has a rating or a label; with the fields that there are.
    """
    kept, unread = [], []
    for row in rows:
        if row.warning:
            warn(f"row {row.number}: {row.warning}")
        if row.turn is None:
            unread.append(row.problem or "")
        else:
            kept.append(row)
    log = Log(tuple(kept), tuple(unread))
    if not log.rows:
        first = f"; the first: {unread[0]}" if unread else ""
        raise InputError(f"{file}: no row could be read{first}")
    for problem in unread[:MOST_TOLD]:
        warn(problem)
    if len(unread) > MOST_TOLD:
        warn(f"{len(unread) - MOST_TOLD} more rows could not be read")
    if not any(map(is_rated, log.turns)):
        raise click.UsageError(_no_judgement(log, file, names))
    return log


def column(log: Log, field: str, option: str, file: str) -> Column:
    """One field of the file, as text, for each turn.

    Raises:
        click.UsageError: No row has the field, or it holds lists or objects.
    """
    if field not in log.fields:
        close = difflib.get_close_matches(field, log.fields, n=1)
        hint = f' Did you mean "{brief(close[0])}"?' if close else ""
        raise click.UsageError(
            f'{option}: no row of {file} has a field "{field}".{hint} '
            f"The fields are {listed(log.fields)}."
        )
    values = [row.fields.get(field) for row in log.rows]
    if any(isinstance(value, list | Mapping) for value in values):
        raise click.UsageError(f'{option}: field "{field}" holds lists or objects, not one value.')
    return Column(field, tuple(None if value in (None, "") else str(value) for value in values))


def groups(log: Log, field: str, file: str) -> Column:
    """The field of ``--by``.

    Raises:
        click.UsageError: It is not there, or nearly every row has its own value.
    """
    found = column(log, field, "--by", file)
    count = len({value for value in found.values if value is not None})
    if count > _MOST_GROUPS:
        raise click.UsageError(
            f'--by: field "{field}" has {count} different values; at most {_MOST_GROUPS} make '
            "groups that can be compared."
        )
    return found


def _no_judgement(log: Log, file: str, names: Mapping[str, str]) -> str:
    """Where a rating or a label was looked for, and how to name the field."""
    read = [name for name in log.fields if field_of(name, names) in JUDGEMENTS]
    if read:
        holds = "holds" if len(read) == 1 else "hold"
        return (
            f"{file}: {listed(read)} {holds} no rating (1 to 5) and no label (0 or 1, false or "
            "true) in any row, so there is nothing to compare the scores with."
        )
    others = [name for name in log.fields if field_of(name, names) is None]
    there = f" There are also {listed(others)}." if others else ""
    return (
        f"{file}: no field is read as rating (1 to 5) or label (0 or 1), so there is nothing to "
        f"compare the scores with.{there} "
        f"--map rating={brief(others[0]) if others else 'FIELD'} names one."
    )


def listed(fields: Sequence[str]) -> str:
    """Names in a message: the first of them, when there are many."""
    shown = ", ".join(map(brief, fields[:_MOST_NAMED]))
    return f"{shown} …" if len(fields) > _MOST_NAMED else shown


def brief(name: str) -> str:
    """A name or a value in a message, cut when it is long."""
    if len(name) <= _LONGEST_NAME_CHARS:
        return name
    return f"{name[:_LONGEST_NAME_CHARS]}…"
