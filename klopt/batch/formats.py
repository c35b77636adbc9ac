"""In what form rows stand in a file: by its ending or as stated, packed or not."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, AnyStr, BinaryIO, Final, cast

from klopt.errors import InputError
from klopt.extras import needs

ENDINGS: Final = {
    ".arrow": "arrow", ".csv": "csv", ".feather": "arrow", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".parquet": "parquet", ".xlsx": "excel",
}  # fmt: skip
KINDS: Final = ("arrow", "csv", "jsonl", "parquet")
"""What is read and written; ``excel`` is only read."""
ROW_LIMIT_CHARS: Final = 10_000_000
"""Characters of CSV, or bytes of JSON, that are read of one row; what can be scored is shorter."""
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
    """The library for Parquet, Arrow and zstd.

    Raises:
        ExtraMissingError: It is not installed.
    """
    with needs("parquet", "Parquet, Arrow and zstd need pyarrow"):
        import pyarrow
    return pyarrow


@contextmanager
def unpacked(source: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input (``-``), unpacked where they are packed.

    Raises:
        InputError: They cannot be read, or unpacked, or are UTF-16.
        ExtraMissingError: zstd without pyarrow.
    """
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
            elif head.startswith(_UTF_16):
                raise InputError(
                    f"{where}: UTF-16, and UTF-8 is read; save it as such (in Excel: CSV UTF-8)"
                )
            else:
                yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{where}: cannot be unpacked: {error}") from None
    except OSError as error:
        why = error.strerror or " ".join(str(error).split())
        raise InputError(f"{where}: cannot be read: {why}") from None


def lines_of(file: IO[AnyStr]) -> Iterator[AnyStr]:
    r"""The lines of a file; of one beyond `ROW_LIMIT_CHARS` no more than shows that it is.

    >>> list(lines_of(io.BytesIO(b"first\nsecond")))
    [b'first\n', b'second']
    """
    while line := file.readline(ROW_LIMIT_CHARS + 1):
        yield line
        while len(line) > ROW_LIMIT_CHARS and line[-1:] not in (b"\n", "\n"):
            line = file.readline(ROW_LIMIT_CHARS + 1)


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
