"""Read the rows of Parquet, Arrow and spreadsheets (.xlsx, .xls, .ods)."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from datetime import date, time, timedelta
from functools import reduce
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from zipfile import BadZipFile, ZipFile, is_zipfile

from klopt._internal.imports import needs
from klopt.errors import InputError
from klopt.logs.csv_rows import Header, header_place, refuse_duplicates
from klopt.logs.formats import PART_LIMIT_BYTES, Found, Names, arrow

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import FileMetaData

_REPAIRED: Final = "a byte is not UTF-8 and was read as U+FFFD"
_ARROW_FILE: Final = b"ARROW1"
_BATCH_ROWS: Final = 256


def read_parquet(path: Path, names: Names) -> Iterator[Found]:
    """Yield the rows of a Parquet file.

    Bytes, and times that Python cannot represent, are read as text. A row with an unreadable cell
    becomes an error; so does every row of a damaged row group.
    """
    arrow()
    from pyarrow import ArrowException, parquet

    number = end = 0
    try:
        known = parquet.read_metadata(path)
        with parquet.ParquetFile(
            path, metadata=known, read_dictionary=_text_columns(known)
        ) as file:
            refuse_duplicates(file.schema_arrow.names, str(path), names)
            for group in range(file.num_row_groups):
                part = known.row_group(group)
                end += part.num_rows
                try:
                    if (size := part.total_byte_size) > PART_LIMIT_BYTES:
                        limit = f"the limit is {PART_LIMIT_BYTES:,}; write smaller row groups"
                        raise OSError(f"it has {size:,} bytes unpacked; {limit}")
                    for batch in file.iter_batches(batch_size=_BATCH_ROWS, row_groups=[group]):
                        yield from _numbered(batch, number, str(path))
                        number += batch.num_rows
                except (ArrowException, OSError) as error:
                    why = " ".join(str(error).split())
                    while number < end:
                        number += 1
                        where = f"{path}, row {number}"
                        yield number, f"{where}: this row group cannot be read: {why}", None
    except (ArrowException, OSError) as error:
        raise InputError(f"{path}: not a Parquet file: {error}") from None


def _text_columns(known: FileMetaData) -> list[str]:
    """Return the text columns; read as dictionaries, a repeated text is stored once."""
    columns = map(known.schema.column, range(known.num_columns))
    binary = (column for column in columns if column.physical_type == "BYTE_ARRAY")
    return [own.path for own in binary if own.logical_type.type in ("STRING", "NONE")]


def read_arrow(data: BinaryIO, where: str, names: Names) -> Iterator[Found]:
    """Yield the rows of an Arrow file (Feather) or stream, as `read_parquet` does."""
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
            refuse_duplicates(batch.schema.names, where, names)
            yield from _numbered(batch, number, where)
            number += batch.num_rows
    except (ArrowException, OSError) as error:
        why = " ".join(str(error).split())
        hint = "" if data.seekable() else "; from a pipe or compressed, only a stream can be read"
        what = f"not Arrow, or damaged after row {number}{hint}"
        raise InputError(f"{where}: {what}: {why}") from None


def _numbered(batch: RecordBatch, before: int, where: str) -> Iterator[Found]:
    for index in range(batch.num_rows):
        number = before + index + 1
        fields, warning = fields_at(batch, index)
        problem = f"{where}, row {number}: {fields}"
        yield number, problem if isinstance(fields, str) else fields, warning


def fields_at(batch: RecordBatch, index: int) -> tuple[dict[str, Any] | str, str | None]:
    """Return the fields of a row, maps as objects, or an error message, and a warning."""
    from pyarrow import ArrowException

    row = batch.slice(index, 1)
    try:
        return _with_maps(row.to_pylist()[0]), None
    except (ArithmeticError, ArrowException, LookupError, ValueError):
        return _cell_by_cell(row)


def _with_maps(value: Any) -> Any:  # noqa: ANN401 - what was given
    """Convert maps of texts, given as lists of pairs, to dictionaries, and bytes to text."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {name: _with_maps(own) for name, own in value.items()}
    if isinstance(value, list):
        is_map = bool(value) and isinstance(value[0], tuple) and isinstance(value[0][0], str)
        return _with_maps(dict(value)) if is_map else [_with_maps(item) for item in value]
    return value


def _cell_by_cell(batch: RecordBatch) -> tuple[dict[str, Any] | str, str | None]:
    """Return the fields of a row with a cell that Python cannot represent, and a warning."""
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
            warning = warning if is_time else _REPAIRED
    return fields, warning


WORKBOOK_LIMIT_BYTES: Final = 200_000_000  # Size of a workbook, unpacked
CELL_LIMIT: Final = 10_000_000  # of a sheet, empty ones included: calamine stores them all
_SHEET: Final = re.compile(r"xl/worksheets/[^/]+\.xml|content\.xml", re.IGNORECASE)
_XLSX: Final = re.compile(
    rb"""<(?:\w+:)?(row|c)(?=[\s/>])|\sr\s*=\s*["']([A-Za-z]{0,3})([0-9]{1,7})["']"""
)  # The start of a row or a cell, or the place that it states
_ODS_ROW: Final = b"<table:table-row"
_ODS_CELL: Final = b"<table:table-cell"
_ODS_REPEATED: Final = re.compile(rb"""number-(?:rows|columns)-repeated\s*=\s*["']([0-9]{1,9})""")
_DAMAGE: Final = (
    BadZipFile, EOFError, LookupError, OSError, RuntimeError, ValueError, zlib.error
)  # fmt: skip
_HEAD_ROWS: Final = 20  # Rows among which klopt looks for the column names
_UNSAVED_FORMULA: Final = re.compile(rb"</f>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>|<f[^>]*/>\s*</c>")
_UNSAVED: Final = (
    "the workbook has formulas without a saved value, which count as empty; open it in a "
    "spreadsheet program and save it"
)
_SAVE_AS_CSV: Final = "save the sheet as CSV, which may be of any size"


