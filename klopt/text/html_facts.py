"""Read from the start tag of an element what it is for: content, navigation, a tab, hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import regex

from klopt._internal import shipped
from klopt.text.dialect_patterns import is_hidden

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MAX_TAG_CHARS: Final = 400  # of a start tag that is kept in the cache
_ATTRIBUTE: Final = regex.compile(
    r"""(?i)\s(class|id|role|itemprop)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""", regex.VERSION1
)
_CAPITAL: Final = regex.compile(r"(?<=[a-z])(?=[A-Z])", regex.VERSION1)
_SEPARATOR: Final = regex.compile(r"[^a-zA-Z0-9\s]++", regex.VERSION1)
_STATE: Final = regex.compile(
    r"(?<!\S)(?:no|not|is-not|show|hide|enable|disable|supports?|js|toggle)-\S++"
    r"|(?<![a-z0-9])(?:has|with|without)-\S++",
    regex.VERSION1,
)
"""Classes that say how an element is shown, not what it is: "has-toc", "with-sidebar"."""
_WIDE_SCREEN: Final = regex.compile(
    r"(?<!\S)(?:(?:sm|md|lg|xl|2xl)[:-](?:block|flex|inline|grid)|d-(?:sm|md|lg|xl)-)",
    regex.VERSION1,
)
"""Hidden on a small screen only."""
_TAB: Final = regex.compile(r"""\sdata-(?:bs-)?toggle=["']?(?:tab|pill)\b""")
_SECTION: Final = frozenset({"section", "article", "main", "body", "html", *HEADINGS})
"""Elements whose id is often the name of a section of the text."""
_PARTS: Final = HEADINGS | {
    *("td", "th", "tr", "tbody", "thead", "tfoot", "dt", "pre", "body", "html"),
}
"""Elements whose classes do not say what they are for."""
_WORD: Final = r"(?<![a-z0-9])(?:{})(?![a-z0-9])"
_CLASS: Final = r"(?<!\S)(?:{})(?!\S)"


@cache
def tags() -> Mapping[str, Any]:
    """Return the roles of tags.

    ``inline``, ``containers``, ``invisible``, ``raw`` and ``others`` are sets of tags; ``marks``
    and ``blocks`` give the kind of their content, ``ends`` the elements that a start tag ends,
    ``walls`` how far, and ``same_as`` the tag of HTML that a tag of Confluence is read as.
    """
    table = shipped.table("klopt.text", "html_tags.toml")
    return {
        name: frozenset(value) if isinstance(value, list) else value
        for name, value in table.items()
    }


class Facts(NamedTuple):
    """What a start tag says about an element.

    Attributes:
        is_hidden: Whether a browser does not show it.
        is_around: Whether it is around the content, whatever is in it.
        is_suspect: Whether it may be around the content.
        is_content: Whether it is the content of the page.
        is_aid: Whether it is an icon or a link to its own place.
        is_component: Whether it names a component of a user interface.
        is_panel: Whether it is the panel of a tab.
        is_tab: Whether it is the label of a tab.
        role: Its role, in lower case.
        classes: Its classes in lower case, words separated by "-".
    """

    is_hidden: bool = False
    is_around: bool = False
    is_suspect: bool = False
    is_content: bool = False
    is_aid: bool = False
    is_component: bool = False
    is_panel: bool = False
    is_tab: bool = False
    role: str = ""
    classes: str = ""


NO_FACTS: Final = Facts()


@cache
def _finder(name: str, pattern: str) -> Callable[[str], object]:
    words = "|".join(shipped.table("klopt.text", "html_page.toml")[name])
    return regex.compile(pattern.format(words), regex.VERSION1).search


@cache
def _roles() -> frozenset[str]:
    return frozenset(shipped.table("klopt.text", "html_page.toml")["roles"])


def facts_of(kind: str, source: str) -> Facts:
    """Return what a start tag with attributes says about an element that is read as ``kind``."""
    return (_read_cached if len(source) <= MAX_TAG_CHARS else _read)(kind, source)


def _read(kind: str, source: str) -> Facts:
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(source):
        found.setdefault(match[1].lower(), match[2].strip("\"'"))
    hidden, is_tab = is_hidden(source), _TAB.search(source) is not None
    if not found:
        return Facts(hidden, is_tab=is_tab) if hidden or is_tab else NO_FACTS
    classes, role = _normal(found.get("class", "")), found.get("role", "").strip().lower()
    names = classes
    if "id" in found and kind not in _SECTION and "section" not in classes:
        names = f"{classes} {_normal(found['id'])}"

    def has(name: str, within: str, pattern: str = _WORD) -> bool:
        return bool(within) and _finder(name, pattern)(within) is not None

    if has("hidden", classes, _CLASS) and not _WIDE_SCREEN.search(found["class"]):
        hidden = True
    is_inline = kind in tags()["inline"]
    is_part = not is_inline and kind not in _PARTS
    return Facts(
        is_hidden=hidden,
        is_around=role in _roles() or (is_part and has("around", names)),
        is_suspect=is_part and has("suspect", names),
        is_content=is_part and (found.get("itemprop") == "articleBody" or has("content", names)),
        is_aid=is_inline and has("inline", classes),
        is_component=has("component", classes),
        is_panel=role == "tabpanel" or (not is_inline and has("tab_panel", classes)),
        is_tab=is_tab or role == "tab" or has("tab_label", classes),
        role=role,
        classes=classes,
    )


_read_cached = lru_cache(maxsize=8_192)(_read)


def _normal(names: str) -> str:
    return _STATE.sub("", _SEPARATOR.sub("-", _CAPITAL.sub("-", names)).lower())
