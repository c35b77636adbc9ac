"""Read help pages from a folder, or from an export of a help centre."""

from __future__ import annotations

import logging
import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from klopt._internal.decoding import decode
from klopt._internal.fields import rename
from klopt._internal.imports import install
from klopt.errors import ExtraMissingError, InputError
from klopt.logs.formats import Warn, kind_of
from klopt.logs.products import flat_text, is_article, lists_in
from klopt.logs.rows import read_mappings
from klopt.retrieval.skipped import SkippedPage, summary
from klopt.text.html import title_of
from klopt.text.markup import read_text
from klopt.types import Page, PageFormat

FORMATS: Final[dict[str, PageFormat]] = {
    ".htm": "html", ".html": "html", ".markdown": "markdown", ".md": "markdown",
    ".mdx": "markdown", ".rst": "rst", ".txt": "plain",
}  # fmt: skip
ENDINGS: Final = tuple(sorted(FORMATS))
MAX_PAGE_BYTES: Final = 10_000_000  # Size of a page's file; a larger one is not read
MAX_FOLDER_CHARS: Final = 1_000_000_000  # of all pages, which are in memory together
MAX_FILES: Final = 200_000  # Files in a folder of pages

_ARCHIVES: Final = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz", ".zip")
_SOURCES: Final = re.compile(r"(?:^|(?<=/))_sources/")
_SOURCE_ENDING: Final = re.compile(r"(?:\.(?:ipynb|md|rst))?(?:\.txt)?\Z")
_REDIRECT: Final = re.compile(
    r"""<meta\b(?=[^>]{0,200}?\bhttp-equiv\s*=\s*["']?refresh)[^>]{0,400}?\burl\s*=\s*'?([^"'>\s]+)""",
    re.IGNORECASE,
)
_BUILT: Final = (".html", "/index.html", ".htm")
_NOSCRIPT: Final = re.compile(r"(?is)<noscript\b.*?</noscript")
_REDIRECT_CHARS: Final = 10_000
_REDIRECT_TEXT_CHARS: Final = 300  # A longer page, or one with more text, is more than a redirect
_RST: Final = re.compile(
    r"^\.\. (?:[\w-]+(?::[\w-]+)*::|_[\w -]+:)|:(?:doc|guilabel|kbd|menuselection|ref|term):`", re.M
)  # Directives and roles of reStructuredText
_EXPECTED: Final = ("ending", "redirect", "source")
_LOG: Final = logging.getLogger("klopt")


@dataclass(frozen=True, slots=True)
class PageFolder:
    """The pages of a folder by name, and the files that are not read."""

    pages: dict[str, Page]
    skipped: tuple[SkippedPage, ...]


def read_pages(
    folder: Path, *, follow_links: bool = False, warn: Warn = _LOG.warning
) -> dict[str, Page]:
    """Return the pages of a folder; warn about files that are not read but perhaps should be."""
    found = read_folder(folder, follow_links=follow_links)
    for line in summary(one for one in found.skipped if one.reason not in _EXPECTED):
        warn(f"{folder}: {line}")
    return found.pages


def read_folder(folder: Path, *, follow_links: bool = False) -> PageFolder:
    """Read the pages of a folder and its subfolders, or of an export of a help centre in one file.

    A page's name is its path in the folder (``net/wifi.md``), or the path without the ending if no
    other page has that. A redirect, and the source that Sphinx puts beside a page, are names of the
    page that they belong to. InputError if there is no such folder or export, no page in it, or it
    exceeds a limit.
    """
    if folder.is_file() and kind_of(folder) in ("csv", "excel", "json", "jsonl"):
        return PageFolder(read_exported(folder), ())
    if not folder.is_dir():
        unpack = "; unpack the archive first" if folder.suffix.lower() in _ARCHIVES else ""
        raise InputError(f"{folder}: there is no such folder of pages{unpack}")
    pages: dict[str, Page] = {}
    skipped: list[SkippedPage] = []
    total_chars = 0
    for name, path in _files(folder, skipped, follow_links=follow_links):
        page = _read(name, path)
        if isinstance(page, SkippedPage):
            skipped.append(page)
            continue
        pages[name] = page
        total_chars += len(page.text)
        if total_chars > MAX_FOLDER_CHARS:
            raise InputError(
                f"{folder}: the pages exceed {MAX_FOLDER_CHARS:,} characters; split the folder"
            )
    others = {name: why for name in pages if (why := _stands_for(name, pages)) is not None}
    left_out = {name: SkippedPage(name, *why) for name, why in others.items()}
    if find_spec("docutils") is None:
        needing = [name for name, page in pages.items() if page.format == "rst"]
        left_out |= {name: SkippedPage(name, "needs_rst") for name in {*needing} - {*others}}
    skipped += left_out.values()
    pages = {name: page for name, page in pages.items() if name not in left_out}
    if not pages and any(one.reason == "needs_rst" for one in skipped):
        raise ExtraMissingError(
            f"{folder}: its pages are reStructuredText, which docutils reads; install with: "
            f"{install('rst')}"
        )
    if not pages:
        raise InputError(f"{folder}: there is no page in it; pages end in {', '.join(ENDINGS)}")
    stems: dict[str, list[str]] = {}
    for name in pages:
        stems.setdefault(name.rpartition(".")[0], []).append(name)
    for stem, names in stems.items():
        if len(names) == 1:
            pages.setdefault(stem, pages[names[0]])
    for name, (_, other) in others.items():
        if other in pages:
            pages.setdefault(name, pages[other])
    return PageFolder(pages, tuple(sorted(skipped, key=lambda one: one.name)))


