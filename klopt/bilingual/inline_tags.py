"""Messages of translation files, with tags and inline elements of their own, become HTML."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias, cast
from xml.etree.ElementTree import Element

import regex

from klopt import shipped
from klopt.reading.key_terms import Hit
from klopt.reading.text import MOST_OPEN_MARKS, read_plain
from klopt.translation.masks import find_masks

Kind: TypeAlias = Literal["strong", "code"]
Sense: TypeAlias = Literal["strong", "code", "nothing", "break"]

_TAG: Final = regex.compile(
    r"""
    <(?P<close>/?+)(?P<name>[A-Za-z_][\w:.-]*+|\d{1,3}+)
      (?P<attributes>(?:\s++(?:[^<>"'/]|"[^"]*+"|'[^']*+'|/(?!>))*+)?+)
      (?P<alone>/?+)>
    """,
    regex.VERBOSE,
)
_COMMENT: Final = regex.compile("(?s)<!--.*?-->")
_ENTITY: Final = regex.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_BLANK_LINE: Final = regex.compile(r"(?>\r\n?|\n)[^\S\r\n]*+(?>\r\n?|\n)\s*+")
_HTML: Final[dict[Kind, str]] = {"strong": "b", "code": "code"}

_TABLE: Final = shipped.table("klopt.bilingual", "inline_tags.toml")
_SENSES: Final[dict[str, Sense]] = {
    tag: cast(Sense, sense) for sense, tags in _TABLE["marks"].items() for tag in tags
}
"""Tag → what becomes of it."""
_JOINED: Final[dict[str, str]] = _TABLE["joined"]
"""Tag → what is written between its children."""
_KINDS: Final[dict[str, Kind]] = _TABLE["types"]
"""What the ``type`` of an inline element says → mark."""


class _Writer:
    """Writes HTML piece by piece, of which `klopt.reading.html` reads the words and marks."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open: list[tuple[Kind, bool]] = []  # and whether it has a tag
        self._has_words = False

    def text(self, text: str) -> None:
        """Characters of the text itself; a blank line parts paragraphs where nothing is open."""
        self._has_words |= not text.isspace()
        # Bots put Markdown's stars between tags, so they are read there too.
        text = html.escape(text, quote=False).replace("*", "&#42;")
        self._parts.append(text if self._open else _BLANK_LINE.sub("<p>", text))

    def open(self, kind: Kind) -> None:
        """A stretch starts; within code, or within another of its kind, it is not marked again.

        Nor is anything within `MOST_OPEN_MARKS`.
        """
        if len(self._open) == MOST_OPEN_MARKS:
            return
        has_tag = not {kind, "code"} & {one for one, _ in self._open}
        self._open.append((kind, has_tag))
        if has_tag:
            self._parts.append(f"<{_HTML[kind]}>")

    def close(self, kind: Kind) -> None:
        """The innermost stretch of the kind ends; without one, nothing happens."""
        for place in reversed(range(len(self._open))):
            if self._open[place][0] == kind:
                if self._open.pop(place)[1]:
                    self._parts.append(f"</{_HTML[kind]}>")
                return

    def end_block(self) -> None:
        """A new paragraph; what is open ends."""
        while self._open:
            self.close(self._open[-1][0])
        self._parts.append("<p>")

    def build(self) -> str:
        """The HTML; none where there are no words."""
        return "".join(self._parts) if self._has_words else ""


def message_html(text: str) -> str:
    r"""A message with tags as HTML.

    Known tags become strong or code or go; their table is ``inline_tags.toml``. The entities of
    XML and HTML are read. Placeholders (``{0}``, ``%s``, ``<naam>``) stay, and so do the signs of
    an accelerator (``&Bestand``), which cannot be told from other signs.

    >>> message_html("Klik op <gui>Bestand</gui> &amp; typ <key>F2</key> in <naam>_1.")
    'Klik op <b>Bestand</b> &amp; typ <code>F2</code> in &lt;naam&gt;_1.'
    """
    writer = _Writer()
    _Message(writer, text).add()
    return writer.build()


def opened_kinds(code: str) -> tuple[Kind, ...]:
    """The marks that the tags in a piece of code open, in order.

    >>> opened_kinds("<i><b>"), opened_kinds("</b>"), opened_kinds("rtf1")
    (('strong',), (), ())
    """
    return tuple(
        sense
        for match, sense in _tags(code)
        if (sense == "strong" or sense == "code") and not (match["alone"] or match["close"])
    )


def _add_code(writer: _Writer, code: str) -> None:
    """Follows the tags in a piece of code, of which nothing else is text."""
    for match, sense in _tags(code):
        if sense == "break":
            writer.end_block()
        elif sense != "nothing" and not match["alone"]:
            (writer.close if match["close"] else writer.open)(sense)


def _tags(code: str) -> Iterator[tuple[regex.Match[str], Sense]]:
    """The tags in a piece of code that the table has."""
    for match in _TAG.finditer(_without_comments(code)):
        if sense := _SENSES.get(match["name"].lower()):
            yield match, sense


def segment_html(segment: Element) -> str:
    """The text of a segment (``seg`` of TMX) as HTML.

    What inline elements say of bold and code becomes that of HTML: by their type, or by a tag of
    ``inline_tags.toml`` in the code that they hold. A placeholder that such an element stands for
    (``{0}``, ``%s``) stays; any other code goes.

    >>> from xml.etree.ElementTree import fromstring
    >>> seg = "<seg>Klik op <bpt i='1'>&lt;b></bpt>Nieuw<ept i='1'>&lt;/b></ept>.</seg>"
    >>> segment_html(fromstring(seg))
    'Klik op <b>Nieuw</b>.'
    """
    writer = _Writer()
    _Segment(writer).add(segment)
    return writer.build()


class _Message:
    """One pass over the tags of one message."""

    def __init__(self, writer: _Writer, text: str) -> None:
        self.writer = writer
        self.source = _without_comments(text)
        self.tags = list(_TAG.finditer(self.source))
        opened = {match["name"] for match in self.tags if not match["close"]}
        self.paired = opened & {match["name"] for match in self.tags if match["close"]}
        self.joins: list[tuple[str, int]] = []  # per open joined tag: its name, children so far
        self.depth = 0  # open tags within the innermost joined one

    def add(self) -> None:
        place = 0
        for match in self.tags:
            self._text(self.source[place : match.start()])
            self._tag(match)
            place = match.end()
        self._text(self.source[place:])

    def _text(self, text: str) -> None:
        if self.joins and not self.depth:
            if not text.strip():
                return
            self.joins[-1] = (self.joins[-1][0], 0)
        if text:
            self.writer.text(_ENTITY.sub(lambda found: html.unescape(found[0]), text))

    def _tag(self, match: regex.Match[str]) -> None:
        name = match["name"]
        sense = _SENSES.get(name) or _SENSES.get(name.lower())
        if sense is None:
            if name not in self.paired and not match["attributes"].strip():
                self._text(match[0])
            return
        if sense == "break":
            self.writer.end_block()
        elif match["close"]:
            self._close(name, sense)
        elif not match["alone"]:
            self._open(name, sense)

    def _open(self, name: str, sense: Sense) -> None:
        if self.joins:
            joined, children = self.joins[-1]
            if children and not self.depth:
                self.writer.text(_JOINED[joined])
            if not self.depth:
                self.joins[-1] = (joined, children + 1)
            self.depth += 1
        if name in _JOINED:
            self.joins.append((name, 0))
            self.depth = 0
        if sense == "strong" or sense == "code":
            self.writer.open(sense)

    def _close(self, name: str, sense: Sense) -> None:
        if self.joins and self.joins[-1][0] == name:
            self.joins.pop()
            self.depth = 0
        elif self.joins:
            self.depth = max(0, self.depth - 1)
        if sense == "strong" or sense == "code":
            self.writer.close(sense)


def _without_comments(text: str) -> str:
    """The text without comments; one that does not end is text, and is not looked through."""
    end = text.rfind("-->") + 3
    return _COMMENT.sub("", text[:end]) + text[end:]


class _Segment:
    """One segment; how deep elements nest is bounded where the file is read."""

    def __init__(self, writer: _Writer) -> None:
        self.writer = writer
        self.open: dict[str, tuple[Kind, ...]] = {}

    def add(self, element: Element) -> None:
        _Message(self.writer, element.text or "").add()
        for child in element:
            self._child(child)
            _Message(self.writer, child.tail or "").add()

    def _child(self, child: Element) -> None:
        code = _native(child)
        match child.tag:
            case "hi":
                kinds = _kinds(child)
                for kind in kinds:
                    self.writer.open(kind)
                self.add(child)
                for kind in reversed(kinds):
                    self.writer.close(kind)
            case "bpt":
                kinds = _kinds(child) or opened_kinds(code)
                self.open[child.get("i", "")] = kinds
                for kind in kinds:
                    self.writer.open(kind)
            case "ept":
                for kind in reversed(self.open.pop(child.get("i", ""), ())):
                    self.writer.close(kind)
            case "it" | "ph" | "ut":
                if _is_placeholder(code):
                    self.writer.text(code)
                else:
                    _add_code(self.writer, code)


def _kinds(element: Element) -> tuple[Kind, ...]:
    """The mark that the type of an element names."""
    kind = _KINDS.get(element.get("type", ""))
    return () if kind is None else (kind,)


def _native(element: Element) -> str:
    """The code in an element; what is to be translated in it (``sub``) is a text of its own."""
    return (element.text or "") + "".join(child.tail or "" for child in element)


def _is_placeholder(code: str) -> bool:
    """Whether the code is one placeholder; a tag is markup here, whatever its name."""
    plain = read_plain(code.strip())
    whole = Hit(0, len(plain.text), "placeholder")
    return not plain.text.startswith("<") and find_masks(plain) == (whole,)
