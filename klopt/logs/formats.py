"""File formats of logs, compressed files and encodings."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, AnyStr, BinaryIO, Final, cast

from klopt._internal.imports import needs
from klopt.errors import InputError

Names = Mapping[str, str] | None  # Our field name → the file's name of it, or the path to it
Warn = Callable[[str], object]
Found = tuple[int, Mapping[str, Any] | str, str | None]  # number, fields or error, warning

ENDINGS: Final = {
    ".arrow": "arrow", ".csv": "csv", ".feather": "arrow", ".json": "json", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".ods": "excel", ".parquet": "parquet", ".tab": "csv", ".tsv": "csv",
    ".txt": "text", ".xls": "excel", ".xlsx": "excel",
}  # fmt: skip
"""Formats by ending. ``json``, ``jsonl`` and ``text`` are distinguished by how a file starts."""
ROW_LIMIT_CHARS: Final = 10_000_000  # of CSV, or bytes of JSON, in one row; longer ones are errors
LINE_LIMIT_CHARS: Final = 1_000_000_000
"""Unpacked characters of one line; a file with a longer one is refused."""
PART_LIMIT_BYTES: Final = 2_000_000_000  # Unpacked size of a Parquet row group
_PACKED: Final = (".gz", ".zst")
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_MAGIC: Final = {
    b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow", b"PAR1": "parquet", b"PK": "excel",
    b"\xd0\xcf\x11\xe0": "excel",
}  # fmt: skip
"""First bytes of binary formats."""
_ARCHIVES: Final = {
    b"PK": "ZIP", b"7z\xbc\xaf": "7z", b"Rar!": "RAR", b"BZh": "bzip2", b"\xfd7zXZ": "xz",
}  # fmt: skip
_TAR: Final = slice(257, 262)
_RECODED_CHARS: Final = 65_536
_AS_CP1252: Final = (
    "not UTF-8, so read as Windows-1252; if letters look wrong: klopt score --encoding NAME"
)
_REPLACED: Final = (
    "bytes that are not UTF-8 were read as U+FFFD; name the encoding: klopt score --encoding NAME"
)


class Extracted(dict[str, Any]):
    """A turn from a conversation, under our own field names, and its place there, from 1."""

    __slots__ = ("place",)

    def __init__(self, fields: Mapping[str, Any], place: int = 1) -> None:
        super().__init__(fields)
        self.place = place


def kind_of(path: Path) -> str | None:
    """Return the format of a file, compressed or not, by its ending; None if unknown.

    >>> kind_of(Path("log.csv.gz")), kind_of(Path("log.JSONL")), kind_of(Path("log.doc"))
    ('csv', 'jsonl', None)
    """
    own = path.with_suffix("") if packing_of(path) else path
    return ENDINGS.get(own.suffix.lower())


def packing_of(path: Path) -> str | None:
    """Return the ending of a compressed file, ``.gz`` or ``.zst``; None for any other."""
    return path.suffix.lower() if path.suffix.lower() in _PACKED else None


def kind_in(data: BinaryIO, stated: str = "text") -> str:
    r"""Return the format of data by its first bytes.

    Data that is not binary is JSON if it starts with ``{`` or ``[``, is blank or cannot be peeked
    at, and CSV otherwise. JSON is lines if its first line is complete.

    >>> kind_in(io.BufferedReader(io.BytesIO(b'{"question": "Hoe?"}')))
    'jsonl'
    >>> kind_in(io.BufferedReader(io.BytesIO(b'[{"question": "Hoe?"},\n')), "jsonl")
    'json'
    """
    head = data.peek(8) if hasattr(data, "peek") else b""
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if start and start[:1] not in b"{[":
        return "csv" if stated == "text" else "jsonl"
    line, end, rest = start.partition(b"\n")
    try:
        json.loads(line)
    except RecursionError:
        return "jsonl"
    except ValueError:
        is_open = line.rstrip()[-1:] in b"{[,:" if end else stated == "json"
        is_row = line[:1] == b"{" and _is_json(rest.partition(b"\n")[0])  # below a broken one
        return "json" if is_open and start and not is_row else "jsonl"
    is_list = start[:1] == b"[" and not rest.strip()
    return "json" if is_list and stated != "jsonl" else "jsonl"


def _is_json(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (RecursionError, ValueError):
        return False


def arrow() -> Any:  # noqa: ANN401 (a module without types)
    """Import pyarrow, for Parquet, Arrow and zstd."""
    with needs("parquet", "Parquet, Arrow and zstd need pyarrow"):
        import pyarrow
    return pyarrow


@contextmanager
def unpacked(source: str, encoding: str | None = None) -> Iterator[BinaryIO]:
    """Open a file, or standard input (``-``), decompress it by its first bytes, and recode it.

    UTF-16 and UTF-32 are detected. Raises InputError for what cannot be read or decompressed.
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
                file = cast(io.BufferedReader, stack.enter_context(gzip.open(file)))
            elif head.startswith(_ZSTD):
                packed = arrow().CompressedInputStream(file, "zstd")
                file = io.BufferedReader(stack.enter_context(packed))
            head = file.peek(_RECODED_CHARS) if hasattr(file, "peek") else b""
            refuse_archive(head, where)
            if not head.startswith(tuple(_MAGIC)):
                detected = encoding or _wide(head)
                if detected is not None:
                    text = io.TextIOWrapper(file, detected, "replace", newline="")
                    stack.callback(text.detach)
                    file = io.BufferedReader(_Recoded(text, where))
            yield cast(BinaryIO, file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{where}: cannot be unpacked: {error}") from None
    except OSError as error:
        why = error.strerror or " ".join(str(error).split())
        raise InputError(f"{where}: cannot be read: {why}") from None


def _wide(head: bytes) -> str | None:
    """Return UTF-16 or UTF-32 for data that starts with these bytes and is in one of them."""
    if b"\0" not in head:
        return None
    from klopt._internal.decoding import encoding_of

    found = encoding_of(head, is_whole=False) or ""
    return found if found.startswith(("utf-16", "utf-32")) else None


def refuse_archive(head: bytes, where: str) -> None:
    """Raise an error if a file that starts with these bytes is an archive."""
    name = next((name for magic, name in _ARCHIVES.items() if head.startswith(magic)), None)
    name = "tar" if head[_TAR] == b"ustar" else name
    is_workbook = where.lower().endswith((".xlsx", ".ods", "standard input"))  # a ZIP archive too
    if name is not None and not (name == "ZIP" and is_workbook):
        raise InputError(f"{where}: is an archive ({name}); unpack it and give the files in it")


class _Recoded(io.RawIOBase):
    """A text as bytes in UTF-8."""

    def __init__(self, text: io.TextIOWrapper, where: str) -> None:
        self._text, self._where, self._left = text, where, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 (a buffer of bytes)
        try:
            self._left = self._left or self._text.read(_RECODED_CHARS).encode("utf-8", "replace")
        except UnicodeError as error:  # such as UTF-16 without a byte-order mark
            what = f"cannot be read as {self._text.encoding}: {error}"
            raise InputError(f"{self._where}: {what}") from None
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size


def text_of(data: bytes) -> tuple[str, str | None]:
    """Decode a row that is expected to be UTF-8; return it and what was repaired.

    >>> text_of("één".encode()), text_of("één €".encode("cp1252"))[0]
    (('één', None), 'één €')
    """
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        from klopt._internal.decoding import encoding_of

        if encoding_of(data) == "cp1252":
            return data.decode("cp1252"), _AS_CP1252
        return data.decode("utf-8-sig", "replace"), _REPLACED


def lines_of(file: IO[AnyStr], where: str = "") -> Iterator[AnyStr]:
    """Yield lines, cut after `ROW_LIMIT_CHARS` + 1; InputError for an endless one."""
    while line := file.readline(ROW_LIMIT_CHARS + 1):
        yield line
        passed = len(line)
        while len(line) > ROW_LIMIT_CHARS and line[-1:] not in (b"\n", "\n"):
            line = file.readline(ROW_LIMIT_CHARS + 1)
            passed += len(line)
            if passed > LINE_LIMIT_CHARS:
                raise InputError(f"{where}: no line end in {LINE_LIMIT_CHARS:,} bytes; not a log")