def _read(name: str, path: Path) -> Page | SkippedPage:
    try:
        size = path.stat().st_size
        if size > MAX_PAGE_BYTES:
            return SkippedPage(name, "too_large", f"{size:,} bytes")
        text = decode(path.read_bytes(), name).text
    except OSError as error:
        return SkippedPage(name, "unreadable", error.strerror or "")
    except InputError as error:
        return SkippedPage(name, "unreadable", str(error).removeprefix(f"{name}: "))
    if not text.strip():
        return SkippedPage(name, "empty")
    page_format = FORMATS[path.suffix.lower()]
    if page_format == "plain" and _RST.search(text):  # as Sphinx copies it: wifi.rst.txt
        page_format = "rst"
    title = title_of(text) if page_format == "html" and "<h1" not in text else None
    return Page(text, id=name, title=title, format=page_format)


def _files(
    folder: Path, skipped: list[SkippedPage], *, follow_links: bool
) -> Iterator[tuple[str, Path]]:
    """Yield name and path of each file that may be a page, and add the others to ``skipped``."""
    root = folder.resolve()
    paths: list[Path] = []
    errors: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=errors.append):
        paths += (Path(place, name) for name in files)
        links = (path for name in folders if (path := Path(place, name)).is_symlink())
        skipped += (SkippedPage(_name(path, folder), "folder_link") for path in links)
        if len(paths) > MAX_FILES:
            raise InputError(
                f"{folder}: has over {MAX_FILES:,} files; give the folder that has only the pages"
            )
    for error in errors:
        name = _name(Path(str(error.filename)), folder)
        skipped.append(SkippedPage(name, "unreadable", error.strerror or ""))
    for path in sorted(paths):
        name, ending = _name(path, folder), path.suffix.lower()
        if ending not in FORMATS:
            skipped.append(SkippedPage(name, "archive" if ending in _ARCHIVES else "ending"))
        elif not path.is_file():
            skipped.append(SkippedPage(name, "unreadable", "the link points to no file"))
        elif path.is_symlink() and not (follow_links or path.resolve().is_relative_to(root)):
            skipped.append(SkippedPage(name, "outside"))
        else:
            yield name, path


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _stands_for(name: str, pages: dict[str, Page]) -> tuple[str, str] | None:
    """Return why a page is only another name of a page, and that page; None for most."""
    if _SOURCES.search(name):  # _sources/net/wifi.rst.txt
        stem = _SOURCE_ENDING.sub("", _SOURCES.sub("", name))
        for ending in _BUILT:
            if stem + ending in pages:
                return "source", stem + ending
    text = pages[name].text
    is_short = pages[name].format == "html" and len(text) <= _REDIRECT_CHARS
    found = _REDIRECT.search(_NOSCRIPT.sub("", text)) if is_short else None
    if found and len(read_text(text, "html").text) <= _REDIRECT_TEXT_CHARS:
        target = unquote(found[1].partition("#")[0].partition("?")[0])
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        targets = [place + ending for ending in ("", *_BUILT) if place + ending in pages]
        if name not in targets:
            return "redirect", targets[0] if targets else found[1]
    return None


def read_exported(path: Path) -> dict[str, Page]:
    """Return the pages in an export, such as the articles of Zendesk, by their titles and ids.

    Drafts and articles without text are left out; articles of one title get their ids behind it.
    InputError if no article has a text and a title or address.
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
        raise InputError(
            f"{path}: contains no pages, that is, records with a text and a title or an address"
        )
    return pages


def _articles(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the fields of the articles that a record is or holds, under our names."""
    for items in ([record], *lists_in(record)):
        found = [rename(item, "page", {}) for item in items if item.get("draft") is not True]
        pages = [own for own in found if is_article(own) and flat_text(own["text"])]
        if pages:
            yield from pages
            return
