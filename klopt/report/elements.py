"""HTML and SVG from typed pieces: what is not `Markup` is text, and text is always escaped."""

from __future__ import annotations

import base64
import hashlib
import html
import math
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_KEPT: Final = frozenset("\n\t\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_FRAGMENT: Final = re.compile(r"#[a-z0-9-]+")
_VOID: Final = frozenset({"br", "hr", "meta", "wbr"})
_REFUSED_TAGS: Final = frozenset({"base", "embed", "form", "iframe", "link", "object", "script"})
_REFUSED_ATTRIBUTES: Final = frozenset({"action", "formaction", "src", "srcdoc", "style"})

Value = str | int | float | bool | None
"""An attribute's value: True gives the bare name, False and None leave it out."""


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML that was built by the functions of this module.

    It is not a ``str``, so it cannot be glued to a text by accident.
    """

    html: str


Child = Markup | str | None
"""What stands in an element: markup, text that is still to be escaped, or nothing."""


def clean(text: str) -> str:
    """The text without control and direction characters, which could hide or reorder it.

    Each becomes U+FFFD, so that the reader sees that something stood there. Lines, tabs, spaces
    of every width and the two joiners that scripts and emoji need stay.

    >>> clean("goed" + chr(0x202E) + "fout")
    'goed�fout'
    """
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(character if _shown(character) else REPLACEMENT for character in lines)


def _shown(character: str) -> bool:
    return character.isprintable() or character in _KEPT or unicodedata.category(character) == "Zs"


def text(content: str) -> Markup:
    """A text, cleaned and escaped.

    >>> text("<b> & 'c'").html
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return Markup(html.escape(clean(content), quote=True))


def join(*children: Child) -> Markup:
    """The children one after another; texts among them are escaped."""
    return Markup("".join(_child(child) for child in children))


def element(tag: str, *children: Child, **attributes: Value) -> Markup:
    """An element. A trailing ``_`` of an attribute's name goes, other ``_`` become ``-``.

    Raises:
        ValueError: For a tag or attribute that could run code or fetch something, for a link
            that leaves the page, for a number that is not finite.

    >>> element("p", "1 < 2", class_='a"b').html
    '<p class="a&quot;b">1 &lt; 2</p>'
    """
    if not _NAME.fullmatch(tag) or tag.lower() in _REFUSED_TAGS | {"style"}:
        raise ValueError(f"<{tag}> is not an element that a report may hold")
    opening = tag + "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _VOID:
        return Markup(f"<{opening}>")
    return Markup(f"<{opening}>{join(*children).html}</{tag}>")


def stylesheet(css: str) -> tuple[Markup, str]:
    """The ``<style>`` element, and the source expression that lets only this style in.

    Raises:
        ValueError: When the style sheet would end its own element.
    """
    if "<" in css:
        raise ValueError("the style sheet holds a '<', which could end its element")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return Markup(f"<style>{css}</style>"), f"'sha256-{digest}'"


def document(head: Markup, body: Markup, language: str) -> str:
    """A whole page."""
    page = element("html", head, body, lang=language)
    return f"<!DOCTYPE html>\n{page.html}\n"


def coordinate(value: float) -> str:
    """A number for an attribute: at most two decimals, no more than needed.

    Raises:
        ValueError: When it is not finite.

    >>> coordinate(12.0), coordinate(0.125), coordinate(-0.001)
    ('12', '0.12', '0')
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a number that can be drawn")
    figure = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if figure == "-0" else figure


def _child(child: Child) -> str:
    if child is None:
        return ""
    return child.html if isinstance(child, Markup) else text(child).html


def _attribute(name: str, value: Value) -> str:
    name = name.rstrip("_").replace("_", "-")
    refused = name.lower() in _REFUSED_ATTRIBUTES or name.lower().startswith("on")
    if refused or not _NAME.fullmatch(name):
        raise ValueError(f"{name} is not an attribute that a report may hold")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    written = coordinate(value) if isinstance(value, float) else str(value)
    if name == "href" and not _FRAGMENT.fullmatch(written):
        raise ValueError(f"a report links only to places in itself, not to {written!r}")
    return f' {name}="{text(written).html}"'
