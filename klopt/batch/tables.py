"""Rows of CSV, Parquet and Arrow as they stand; one that cannot be read costs no other."""

from __future__ import annotations

import csv
import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from klopt.batch.formats import PART_LIMIT_BYTES, ROW_LIMIT_CHARS, arrow, lines_of
from klopt.errors import InputError
from klopt.records import field_of

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import FileMetaData

Found = tuple[int, Mapping[str, Any] | str, str | None]
"""A row's number, its fields or why there are none, and what was mended in it."""

DELIMITERS: Final = (",", ";", "\t")
"""What may part the fields of a CSV file; the one that its first line has most often does."""

_ARROW_FILE: Final = b"ARROW1"
_BATCH_ROWS: Final = 256
_MENDED: Final = "a byte is not UTF-8; read as U+FFFD"
_OPEN: Final = "is a quote not closed, or one within a text not doubled?"


def read_csv(
    data: BinaryIO, where: str, names: Mapping[str, str] | None, first_number: int = 1
) -> Iterator[Found]:
    """The rows of a CSV file, numbered from a first.

    A row with a quote that is not closed ends with its line: the next line is a row again. Quotes
    within a text that are not doubled stay, as long as the row has as many fields as the header.
    """
    csv.field_size_limit(ROW_LIMIT_CHARS)
    file = TextIOWrapper(data, encoding="utf-8-sig", errors="surrogateescape", newline="")
    lines = lines_of(file, where)
    first = next(lines, "")
    rows = _csv_rows(_Lines(chain([first], lines)), max(DELIMITERS, key=first.count))
    first_row = next(rows, [])
    if isinstance(first_row, str):
        raise InputError(f"{where}, the first line: {first_row}")
    header = Header(first_row, where, names)
    for number, cells in enumerate(rows, first_number):
        if isinstance(cells, str):
            yield number, f"{where}, row {number}: {cells}", None
            continue
        if len(cells) > len(first_row):
            yield number, f"{where}, row {number}: more fields than the header has", None
            continue
        mended = [_mend(cell) for cell in cells]
        yield number, header.fields(mended), None if mended == cells else _MENDED
    file.detach()


def refuse_twice(columns: Iterable[str], where: str, names: Mapping[str, str] | None) -> None:
    """Stops at two columns of one name that is read."""
    for name, count in Counter(columns).items():
        if count > 1 and field_of(name, names) is not None:
            raise InputError(
                f'{where}: there are {count} columns "{name[:40]}"; rename all but one'
            )


class Header:
    """The names of the columns of a table of texts."""

    def __init__(self, columns: Sequence[str], where: str, names: Mapping[str, str] | None) -> None:
        refuse_twice(columns, where, names)
        self._columns = columns
        self._known = {name: field_of(name, names) for name in columns}

    def fields(self, cells: Sequence[str]) -> dict[str, Any]:
        """A row by name; a JSON list or object is read where a field holds one."""
        row: dict[str, Any] = dict.fromkeys(filter(None, self._columns))
        for name, value in zip(self._columns, cells, strict=False):
            if name:
                row[name] = _read(value) if self._known[name] in ("contexts", "meta") else value
        return row


class _Lines:
    """The lines of a file, of which those of the last row can be read again."""

    def __init__(self, file: Iterator[str]) -> None:
        self.file = file
        self.row: list[str] = []
        self.chars = 0
        self.again: deque[str] = deque()

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        self.row.append(self.again.popleft() if self.again else next(self.file))
        self.chars += len(self.row[-1])
        if self.chars > ROW_LIMIT_CHARS:
            raise csv.Error(f"a row of more than {ROW_LIMIT_CHARS:,} characters")
        return self.row[-1]

    def begin_row(self) -> None:
        """What comes now is another row."""
        self.row.clear()
        self.chars = 0


