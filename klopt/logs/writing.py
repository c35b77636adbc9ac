"""Write scored rows as JSON, CSV, Excel, Parquet or Arrow, compressed by the file's ending."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from klopt._internal.files import escaped, to_json
from klopt.errors import ConfigurationError, InputError
from klopt.logs.formats import arrow, kind_of, packing_of

TABLES: Final = ("csv", "excel")  # Formats that people open; they repeat question and answer
_FIRST: Final = (
    "id", "score", "verdict", "question", "answer", "explanation", "status", "reason", "language",
    "message_type",
)  # fmt: skip
"""The first columns of tables, which people read."""
_FOLDED: Final = {"level": 1, "hidden": True}
"""The other columns of .xlsx; a click on the + above them shows them."""
_WIDE: Final = {"question": 40, "answer": 60, "explanation": 60}  # Columns of .xlsx, in characters
_GROUP_ROWS: Final = 1_024  # Rows of a Parquet row group or an Arrow batch
_MAX_ROWS: Final = 1_048_576
_MAX_CELL_CHARS: Final = 32_767  # Limits of .xlsx
_CREATED: Final = datetime(2000, 1, 1)  # so that equal rows give equal files
_SIGNS: Final = r"(?=[=+\-@\uff1d\uff0b\uff0d\uff20])"
"""Characters that start a formula; the last four are the full-width forms of the first."""
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
"""A text that a spreadsheet reads as a number, such as the id -7, is not a formula."""
_FORMULA: Final = re.compile(rf"""\A(?:{_SIGNS}|(?=[\t\r\n]))|[;\t\r\n]"*{_SIGNS}""")
"""Where a spreadsheet could start a formula: at the start of a cell, and after a semicolon, which
separates cells in a Dutch spreadsheet."""


def kind_written(path: Path | None, stated: str | None) -> str:
    """Return the format of an output file: as stated, by its ending, or else JSON lines.

    ConfigurationError if klopt does not write it, or not compressed.

    >>> kind_written(Path("out.csv.gz"), None), kind_written(Path("out.txt"), None)
    ('csv', 'jsonl')
    """
    kind = stated or (kind_of(path) if path is not None else None)
    kind = None if kind == "text" else kind
    if kind == "excel" and path is not None and path.suffix.lower() in (".xls", ".ods"):
        raise ConfigurationError(f"{path}: this format is only read; write .xlsx or .csv")
    if kind in ("excel", "parquet") and path is not None and packing_of(path):
        what = f"{kind.title()} is already compressed"
        raise ConfigurationError(f"{path}: {what}; leave out {path.suffix}")
    if kind == "excel":
        from klopt.logs.tables import require_excel  # help needs no reader

        require_excel()
    if kind in ("arrow", "parquet") or (path is not None and packing_of(path) == ".zst"):
        arrow()
    return kind or "jsonl"


def write_as(kind: str, path: Path | None, lines: Iterable[bytes], sink: BinaryIO) -> None:
    """Convert JSON lines of ``klopt score`` to a format, compressed by the path's ending."""
    with _packed(sink, path or Path()) as file:
        match kind:
            case "csv":
                put_csv(*_table(map(json.loads, lines)), file)
            case "excel":
                put_excel(*_table(map(json.loads, lines)), file)
            case "json":
                put_list(lines, file)
            case "jsonl":
                file.writelines(lines)
            case _:
                is_packed = path is not None and packing_of(path) is not None
                _put_batches(map(json.loads, lines), file, kind, as_stream=is_packed)


