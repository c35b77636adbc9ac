"""Assessments as columns: CSV, Parquet and Arrow, made of the lines of JSON that a run wrote."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from klopt.batch.formats import arrow, kind_of, packed, packing_of
from klopt.batch.output import to_json
from klopt.errors import ConfigurationError

_GROUP_ROWS: Final = 1_024
_RUN: Final = ("=", "+", "-", "@", "\t", "\r")


def kind_written(path: Path | None, stated: str | None) -> str:
    """The form of a file of output: as stated, as its ending says, or else lines of JSON.

    Raises:
        ConfigurationError: Its ending is that of a spreadsheet program, or of packed Parquet.
        ExtraMissingError: Its form needs pyarrow.

    >>> kind_written(Path("out.csv.gz"), None), kind_written(Path("out.txt"), None)
    ('csv', 'jsonl')
    """
    kind = stated or (kind_of(path) if path is not None else None)
    if path is not None and not stated and path.suffix.lower() in (".xls", ".xlsx", ".ods"):
        raise ConfigurationError(f"{path}: not written by klopt; write .csv, which opens there too")
    if kind == "parquet" and path is not None and packing_of(path):
        raise ConfigurationError(f"{path}: Parquet is packed by itself; leave {path.suffix} out")
    if kind in ("arrow", "parquet") or (path is not None and packing_of(path) == ".zst"):
        arrow()
    return kind or "jsonl"


def write_as(kind: str, path: Path | None, lines: Iterable[bytes], sink: BinaryIO) -> None:
    """Writes lines of JSON in another form.

    Args:
        kind: One of `klopt.batch.formats.KINDS`.
        path: The file, packed where its ending says so.
        lines: An assessment each, as `klopt.Assessment.to_dict` gives it.
        sink: Where to.
    """
    with packed(sink, path or Path()) as file:
        match kind:
            case "csv":
                _put_csv(map(json.loads, lines), file)
            case "jsonl":
                file.writelines(lines)
            case _:
                is_packed = path is not None and packing_of(path) is not None
                _put_batches(map(json.loads, lines), file, kind, as_stream=is_packed)


def _put_csv(rows: Iterator[Mapping[str, Any]], sink: BinaryIO) -> None:
    text = TextIOWrapper(sink, encoding="utf-8", errors="backslashreplace", newline="")
    table = csv.writer(text)
    if (first := next(rows, None)) is not None:
        from klopt.scoring.assessment import COLUMNS  # no help or error is to load what scores

        optional = [one.name for one in COLUMNS if one.is_optional]
        names = [*(name for name in first if name not in optional), *optional]
        table.writerow(names)
        for row in chain([first], rows):
            table.writerow([cell(row.get(name)) for name in names])
    text.detach()


def cell(value: object) -> object:
    """A cell of CSV: a list or an object is JSON; what a spreadsheet would run gets a quote.

    >>> cell("=1+1"), cell(-0.5), cell([0, 4]), cell(None)
    ("'=1+1", -0.5, '[0, 4]', None)
    """
    if isinstance(value, dict):
        return to_json(value)
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return f"'{value}" if isinstance(value, str) and value.startswith(_RUN) else value


def _put_batches(
    rows: Iterator[Mapping[str, Any]], sink: BinaryIO, kind: str, *, as_stream: bool
) -> None:
    """Parquet, or Arrow: a file, or a stream, which can be read while it is unpacked."""
    from pyarrow import ipc, parquet

    from klopt.batch.arrow import SCHEMA, to_batch

    arrow_form = ipc.new_stream if as_stream else ipc.new_file
    make = parquet.ParquetWriter if kind == "parquet" else arrow_form
    with make(sink, SCHEMA) as writer:
        while group := list(islice(rows, _GROUP_ROWS)):
            writer.write_batch(to_batch(group))
