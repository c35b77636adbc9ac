"""One language: its lexicons, reader, word relations, parser and page cache."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from klopt._internal.cached import Recent, cached_property
from klopt.lexicons import Lexicons
from klopt.text.language import vote
from klopt.text.reader import Reader
from klopt.types import Page, PageFormat
from klopt.verification.index import PageIndex, Relations, index_page

if TYPE_CHECKING:
    from klopt.text.parse import Parser

SEARCHED: Final = (
    "answer_parts",
    "components",
    "confirmations",
    "doubts",
    "fillers",
    "guides",
    "negations",
    "refusals",
    "reversals",
    "signal_words",
    "solutions",
)
"""The lexicons whose patterns are searched in every turn and page."""

PHRASES: Final = (
    *(("confirmations", name) for name in ("acknowledgements", "openings")),
    *(("negations", name) for name in ("conditions", "negations", "openings")),
    *(("reversals", name) for name in ("after", "before", "conditions", "joining", "then")),
)
"""Lexicon and list of the phrases that are searched in every turn or in those with steps."""

PAGE_CACHE: Final = 512
"""Pages in the cache, least recently used first out."""

PAGE_CACHE_CHARS: Final = 10_000_000
"""Characters of the pages in the cache: 30 bytes each in memory, so at most 300 MB."""


class PageHit(Protocol):
    """A page that was found."""

    @property
    def page(self) -> Page:
        """The page."""


class PageStore(Protocol):
    """Pages that were read before, such as those of an index file."""

    @property
    def digest(self) -> str:
        """Identifies its content."""

    @property
    def languages(self) -> Collection[str]:
        """The languages of its pages."""

    def join(self, language: Language) -> None:
        """Check that its pages can be used with a language.

        Raises:
            InputError: Its pages were read with other lexicons or settings.
        """

    def find(self, page: Page, language: str) -> PageIndex | None:
        """Return the index of a page; None if it has no page with this content."""

    def search(
        self, question: str, k: int, *, language: str, pages_in: Collection[str] | None
    ) -> Sequence[PageHit]:
        """Return at most ``k`` pages for a question, best first, in some languages or in any."""


class Language:
    """One language with its lexicons and the pages read so far; thread-safe.

    Args:
        lexicons: Its lexicons, those of the company included.
        pipeline: ``klopt`` for the bundled pipeline, or the name of an installed one; it is
            loaded on the first parse.
        page_cache: Pages in the cache, of `PAGE_CACHE_CHARS` characters together.
        plain_names: As for the `Reader`.
        store: Pages that were read before.

    Raises:
        InputError: The pages of the store were read with other lexicons or settings.

    >>> from klopt import lexicons
    >>> dutch = Language(lexicons.load("nl"))
    >>> dutch.page(Page("Klik op **Opslaan**.")).names("opslaan")
    True
    """

    def __init__(
        self,
        lexicons: Lexicons,
        *,
        pipeline: str = "klopt",
        page_cache: int = PAGE_CACHE,
        plain_names: bool = True,
        store: PageStore | None = None,
    ) -> None:
        self.lexicons = lexicons
        self.code = lexicons.language
        self.reader = Reader(lexicons, plain_names=plain_names)
        self._pipeline = pipeline
        self._pages: Recent[tuple[PageFormat, str], PageIndex] = Recent(
            page_cache, PAGE_CACHE_CHARS
        )
        self._store = store
        if store is not None:
            store.join(self)

    def prepare(self) -> None:
        """Prepare what the first turns would otherwise wait for."""
        for name in SEARCHED:
            self.lexicons[name].prepare()
        for name, phrases in PHRASES:
            self.lexicons[name].phrases[phrases]  # compiled on first use
        vote(())  # reads the words of all languages

    @cached_property
    def relations(self) -> Relations:
        """Its synonyms, opposites and rivals."""
        return Relations(self.lexicons, self.reader.tokenizer)

    @cached_property
    def general_words(self) -> frozenset[str]:
        """The words for a kind of component, such as "button"."""
        return frozenset(map(self.reader.tokenizer.key, self.lexicons["general_words"].words))

    @cached_property
    def parser(self) -> Parser:
        """The parser of its texts."""
        from klopt.text.parse import Parser

        return Parser(self.lexicons, self._pipeline)

    def knows(self, page: Page) -> bool:
        """Return whether a page has been read already."""
        return (page.format, page.text) in self._pages or self._from_store(page) is not None

    def page(self, page: Page) -> PageIndex:
        """Return the index of a page, from the cache if it is there."""
        known = self._pages.get((page.format, page.text)) or self._from_store(page)
        return known or self._keep(page, self.read_page(page))

    def _from_store(self, page: Page) -> PageIndex | None:
        index = self._store.find(page, self.code) if self._store is not None else None
        return self._keep(page, index) if index is not None else None

    def _keep(self, page: Page, index: PageIndex) -> PageIndex:
        return self._pages.put((page.format, page.text), index, len(page.text))

    def read_page(self, page: Page) -> PageIndex:
        """Read a page and return its index."""
        return index_page(self.reader.read(page.text, page.format), self.lexicons)
