"""``klopt evaluate --column``: numbers in the rows of the log that stand beside klopt's score."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from klopt.cli.judged_rows import JUDGEMENTS, Log, brief, listed
from klopt.cli.options import warn
from klopt.cli.row_numbers import ABSENT, is_missing, number, number_paths, value_at
from klopt.evaluation import NumberColumn
from klopt.records import field_of

_DECIMAL_COMMA: Final = re.compile(r"[+-]?[0-9]+,[0-9]+")
_SEVERAL: Final = "may be given several times"

COLUMN = click.option(
    "--column",
    "fields",
    multiple=True,
    metavar="FIELD",
    help="A number in each row to stand beside klopt's score, such as bleu or meta.bleu; "
    f"{_SEVERAL}.",
)
WITH = click.option(
    "--with",
    "others",
    multiple=True,
    metavar="FILE",
    help=f"Scores from `klopt judge` or another tool, joined to the rows by id; {_SEVERAL}.",
)


@dataclass(frozen=True, slots=True)
class Sourced:
    """A column, and the file that it came from."""

    column: NumberColumn
    source: str


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
        if _is_judgement(log, field, names):
            raise click.UsageError(
                f'--column: "{brief(field)}" is what people said, which every column is held '
                "against; name another field."
            )
        values = [value_at(row.fields, field) for row in log.rows]
        if all(value is ABSENT for value in values):
            raise click.UsageError(_no_field(log, field, file))
        numbered = [(row.number, value) for row, value in zip(log.rows, values, strict=True)]
        refuse_without_numbers(f'--column: field "{brief(field)}" of {file}', numbered, field)
        found.append(Sourced(number_column(field, numbered, file), file))
    return found


def told_apart(found: Sequence[Sourced]) -> tuple[NumberColumn, ...]:
    """The columns under names of their own: those that share one get the name of their file.

    Raises:
        click.UsageError: Two have one name and one file.
    """
    shown = [one.column.name for one in found]
    named_by: tuple[Callable[[str], str], ...] = (lambda source: Path(source).name, str)
    for write in named_by:
        shown = [
            f"{one.column.name} ({write(one.source)})" if shown.count(name) > 1 else name
            for one, name in zip(found, shown, strict=True)
        ]
    twice = next((name for name in shown if shown.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f'two columns are named "{brief(twice)}"; rename one in its file.')
    return tuple(
        NumberColumn(name, one.column.values) for one, name in zip(found, shown, strict=True)
    )


def number_column(name: str, numbered: Iterable[tuple[int, object]], file: str) -> NumberColumn:
    """A column of values with the rows they stand in; says which of them are not numbers."""
    values, odd = [], []
    for row, value in numbered:
        values.append(number(value))
        if values[-1] is None and not is_missing(value):
            odd.append((row, value))
    if odd:
        many = f"{len(odd)} values are not numbers" if len(odd) > 1 else "1 value is not a number"
        counts = "count" if len(odd) > 1 else "counts"
        row, first = odd[0]
        which = "the first, in row" if len(odd) > 1 else "in row"
        warn(
            f'{file}, column "{brief(name)}": {many} and {counts} as missing; {which} {row}: '
            f"{_quoted(first)}"
        )
    return NumberColumn(name, tuple(values))


def refuse_without_numbers(where: str, numbered: Sequence[tuple[int, object]], field: str) -> None:
    """Stops at a field that says something in some row, but nowhere a number.

    Raises:
        click.UsageError: With the first value, or with the numbers inside when it is an object.
    """
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


def _quoted(value: object) -> str:
    """A value in a message, with a hint where a comma stands for the decimal point."""
    text = str(value)
    hint = " (a decimal comma: write a point)" if _DECIMAL_COMMA.fullmatch(text.strip()) else ""
    return f'"{brief(text)}"{hint}'


def _is_judgement(log: Log, field: str, names: Mapping[str, str]) -> bool:
    """Whether the field is the one that is read as rating or label."""
    ours = field_of(field, names)
    if ours not in JUDGEMENTS or field not in log.fields:
        return False
    read = names.get(ours, ours)
    return read == field or read not in log.fields


def _no_field(log: Log, field: str, file: str) -> str:
    numbers = list(dict.fromkeys(number_paths(row.fields for row in log.rows)))
    close = difflib.get_close_matches(field, numbers, n=1)
    hint = f' Did you mean "{brief(close[0])}"?' if close else ""
    there = (
        f"The fields with numbers are {listed(numbers)}." if numbers else "No field has numbers."
    )
    return f'--column: no row of {file} has a field "{brief(field)}".{hint} {there}'
