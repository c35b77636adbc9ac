"""Build an index file in parallel; unchanged pages are copied, repeated ones not searched."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt._internal.pool import ENDED_TWICE, in_processes
from klopt.errors import ConfigurationError, InputError, UnknownLanguageError
from klopt.retrieval.index_file import Index
from klopt.retrieval.parts import PartsWriter
from klopt.retrieval.record import BadRecordError, PageRow, digest_of, page_of, record_of
from klopt.retrieval.search import WEIGHTS, Bags, tables_of, title_in
from klopt.retrieval.skipped import SkippedPage
from klopt.retrieval.vectors import Embedder, PassageVectors, passage_type
from klopt.scoring.setup import Languages, Setup
from klopt.text.language import LanguageVote, vote
from klopt.text.markup import read_text
from klopt.types import Page, Pages
from klopt.verification.index import index_page
from klopt.verification.units import Integers, Units
from klopt.verification.words import prepared
from klopt.version import VERSION

Sentences: TypeAlias = NDArray[np.uint64]
"""The distinct sentences of a page as hashes of their content words."""

REPEATED_SHARE: Final = 0.9  # of a page's sentences on others: it may be a print page
MIN_PAGES: Final = 3  # Pages that a print page contains, each at most half as long as it
MIN_SENTENCES: Final = 10  # A shorter page is no print page
MAX_CANDIDATES: Final = 20  # Pages examined, the longest first
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


def sentences_of(units: Units, numbers: Integers) -> Sentences:
    """Return the distinct sentences of a page, by the number of each word in all pages."""
    if not len(units):
        return np.empty(0, np.uint64)
    mixed = (numbers[units.tokens].astype(np.uint64) + np.uint64(1)) * _MIX
    mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX
    return np.unique(np.add.reduceat(mixed, units.offsets))


class Repeated:
    """The pages of an index, as they are read."""

    def __init__(self) -> None:
        self._texts: dict[bytes, list[int]] = {}
        self._sentences: dict[int, Sentences] = {}

    def add(self, number: int, text: str, sentences: Sentences) -> None:
        """Add the read text and the sentences of a page."""
        digest = hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        self._texts.setdefault(digest, []).append(number)
        self._sentences[number] = sentences

    def found(self, pages: Sequence[Page]) -> dict[int, SkippedPage]:
        """Return the pages to leave out of a search; of equal ones the first is searched."""
        repeated: dict[int, SkippedPage] = {}
        for numbers in self._texts.values():
            first, *others = sorted(numbers)
            for number in others:
                repeated[number] = SkippedPage(pages[number].id, "same_text", pages[first].id)
        for number, count in self._print_pages(set(repeated)).items():
            repeated[number] = SkippedPage(pages[number].id, "compilation", f"{count:,} pages")
        return repeated

    def _print_pages(self, without: set[int]) -> dict[int, int]:
        """The pages that consist of others, and the number of those."""
        numbers = [number for number in sorted(self._sentences) if number not in without]
        if len(numbers) <= MIN_PAGES:
            return {}
        sizes = np.array([len(self._sentences[number]) for number in numbers])
        every = np.concatenate([self._sentences[number] for number in numbers])
        owners = np.repeat(np.arange(len(numbers)), sizes)
        _, place, counts = np.unique(every, return_inverse=True, return_counts=True)
        repeated = np.bincount(owners, counts[place] > 1, len(numbers))
        is_likely = (repeated >= REPEATED_SHARE * sizes) & (sizes >= MIN_SENTENCES)
        likely = np.flatnonzero(is_likely)
        found: dict[int, int] = {}
        for row in likely[np.argsort(-sizes[likely], kind="stable")][:MAX_CANDIDATES].tolist():
            own = np.bincount(owners, np.isin(every, self._sentences[numbers[row]]), len(numbers))
            is_part = (own >= REPEATED_SHARE * sizes) & (sizes > 0) & (2 * sizes <= sizes[row])
            if is_part.sum() >= MIN_PAGES and sizes[is_part].sum() >= sizes[row] / 2:
                found[numbers[row]] = int(is_part.sum())
        return found


_CHUNK: Final = 32  # Pages that a process reads at a time
_SAMPLE_PAGES: Final = 100  # determine the language of pages where none is detected


class ReadPage(NamedTuple):
    """A page that was read: its record, its language and the vectors of its passages."""

    record: bytes
    language: str
    vectors: PassageVectors | None


@dataclass(frozen=True, slots=True)
class Built:
    """What a build wrote: pages, those copied from the old index, and what is not searched."""

    page_count: int
    copied_count: int
    skipped: tuple[SkippedPage, ...]


def page_languages(pages: Sequence[Page], language: str) -> tuple[str, list[str]]:
    """Return the given language, or else that of most pages, and the language of each page.

    >>> page_languages([Page("Klik op de knop."), Page("Wifi")], "auto")
    ('nl', ['nl', 'nl'])
    """
    votes = list(map(_vote, pages))
    voted = [one.language for one in votes]
    counts = Counter(sorted(code for code in voted if code is not None))
    if language == "auto" and not counts:
        reason = votes[0].reason if votes else "there are no pages"
        raise UnknownLanguageError(f"{reason}; set it with --language")
    first = counts.most_common(1)[0][0] if language == "auto" else language
    return first, [code or first for code in voted]


def _vote(page: Page) -> LanguageVote:
    try:
        return vote([read_text(page.text, page.format).running_text])
    except Exception as error:  # reading it again shows which page
        return LanguageVote(None, (), f"{page.id} cannot be read: {error}")


def build(
    file: BinaryIO,
    pages: Pages,
    setup: Setup,
    *,
    language: str = "auto",
    embedder: Embedder | None = None,
    old: Index | None = None,
    processes: int = 1,
    advance: Callable[[], object] = lambda: None,
    skipped: Iterable[SkippedPage] = (),
) -> Built:
    """Write an index of pages.

    A page whose language is not detected is read in ``language``; ``auto`` is that of most pages. A
    page that cannot be read is left out, and a page that repeats others is not searched; both are
    listed in the result and in the index, beside ``skipped`` files. The same pages give the same
    bytes with any number of processes. Unchanged pages are copied from ``old``; an ``embedder``
    adds vectors, so that a search also finds pages by meaning and in other languages; ``advance``
    is called after each page. Raises UnknownLanguageError if the profile lacks the pages' language,
    and InputError if no page can be read.
    """
    distinct = list({id(page): page for page in pages.values()}.values())
    languages = Languages(setup.profile, setup.terms)
    sample = distinct[:: len(distinct) // _SAMPLE_PAGES + 1]
    first = page_languages(sample, language)[0] if language == "auto" else language
    if first not in languages.profile.languages:
        raise UnknownLanguageError(
            f'the pages are in "{first}", which profile "{languages.profile.name}" does not have; '
            f"it has {', '.join(languages.profile.languages)}, and --language states another"
        )
    reader = _Reader(languages, first, embedder)
    old = old if old is not None and reader.can_copy(old) else None
    pages_of: dict[str, list[int]] = {}
    for number, page in enumerate(distinct):
        pages_of.setdefault(digest_of(page), []).append(number)
    order = sorted(pages_of)
    wanted = [distinct[pages_of[digest][0]] for digest in order]
    is_old = [old is not None and reader.knows(old, page) for page in wanted]
    unread = [page for page, known in zip(wanted, is_old, strict=True) if not known]
    writer = _Writer(file, distinct, reader, list(skipped))
    copied_count = 0
    with closing(_read_all(unread, setup, reader, processes)) as fresh:
        for digest, page, known in zip(order, wanted, is_old, strict=True):
            read = _copied(old, page, embedder is not None) if old and known else next(fresh)
            copied_count += known and read is not None
            writer.add(digest, pages_of[digest], reader.read(page) if read is None else read)
            advance()
    return writer.finish(pages, copied_count)


class _Reader:
    """Reads pages, each in its own language if the profile has that."""

    def __init__(self, languages: Languages, first: str, embedder: Embedder | None) -> None:
        self.languages = languages
        self.first = first
        self.embedder = embedder

    @property
    def settings(self) -> dict[str, Any]:
        """What the languages of the pages and the reading depend on, beside the lexicons."""
        own = self.languages.profile
        return {"first": self.first, "plain_names": own.plain_names, "reads": sorted(own.languages)}

    def can_copy(self, old: Index) -> bool:
        """Whether an index was built with the same settings and model."""
        model = self.embedder and self.embedder.digest
        return old.settings == self.settings and model in (None, old.encoder)

    def knows(self, old: Index, page: Page) -> bool:
        code = old.language_of_page(page)
        return code is not None and self.languages[code].lexicons.digest == old.languages[code]

    def read(self, page: Page) -> ReadPage | SkippedPage:
        """Read a page; no page stops a build."""
        try:
            plain = read_text(page.text, page.format)
            voted = vote([plain.running_text]).language
            code = self.first
            if voted is not None and voted in self.languages.profile.languages:
                code = voted
            language = self.languages[code]
            index = index_page(language.reader.read_plain(plain), language.lexicons)
            vectors = self.embedder.passages(page, plain) if self.embedder else None
            return ReadPage(record_of(prepared(index, language.lexicons)), code, vectors)
        except (ConfigurationError, MemoryError):
            raise
        except Exception as error:
            return SkippedPage(page.id, "failed", f"{type(error).__name__}: {error}")


class _Writer:
    """Writes the pages of an index as they are read, and finally its tables."""

    def __init__(
        self, file: BinaryIO, pages: Sequence[Page], reader: _Reader, skipped: list[SkippedPage]
    ) -> None:
        self._parts = PartsWriter(file)
        self._pages = pages
        self._reader = reader
        self._skipped = skipped
        self._bags: dict[str, Bags] = {}
        self._repeated: dict[str, Repeated] = {}
        self._vectors: list[NDArray[np.void]] = []
        self._read: dict[int, PageRow] = {}
        self._record_count = 0

    def add(self, digest: str, numbers: Sequence[int], read: ReadPage | SkippedPage) -> None:
        """Write the record of the pages that have one text, or note why there is none."""
        if isinstance(read, SkippedPage):
            ids = (self._pages[number].id for number in numbers)
            self._skipped += (SkippedPage(name, read.reason, read.detail) for name in ids)
            return
        index, code = page_of(read.record, read.language), read.language
        language = self._reader.languages[code]
        bags = self._bags.setdefault(code, Bags(language, WEIGHTS))
        repeated = self._repeated.setdefault(code, Repeated())
        text = index.reading.plain.text
        sentences = sentences_of(index.units, bags.numbers(index.units.words))
        for number in numbers:
            page = self._pages[number]
            bags.add(index, page, number)
            repeated.add(number, text, sentences)
            heading = page.title or title_in(index.reading.plain)
            row = PageRow(page.id, page.title, page.url, page.format, code, digest, True, heading)
            self._read[number] = row
            if not text.strip():
                self._skipped.append(SkippedPage(page.id, "empty"))
            elif index.reading.vote.language not in (None, code) or index.reading.vote.other:
                own = index.reading.vote.language or index.reading.vote.other or ""
                self._skipped.append(SkippedPage(page.id, "other_language", own))
        self._parts.add(digest, read.record)
        if read.vectors is not None:
            rows = np.zeros(len(read.vectors), passage_type(read.vectors.shape[1]))
            rows["record"], rows["vector"] = self._record_count, read.vectors
            self._vectors.append(rows)
        self._record_count += 1

    def finish(self, names: Pages, copied_count: int) -> Built:
        if self._pages and not self._read:
            raise InputError(f"none of the pages can be read: {self._skipped[-1]}")
        repeats: dict[int, SkippedPage] = {}
        for pages in self._repeated.values():
            repeats |= pages.found(self._pages)
        skipped = sorted([*self._skipped, *repeats.values()], key=lambda one: one.name)
        tables = tables_of(self._bags.values())
        for name, table in zip(("words", "postings"), tables, strict=True):
            self._parts.add(name, table.tobytes())
        self._parts.add("vectors", b"".join(rows.tobytes() for rows in self._vectors))
        embedder, languages = self._reader.embedder, self._reader.languages
        codes = sorted({row.language for row in self._read.values()})
        place = {number: at for at, number in enumerate(sorted(self._read))}
        place_of = {id(self._pages[number]): at for number, at in place.items()}
        rows = (self._read[number]._replace(is_searched=number not in repeats) for number in place)
        directory = {
            "klopt": VERSION,
            "languages": {code: languages[code].lexicons.digest for code in codes},
            "profile": languages.profile.name,
            "settings": self._reader.settings,
            "vectors": embedder and {"model": embedder.digest, "dimensions": embedder.dimensions},
            "pages": list(rows),
            "names": {
                name: place_of[id(page)]
                for name, page in names.items()
                if name != page.id and id(page) in place_of
            },
            "skipped": [[one.name, one.reason, one.detail] for one in skipped],
        }
        self._parts.finish(directory)
        return Built(len(place), copied_count, tuple(skipped))


def _copied(old: Index, page: Page, with_vectors: bool) -> ReadPage | None:
    """A page of an old index; None if its record is damaged."""
    code = old.language_of_page(page)
    try:
        record = old.record_of(page, code or "")
        if code is None or record is None:
            return None
        page_of(record, code)
        return ReadPage(record, code, old.vectors_of(page) if with_vectors else None)
    except (BadRecordError, InputError):
        return None


def _read_all(
    pages: Sequence[Page], setup: Setup, reader: _Reader, processes: int
) -> Generator[ReadPage | SkippedPage]:
    if processes <= 1:
        yield from map(reader.read, pages)
        return
    starts = range(0, len(pages), _CHUNK)
    chunks = ((chunk, chunk) for at in starts if (chunk := [*pages[at : at + _CHUNK]]))
    for chunk, results in in_processes(
        processes, _read, chunks, _start, setup, reader.first, reader.embedder
    ):
        for page, result in zip(chunk, results, strict=True):
            yield result or SkippedPage(page.id, "failed", ENDED_TWICE)


_OWN: Final[list[_Reader]] = []  # In a worker: what it reads pages with


def _start(setup: Setup, first: str, embedder: Embedder | None) -> None:
    _OWN.append(_Reader(Languages(setup.profile, setup.terms), first, embedder))


def _read(pages: list[Page]) -> list[ReadPage | SkippedPage]:
    return [_OWN[0].read(page) for page in pages]
