"""The index file: pages read at build time, found by content, by name and by a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from klopt import lexicons
from klopt._internal.cached import Recent, cached_property
from klopt._internal.fields import kind_of_value
from klopt.errors import ConfigurationError, InputError, RecordError
from klopt.retrieval.parts import REBUILD, Parts
from klopt.retrieval.record import BadRecordError, PageRow, digest_of, page_of, source_of
from klopt.retrieval.search import POSTING, WORD, FoundPage, Searcher, best
from klopt.retrieval.skipped import REASONS, SkippedPage
from klopt.text.language import vote
from klopt.types import Page
from klopt.verification.language import Language
from klopt.verification.words import PreparedPage
from klopt.version import VERSION

if TYPE_CHECKING:
    from klopt.retrieval.vectors import Embedder, PassageVectors, Similarity

_CACHED_PAGES: Final = 512
_CACHED_CHARS: Final = 10_000_000  # Limits of the cache of page texts, the characters in total
_MAX_DIMENSIONS: Final = 1 << 16


class Index(Mapping[str, Page]):
    r"""An open index file: its pages by name, and what klopt read of each.

    Safe for several threads and for forked processes. A page is loaded when it is needed.

    Args:
        path: The file, from ``klopt index build``.
        embedder: The embedding model, or its folder, of an index with vectors; needed to search.

    Attributes:
        path: The file.
        embedder: The embedding model, or None.
        klopt: The version of klopt that read the pages.
        languages: Language of pages → digest of its lexicons.
        profile: The name of the profile that it was built for.
        settings: What else the reading of its pages depends on; see `klopt.retrieval.building`.
        skipped: Files and pages that it lacks or that a search does not find, sorted by name.
        encoder: The digest of the model that made its vectors, or None without vectors.

    Raises:
        InputError: The file is not an index, of another version, truncated or altered.
        ConfigurationError: The model is not the one that made the vectors, or the index has none.

    >>> import tempfile
    >>> from klopt import Profile
    >>> from klopt.retrieval.building import build
    >>> from klopt.scoring.setup import Setup
    >>> wifi = Page("# Wifi\n\nZet wifi aan bij **Netwerk**.", id="wifi.md")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "help.klopt")
    ...     with path.open("wb") as file:  # as `klopt index build` does
    ...         _ = build(file, {wifi.id: wifi}, Setup(Profile.load()))
    ...     index = Index.open(path)
    ...     [found] = index.search("Hoe zet ik wifi aan?", k=1)
    ...     index.close()
    >>> found.page.id, found.title
    ('wifi.md', 'Wifi')
    """

    def __init__(self, path: Path, embedder: Embedder | Path | str | None = None) -> None:
        self.path = path
        self._parts = Parts(path)
        try:
            self._read_directory(self._parts.about)
        except InputError:
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise self._parts.altered("its directory") from None
        self._recent: Recent[str, Page] = Recent(_CACHED_PAGES, _CACHED_CHARS)
        self._languages: dict[str, Language] = {}
        if isinstance(embedder, Path | str):
            from klopt.retrieval.vectors import Embedder

            embedder = Embedder(embedder)
        self.embedder = embedder
        if embedder is not None and embedder.digest != self.encoder:
            found = f"its vectors are of model {self.encoder}" if self.encoder else "has no vectors"
            raise ConfigurationError(
                f"{path}: {found}, and {embedder.folder} has model {embedder.digest}; give the "
                "folder that the index was built with, or build it again: `klopt index build "
                f"--pages DIR -o {path} --embedder {embedder.folder}`"
            )

    @classmethod
    def open(cls, path: str | Path, embedder: Embedder | Path | str | None = None) -> Index:
        """Open an index file; see `Index`."""
        return cls(Path(path), embedder)

    __eq__ = object.__eq__  # that of a mapping would load every page
    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self.path.absolute(), self.digest, self.embedder)

    def __repr__(self) -> str:
        return f"Index.open({str(self.path)!r})"

    def close(self) -> None:
        """Close the file; loaded pages stay usable."""
        self._parts.close()

    def _read_directory(self, directory: Any) -> None:  # noqa: ANN401 - any JSON value
        self.klopt = str(directory["klopt"])
        if self.klopt != VERSION:
            raise InputError(
                f"{self.path}: its pages were read by klopt {self.klopt}, and this is {VERSION}; "
                f"{REBUILD}"
            )
        self.languages: dict[str, str] = dict(directory["languages"])
        self.profile = str(directory["profile"])
        self.settings: dict[str, object] = dict(directory["settings"])
        if not isinstance(self.settings["plain_names"], bool):
            raise ValueError
        self.skipped = tuple(SkippedPage(*map(str, row)) for row in directory["skipped"])
        if not {one.reason for one in self.skipped} <= REASONS.keys():
            raise ValueError
        vectors = directory["vectors"]
        self.encoder: str | None = None if vectors is None else str(vectors["model"])
        self._dimensions = 1 + _below(vectors["dimensions"] - 1, _MAX_DIMENSIONS) if vectors else 0
        if not self._parts.sizes.keys() >= {"words", "postings", "vectors"}:
            raise ValueError
        self._pages = [PageRow(*row) for row in directory["pages"]]
        for page in self._pages:
            page.with_text("")  # validates the types
            Page("", title=page.heading)
            is_known = page.language in self.languages and page.record in self._parts.sizes
            if not (isinstance(page.id, str) and is_known):
                raise ValueError
        records = sorted({page.record for page in self._pages})
        self._records = {record: number for number, record in enumerate(records)}
        self._language_of = {page.record: page.language for page in self._pages}
        self._names = {page.id: number for number, page in enumerate(self._pages)}
        for name, number in directory["names"].items():
            self._names[name] = _below(number, len(self._pages))

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

    def listed(self) -> Iterator[tuple[str, str | None, str | None]]:
        """Yield name, title or first heading, and address of each page; reads no text."""
        return ((page.id, page.heading, page.url) for page in self._pages)

    def _page(self, number: int) -> Page:
        page = self._pages[number]
        try:
            return page.with_text(source_of(self._parts.read(page.record)))
        except BadRecordError:
            raise self._parts.altered(f'page "{page.id}"') from None

    def join(self, language: Language) -> None:
        """Register a language, or raise an `InputError`: its pages were read differently."""
        code = language.code
        if self.languages.get(code, language.lexicons.digest) != language.lexicons.digest:
            raise InputError(
                f'{self.path}: its pages in "{code}" were read with other tables than this profile '
                f"and these company terms have; {REBUILD}, with the same --profile and --terms"
            )
        if code in self.languages and self.settings["plain_names"] != language.reader.plain_names:
            raise InputError(
                f'{self.path}: was built for profile "{self.profile}", and this profile reads the '
                f"names on pages differently; rebuild it for this profile with `klopt index build "
                f"--pages DIR -o {self.path} --profile NAME`"
            )
        self._languages[code] = language

    def find(self, page: Page, language: str) -> PreparedPage | None:
        """Return the stored reading of a page, or None where the index lacks this content."""
        record = self.record_of(page, language)
        try:
            return None if record is None else page_of(record, language)
        except BadRecordError:
            raise self._parts.altered(f'the record of page "{page.id}"') from None

    def record_of(self, page: Page, language: str) -> bytes | None:
        """Return the record of a page as stored; None where it was not read in this language."""
        record = digest_of(page)
        return self._parts.read(record) if self._language_of.get(record) == language else None

    def language_of_page(self, page: Page) -> str | None:
        """Return the language that a page was read in; None where the index lacks its content."""
        return self._language_of.get(digest_of(page))

    def search(
        self,
        question: str,
        k: int = 5,
        *,
        language: str = "auto",
        pages_in: Collection[str] | None = None,
    ) -> tuple[FoundPage, ...]:
        """Return the pages that match a question best: by its words and, with vectors, meaning.

        ``auto`` is the detected language, or else that of most pages; ``pages_in`` are the
        languages of the pages to search: by default the question's, and all where the index has
        vectors. Raises ConfigurationError for vectors without an embedder, InputError for an
        altered file, or company terms without a scorer made with this index, RecordError for a
        question that is not text, and ValueError for ``k`` that is not a whole number from 1.
        """
        if not isinstance(question, str):
            raise RecordError(f"question is {kind_of_value(question)}, not text")
        if not isinstance(k, SupportsIndex) or k < 1:
            raise ValueError(f"k is a whole number from 1, not {k!r}")
        self.check_searchable()
        language = self.language_of(question) if language == "auto" else language
        searched = (language,) if self.encoder is None and pages_in is None else pages_in
        scores = self._scores(question, language)
        for number, page in enumerate(self._pages):
            if not page.is_searched or (searched is not None and page.language not in searched):
                scores[number] = 0
        return tuple(
            FoundPage(self._page(number), score, self._pages[number].heading)
            for number, score in best(scores, k)
        )

    def passage(self, found: FoundPage, question: str, *, language: str = "auto") -> str:
        """Return the sentence of a found page that fits the question best; empty without text."""
        code = self.language_of_page(found.page) or ""
        index = self.find(found.page, code)
        if index is None or not len(index.units):
            return ""
        unit = 0
        if code == (self.language_of(question) if language == "auto" else language):
            unit = self._searcher.best_unit(question, self._language(code), index)
        start, end = index.units.starts[unit], index.units.ends[unit]
        return index.reading.plain.text[start:end]

    def check_searchable(self) -> None:
        """Raise `ConfigurationError` for an index with vectors and without its embedder."""
        if self.encoder is not None and self.embedder is None:
            raise ConfigurationError(
                f"{self.path}: has vectors of model {self.encoder}, which a search needs; give the "
                "model's folder with KLOPT_EMBEDDER=DIR, in Python Index.open(FILE, embedder=DIR)"
            )

    def _scores(self, question: str, language: str) -> NDArray[np.float64]:
        scores = np.zeros(len(self._pages))
        if language in self.languages:
            scores += self._searcher.scores(question, self._language(language))
        if self.embedder is None:
            return scores
        from klopt.retrieval.vectors import BM25_WEIGHT

        return scores * BM25_WEIGHT + self._similarity.of(self.embedder.question(question))

    def _language(self, code: str) -> Language:
        if code not in self._languages:  # a new one calls `join`
            names = bool(self.settings["plain_names"])
            Language(lexicons.load(code), plain_names=names, store=self)
        return self._languages[code]

    def language_of(self, question: str) -> str:
        """Return the detected language of a question, or else that of most pages."""
        counts = self.page_counts
        most = max(counts, key=lambda code: counts[code], default="")
        return vote([question]).language or most

    def vectors_of(self, page: Page) -> PassageVectors:
        """Return the stored vectors of the passages of a page that `record_of` finds."""
        number = self._records[digest_of(page)]
        first, last = np.searchsorted(self._passages["record"], [number, number + 1])
        vectors: PassageVectors = self._passages["vector"][first:last]
        return vectors

    @cached_property
    def _passages(self) -> NDArray[np.void]:
        from klopt.retrieval.vectors import passage_type

        return self._table("vectors", passage_type(self._dimensions))

    @cached_property
    def _similarity(self) -> Similarity:
        from klopt.retrieval.vectors import Similarity

        records = np.array([self._records[page.record] for page in self._pages], np.int64)
        passages = self._passages
        try:
            return Similarity(passages, records)
        except ValueError:
            raise self._parts.altered("its table of vectors") from None

    @cached_property
    def _searcher(self) -> Searcher:
        words, postings = self._table("words", WORD), self._table("postings", POSTING)
        try:
            return Searcher(words, postings, len(self._pages))
        except ValueError:
            raise self._parts.altered("its table of words") from None

    @property
    def page_count(self) -> int:
        """The number of pages; most have two names, with and without their file ending."""
        return len(self._pages)

    @property
    def page_counts(self) -> Counter[str]:
        """The number of pages in each language."""
        return Counter(page.language for page in self._pages)

    @property
    def digest(self) -> str:
        """SHA-256 of the directory, which contains the checksums of everything else."""
        return self._parts.digest

    @property
    def size_bytes(self) -> int:
        """The size of the file."""
        return self._parts.size_bytes

    def check(self) -> None:
        """Read everything in the file, or raise an `InputError`: a part was altered."""
        for number, page in enumerate(self._pages):
            if self.find(self._page(number), page.language) is None:
                raise self._parts.altered(f'page "{page.id}"')
        for name in self._parts.sizes:
            self._parts.read(name)

    def _table(self, name: str, kind: np.dtype[Any]) -> NDArray[Any]:
        if self._parts.sizes[name] % kind.itemsize:
            raise self._parts.altered(f"its table of {name}")
        return np.frombuffer(self._parts.read(name), kind)


def _unpickled(kind: type[Index], path: Path, digest: str, embedder: Embedder | None) -> Index:
    """The index that another process pickled."""
    index = kind(path, embedder)
    if index.digest != digest:
        raise InputError(
            f"{path}: the file was replaced since it was sent to this process ({index.digest[:8]}, "
            f"not {digest[:8]}); open it again with Index.open, and make the scorer again"
        )
    return index


def _below(number: object, limit: int) -> int:
    """A number from 0 to below a limit; JSON can have any type there."""
    if type(number) is not int or not 0 <= number < limit:
        raise ValueError
    return number


class SearchOnly:
    """An index for a scorer whose settings differ: it finds pages, and the scorer reads them."""

    languages: Collection[str] = ()

    def __init__(self, index: Index) -> None:
        self._index = index
        self.digest = index.digest

    def join(self, language: Language) -> None:
        """Accept any language."""

    def find(self, page: Page, language: str) -> None:
        """Return None: stored readings do not fit."""

    def search(
        self, question: str, k: int, *, language: str, pages_in: Collection[str] | None
    ) -> tuple[FoundPage, ...]:
        """Search as `Index.search`."""
        return self._index.search(question, k, language=language, pages_in=pages_in)
