"""Read the pages of a help centre from an export: JSON or a table with titles and texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from klopt._internal.fields import rename
from klopt.errors import InputError
from klopt.logs.products import flat_text, is_article, lists_in
from klopt.logs.rows import read_mappings
from klopt.types import Page


def read_exported(path: Path) -> dict[str, Page]:
    """Return the pages in an export, such as the articles of Zendesk, by their titles and ids.

    Drafts and articles without text are left out. Articles of one title get their ids behind it.

    Raises:
        InputError: The file cannot be read, or has no article with a text and a title or address.
    """
    pages: dict[str, Page] = {}
    for _, record, _ in read_mappings(str(path), None):
        for fields in () if isinstance(record, str) else _articles(record):
            own = {name: str(value) for name, value in fields.items() if name != "text"}
            name = own.get("title") or own.get("url") or own["id"]
            if name in pages:
                name = f"{name} ({own.get('id') or len(pages)})"
            text = flat_text(fields["text"])
            page = Page(text, id=name, title=own.get("title"), url=own.get("url"))
            pages[name] = page
            if (number := own.get("id")) is not None:
                pages.setdefault(number, page)
    if not pages:
        raise InputError(f"{path}: holds no pages: records with a text and a title or an address")
    return pages


def _articles(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the fields of the articles that a record is or holds, under our names."""
    for items in ([record], *lists_in(record)):
        found = [rename(item, "page", {}) for item in items if item.get("draft") is not True]
        pages = [own for own in found if is_article(own) and flat_text(own["text"])]
        if pages:
            yield from pages
            return
