"""A file of named parts with checksums; the last part, the directory, locates the others.

Parts are read when they are needed and not mapped into memory: a process that has a file mapped
dies when the file is truncated in place, as ``cp`` does.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import weakref
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Final
from zlib import crc32

from klopt.errors import InputError
from klopt.version import VERSION

FORMAT: Final = 7
_BUILD: Final = "`klopt index build --pages DIR -o FILE`"
REBUILD: Final = f"rebuild it with {_BUILD}"

_Place = tuple[int, int, int]  # Start, length and checksum of a part

_MAGIC: Final = b"klopt\r\n\x1a"  # Damaged by any program that converts the file as text
_PREAMBLE: Final = struct.Struct("<8sIQQQII")
"""Magic, format, file length, the directory's start, length and checksum, and their checksum."""


def is_replaceable(path: Path) -> bool:
    """Return whether a file can be overwritten: it is missing, empty or any (damaged) index."""
    if not path.is_file():
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) in (b"", _MAGIC)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


class Parts:
    """An open file of parts. Safe for several threads and for forked processes.

    ``digest`` is the SHA-256 of its directory, which has the checksums of everything else;
    ``sizes`` the bytes of each part; ``about`` the directory's other JSON value, not validated.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; create it with {_BUILD}")
        try:
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        self._close = weakref.finalize(self, os.close, self._file)
        self._lock = Lock()
        self.size_bytes = os.fstat(self._file).st_size
        content = self._directory()
        self.digest = hashlib.sha256(content).hexdigest()
        try:
            self.about, parts = json.loads(content)
            self._places: dict[str, _Place] = {
                name: (int(start), int(length), int(checksum))
                for name, (start, length, checksum) in parts.items()
            }
        except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError):
            raise self.altered("its directory") from None
        self.sizes: Mapping[str, int] = {name: place[1] for name, place in self._places.items()}

    def close(self) -> None:
        """Close the file."""
        self._file = -1
        self._close()

    def read(self, name: str) -> bytes:
        """Return a part, or raise an `InputError`: it was altered."""
        return self._read(self._places[name], f'part "{name}"')

    def altered(self, name: str) -> InputError:
        """Return the error that a part was altered."""
        return InputError(
            f"{self.path}: {name} is not as it was written, so the file was altered or damaged; "
            f"copy it again, or {REBUILD}"
        )

    def _directory(self) -> bytes:
        head = self._bytes_at(0, _PREAMBLE.size)
        if len(head) < _PREAMBLE.size or not head.startswith(_MAGIC):
            raise InputError(f"{self.path}: is not an index; create one with {_BUILD}")
        _, version, length, start, size, checksum, own_sum = _PREAMBLE.unpack(head)
        if crc32(head[:-4]) != own_sum:
            raise self.altered("its beginning")
        if version != FORMAT:
            raise InputError(
                f"{self.path}: is an index of format {version}, and klopt {VERSION} reads format "
                f"{FORMAT}; {REBUILD}"
            )
        if length != self.size_bytes:
            raise InputError(
                f"{self.path}: has {self.size_bytes:,} bytes of {length:,}, so it is cut off, or "
                f"two files in one; copy it again, or {REBUILD}"
            )
        return self._read((start, size, checksum), "its directory")

    def _read(self, place: _Place, name: str) -> bytes:
        start, length, checksum = place
        if not 0 <= start <= start + length <= self.size_bytes:
            raise self.altered(name)
        part = self._bytes_at(start, length)
        if len(part) != length or crc32(part) != checksum:
            raise self.altered(name)
        return part

    def _bytes_at(self, start: int, length: int) -> bytes:
        """Bytes of the file; fewer where it has become shorter."""
        try:
            if hasattr(os, "pread"):
                return os.pread(self._file, length, start)
            with self._lock:
                os.lseek(self._file, start, os.SEEK_SET)
                return os.read(self._file, length)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from None


class PartsWriter:
    """Writes parts in order, and finally the directory and the head of the file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._places = file, dict[str, _Place]()
        self._at = file.write(bytes(_PREAMBLE.size))

    def add(self, name: str, part: bytes) -> None:
        """Write a part."""
        self._places[name] = self._write(part)

    def finish(self, about: Any) -> None:  # noqa: ANN401 - any JSON value
        """Write the directory, and the head that completes the file."""
        directory = json.dumps([about, self._places], separators=(",", ":")).encode()
        place = self._write(directory)
        head = _PREAMBLE.pack(_MAGIC, FORMAT, self._at, *place, 0)[:-4]
        self._file.seek(0)
        self._file.write(head + crc32(head).to_bytes(4, "little"))

    def _write(self, part: bytes) -> _Place:
        start = self._at
        self._at += self._file.write(part)
        return start, len(part), crc32(part)
