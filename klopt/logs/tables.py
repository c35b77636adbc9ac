"""Read the rows of Parquet and Arrow; a row that cannot be read affects no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from klopt.errors import InputError
from klopt.logs.csv_rows import refuse_duplicates
from klopt.logs.formats import PART_LIMIT_BYTES, Found, arrow

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import FileMetaData

_REPAIRED: Final = "a byte is not UTF-8 and was read as U+FFFD"
_ARROW_FILE: Final = b"ARROW1"
_BATCH_ROWS: Final = 256


def read_parquet(path: Path, names: Mapping[str, str] | None) -> Iterator[Found]:
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
    return [
        column.path
        for column in map(known.schema.column, range(known.num_columns))
        if column.physical_type == "BYTE_ARRAY" and column.logical_type.type in ("STRING", "NONE")
    ]


def read_arrow(data: BinaryIO, where: str, names: Mapping[str, str] | None) -> Iterator[Found]:
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
        if isinstance(fields, str):
            fields = f"{where}, row {number}: {fields}"
        yield number, fields, warning


def fields_at(batch: RecordBatch, index: int) -> tuple[dict[str, Any] | str, str | None]:
    """Return the fields of a row of a batch or an error message, and a warning about repairs.

    Maps, which Spark writes for dictionaries, become objects; bytes are read as UTF-8.
    """
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
