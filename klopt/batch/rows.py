"""Rows of JSONL, CSV or Parquet, read and scored; one that cannot be read is kept, and says why."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from klopt.batch.tables import Found, read_csv, read_parquet
from klopt.errors import InputError, RecordError
from klopt.models.in_order import in_order
from klopt.reading.recent import Recent
from klopt.records import Pages, Turn, field_of, row_id
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer

FORMATS: Final = (".csv", ".jsonl", ".ndjson", ".parquet")
_IDS_SEEN: Final = 100_000


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the input: a turn, or why there is none.

    Attributes:
        number: Its line (JSONL) or row (CSV, Parquet), from 1.
        id: Its id; ``row-N`` when it has none.
        turn: The turn, or None.
        problem: What is wrong with the row, or None.
        warning: What was mended in it, or None.
        fields: The row as it was read, by the file's own names; empty when there is no turn.
    """

    number: int
    id: str
    turn: Turn | None
    problem: str | None = None
    warning: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)


def read_rows(
    source: str,
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    with_contexts: bool = True,
) -> Iterator[Row]:
    """The rows of a file, or of standard input (``-``, JSONL), one by one.

    Args:
        source: A path that ends in .jsonl, .ndjson, .csv or .parquet, or ``-``.
        pages: Pages that contexts may name.
        names: Our field name → the file's, where no alias fits.
        with_contexts: False leaves the contexts out.

    Raises:
        InputError: The file is not there or of another kind.
        ExtraMissingError: Parquet without pyarrow.
    """
    return rows_of(
        read_mappings(source, names), pages=pages, names=names, with_contexts=with_contexts
    )


def rows_of(
    mappings: Iterable[Found],
    *,
    pages: Pages | None = None,
    names: Mapping[str, str] | None = None,
    with_contexts: bool = True,
) -> Iterator[Row]:
    """The rows of mappings that were read already; else as `read_rows`."""
    told: set[str] = set()
    for number, found, warning in mappings:
        if isinstance(found, str):
            yield Row(number, f"row-{number}", None, found)
            continue
        name = row_id(found, names) or f"row-{number}"
        try:
            turn = Turn.from_mapping(
                {**found, "id": name},
                pages=pages,
                names={ours: theirs for ours, theirs in (names or {}).items() if ours != "id"},
                with_contexts=with_contexts,
            )
        except RecordError as error:
            yield Row(number, name, None, f"row {number}: {error}")
            continue
        hint = _missing(found, names)
        if hint and hint not in told:
            told.add(hint)
            warning = f"{warning}; {hint}" if warning else hint
        yield Row(number, name, turn, None, warning, found)


def score_rows(
    rows: Iterable[Row], scorer: Scorer, warn: Callable[[str], None]
) -> Iterator[tuple[Row, Assessment]]:
    """Scores rows in order, none lost: one with a problem has the status ``error``.

    ``warn`` takes a sentence about a row that was mended, or whose id stood before.
    """
    return assess_rows(told(rows, warn), scorer)


def assess_rows(rows: Iterable[Row], scorer: Scorer) -> Iterator[tuple[Row, Assessment]]:
    """As `score_rows`, without a word."""

    def scored(row: Row) -> tuple[Row, Assessment]:
        if row.turn is None:
            return row, scorer.refuse(row.id, row.problem or "")
        return row, next(scorer.score_many([row.turn]))

    return map(scored, rows) if scorer.at_once == 1 else in_order(scored, rows, scorer.at_once)


def told(rows: Iterable[Row], warn: Callable[[str], None]) -> Iterator[Row]:
    """The same rows; says which were mended, and which ids stood in one of the last rows too."""
    seen = Recent[str, int](_IDS_SEEN)
    for row in rows:
        if row.warning:
            warn(f"row {row.number}: {row.warning}")
        if (before := seen.get(row.id)) is None:
            seen.put(row.id, row.number)
        else:
            warn(f'row {row.number}: id "{row.id}" stood in row {before} too; both are kept')
        yield row


def _missing(row: Mapping[str, Any], names: Mapping[str, str] | None) -> str | None:
    """What to say of a row without question or answer that has fields by other names."""
    fields = {str(name): field_of(str(name), names) for name in row}
    missing = [name for name in ("question", "answer") if name not in fields.values()]
    others = [name[:40] for name, ours in fields.items() if ours is None][:12]
    if not missing or not others:
        return None
    return (
        f"no field is read as {' or '.join(missing)}; there are also {', '.join(others)}: "
        f"--map {missing[0]}={others[0]}?"
    )


def read_mappings(source: str, names: Mapping[str, str] | None) -> Iterator[Found]:
    """The rows of a file as they stand, with their number and what was mended in each.

    Args:
        source: As for `read_rows`.
        names: Our field name → the file's; a CSV that starts with no known name needs it.

    Yields:
        Number, fields, warning; in place of the fields a sentence when the row cannot be read.

    Raises:
        InputError: The file is not there or of another kind.
        ExtraMissingError: Parquet without pyarrow.
    """
    path = Path(source)
    if source != "-" and not path.is_file():
        raise InputError(f"{source}: there is no such file")
    ending = ".jsonl" if source == "-" else path.suffix.lower()
    try:
        match ending:
            case ".parquet":
                yield from read_parquet(path)
            case ".csv":
                yield from read_csv(path, names)
            case _ if source == "-":
                yield from read_lines(sys.stdin.buffer, "standard input")
            case ".jsonl" | ".ndjson":
                with path.open("rb") as file:
                    yield from read_lines(file, source)
            case other:
                raise InputError(f'{source}: "{other}" is not one of {", ".join(FORMATS)}')
    except OSError as error:
        where = "standard input" if source == "-" else source
        raise InputError(f"{where}: cannot be read: {error.strerror}") from None


def _decode(data: bytes) -> tuple[str, str | None]:
    """Text; what is not UTF-8 becomes U+FFFD and is told."""
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        warning = f"byte {error.start + 1} is not UTF-8; read as U+FFFD"
        return data.decode("utf-8-sig", "replace"), warning


def read_lines(lines: BinaryIO | Iterable[bytes], where: str, first: int = 1) -> Iterator[Found]:
    """Lines of JSON, as `read_mappings`.

    Args:
        lines: The lines; empty ones are passed over, and counted.
        where: What they are lines of, for messages.
        first: The number of the first.
    """
    for number, data in enumerate(lines, first):
        text, warning = _decode(data)
        if not text.strip():
            continue
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            yield number, f"{where}, line {number}: not JSON: {error}", None
            continue
        if not isinstance(found, dict):
            yield number, f"{where}, line {number}: not a JSON object but {text.strip()[:40]}", None
            continue
        yield number, found, warning
