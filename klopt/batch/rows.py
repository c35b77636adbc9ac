"""Rows of JSONL, CSV or Parquet; a row that cannot be read is kept, with the reason."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from klopt.errors import ExtraMissingError, InputError, RecordError
from klopt.records import Pages, Turn

FORMATS: Final = (".csv", ".jsonl", ".ndjson", ".parquet")
CSV_FIELD_LIMIT_CHARS: Final = 10_000_000
_BATCH_ROWS: Final = 256


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the input: a turn, or why there is none.

    Attributes:
        number: Its line (JSONL) or row (CSV, Parquet), from 1.
        id: Its id; ``row-N`` when it has none.
        turn: The turn, or None.
        problem: What is wrong with the row, or None.
        warning: What was mended in it, or None.
    """

    number: int
    id: str
    turn: Turn | None
    problem: str | None = None
    warning: str | None = None


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
    mappings = _mappings(source)
    for number, found, warning in mappings:
        if isinstance(found, str):
            yield Row(number, f"row-{number}", None, found)
            continue
        row_id = _id(found, number)
        try:
            turn = Turn.from_mapping(
                {**found, "id": row_id}, pages=pages, names=names, with_contexts=with_contexts
            )
        except RecordError as error:
            yield Row(number, row_id, None, f"row {number}: {error}")
            continue
        yield Row(number, turn.id or row_id, turn, None, warning)


def _id(row: Mapping[str, Any], number: int) -> str:
    value = row.get("id")
    return str(value) if isinstance(value, str | int) and str(value) else f"row-{number}"


Found = tuple[int, Mapping[str, Any] | str, str | None]


def _mappings(source: str) -> Iterator[Found]:
    if source == "-":
        yield from _jsonl(sys.stdin.buffer, "standard input")
        return
    path = Path(source)
    if not path.is_file():
        raise InputError(f"{source}: there is no such file")
    match path.suffix.lower():
        case ".parquet":
            yield from _parquet(path)
        case ".csv":
            yield from _csv(path)
        case ".jsonl" | ".ndjson":
            with ExitStack() as stack:
                yield from _jsonl(stack.enter_context(path.open("rb")), source)
        case other:
            raise InputError(f'{source}: "{other}" is not one of {", ".join(FORMATS)}')


def _decode(data: bytes) -> tuple[str, str | None]:
    """Text; what is not UTF-8 becomes U+FFFD and is told."""
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        warning = f"byte {error.start + 1} is not UTF-8; read as U+FFFD"
        return data.decode("utf-8-sig", "replace"), warning


def _jsonl(lines: BinaryIO | Iterable[bytes], where: str) -> Iterator[Found]:
    for number, data in enumerate(lines, 1):
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


def _csv(path: Path) -> Iterator[Found]:
    csv.field_size_limit(CSV_FIELD_LIMIT_CHARS)
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        number = 0
        while True:
            number += 1
            try:
                found = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield number, f"{path}, row {number}: not CSV: {error}", None
                continue
            if None in found:
                yield number, f"{path}, row {number}: more fields than the header has", None
                continue
            yield number, {key: _cell(value) for key, value in found.items()}, None


def _cell(value: str | None) -> object:
    """A cell; a JSON list or object in it (contexts, meta) is read."""
    if value and value[0] in "[{":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _parquet(path: Path) -> Iterator[Found]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise ExtraMissingError(
            "Parquet needs pyarrow; install it with: pip install 'klopt[parquet]'"
        ) from None
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                for found in batch.to_pylist():
                    number += 1
                    yield number, found, None
    except (ArrowException, OSError) as error:
        raise InputError(f"{path}: not a Parquet file: {error}") from None
