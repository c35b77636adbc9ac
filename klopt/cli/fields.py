"""Fields of a log: those that options name, numbers in them, and what people said."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import click

from klopt.batch.rows import Row
from klopt.cli.options import warn
from klopt.errors import InputError
from klopt.evaluation import Column
from klopt.evaluation.rated import is_rated
from klopt.records import Turn, field_of

BY_PEOPLE: Final = ("rating", "label")

_MOST_GROUPS: Final = 50
_MOST_TOLD: Final = 5
_MOST_NAMED: Final = 15
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TRUTH: Final = {"false": 0.0, "true": 1.0}
_DEEPEST: Final = 4


ABSENT: Final = object()
"""What `value_at` gives where there is no such field."""


def value_at(row: Mapping[str, Any], path: str) -> object:
    """What a row holds under a name, or under names inside objects with dots between them.

    >>> value_at({"meta": {"bleu": 0.4}, "a.b": 1}, "meta.bleu")
    0.4
    """
    if path in row:
        return row[path]
    for dot in (match.start() for match in re.finditer(r"\.", path)):
        inner = row.get(path[:dot])
        if isinstance(inner, Mapping):
            found = value_at(inner, path[dot + 1 :])
            if found is not ABSENT:
                return found
    return ABSENT


def number(value: object) -> float | None:
    """A value as a number; true is 1 and false 0, also as text. None where it is not one.

    >>> number("0.5"), number(True), number("0,5"), number(float("inf"))
    (0.5, 1.0, None, None)
    """
    if isinstance(value, str):
        text = value.strip()
        if text.casefold() in _TRUTH:
            return _TRUTH[text.casefold()]
        value = float(text) if _NUMBER.fullmatch(text) else None
    if not isinstance(value, int | float | Decimal):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def is_missing(value: object) -> bool:
    """Whether a value says that there is none: absent, null, empty, NaN."""
    if isinstance(value, str):
        return value.strip().casefold() in ("", "nan")
    return value is None or value is ABSENT or (isinstance(value, float) and math.isnan(value))


def is_truth(value: object) -> bool:
    """Whether a value is true or false, and no figure."""
    return str(value).strip().casefold() in _TRUTH


def number_paths(objects: Iterable[object], depth: int = 1) -> Iterator[str]:
    """The names of all numbers in the objects, those inside objects with dots."""
    for one in objects:
        for name, value in one.items() if isinstance(one, Mapping) else ():
            if number(value) is not None:
                yield str(name)
            elif isinstance(value, Mapping) and depth < _DEEPEST:
                yield from (f"{name}.{inner}" for inner in number_paths([value], depth + 1))


def no_field(
    option: str, field: str, file: str, fields: Sequence[str], kind: str = "fields"
) -> click.UsageError:
    """That no row has a field, and which fields there are."""
    close = difflib.get_close_matches(field, fields, n=1)
    hint = f' Did you mean "{brief(close[0])}"?' if close else ""
    where = "standard input" if file == "-" else file
    there = f"The {kind} are {listed(fields)}." if fields else "No field has numbers."
    return click.UsageError(
        f'{option}: no row of {where} has a field "{brief(field)}".{hint} {there}'
    )


def listed(fields: Sequence[str]) -> str:
    """Names in a message: the first of them, when there are many."""
    shown = ", ".join(map(brief, fields[:_MOST_NAMED]))
    return f"{shown} …" if len(fields) > _MOST_NAMED else shown


def brief(name: str, longest: int = 40) -> str:
    """A name or a value in a message, cut when it has more characters than ``longest``."""
    return name if len(name) <= longest else f"{name[:longest]}…"


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
    tell_unread(unread, file, "rows", is_all=not kept)
    log = Log(tuple(kept), tuple(unread))
    if not any(map(is_rated, log.turns)):
        raise click.UsageError(_not_rated(log, file, names))
    return log


def tell_unread(problems: Sequence[str], file: str, rows: str, *, is_all: bool) -> None:
    """Says which rows of a file could not be read.

    Raises:
        InputError: None could.
    """
    if is_all:
        first = f"; the first: {problems[0]}" if problems else ""
        raise InputError(f"{file}: no row could be read{first}")
    for problem in problems[:_MOST_TOLD]:
        warn(problem)
    if len(problems) > _MOST_TOLD:
        warn(f"{len(problems) - _MOST_TOLD} more {rows} could not be read")


def _not_rated(log: Log, file: str, names: Mapping[str, str]) -> str:
    """Where a rating or a label was looked for, and how to name the field."""
    read = [name for name in log.fields if field_of(name, names) in BY_PEOPLE]
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


def column(log: Log, field: str, option: str, file: str) -> Column:
    """One field of the file, as text, for each turn.

    Raises:
        click.UsageError: No row has the field, or it holds lists or objects.
    """
    if field not in log.fields:
        raise no_field(option, field, file, log.fields)
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