@contextmanager
def _packed(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """Compress what is written, reproducibly, if the path's ending says so."""
    match packing_of(path):
        case ".gz":
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as sink:
                yield cast(BinaryIO, sink)
        case ".zst":
            with arrow().CompressedOutputStream(file, "zstd") as sink:
                yield sink
        case _:
            yield file


def _table(rows: Iterator[Mapping[str, Any]]) -> tuple[Sequence[str], Iterable[Mapping[str, Any]]]:
    """Return column names and rows; optional columns are there even if the first row lacks one."""
    if (first := next(rows, None)) is None:
        return (), ()
    from klopt.scoring.assessment import COLUMNS  # help and errors need no scorer

    columns = sorted(COLUMNS, key=lambda column: column.is_optional)
    names = dict.fromkeys((*_FIRST, *(column.name for column in columns)))
    return [*names], chain([first], rows)


def put_csv(names: Sequence[str], rows: Iterable[Mapping[str, Any]], sink: BinaryIO) -> None:
    """Write rows as CSV with a header, each value as `cell`; on a terminal also as `escaped`."""
    shown = escaped if sink.isatty() else str
    text = io.TextIOWrapper(sink, encoding="utf-8", errors="backslashreplace", newline="")
    table = csv.writer(text)
    for row in chain([names] if names else [], ([row.get(name) for name in names] for row in rows)):
        cells = map(cell, row)
        table.writerow([shown(own) if isinstance(own, str) else own for own in cells])
    text.detach()


def put_list(lines: Iterable[bytes], sink: BinaryIO) -> None:
    r"""Write JSON lines as one JSON list, a value per line.

    >>> put_list([b"1\n", b"2\n"], sink := io.BytesIO())
    >>> sink.getvalue()
    b'[\n1,\n2\n]\n'
    """
    before = b"["
    for line in lines:
        sink.write(before + b"\n" + line.rstrip(b"\n"))
        before = b","
    sink.write(b"[]\n" if before == b"[" else b"\n]\n")


def cell(value: object) -> object:
    """Return a value for CSV: lists and objects as JSON, formulas disarmed with a quote.

    >>> cell("=1+1"), cell("a;=1"), cell("-7"), cell([0, 4]), cell(None)
    ("'=1+1", "a;'=1", '-7', '[0, 4]', None)
    """
    value = plain_cell(value)
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    return _FORMULA.sub(r"\g<0>'", value)


def plain_cell(value: object) -> object:
    """Return a value for a table: lists and objects as JSON."""
    if isinstance(value, dict):
        return to_json(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


def _put_batches(
    rows: Iterator[Mapping[str, Any]], sink: BinaryIO, kind: str, *, as_stream: bool
) -> None:
    """Write Parquet, or Arrow: a file, or a stream, which can be read while it is unpacked."""
    from pyarrow import ipc, parquet

    from klopt.logs.arrow import SCHEMA, to_batch

    arrow_form = ipc.new_stream if as_stream else ipc.new_file
    make = parquet.ParquetWriter if kind == "parquet" else arrow_form
    with make(sink, SCHEMA) as writer:
        while group := list(islice(rows, _GROUP_ROWS)):
            writer.write_batch(to_batch(group))


def put_excel(names: Sequence[str], rows: Iterable[Mapping[str, Any]], sink: BinaryIO) -> None:
    """Write rows as the sheet of an .xlsx workbook; texts stay texts, formulas included.

    Texts over 32,767 characters are cut and end with ``…``. InputError for too many rows.
    """
    from klopt.logs.tables import require_excel

    require_excel()
    from xlsxwriter import Workbook

    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with closing(Workbook(sink, options)) as book:
        book.set_properties({"created": _CREATED})
        sheet = book.add_worksheet("klopt")
        sheet.freeze_panes(1, 0)
        wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        for number, name in enumerate(names):
            form = wrapped if name in _WIDE else None
            sheet.set_column(
                number, number, _WIDE.get(name), form, None if name in _FIRST else _FOLDED
            )
        sheet.write_row(0, 0, names)
        number = 0
        for number, row in enumerate(rows, 1):
            if number == _MAX_ROWS:
                raise InputError(
                    f"more than {_MAX_ROWS - 1:,} rows do not fit in .xlsx; write .csv or .parquet"
                )
            sheet.write_row(number, 0, [_excel_cell(row.get(name)) for name in names])
        sheet.autofilter(0, 0, number, len(names) - 1)


def _excel_cell(value: object) -> object:
    value = plain_cell(value)
    if not isinstance(value, str):
        return value
    text = value.encode(errors="replace").decode()
    return text if len(text) <= _MAX_CELL_CHARS else text[: _MAX_CELL_CHARS - 1] + "…"
