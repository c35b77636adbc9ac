"""Find pages by the names that logs use: other case, no ending, an address, a title."""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from klopt._internal.cached import cached_property
from klopt._internal.fields import is_address

_ENDING: Final = re.compile(r"\.(?:mdx?|markdown|html?|txt|rst|aspx?|php)$", re.IGNORECASE)
_FRONT: Final = re.compile(r"\s*(---|\+\+\+)[ \t]*\n(?s:(.*?)\n)\1[ \t]*(?:\n|\Z)")
_FRONT_TITLE: Final = re.compile(r"(?m)^title ?[:=][ \t]*([\"']?)([^\n]{1,200}?)\1[ \t]*$")
_HEADING: Final = re.compile(
    r"(?m)^ {0,3}#{1,6}[ \t]+([^\n]{1,200})|^([^\s#][^\n]{0,200})\n(?:={3,}|-{3,}|~{3,})[ \t]*$"
)
_MAIN_HEADING: Final = re.compile(r"(?is)<h1\b[^<>]{0,200}>(.{1,300}?)</h1")
_MARKUP: Final = re.compile(r"<[^<>]*>|\]\([^()]*\)|\{#[^{}]*\}\s*$|\s#+\s*$|[*`\[\]]")
_HEAD_CHARS: Final = 2_000  # of a page, in which its front matter and first heading are
_LONGEST_NAME_CHARS: Final = 500
_MAX_SUGGESTED: Final = 3
_MAX_COMPARED: Final = 20_000  # Names that are compared with an unknown one
_NUMBER: Final = re.compile(r"[0-9]+(?:-|$)")  # that Zendesk and Intercom put before the title


class _Page(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def url(self) -> str | None: ...


P = TypeVar("P", bound=_Page)


class NamedPages(Mapping[str, P]):
    """Pages by their names and by other forms of them, if those fit only one page.

    A name is found without ending, in other case, by address or title, and by the file name in an
    address.
    """

    def __init__(self, pages: Mapping[str, P]) -> None:
        self._pages: Mapping[str, P] = pages._pages if isinstance(pages, NamedPages) else pages

    def __getitem__(self, name: str) -> P:
        found = name if name in self._pages else self._found(name)
        if found is None:
            raise KeyError(name)
        return self._pages[found]

    def __contains__(self, name: object) -> bool:
        return name in self._pages or (isinstance(name, str) and self._found(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def __len__(self) -> int:
        return len(self._pages)

    def __str__(self) -> str:
        count = getattr(self._pages, "page_count", None)
        if count is not None:  # an index
            return f"the index has {count} pages"
        count = len({id(page) for page in self._pages.values()})
        return f"the folder has {count} page{'s' * (count != 1)}"

    def closest(self, name: str) -> list[str]:
        """Return names close to an unknown one, the closest first; same file names come first."""
        own = _plain(name)
        names = list(dict.fromkeys(known for known, _, _ in self._listed()))
        same = [one for one in names if _plain(one).rpartition("/")[2] == own.rpartition("/")[2]]
        if same:
            return sorted(same, key=len)[:_MAX_SUGGESTED]
        plain = {_plain(known): known for known in names[:_MAX_COMPARED]}
        return [plain[close] for close in difflib.get_close_matches(own, plain, _MAX_SUGGESTED)]

    def _listed(self) -> Iterable[tuple[str, str | None, str | None]]:
        if (listed := getattr(self._pages, "listed", None)) is not None:  # an index
            yield from listed()
            return
        seen: set[int] = set()
        for name, page in self._pages.items():
            if id(page) not in seen:
                seen.add(id(page))
                for title in _titles(page) or [None]:
                    yield page.id or name, title, page.url

    def _found(self, name: str) -> str | None:
        if len(name) > _LONGEST_NAME_CHARS or not name.strip():
            return None
        found = (self._by_form[form] for form in _forms(name) if form in self._by_form)
        return next(found, "") or None

    @cached_property
    def _by_form(self) -> dict[tuple[str, str], str]:
        """Kind and form of a name → the name of its page, or "" if several pages have it."""
        table: dict[tuple[str, str], str] = {}
        for name, title, url in self._listed():
            plain = _plain(name)
            forms = {("name", plain), ("file", _slug(plain.rpartition("/")[2]))}
            if title:
                forms.add(("title", _folded(title)))
            if url:
                forms |= {("url", _plain(url)), ("file", _slug(_plain(url).rpartition("/")[2]))}
            for form in forms:
                table[form] = name if table.get(form, name) == name else ""
        return table


def _titles(page: _Page) -> list[str | None]:
    """Return the title of a page: its own, that of its front matter, or its first heading.

    Of HTML that is any main heading, since the first may be that of the site.
    """
    if page.title:
        return [page.title]
    head = page.text[:_HEAD_CHARS]
    front = _FRONT.match(head)
    if front and (title := _FRONT_TITLE.search(front[2])):
        return [title[2]]
    found = _MAIN_HEADING.findall(page.text)
    first = None if found else _HEADING.search(head, front.end() if front else 0)
    found += [first[1] or first[2]] if first else []
    return [html.unescape(_MARKUP.sub("", one)) for one in found]


def _forms(name: str) -> Iterator[tuple[str, str]]:
    """Yield what a name may be: an address, a name, a file name, a title."""
    plain = _plain(name)
    if is_address(name):
        yield "url", plain
        yield "file", _slug(plain.rpartition("/")[2])
        return
    yield "name", plain
    yield "name", plain.removeprefix("./").lstrip("/")
    yield "title", _folded(name)


def _folded(title: str) -> str:
    return " ".join(title.replace("’", "'").casefold().split())


def _plain(name: str) -> str:
    """Return a name or address in lower case, without scheme, query, fragment and ending."""
    name = name.strip()
    if is_address(name):
        try:
            parts = urlsplit(name if "//" in name else f"//{name}")
        except ValueError:
            return name.casefold()
        name = parts.netloc.removeprefix("www.") + unquote(parts.path)
    name = name.replace("\\", "/").rstrip("/")
    return _ENDING.sub("", name).casefold()


def _slug(name: str) -> str:
    """Return the last part of an address without the number that products put before it."""
    return (_NUMBER.sub("", name, count=1) or name).replace("_", "-").replace(" ", "-")
