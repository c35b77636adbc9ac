"""The index file: pages that were read ahead, by content and by name.

The file begins with `PREAMBLE`: what it is, how long, and where its directory stands. The records
of `klopt.indexing.record` follow, then tables of numbers, last the directory: one object of JSON.
Every part has its checksum, which is looked at when the part is read. Parts are read where they
stand when they are asked for, and not mapped into memory: a mapped file that is cut off in place,
as by ``cp``, ends the process that has it open.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.sides import PreparedPage
from klopt.errors import InputError
from klopt.indexing.record import BadRecordError, page_of, source_of
from klopt.matching.language import Language
from klopt.reading.recent import Recent
from klopt.records import Page
from klopt.version import VERSION

__all__ = ["FORMAT", "MAGIC", "PREAMBLE", "RECORD", "Index", "Region", "digest_of"]

MAGIC: Final = b"klopt\r\n\x1a"
"""Broken by whatever takes the file for text."""
FORMAT: Final = 1
PREAMBLE: Final = struct.Struct("<8sIQQQII")
"""Magic, format, length of the file, start and length of the directory, its checksum; last the
checksum of all that."""
RECORD: Final = np.dtype([("digest", "V16"), ("start", "<u8"), ("length", "<u4"), ("sum", "<u4")])
"""One row of the table of records, sorted by digest."""
DIGEST_BYTES: Final = 16
MOST_PAGES: Final = 512
MOST_CHARS: Final = 10_000_000

Region = tuple[int, int, int]
"""Start, length and checksum of a part of the file."""


def digest_of(page: Page, language: str) -> bytes:
    """What a page is found by: its text, its format, and the language that it is read in."""
    head = f"{language}\0{page.format}\0".encode()
    text = page.text.encode(errors="surrogatepass")
    return hashlib.blake2b(head + text, digest_size=DIGEST_BYTES).digest()


class Index(Mapping[str, Page]):
    """An index file that is open: the pages by name, and what was read of each.

    Safe to use from several threads and, once open, from processes that are forked off. Pages are
    read when they are asked for.

    Args:
        path: The file, from ``klopt index build``.

    Attributes:
        path: The file.
        languages: The language that pages are read in → the digest of its tables.
        plain_names: As `klopt.reading.reader.Reader` took it.
        klopt: The version of klopt that read the pages.
        size_bytes: Of the file.

    Raises:
        InputError: It is no index, of another version, cut off or altered.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; {_BUILD} makes an index")
        try:
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        self._close = weakref.finalize(self, os.close, self._file)
        self._lock = Lock()
        self.size_bytes = os.fstat(self._file).st_size
        self._read_directory()
        self._recent: Recent[str, Page] = Recent(MOST_PAGES, MOST_CHARS)
        self._fitted: dict[str, Language] = {}

    @classmethod
    def open(cls, path: str | Path) -> Index:
        """Opens an index file.

        Raises:
            InputError: It is no index, of another version, cut off or altered.
        """
        return cls(Path(path))

    __eq__ = object.__eq__  # that of a mapping reads every page
    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path,)

    def close(self) -> None:
        """Closes the file; pages that were read stay usable."""
        self._file = -1
        self._close()

    def _read_directory(self) -> None:
        head = self.bytes_at(0, PREAMBLE.size) if self.size_bytes >= PREAMBLE.size else b""
        if head[: len(MAGIC)] != MAGIC:
            raise InputError(
                f"{self.path}: is not an index of klopt; {_BUILD} makes one of a folder of pages"
            )
        _, version, length, start, size, its_sum, own_sum = PREAMBLE.unpack(head)
        if crc32(head[:-4]) != own_sum:
            raise self._altered("its beginning")
        if version != FORMAT:
            raise InputError(
                f"{self.path}: is an index of format {version}, and this klopt ({VERSION}) reads "
                f"format {FORMAT}; {_BUILD} builds it again"
            )
        if length != self.size_bytes:
            raise InputError(
                f"{self.path}: has {self.size_bytes:,} bytes of {length:,}, so it is cut off or "
                f"two files in one; copy it again, or {_BUILD} builds it again"
            )
        try:
            directory = json.loads(self.region((start, size, its_sum), "its directory"))
            self.klopt = str(directory["klopt"])
            self._take(directory)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            raise self._altered("its directory") from None

    def _take(self, directory: Mapping[str, Any]) -> None:
        if self.klopt != VERSION:
            raise InputError(
                f"{self.path}: its pages were read by klopt {self.klopt}, and this is {VERSION}; "
                f"{_BUILD} builds it again"
            )
        self.languages: dict[str, str] = dict(directory["languages"])
        self.plain_names = bool(directory["plain_names"])
        self.regions: dict[str, Region] = {
            name: (int(start), int(size), int(its_sum))
            for name, (start, size, its_sum) in directory["regions"].items()
        }
        self._records = self.table("records", RECORD)
        self._numbers = {
            digest: number for number, digest in enumerate(self._records["digest"].tolist())
        }
        self._pages: list[list[Any]] = directory["pages"]
        self._names: dict[str, int] = {
            **{str(page[0]): number for number, page in enumerate(self._pages)},
            **directory["names"],
        }
        for _, _, _, _, language, record in self._pages:
            if language not in self.languages or not 0 <= record < len(self._records):
                raise ValueError
        if any(not 0 <= number < len(self._pages) for number in self._names.values()):
            raise ValueError

    # The pages, by name.

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> Page:
        known = self._recent.get(name)
        if known is not None:
            return known
        page = self.page_at(self._names[name])
        return self._recent.put(name, page, len(page.text))

    @property
    def page_count(self) -> int:
        """How many pages there are; some have two names, with their ending and without."""
        return len(self._pages)

    @property
    def page_counts(self) -> Counter[str]:
        """How many pages there are in each language."""
        return Counter(page[4] for page in self._pages)

    def page_at(self, number: int) -> Page:
        """A page by its number, in the order in which they were built."""
        name, title, url, page_format, _, record = self._pages[number]
        try:
            text = source_of(self.record(record))
        except BadRecordError:
            raise self._altered(f'page "{name}"') from None
        return Page(text, name, title, url, page_format)

    def language_of(self, number: int) -> str:
        """The language that a page is read in."""
        return str(self._pages[number][4])

    # What was read of them, by content: a `klopt.matching.language.Shelf`.

    def join(self, language: Language) -> None:
        """Takes note that pages will be asked for in a language.

        Raises:
            InputError: Its pages were read with other tables, or otherwise.
        """
        own = self.languages.get(language.code)
        if own is not None and own != language.lexicons.digest:
            raise InputError(
                f'{self.path}: its pages in "{language.code}" were read with other tables than '
                f"this profile and these company terms have; {_BUILD} with the same --profile and "
                "--terms builds it again"
            )
        if own is not None and self.plain_names != language.reader.plain_names:
            raise InputError(
                f"{self.path}: its pages were read for a profile with plain_names = "
                f"{str(self.plain_names).lower()}, and this one has the opposite; {_BUILD} with "
                "the same --profile builds it again"
            )
        self._fitted[language.code] = language

    def find(self, page: Page, language: str) -> PreparedPage | None:
        """What was read of a page, or None where the index does not have this content.

        Raises:
            InputError: The file was altered.
        """
        number = self._numbers.get(digest_of(page, language))
        if number is None:
            return None
        try:
            return page_of(self.record(number), language)
        except BadRecordError:
            raise self._altered(f"record {number}") from None

    def record_of(self, page: Page, language: str) -> bytes | None:
        """The record of a page as it stands in the file, or None."""
        number = self._numbers.get(digest_of(page, language))
        return None if number is None else self.record(number)

    # Its parts.

    @property
    def record_count(self) -> int:
        """How many pages of different content it has."""
        return len(self._records)

    def record(self, number: int) -> bytes:
        """The bytes of a record."""
        _, start, length, its_sum = self._records[number].item()
        return self.region((start, length, its_sum), f"record {number}")

    def region(self, region: Region, name: str) -> bytes:
        """A part of the file, as it was written.

        Raises:
            InputError: It was altered.
        """
        start, length, its_sum = region
        if start < 0 or length < 0 or start + length > self.size_bytes:
            raise self._altered(name)
        found = self.bytes_at(start, length)
        if len(found) != length or crc32(found) != its_sum:
            raise self._altered(name)
        return found

    def table(self, name: str, kind: np.dtype[Any]) -> NDArray[Any]:
        """A table of numbers."""
        return np.frombuffer(self.region(self.regions[name], f'table "{name}"'), kind)

    def bytes_at(self, start: int, length: int) -> bytes:
        """Bytes of the file; fewer when it has become shorter."""
        try:
            if hasattr(os, "pread"):
                return os.pread(self._file, length, start)
            with self._lock:
                os.lseek(self._file, start, os.SEEK_SET)
                return os.read(self._file, length)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from None

    def check(self) -> None:
        """Reads every record, as ``klopt index show --check`` does.

        Raises:
            InputError: One of them was altered.
        """
        for number in range(len(self._pages)):
            page = self.page_at(number)
            self.find(page, self.language_of(number))
        for name in self.regions:
            self.region(self.regions[name], f'table "{name}"')

    def _altered(self, what: str) -> InputError:
        return InputError(
            f"{self.path}: {what} is not as it was written, so the file was altered or damaged; "
            f"copy it again, or {_BUILD} builds it again"
        )


_BUILD: Final = "`klopt index build --pages DIR -o FILE`"
