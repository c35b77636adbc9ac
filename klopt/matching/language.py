"""What one language is read, matched and, where somebody asks for it, parsed with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from klopt.cached import Recent, cached_property
from klopt.lexicons import Lexicons
from klopt.matching.index import PageIndex, Relations, index_page
from klopt.reading.reader import Reader, vote
from klopt.records import Page, PageFormat

if TYPE_CHECKING:
    from klopt.reading.parse import Parser

__all__ = ["PAGE_CACHE", "PAGE_CACHE_CHARS", "Language", "Shelf"]

SEARCHED: Final = (
    "components",
    "confirmations",
    "doubts",
    "fillers",
    "guides",
    "negations",
    "refusals",
    "signal_words",
    "solutions",
)
"""The lexicons whose phrases and patterns every turn and page is searched for."""

PAGE_CACHE: Final = 512
"""Pages kept in memory, the least recently used goes first,"""

PAGE_CACHE_CHARS: Final = 10_000_000
"""and their characters in sum: an index takes about 30 bytes for each, so at most some 300 MB."""


class PageHit(Protocol):
    """A page that was found."""

    @property
    def page(self) -> Page:
        """The page."""
        ...


class Shelf(Protocol):
    """Pages that were read ahead, such as those of an index file."""

    @property
    def digest(self) -> str:
        """Tells it from one with other pages."""
        ...

    @property
    def languages(self) -> Collection[str]:
        """Those that it has pages in."""
        ...

    def join(self, language: Language) -> None:
        """Takes note that pages will be asked for in a language.

        Raises:
            InputError: Its pages were read with other tables, or otherwise.
        """
        ...

    def find(self, page: Page, language: str) -> PageIndex | None:
        """What was read of a page in a language; None where it does not have this content."""
        ...

    def search(
        self, question: str, k: int, *, language: str, pages_in: Collection[str] | None
    ) -> Sequence[PageHit]:
        """At most ``k`` pages for a question, in some languages or in any, the best first."""
        ...


class Language:
    """One language, with the company's own tables and the pages read so far.

    Safe to use from several threads.

    Args:
        lexicons: Its tables.
        pipeline: ``klopt`` for the bundled pipeline, or the name of an installed one; it is
            loaded when something is parsed, and never before.
        page_cache: How many pages to remember, of `PAGE_CACHE_CHARS` in sum.
        plain_names: As the `Reader` takes it.
        shelf: Where pages are looked for before they are read.

    Raises:
        InputError: The pages on the shelf were read with other tables, or otherwise.

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
        shelf: Shelf | None = None,
    ) -> None:
        self.lexicons = lexicons
        self.code = lexicons.language
        self.reader = Reader(lexicons, plain_names=plain_names)
        self._pipeline = pipeline
        self._pages: Recent[tuple[PageFormat, str], PageIndex] = Recent(
            page_cache, PAGE_CACHE_CHARS
        )
        self._shelf = shelf
        if shelf is not None:
            shelf.join(self)

    def prepare(self) -> None:
        """Makes ready now what the first turns would wait for."""
        for name in SEARCHED:
            self.lexicons[name].compile()
        vote(())  # reads the words of all languages

    @cached_property
    def relations(self) -> Relations:
        """Its synonyms, opposites and rivals."""
        return Relations(self.lexicons, self.reader.tokenizer)

    @cached_property
    def parser(self) -> Parser:
        """What parses its texts."""
        from klopt.reading.parse import Parser

        return Parser(self.lexicons, self._pipeline)

    def knows(self, page: Page) -> bool:
        """Whether a page was read, now or ahead, so that it costs no time."""
        return (page.format, page.text) in self._pages or self._from_shelf(page) is not None

    def page(self, page: Page) -> PageIndex:
        """The index of a page, made once for each content and format."""
        known = self._pages.get((page.format, page.text)) or self._from_shelf(page)
        return known or self._keep(page, self.read_page(page))

    def _from_shelf(self, page: Page) -> PageIndex | None:
        index = self._shelf.find(page, self.code) if self._shelf is not None else None
        return self._keep(page, index) if index is not None else None

    def _keep(self, page: Page, index: PageIndex) -> PageIndex:
        return self._pages.put((page.format, page.text), index, len(page.text))

    def read_page(self, page: Page) -> PageIndex:
        """The index of a page, made anew."""
        return index_page(self.reader.read(page.text, page.format), self.lexicons)
