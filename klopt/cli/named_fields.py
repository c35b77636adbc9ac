"""Fields of a log that options name: a typing error in one is told, and costs no row."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import click

from klopt.batch.rows import Row
from klopt.cli.judged_rows import brief, listed
from klopt.cli.row_numbers import ABSENT, value_at
from klopt.records import field_of


def with_reference(rows: Iterable[Row], field: str | None) -> Iterator[Row]:
    """The rows, each with the reference answer of a field; None leaves them as they are.

    A row without the field has no reference, whatever its other fields are called.
    """
    for row in rows:
        if field is None or row.turn is None:
            yield row
            continue
        value = value_at(row.fields, field)
        if value is ABSENT or value is None or isinstance(value, str):
            text = value if isinstance(value, str) else None
            yield replace(row, turn=replace(row.turn, reference=text or None))
        else:
            problem = f"row {row.number}: {brief(field)} is not text but {brief(str(value))}"
            yield replace(row, turn=None, problem=problem)


def with_answer(rows: Iterable[Row], names: Mapping[str, str]) -> Iterator[Row]:
    """The rows; one that has no field for the answer is a row that cannot be read.

    An empty answer is an answer, and scores 0; one under an unknown name is none.
    """
    for row in rows:
        read = {field_of(str(name), names) for name in row.fields}
        if row.turn is None or not row.fields or "answer" in read:
            yield row
            continue
        others = [brief(str(name)) for name in row.fields if field_of(str(name), names) is None]
        hint = f": --map answer={others[0]}?" if others else ""
        problem = f"row {row.number}: no field is read as answer{hint}"
        yield replace(row, turn=None, problem=problem)


def expected(rows: Iterable[Row], file: str, named: Mapping[str, str | None]) -> Iterator[Row]:
    """The same rows; at their end, stops when no row has a field that an option names.

    Args:
        rows: Of a log that may be longer than memory.
        file: Where they come from.
        named: Option → the field that it names, or None.

    Raises:
        click.UsageError: With the fields that there are.
    """
    missing = {option: field for option, field in named.items() if field is not None}
    fields: dict[str, None] = {}
    for row in rows:
        fields.update(dict.fromkeys(map(str, row.fields)))
        missing = {
            option: field
            for option, field in missing.items()
            if value_at(row.fields, field) is ABSENT
        }
        yield row
    if not fields or not missing:
        return
    option, field = next(iter(missing.items()))
    raise click.UsageError(no_field(option, field, file, list(fields)))


def no_field(option: str, field: str, file: str, fields: Sequence[str]) -> str:
    """That no row has a field, and which fields there are."""
    close = difflib.get_close_matches(field, fields, n=1)
    hint = f' Did you mean "{brief(close[0])}"?' if close else ""
    where = "standard input" if file == "-" else file
    return (
        f'{option}: no row of {where} has a field "{brief(field)}".{hint} '
        f"The fields are {listed(fields)}."
    )
