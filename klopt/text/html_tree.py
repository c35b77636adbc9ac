"""Parse HTML into elements and text with their places in the source.

Tags are found and closed nearly as in the HTML standard. The result is a flat list of events, so
that an element can be skipped without a search for its end.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from html import unescape
from typing import Final, TypeAlias

import regex

from klopt.text.html_facts import HEADINGS, NO_FACTS, facts_of, tags

DEEPEST: Final = 256
"""Nested elements; deeper ones only end paragraphs."""
MAX_TAGS: Final = 1_000_000
"""Tags read of one page; later ones are left out, and their text stays."""
_MARKUP: Final = regex.compile(
    r"""
    <!--(?:-?>|.*?(?:--!?>|\Z))
    | <(/?)([a-zA-Z][^\s/>]*+)                                           # a tag
      (?:[\s/]++                                                         # between attributes
        |[^\s/>][^\s/>=]*+                                               # a name
         (?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?+)?+  # its value
      )*+(?:>|\Z)
    | <!\[CDATA\[
    | <(?:[!?]|/(?=[^a-zA-Z]))[^>]*+>?                                   # a comment to browsers
    """,
    regex.ASCII | regex.DOTALL | regex.VERBOSE | regex.VERSION1,
)
_TAG: Final = re.compile(
    r"""<(?:(/?)([a-zA-Z][^\s/>]*+)([^>"']*+>|(?:\s++[^\s"'<>/=]++="[^"]*+")*\s*+/?+>)?|[!?/])""",
    re.ASCII,
)
"""The start of markup, and with its last group nearly every tag; `re` finds it fastest."""
_FIRST_LINE_END: Final = regex.compile(r" ?\n")
_XML_SIGNS: Final = ("<ac:", "<ri:")
"""Signs of Confluence's storage format, in which any tag can close itself."""
LINKS: Final = frozenset({"a", "button"})
VOID: Final = frozenset({"area", "base", "br", "col", "embed", "frame", "hr", "img", "input"}) | {
    *("link", "meta", "param", "source", "track", "wbr")
}
Event: TypeAlias = "Element | tuple[Element] | tuple[int, int] | None"
"""Start of an element, its end, text from and to, or the end of a paragraph."""


class Element:
    """An element of a page.

    Attributes:
        tag: Its name in lower case.
        kind: The tag of HTML that it is read as.
        source: Its start tag.
        parent: The element around it; the page is its own.
        start: Where its content starts in the source.
        end: Where its content ends.
        first: Its number among the events.
        last: The number of its end.
        is_closed: Whether it has an end tag, or a tag that ends it.
        chars: Characters of its text, with those of the elements in it.
        linked: Those of them in links and buttons.
        facts: What its start tag says about it.
        is_seen: Whether its text is read; `klopt.text.html_content` decides.
    """

    __slots__ = (
        "chars", "end", "facts", "first", "is_closed", "is_seen", "kind", "last", "linked",
        "parent", "source", "start", "tag",
    )  # fmt: skip

    def __init__(
        self, tag: str, kind: str, source: str, parent: Element | None, start: int, first: int
    ) -> None:
        self.tag, self.kind, self.source = tag, kind, source
        self.parent = self if parent is None else parent
        self.start = self.end = start
        self.first = self.last = first
        self.is_closed = False
        self.chars = self.linked = 0
        self.is_seen = True
        self.facts = facts_of(kind, source) if len(source) > len(tag) + 2 else NO_FACTS

    @property
    def plain_chars(self) -> int:
        """Characters of its text outside links and buttons."""
        return self.chars - self.linked


class Tree:
    """The elements and events of a page, in order."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.events: list[Event] = []
        self.elements: list[Element] = []
        self.page = Element("", "", "", None, 0, 0)
        self._tags = tags()
        self._is_xml = source.startswith("<?xml") or any(sign in source for sign in _XML_SIGNS)
        self._open: list[Element] = [self.page]
        self._parse()

    def _parse(self) -> None:
        source, events = self.source, self.events
        raw, tags_left = self._tags["raw"], MAX_TAGS
        position = 0
        while found := _TAG.search(source, position):
            start = found.start()
            match = found if found[3] else _MARKUP.match(source, start)
            if match is None:  # "</" at the end
                break
            if start > position:
                self._text(position, start)
            position = match.end()
            is_end, name = match.group(1, 2)
            if name is None:
                if self._is_xml and match.group() == "<![CDATA[":
                    position = self._character_data(position)
                elif match.group() == "<![CDATA[":
                    position = (source.find(">", position) + 1) or len(source)
                continue
            tag = name.lower()
            tags_left -= 1
            if tags_left < 0:
                events.append(None)
            elif is_end:
                self._end_tag(tag, start)
            elif tag in raw:
                self._start_tag(tag, match.group(), position)
                end = _end_of(tag).search(source, position)
                at = end.start() if end else len(source)
                if tag not in self._tags["invisible"] and at > position:
                    self._text(position, at)
                position = at
            else:
                self._start_tag(tag, match.group(), position)
                if tag == "pre" and (line_end := _FIRST_LINE_END.match(source, position)):
                    position = line_end.end()
        if position < len(source):
            self._text(position, len(source))
        while len(self._open) > 1:
            self._pop(len(source), is_closed=False)
        self.page.end, self.page.last = len(source), len(events)

    def text_of(self, element: Element) -> str:
        """Return the seen text in an element, white space as one blank."""
        pieces = []
        number = element.first + 1
        while number < element.last:
            event = self.events[number]
            if isinstance(event, Element):
                if not event.is_seen:
                    number = event.last
            elif event is not None and len(event) == 2:
                pieces.append(self.source[event[0] : event[1]])
            number += 1
        return " ".join(unescape(" ".join(pieces)).split())

    def _character_data(self, position: int) -> int:
        end = self.source.find("]]>", position)
        end = len(self.source) if end < 0 else end
        if end > position:
            self._text(position, end)
        return min(end + 3, len(self.source))

    def _text(self, start: int, end: int) -> None:
        self.events.append((start, end))
        self._open[-1].chars += len(self.source[start:end].strip())

    def _start_tag(self, tag: str, source: str, position: int) -> None:
        table = self._tags
        kind = self._kind_of(tag, source) if ":" in tag else tag
        if kind is None:
            return
        if kind in table["inline"]:
            if kind == "a":
                self._close_inline("a", position - len(source))
        elif kind == "p" or kind in table["containers"] or kind in table["others"]:
            self._end_paragraph(position - len(source))
            ended = table["ends"].get(kind, ())
            while ended and self._close(ended, kind, position - len(source)):
                pass
            if kind in HEADINGS and self._open[-1].kind in HEADINGS:
                self._pop(position - len(source))
        elif kind not in table["invisible"] and kind not in table["raw"]:
            if "-" not in kind:
                self.events.append(None)
                return
            self._end_paragraph(position - len(source))
        if kind in VOID:
            if kind in table["others"]:
                self.events.append(None)
        elif source.endswith("/>") and (self._is_xml or kind in ("svg", "time") or ":" in tag):
            element = self._new(tag, kind, source, position)
            element.last = len(self.events)
            element.is_closed = True
            self.events.append((element,))
        elif kind in table["others"] and kind != "p":
            self.events.append(None)
        elif len(self._open) <= (2 * DEEPEST if kind in table["invisible"] else DEEPEST):
            self._open.append(self._new(tag, kind, source, position))
        elif kind not in table["inline"]:
            self.events.append(None)

    def _kind_of(self, tag: str, source: str) -> str | None:
        """The tag of HTML that a tag with a prefix is read as; None where it is transparent."""
        kind: str | None = self._tags["same_as"].get(tag)
        if tag == "ac:parameter" and 'ac:name="title"' not in source:
            return "template"
        if (kind == "div" and 'ac:name="status"' in source) or (
            kind == "p" and self._open[-1].kind == "span"
        ):
            return "span"
        return kind

    def _new(self, tag: str, kind: str, source: str, position: int) -> Element:
        element = Element(tag, kind, source, self._open[-1], position, len(self.events))
        self.elements.append(element)
        self.events.append(element)
        return element

    def _end_tag(self, tag: str, start: int) -> None:
        table, kind = self._tags, tag
        if ":" in tag:
            self._close((), "any", start, tag=tag)
            return
        if kind in table["inline"]:
            self._close_inline(tag, start)
            return
        if kind == "p":
            self._end_paragraph(start)
        elif self._close(HEADINGS if kind in HEADINGS else (kind,), kind, start):
            return
        if kind not in table["invisible"] and kind not in table["raw"]:
            self.events.append(None)

    def _close_inline(self, tag: str, start: int) -> None:
        """Close an element within the line, unless another block began in it."""
        inline = self._tags["inline"]
        for index in range(len(self._open) - 1, 0, -1):
            element = self._open[index]
            if element.tag == tag:
                self._pop(start, index)
                return
            if element.kind not in inline:
                return

    def _end_paragraph(self, start: int) -> None:
        """Close an open ``p``, which no other block is in."""
        inline = self._tags["inline"]
        for index in range(len(self._open) - 1, 0, -1):
            kind = self._open[index].kind
            if kind == "p":
                self._pop_to(index, start)
                return
            if kind not in inline:
                return

    def _close(self, which: Collection[str], kind: str, start: int, *, tag: str = "") -> bool:
        """Close the innermost open element of some kinds, and all in it; whether there was one."""
        walls = self._tags["walls"].get(kind) or self._tags["walls"]["any"]
        for index in range(len(self._open) - 1, 0, -1):
            element = self._open[index]
            if element.tag == tag if tag else element.kind in which:
                self._pop_to(index, start)
                return True
            if element.kind in walls or element.kind in self._tags["invisible"]:
                return False
        return False

    def _pop_to(self, index: int, end: int) -> None:
        """Close an element, and end those in it."""
        while len(self._open) > index + 1:
            self._pop(end, is_closed=False)
        self._pop(end)

    def _pop(self, end: int, index: int = -1, *, is_closed: bool = True) -> None:
        element = self._open.pop(index)
        element.end, element.last, element.is_closed = end, len(self.events), is_closed
        self.events.append((element,))
        parent = element.parent
        parent.chars += element.chars
        parent.linked += element.chars if element.kind in LINKS else element.linked


@cache
def _end_of(tag: str) -> regex.Pattern[str]:
    return regex.compile(rf"</{tag}(?=[\s/>])", regex.IGNORECASE | regex.VERSION1)
