"""The index file: pages that were read ahead, by content, by name, and by a question."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt import lexicons
from klopt.cached import Recent, cached_property
from klopt.comparing.words import PreparedPage
from klopt.embedding.encoder import TextEncoder, WholeNumbers
from klopt.errors import InputError
from klopt.indexing.parts import AGAIN, Parts, Region
from klopt.indexing.postings import POSTING, WORD
from klopt.indexing.record import BadRecordError, page_of, source_of
from klopt.indexing.search import FoundPage, Searcher, best
from klopt.indexing.vectors import PASSAGE, WORDS_COUNT, Likeness
from klopt.matching.language import Language
from klopt.reading.reader import vote
from klopt.records import Page
from klopt.translation.word_for_word import SOURCES, TARGET, WordTable
from klopt.version import VERSION

RECORD: Final = np.dtype([("digest", "V16"), ("start", "<u8"), ("length", "<u4"), ("sum", "<u4")])
"""One row of the table of records, sorted by digest."""

_MOST_PAGES: Final = 512
_MOST_CHARS: Final = 10_000_000
"""The texts of pages that are remembered, and their characters in sum."""


def digest_of(page: Page, language: str) -> bytes:
    """What a page is found by: its text, its format, and the language that it is read in."""
    head = f"{language}\0{page.format}\0".encode()
    text = page.text.encode(errors="surrogatepass")
    return hashlib.blake2b(head + text, digest_size=RECORD["digest"].itemsize).digest()


class Index(Mapping[str, Page]):
    """An index file that is open: its pages by name, and what was read of each.

    Safe to use from several threads, and in processes that are forked off. Opening reads where
    the pages are; a page is read when it is asked for.

    Args:
        path: The file, from ``klopt index build``.

    Attributes:
        path: The file.
        klopt: The version of klopt that read the pages.
        languages: The language that pages are read in → the digest of its tables.
        profile: The name of the profile that it was built for.
        plain_names: As `klopt.reading.reader.Reader` took it.
        encoder: The digest of the encoder whose vectors it has, or None.

    Raises:
        InputError: It is no index, of another version, cut off or altered.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parts = Parts(path)
        try:
            self._take(self._parts.directory)
        except InputError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise self._parts.altered("its directory") from None
        self._recent: Recent[str, Page] = Recent(_MOST_PAGES, _MOST_CHARS)
        self._joined: dict[str, Language] = {}

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
        return _sent, (type(self), self.path.absolute(), self.digest)

    def __repr__(self) -> str:
        return f"Index.open({str(self.path)!r})"

    def close(self) -> None:
        """Closes the file; pages that were read stay usable."""
        self._parts.close()

    def _take(self, directory: Any) -> None:  # noqa: ANN401 - whatever the file says
        self.klopt = str(directory["klopt"])
        if self.klopt != VERSION:
            raise InputError(
                f"{self.path}: its pages were read by klopt {self.klopt}, and this is {VERSION}; "
                f"{AGAIN}"
            )
        self.languages: dict[str, str] = dict(directory["languages"])
        self.profile = str(directory["profile"])
        self.plain_names = bool(directory["plain_names"])
        vectors = directory.get("vectors")
        self.encoder: str | None = None if vectors is None else str(vectors)
        self._regions: dict[str, Region] = {
            name: (int(start), int(length), int(its_sum))
            for name, (start, length, its_sum) in directory["regions"].items()
        }
        if not self._regions.keys() >= {"words", "postings", "vectors"}:
            raise ValueError
        self._records = self._table("records", RECORD)
        self._numbers = {
            digest: number for number, digest in enumerate(self._records["digest"].tolist())
        }
        self._pages: list[tuple[Any, ...]] = []
        for name, title, url, page_format, language, record in directory["pages"]:
            Page("", name, title, url, page_format)  # says whether they are texts
            if not isinstance(name, str) or language not in self.languages:
                raise ValueError
            row = _within(record, len(self._records))
            self._pages.append((name, title, url, page_format, language, row))
        self._names = {page[0]: number for number, page in enumerate(self._pages)}
        for name, number in directory["names"].items():
            self._names[name] = _within(number, len(self._pages))

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
        page = self._page(self._names[name])
        return self._recent.put(name, page, len(page.text))

    def _page(self, number: int) -> Page:
        name, title, url, page_format, _, record = self._pages[number]
        try:
            text = source_of(self._record(record))
        except BadRecordError:
            raise self._parts.altered(f'page "{name}"') from None
        return Page(text, name, title, url, page_format)

    # What was read of them, by content: a `klopt.matching.language.Shelf`.

    def join(self, language: Language) -> None:
        """Takes note that pages will be asked for in a language.

        Raises:
            InputError: Its pages were read with other tables, or otherwise.
        """
        code = language.code
        if self.languages.get(code, language.lexicons.digest) != language.lexicons.digest:
            raise InputError(
                f'{self.path}: its pages in "{code}" were read with other tables than this profile '
                f"and these company terms have; {AGAIN}, with the same --profile and --terms"
            )
        if code in self.languages and self.plain_names != language.reader.plain_names:
            raise InputError(
                f'{self.path}: was built for profile "{self.profile}", and the profile that is to '
                "score with it reads the names on pages otherwise; `klopt index build --pages DIR "
                f"-o {self.path} --profile NAME`, with the name of that profile, builds it again"
            )
        self._joined[code] = language

    def find(self, page: Page, language: str) -> PreparedPage | None:
        """What was read of a page, or None where the index does not have this content.

        Raises:
            InputError: The file was altered.
        """
        record = self.record_of(page, language)
        try:
            return None if record is None else page_of(record, language)
        except BadRecordError:
            raise self._parts.altered(f'the record of page "{page.id}"') from None

    def record_of(self, page: Page, language: str) -> bytes | None:
        """The record of a page as it stands in the file, or None.

        Raises:
            InputError: The file was altered.
        """
        number = self._numbers.get(digest_of(page, language))
        return None if number is None else self._record(number)

    # The pages that fit a question.

    def search(
        self,
        question: str,
        k: int = 5,
        *,
        language: str = "auto",
        pages_in: Collection[str] | None = None,
    ) -> tuple[FoundPage, ...]:
        """The pages that fit a question best: by its words, and by what it means with vectors.

        Args:
            question: What the user asked.
            k: At most so many pages.
            language: Of the question. ``auto``: a vote, and where that decides nothing, the
                language of most pages.
            pages_in: Languages of the pages to look among. By default the question's, and all
                where the index has vectors (``klopt index build --vectors``).

        Raises:
            InputError: The file was altered; its pages were read with company terms, and no
                scorer was made with this index; or its vectors are of another encoder.
            ExtraMissingError: It has vectors, and the extra ``encoder`` is not installed.
            ValueError: ``k`` is below 1.
        """
        if k < 1:
            raise ValueError(f"k is at least 1, not {k}")
        language = self.language_of(question) if language == "auto" else language
        among = (language,) if self.encoder is None and pages_in is None else pages_in
        try:
            scores = self._scores(question, language)
        except InputError:
            raise
        except (IndexError, ValueError):
            raise self._parts.altered("its table of words") from None
        if among is not None:
            scores[[page[4] not in among for page in self._pages]] = 0
        ranked = best(scores, k)
        return tuple(FoundPage(self._page(number), score) for number, score in ranked)

    def _scores(self, question: str, language: str) -> NDArray[np.float64]:
        """How well each page fits; 0 where nothing speaks for it."""
        scores = np.zeros(len(self._pages))
        readings = {language: question}
        if self.encoder is not None and language in SOURCES:
            readings.setdefault(TARGET, WordTable.load(language).reads(question))
        for code, asked in readings.items():
            if code in self.languages:
                if code not in self._joined:
                    Language(lexicons.load(code), plain_names=self.plain_names, shelf=self)
                scores += self._searcher.scores(asked, self._joined[code])
        if self.encoder is None:
            return scores
        return scores * WORDS_COUNT + self._likeness.of(TextEncoder.shipped().question(question))

    def language_of(self, question: str) -> str:
        """The language of a question by a vote; where that decides nothing, that of most pages."""
        counts = self.page_counts
        most = max(counts, key=lambda code: counts[code], default="")
        return vote([question]).language or most

    def vectors_of(self, page: Page, language: str) -> WholeNumbers:
        """What the passages of a page mean, as they stand in the file; shape ``(n, 384)``.

        Raises:
            InputError: The file was altered.
            KeyError: It has no vectors, or not this content.
        """
        number = self._numbers[digest_of(page, language)]
        first, last = np.searchsorted(self._passages["record"], [number, number + 1])
        vectors: WholeNumbers = self._passages["vector"][first:last]
        return vectors

    @cached_property
    def _passages(self) -> NDArray[np.void]:
        return self._table("vectors", PASSAGE)

    @cached_property
    def _likeness(self) -> Likeness:
        if self.encoder != TextEncoder.shipped().digest:
            raise InputError(
                f"{self.path}: its vectors are of another encoder than this klopt has; "
                f"`klopt index build --pages DIR -o {self.path} --vectors` makes them anew"
            )
        records = np.array([page[5] for page in self._pages], np.int64)
        try:
            return Likeness(self._passages, records)
        except InputError:
            raise
        except ValueError:
            raise self._parts.altered("its table of vectors") from None

    @cached_property
    def _searcher(self) -> Searcher:
        start, size, _ = self._regions["postings"]

        def read(first: int, count: int, its_sum: int) -> bytes:
            at, length = first * POSTING.itemsize, count * POSTING.itemsize
            if at + length > size:
                raise ValueError
            return self._parts.read((start + at, length, its_sum), "the pages that have a word")

        return Searcher(self._table("words", WORD), read, len(self._pages))

    # What it is.

    @property
    def page_count(self) -> int:
        """How many pages there are; most go by two names, with their ending and without."""
        return len(self._pages)

    @property
    def page_counts(self) -> Counter[str]:
        """How many pages there are in each language."""
        return Counter(page[4] for page in self._pages)

    @property
    def digest(self) -> str:
        """SHA-256 of its directory, which has the checksums of all else."""
        return self._parts.digest

    @property
    def size_bytes(self) -> int:
        """Of the file."""
        return self._parts.size_bytes

    def check(self) -> None:
        """Reads all that there is.

        Raises:
            InputError: Something in it was altered.
        """
        for number, page in enumerate(self._pages):
            if self.find(self._page(number), page[4]) is None:
                raise self._parts.altered(f'page "{page[0]}"')
        for name in self._regions:
            self._table(name, np.dtype("V1"))

    def _record(self, number: int) -> bytes:
        _, start, length, its_sum = self._records[number].item()
        return self._parts.read((start, length, its_sum), f"record {number}")

    def _table(self, name: str, kind: np.dtype[Any]) -> NDArray[Any]:
        return np.frombuffer(self._parts.read(self._regions[name], f'table "{name}"'), kind)


def _sent(kind: type[Index], path: Path, digest: str) -> Index:
    """The index that another process has open."""
    index = kind(path)
    if index.digest != digest:
        raise InputError(
            f"{path}: is another index than the one that was sent to this process "
            f"({index.digest[:8]}, not {digest[:8]}), so the file was replaced meanwhile; open it "
            "again with Index.open, and make the scorer again"
        )
    return index


def _within(number: object, count: int) -> int:
    """A number from 0 to below another; what JSON has may be of any kind."""
    if type(number) is not int or not 0 <= number < count:
        raise ValueError
    return number


class SearchOnly:
    """An index for a scorer that reads pages otherwise: it finds pages, which are read anew."""

    languages: Collection[str] = ()

    def __init__(self, index: Index) -> None:
        self._index = index
        self.digest = index.digest

    def join(self, language: Language) -> None:
        """Any language will do."""

    def find(self, page: Page, language: str) -> None:
        """Nothing was read ahead."""

    def search(
        self, question: str, k: int, *, language: str, pages_in: Collection[str] | None
    ) -> tuple[FoundPage, ...]:
        """As `Index.search`."""
        return self._index.search(question, k, language=language, pages_in=pages_in)
