"""A file of parts, each with its checksum; the last one, the directory, says where the others are.

Parts are read where they stand when they are asked for, and not mapped into memory: a mapped file
that is cut off in place, as by ``cp``, ends the process that has it open.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import weakref
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Final
from zlib import crc32

from klopt.errors import InputError
from klopt.version import VERSION

FORMAT: Final = 3
_BUILD: Final = "`klopt index build --pages DIR -o FILE`"
AGAIN: Final = f"{_BUILD} builds it again"

Region = tuple[int, int, int]
"""Start, length and checksum of a part."""

_MAGIC: Final = b"klopt\r\n\x1a"
"""Broken by whatever takes the file for text."""
_PREAMBLE: Final = struct.Struct("<8sIQQQII")
"""Magic, format, length of the file, the region of the directory; the checksum of all that."""


def is_replaceable(path: Path) -> bool:
    """Whether nothing is lost when an index takes its place: it is one, or empty, or not there.

    An index that is damaged or of another version is one too.
    """
    if not path.is_file():
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) in (b"", _MAGIC)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


class Parts:
    """A file that is open. Safe to use from several threads, and in processes that are forked off.

    Attributes:
        path: The file.
        size_bytes: Its length.
        digest: SHA-256 of its directory.
        directory: What its last part says; of any shape.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; {_BUILD} makes one")
        try:
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        self._close = weakref.finalize(self, os.close, self._file)
        self._lock = Lock()
        self.size_bytes = os.fstat(self._file).st_size
        self.directory = self._read_directory()

    def close(self) -> None:
        """Closes the file."""
        self._file = -1
        self._close()

    def read(self, region: Region, name: str) -> bytes:
        """A part, as it was written."""
        start, length, its_sum = region
        if start < 0 or length < 0 or start + length > self.size_bytes:
            raise self.altered(name)
        part = self._bytes_at(start, length)
        if len(part) != length or crc32(part) != its_sum:
            raise self.altered(name)
        return part

    def altered(self, name: str) -> InputError:
        """That a part is not as it was written."""
        return InputError(
            f"{self.path}: {name} is not as it was written, so the file was altered or damaged; "
            f"copy it again, or {AGAIN}"
        )

    def _read_directory(self) -> Any:  # noqa: ANN401 - whatever the file says
        head = self._bytes_at(0, _PREAMBLE.size)
        if len(head) < _PREAMBLE.size or not head.startswith(_MAGIC):
            raise InputError(f"{self.path}: is no index; {_BUILD} makes one of a folder of pages")
        _, version, length, start, size, its_sum, own_sum = _PREAMBLE.unpack(head)
        if crc32(head[:-4]) != own_sum:
            raise self.altered("its beginning")
        if version != FORMAT:
            raise InputError(
                f"{self.path}: is an index of format {version}, and klopt {VERSION} reads format "
                f"{FORMAT}; {AGAIN}"
            )
        if length != self.size_bytes:
            raise InputError(
                f"{self.path}: has {self.size_bytes:,} bytes of {length:,}, so it is cut off, or "
                f"two files in one; copy it again, or {AGAIN}"
            )
        written = self.read((start, size, its_sum), "its directory")
        self.digest = hashlib.sha256(written).hexdigest()
        try:
            return json.loads(written)
        except (RecursionError, ValueError):
            raise self.altered("its directory") from None

    def _bytes_at(self, start: int, length: int) -> bytes:
        """Bytes of the file; fewer when it has become shorter."""
        try:
            if hasattr(os, "pread"):
                return os.pread(self._file, length, start)
            with self._lock:
                os.lseek(self._file, start, os.SEEK_SET)
                return os.read(self._file, length)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from None


class PartsWriter:
    """Writes parts one after the other, and last what the file begins with."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = file.write(bytes(_PREAMBLE.size))

    def add(self, part: bytes) -> Region:
        """Writes a part, and says where it stands."""
        start = self._at
        self._at += self._file.write(part)
        return start, len(part), crc32(part)

    def finish(self, directory: object) -> None:
        """Writes the directory; the file is whole then."""
        place = self.add(json.dumps(directory, separators=(",", ":")).encode())
        head = _PREAMBLE.pack(_MAGIC, FORMAT, self._at, *place, 0)[:-4]
        self._file.seek(0)
        self._file.write(head + crc32(head).to_bytes(4, "little"))
