"""The rows that ``klopt judge`` checks, and when a run is given up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, get_args

from klopt.batch.checking import CheckedRow
from klopt.batch.rows import Row
from klopt.cli.fields import ABSENT, brief, no_field, value_at
from klopt.errors import LlmError, LlmReason
from klopt.records import field_of

MOST_FAILED: Final = 3
"""So many failed rows end a run in which nobody has replied yet."""

_CODES: Final[tuple[LlmReason, ...]] = get_args(LlmReason)


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

    ``named`` gives for each option the field that it names, or None.

    Raises:
        click.UsageError: With the fields that there are.
    """
    missing = {option: field for option, field in named.items() if field is not None}
    fields: dict[str, None] = {}
    for row in rows:
        fields.update(dict.fromkeys(map(str, row.fields)))
        for option, field in list(missing.items()):
            if value_at(row.fields, field) is not ABSENT:
                del missing[option]
        yield row
    if fields and missing:
        option, field = next(iter(missing.items()))
        raise no_field(option, field, file, list(fields))


def while_hopeful(
    rows: Iterable[CheckedRow], has_replied: Callable[[], bool], advice: str
) -> Iterator[CheckedRow]:
    """The same rows, while there is hope: a wrong key or address is wrong for every row.

    Raises:
        LlmError: `MOST_FAILED` rows failed before anybody replied, or everything that was asked
            was refused.
    """
    failed_count, only_refused = 0, True
    first: tuple[LlmReason, str] | None = None
    for row in rows:
        failed = [(code, text) for code in _CODES for other, text in row.failures if other == code]
        failed_count += bool(failed)
        first = first or next(iter(failed), None)
        only_refused = only_refused and not row.usage.calls
        only_refused = only_refused and all(code == "refused" for code, _ in failed)
        if first and failed_count >= MOST_FAILED and not has_replied():
            raise _stopped(*first, f"the first {MOST_FAILED} answers", advice)
        yield row
    if first and only_refused and not has_replied():
        raise _stopped(*first, "all answers", advice)


def _stopped(code: LlmReason, text: str, which: str, advice: str) -> LlmError:
    how = "were refused" if code == "refused" else "got no reply"
    return LlmError(code, f"{which} {how}, so the run stops here. {advice} The first: {text}")
