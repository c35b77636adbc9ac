"""The row of a page in the directory of an index file."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from klopt.types import Page, PageFormat


def digest_of(page: Page) -> str:
    """Return the name of a page's record: a hash of its format and text."""
    whole = f"{page.format}\0{page.text}".encode(errors="surrogatepass")
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


class PageRow(NamedTuple):
    """A page in the directory of an index file.

    Attributes:
        id, title, url, format: As in `klopt.types.Page`.
        language: The language that it was read in.
        record: The name of its record.
        is_searched: Whether a search finds it.
        heading: Its title, or its first heading.
    """

    id: str
    title: str | None
    url: str | None
    format: PageFormat
    language: str
    record: str
    is_searched: bool
    heading: str | None

    def with_text(self, text: str) -> Page:
        """Return the page."""
        return Page(text, self.id, self.title, self.url, self.format)
