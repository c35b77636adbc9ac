"""In what form rows stand in a file, by its ending or as stated, packed or not."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, AnyStr, BinaryIO, Final, cast

from klopt.batch.output import escaped, to_json
from klopt.errors import ConfigurationError, InputError
from klopt.extras import needs

ENDINGS: Final = {
    ".arrow": "arrow", ".csv": "csv", ".feather": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".parquet": "parquet", ".xlsx": "excel",
}  # fmt: skip
KINDS: Final = ("arrow", "csv", "jsonl", "parquet")
"""What is read and written; ``excel`` is only read, and ``json``, a list, only written."""
ROW_LIMIT_CHARS: Final = 10_000_000
"""Characters of CSV, or bytes of JSON, that are read of one row; what can be scored is shorter."""
LINE_LIMIT_CHARS: Final = 1_000_000_000
"""So much is passed over of a line that is too long, packed or not; then it is no log."""
PART_LIMIT_BYTES: Final = 2_000_000_000
"""Of a row group of Parquet, unpacked."""
_GROUP_ROWS: Final = 1_024
_SIGNS: Final = r"(?=[=+\-@\uff1d\uff0b\uff0d\uff20])"
"""With which a formula begins; the last four are the first in full width."""
_RUN: Final = re.compile(rf"""\A(?:{_SIGNS}|(?=[\t\r\n]))|[;\t\r\n]"*{_SIGNS}""")
"""Behind what a spreadsheet would run a text: one that is set to Dutch parts fields at semicolons,
and to it a quote that does not begin one is none."""
_PACKED: Final = (".gz", ".zst")
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def kind_of(path: Path) -> str | None:
    """The form that a file's ending says, packed or not; None where it says none.

    >>> kind_of(Path("log.csv.gz")), kind_of(Path("log.JSONL")), kind_of(Path("log.txt"))
    ('csv', 'jsonl', None)
    """
    own = path.with_suffix("") if packing_of(path) else path
    return ENDINGS.get(own.suffix.lower())


def packing_of(path: Path) -> str | None:
    """The ending of a packed file, ``.gz`` or ``.zst``; None for any other."""
    return path.suffix.lower() if path.suffix.lower() in _PACKED else None


def arrow() -> Any:  # noqa: ANN401 (a module without types)
    """The library for Parquet, Arrow and zstd."""
    with needs("parquet", "Parquet, Arrow and zstd need pyarrow"):
        import pyarrow
    return pyarrow


@contextmanager
def unpacked(source: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input (``-``), unpacked where they are packed."""
    where = "standard input" if source == "-" else source
    try:
        with ExitStack() as stack:
            if source == "-":
                file = cast(io.BufferedReader, sys.stdin.buffer)
            else:
                file = stack.enter_context(Path(source).open("rb"))
            head = file.peek(4) if hasattr(file, "peek") else b""
            if head.startswith(_GZIP):
                yield cast(BinaryIO, stack.enter_context(gzip.open(file)))
            elif head.startswith(_ZSTD):
                packed = arrow().CompressedInputStream(file, "zstd")
                yield io.BufferedReader(stack.enter_context(packed))
            else:
                refuse_utf_16(head, where)
                yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{where}: cannot be unpacked: {error}") from None
    except OSError as error:
        why = error.strerror or " ".join(str(error).split())
        raise InputError(f"{where}: cannot be read: {why}") from None


def refuse_utf_16(head: bytes, where: str) -> None:
    """Stops at a file that begins as UTF-16."""
    if head.startswith(_UTF_16):
        raise InputError(
            f"{where}: UTF-16, and UTF-8 is read; save it as such (in Excel: CSV UTF-8)"
        )


def lines_of(file: IO[AnyStr], where: str = "") -> Iterator[AnyStr]:
    r"""The lines of a file; of one beyond `ROW_LIMIT_CHARS` no more than shows that it is.

    Raises:
        InputError: A line goes on beyond `LINE_LIMIT_CHARS`.

    >>> list(lines_of(io.BytesIO(b"first\nsecond")))
    [b'first\n', b'second']
    """
    while line := file.readline(ROW_LIMIT_CHARS + 1):
        yield line
        passed = len(line)
        while len(line) > ROW_LIMIT_CHARS and line[-1:] not in (b"\n", "\n"):
            line = file.readline(ROW_LIMIT_CHARS + 1)
            passed += len(line)
            if passed > LINE_LIMIT_CHARS:
                raise InputError(
                    f"{where}: no line ends in {LINE_LIMIT_CHARS:,} bytes; it is no log"
                )


@contextmanager
def packed(file: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """Packs what is written as the ending of a file's name says; the same bytes each time."""
    match packing_of(path):
        case ".gz":
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as sink:
                yield cast(BinaryIO, sink)
        case ".zst":
            with arrow().CompressedOutputStream(file, "zstd") as sink:
                yield sink
        case _:
            yield file


def kind_written(path: Path | None, stated: str | None) -> str:
    """The form of a file of output: as stated, as its ending says, or else lines of JSON.

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
    """Writes lines of JSON in another form, packed where the ending of the path says so."""
    with packed(sink, path or Path()) as file:
        match kind:
            case "csv":
                _put_scores(map(json.loads, lines), file)
            case "json":
                put_list(lines, file)
            case "jsonl":
                file.writelines(lines)
            case _:
                is_packed = path is not None and packing_of(path) is not None
                _put_batches(map(json.loads, lines), file, kind, as_stream=is_packed)


def _put_scores(rows: Iterator[Mapping[str, Any]], sink: BinaryIO) -> None:
    """Assessments as CSV; each has all columns, also where the first row lacks one."""
    if (first := next(rows, None)) is not None:
        from klopt.scoring.assessment import COLUMNS  # no help or error is to load what scores

        optional = [column.name for column in COLUMNS if column.is_optional]
        names = [*(name for name in first if name not in optional), *optional]
        put_csv(names, chain([first], rows), sink)


def put_csv(names: Sequence[str], rows: Iterable[Mapping[str, Any]], sink: BinaryIO) -> None:
    """Rows as CSV under a heading, each value as `cell`, and for a terminal as `escaped`."""
    is_shown = sink.isatty()
    text = io.TextIOWrapper(sink, encoding="utf-8", errors="backslashreplace", newline="")
    table = csv.writer(text)
    every = chain([names] if names else [], ([row.get(name) for name in names] for row in rows))
    for row in every:
        cells = [cell(value) for value in row]
        if is_shown:
            cells = [escaped(own) if isinstance(own, str) else own for own in cells]
        table.writerow(cells)
    text.detach()


def put_list(lines: Iterable[bytes], sink: BinaryIO) -> None:
    r"""Lines of JSON as one list, a value a line.

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
    """A cell of CSV: a list or an object is JSON; what a spreadsheet would run gets a quote.

    >>> cell("=1+1"), cell("a;=1"), cell(-0.5), cell([0, 4]), cell(None)
    ("'=1+1", "a;'=1", -0.5, '[0, 4]', None)
    """
    if isinstance(value, dict):
        value = to_json(value)
    elif isinstance(value, list):
        value = json.dumps(value, ensure_ascii=False)
    return _RUN.sub(r"\g<0>'", value) if isinstance(value, str) else value


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