def _csv_rows(lines: _Lines, delimiter: str) -> Iterator[list[str] | str]:
    """Each row that is not blank: its fields, or what is wrong with it."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    field_count = 0
    while True:
        lines.begin_row()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            first, *rest = lines.row
            lines.again.extendleft(reversed(rest))
            sloppy = [] if rest or len(first) > ROW_LIMIT_CHARS else _sloppy(first, delimiter)
            if not sloppy or len(sloppy) != field_count:
                yield f"not CSV: {error}; {_OPEN}"
                continue
            row = sloppy
        if row:
            field_count = field_count or len(row)
            yield row


def _sloppy(line: str, delimiter: str) -> list[str]:
    """The fields of a line with quotes that are not doubled; none when one is not closed."""
    try:
        return [] if line.count('"') % 2 else next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return []


def _mend(value: str) -> str:
    """A cell in which bytes that are not UTF-8 became U+FFFD."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _read(value: str) -> object:
    """The JSON list or object of a cell, or its text."""
    if value[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            return json.loads(value)
    return value


def read_parquet(path: Path, names: Mapping[str, str] | None) -> Iterator[Found]:
    """The rows of a Parquet file.

    Bytes are text, and so is a time that Python does not have. A row with a cell that cannot be
    read otherwise says which it is; where a part of the file is damaged, every row of it says so.
    """
    arrow()
    from pyarrow import ArrowException, parquet

    number = end = 0
    try:
        known = parquet.read_metadata(path)
        with parquet.ParquetFile(path, metadata=known, read_dictionary=_texts_of(known)) as file:
            refuse_twice(file.schema_arrow.names, str(path), names)
            for group in range(file.num_row_groups):
                part = known.row_group(group)
                end += part.num_rows
                try:
                    if part.total_byte_size > PART_LIMIT_BYTES:
                        raise OSError(
                            f"it has {part.total_byte_size:,} bytes when unpacked, and "
                            f"{PART_LIMIT_BYTES:,} are read; write smaller row groups"
                        )
                    for batch in file.iter_batches(batch_size=_BATCH_ROWS, row_groups=[group]):
                        yield from _numbered(batch, number, str(path))
                        number += batch.num_rows
                except (ArrowException, OSError) as error:
                    told = " ".join(str(error).split())
                    while number < end:
                        number += 1
                        where = f"{path}, row {number}"
                        yield number, f"{where}: this part of the file cannot be read: {told}", None
    except (ArrowException, OSError) as error:
        raise InputError(f"{path}: not a Parquet file: {error}") from None


def _texts_of(known: FileMetaData) -> list[str]:
    """The columns of texts; read as they are packed, of a text that repeats there is one."""
    return [
        column.path
        for column in map(known.schema.column, range(known.num_columns))
        if column.physical_type == "BYTE_ARRAY" and column.logical_type.type in ("STRING", "NONE")
    ]


def read_arrow(data: BinaryIO, where: str, names: Mapping[str, str] | None) -> Iterator[Found]:
    """The rows of an Arrow file (Feather) or stream, as `read_parquet`."""
    ipc = arrow().ipc
    from pyarrow import ArrowException

    number = 0
    try:
        if data.seekable() and data.read(len(_ARROW_FILE)) == _ARROW_FILE:
            file = ipc.open_file(data)
            batches = (file.get_batch(number) for number in range(file.num_record_batches))
        else:
            if data.seekable():
                data.seek(0)
            batches = iter(ipc.open_stream(data))
        for batch in batches:
            refuse_twice(batch.schema.names, where, names)
            yield from _numbered(batch, number, where)
            number += batch.num_rows
    except (ArrowException, OSError) as error:
        told = " ".join(str(error).split())
        hint = "" if data.seekable() else "; of a pipe, and packed, only a stream can be read"
        what = f"not Arrow, or damaged after row {number}{hint}"
        raise InputError(f"{where}: {what}: {told}") from None


def _numbered(batch: RecordBatch, number: int, where: str) -> Iterator[Found]:
    for index in range(batch.num_rows):
        place = number + index + 1
        fields, warning = fields_at(batch, index)
        problem = isinstance(fields, str)
        yield place, f"{where}, row {place}: {fields}" if problem else fields, warning


def fields_at(batch: RecordBatch, index: int) -> tuple[dict[str, Any] | str, str | None]:
    """The fields of a row of a batch, or why there are none, and what was mended.

    A map, which Spark makes of a dictionary, is read as an object, and bytes as UTF-8.
    """
    from pyarrow import ArrowException

    row = batch.slice(index, 1)
    try:
        return _with_maps(row.to_pylist()[0]), None
    except (ArithmeticError, ArrowException, LookupError, ValueError):
        return _cell_by_cell(row)


def _with_maps(value: Any) -> Any:  # noqa: ANN401 - what was given
    """A value in which maps of texts, given as lists of pairs, are dictionaries, and bytes text."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {name: _with_maps(own) for name, own in value.items()}
    if isinstance(value, list):
        is_map = bool(value) and isinstance(value[0], tuple) and isinstance(value[0][0], str)
        return _with_maps(dict(value)) if is_map else [_with_maps(item) for item in value]
    return value


def _cell_by_cell(batch: RecordBatch) -> tuple[dict[str, Any] | str, str | None]:
    """A row in which a cell has no value in Python, with what was mended."""
    from pyarrow import ArrowException, types

    fields: dict[str, Any] = {}
    warning = None
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            fields[name] = _with_maps(column[0].as_py())
        except (ArithmeticError, ArrowException, LookupError, ValueError) as error:
            is_time = types.is_temporal(column.type)
            try:
                value = column.cast("string" if is_time else "binary")[0].as_py()
            except ArrowException:
                return f'column "{name[:40]}" cannot be read: {error}', None
            fields[name] = value if is_time else value.decode("utf-8", "replace")
            warning = warning if is_time else _MENDED
    return fields, warning