def require_excel() -> None:
    """Check that the libraries for spreadsheets are installed."""
    with needs("excel", "spreadsheets need python-calamine and XlsxWriter"):
        import python_calamine  # noqa: F401
        import xlsxwriter  # noqa: F401


def read_excel(path: Path, names: Names) -> Iterator[Found]:
    """Yield the rows of the first sheet of a workbook, by row number; empty rows are left out.

    Titles above the column names are skipped. Formulas count as the value that was saved with them;
    numbers and times become text, as in CSV. Raises InputError for a file that is no workbook,
    damaged, protected by a password, or too large.
    """
    rows = _rows(path)
    head = list(islice(rows, _HEAD_ROWS))
    place = header_place([cells for _, cells in head], names)
    if not head:
        return
    _, names_row = head[place]
    columns = [column for column, text in enumerate(names_row) if text]
    header = Header([names_row[column] for column in columns], str(path), names)
    warning = _UNSAVED if _has_unsaved_formulas(path) else None
    for number, cells in chain(head[place + 1 :], rows):
        yield number, header.fields([cells[column] for column in columns]), warning
        warning = None


def _has_unsaved_formulas(path: Path) -> bool:
    """Whether a sheet has formulas without a value, as programs write that do not calculate."""
    if not is_zipfile(path):
        return False
    with ZipFile(path) as archive:
        sheets = (part for part in archive.infolist() if _SHEET.fullmatch(part.filename))
        return any(_UNSAVED_FORMULA.search(archive.read(part)) for part in sheets)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    require_excel()
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        _check_size(path)
        with CalamineWorkbook.from_path(path) as book:
            if not book.sheet_names:
                raise ValueError("it has no sheets")
            sheet = book.get_sheet_by_index(0)
            for number, row in enumerate(sheet.iter_rows(), (sheet.start or (0, 0))[0] + 1):
                if any(cells := [_text(value) for value in row]):
                    yield number, cells
    except InputError:
        raise
    except BaseException as error:
        is_panic = type(error).__name__ == "PanicException"  # of Rust; it is no Exception
        if not (is_panic or isinstance(error, (*_DAMAGE, CalamineError))):
            raise
        why = " ".join(str(error).split()) or type(error).__name__
        what = f"not a workbook (.xlsx, .xls or .ods), or damaged: {why}"
        raise InputError(f"{path}: {what}") from None


def _check_size(path: Path) -> None:
    """Refuse a workbook that takes too much memory, before calamine reads it."""
    size = path.stat().st_size
    if is_zipfile(path):
        with ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
            for part in archive.infolist() if size <= WORKBOOK_LIMIT_BYTES else ():
                data = archive.read(part)  # verifies the stated size
                if _SHEET.fullmatch(part.filename) and _cell_count(data) > CELL_LIMIT:
                    what = f"a sheet spans more than {CELL_LIMIT:,} cells, counting empty ones"
                    raise InputError(f"{path}: {what}; {_SAVE_AS_CSV}")
            if size > WORKBOOK_LIMIT_BYTES:
                what = f"more than {WORKBOOK_LIMIT_BYTES:,} bytes, unpacked"
                raise InputError(f"{path}: {what}; {_SAVE_AS_CSV}")


def _cell_count(sheet: bytes) -> int:
    """Return an upper bound on the cells of a sheet of .xlsx or .ods, from its XML."""
    row = column = height = width = 0
    for tag, letters, digits in (found.groups() for found in _XLSX.finditer(sheet)):
        match tag:
            case b"row":
                row, column = row + 1, 0
            case b"c":
                column += 1
            case _:
                row = int(digits)
                place = reduce(lambda at, code: 26 * at + code - 64, letters.upper(), 0)
                column = place or column  # A is 1, AA is 27
        height, width = max(height, row), max(width, column)
    ods_height, ods_width = 0, 0
    for part in sheet.split(_ODS_ROW)[1:]:
        attributes, _, cells = part.partition(b">")
        if b"<text:p" in cells or b"office:value" in cells:
            repeated = _ODS_REPEATED.search(attributes)
            ods_height += int(repeated[1]) if repeated else 1
            columns = sum(int(found[1]) for found in _ODS_REPEATED.finditer(cells))
            ods_width = max(ods_width, columns + cells.count(_ODS_CELL))
    return max(height * width, ods_height * ods_width)


def _text(value: object) -> str:
    """Return a cell as the text that CSV would hold.

    >>> from datetime import datetime
    >>> _text(7.0), _text(4.5), _text(True), _text(datetime(2026, 3, 1, 9, 30))
    ('7', '4.5', 'true', '2026-03-01T09:30:00')
    """
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else repr(value)
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value.total_seconds())
    return str(value)
