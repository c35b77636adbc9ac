"""HTML to plain text with offsets, in one pass over the source.

Tags are found where the HTML standard finds them: what is never closed runs to the end, so no
character is looked at twice for it. No tree is built or repaired. What stays is the list of open
elements, of bounded length: it says of which kind a block is and in which list it stands.
"""

from __future__ import annotations

import html
import sys
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final

import regex

from klopt import shipped
from klopt.reading.text import BlockKind, Lists, PlainText, PlainTextBuilder

DEEPEST: Final = 256
"""An element within more than this many only parts paragraphs; no page that people read has it."""

_MARKUP: Final = regex.compile(
    r"""
    <!--(?:-?>|.*?(?:--!?>|\Z))
    | <(?P<closing>/?)(?P<name>[a-zA-Z][^\s/>]*+)
      (?:[\s/]++                                                         # between attributes
        |[^\s/>][^\s/>=]*+                                               # a name
         (?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?+)?+  # its value
      )*+(?:>|\Z)
    | <(?:[!?]|/(?=[^a-zA-Z]))[^>]*+>?                                   # a comment to browsers
    """,
    regex.ASCII | regex.DOTALL | regex.VERBOSE | regex.VERSION1,
)
_ENTITY: Final = regex.compile(
    r"&(?:\#[0-9]{1,20}|\#[xX][0-9a-fA-F]{1,20}|[a-zA-Z][a-zA-Z0-9]{1,30});?", regex.VERSION1
)
_STARRED: Final = regex.compile(
    r"(?<![\w*\\])(?P<stars>\*\*?)(?=[^\s*])(?P<name>[^*\n]{1,80})(?<=\S)(?P=stars)(?![\w*])",
    regex.VERSION1,
)
"""Markdown's bold and italics: bots put them between tags too."""
_FIRST_LINE_END: Final = regex.compile(r" ?\n")
_NAMES: Final = regex.compile(r"""(?i)\s(?:id|class)\s*=\s*["']?([^"'>]*)""", regex.VERSION1)
_NOTHING: Final[frozenset[str]] = frozenset()
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@cache
def tags() -> Mapping[str, Any]:
    """What the reader makes of each tag.

    ``inline``, ``containers``, ``invisible``, ``raw`` and ``others`` are sets of tags; ``marks``
    and ``blocks`` say of which kind is what stands in one, ``ends`` what its start ends, ``walls``
    how far.
    """
    table = shipped.table("klopt.reading", "html_tags.toml")
    return {
        name: frozenset(value) if isinstance(value, list) else value
        for name, value in table.items()
    }


def left_out_of(source: str) -> frozenset[str]:
    """The ids and classes of what an export of a wiki puts around its pages.

    Args:
        source: The page; unless it says that it is such an export, there are none.
    """
    return next(
        (left for signs, left in _exports() if all(sign in source for sign in signs)), _NOTHING
    )


@cache
def _exports() -> tuple[tuple[tuple[str, ...], frozenset[str]], ...]:
    """For each export what tells it, and what is left out of it."""
    return tuple(
        (tuple(export["told_by"]), frozenset(export["left_out"]))
        for export in shipped.table("klopt.reading", "html_exports.toml")["export"]
    )


def read_html(source: str) -> PlainText:
    """Plain text, blocks and marks of an HTML page; scripts and styles are left out.

    >>> read_html("<p>Klik op <b>Opslaan</b> &amp; sluit.</p><script>x()</script>").text
    'Klik op Opslaan & sluit.'
    """
    builder = PlainTextBuilder(source)
    add_html(builder, source, 0)
    return builder.build()


def add_html(builder: PlainTextBuilder, fragment: str, offset: int) -> None:
    """Adds the text of an HTML fragment that starts at ``offset`` of the builder's source."""
    clean = fragment.replace("\0", " ").replace("\r\n", " \n").replace("\r", "\n")  # as long
    outer, builder.lists = builder.lists, Lists()
    _Pass(builder, clean, offset).run()
    builder.lists = outer


class _Pass:
    """One way through a fragment, and the elements that are open."""

    def __init__(self, builder: PlainTextBuilder, source: str, offset: int) -> None:
        self.builder = builder
        self.source = source
        self.offset = offset
        self.tags = tags()
        self.left_out = left_out_of(source)
        self.open: list[str] = []
        self.kinds: list[BlockKind] = []
        self.hidden_from = sys.maxsize  # where in `open` the invisible element stands

    def run(self) -> None:
        position = 0
        while match := _MARKUP.search(self.source, position):
            self._text(position, match.start())
            position = match.end()
            tag = (match["name"] or "").lower()
            if match["closing"]:
                self._end_tag(tag)
            elif tag in self.tags["raw"]:
                position = self._raw(tag, position)
            elif tag and not (tag == "svg" and match.group().endswith("/>")):
                if self.left_out and self._is_left_out(tag, match.group()):
                    if tag != "span":
                        self._end_block()
                    position = self._past(tag, position)
                    continue
                self._start_tag(tag)
                if tag == "pre" and (line_end := _FIRST_LINE_END.match(self.source, position)):
                    position = line_end.end()
        self._text(position, len(self.source))
        self._end_block()
        while self.open:
            self._pop()

    def _is_left_out(self, tag: str, source: str) -> bool:
        """Whether an element is what an export puts around its page."""
        if tag not in self.tags["containers"] and tag != "span":
            return False
        names = (name for match in _NAMES.finditer(source) for name in match[1].split())
        return not self.left_out.isdisjoint(names)

    def _past(self, tag: str, position: int) -> int:
        """Where an element ends that began before a position; at the end if it is never closed."""
        depth = 1
        while depth and (match := _MARKUP.search(self.source, position)):
            position = match.end()
            name = (match["name"] or "").lower()
            if name == tag:
                depth += -1 if match["closing"] else 1
            elif name in self.tags["raw"] and not match["closing"]:
                end = _end_of(name).search(self.source, position)
                position = end.start() if end else len(self.source)
        return len(self.source) if depth else position

    def _text(self, start: int, end: int) -> None:
        if start == end or self._is_hidden():
            return
        has_entities = self.source.find("&", start, end) >= 0
        for match in _ENTITY.finditer(self.source, start, end) if has_entities else ():
            read = html.unescape(match.group())
            if read != match.group():
                self._add(self.source[start : match.start()], start)
                self._add(read, match.start(), step=0)
                start = match.end()
        self._add(self.source[start:end], start)

    def _add(self, text: str, at: int, step: int = 1) -> None:
        keep = self.kinds[-1:] == ["code"]
        if "*" in text and not keep and not self.builder.is_in_mark("code"):
            self.builder.add_starred(text, self.offset + at, _STARRED)
            return
        self.builder.add(text, self.offset + at, step=step, keep_white_space=keep)

    def _raw(self, tag: str, start: int) -> int:
        """Reads an element without tags in it; where its end tag starts."""
        match = _end_of(tag).search(self.source, start)
        end = match.start() if match else len(self.source)
        if tag not in self.tags["invisible"] and not self._is_hidden():
            self._end_block()
            self._text(start, end)
            self._end_block()
        return end

    def _start_tag(self, tag: str) -> None:
        if tag in self.tags["inline"]:
            if not self._is_hidden() and (mark := self.tags["marks"].get(tag)):
                if mark == "link":
                    self.builder.close_mark(mark)  # links do not nest
                self.builder.open_mark(mark)
            return
        if self._is_hidden():
            if tag in self.tags["containers"] or tag in self.tags["invisible"]:
                self._push(tag)
            return
        ended = self.tags["ends"].get(tag)
        while ended and self._close(ended, tag):
            pass
        if tag in _HEADINGS and self.open and self.open[-1] in _HEADINGS:
            self._pop()
        if tag in self.tags["invisible"]:
            self.hidden_from = len(self.open)
            self.open.append(tag)
        else:
            self._end_block()
            if tag in self.tags["containers"] and self._push(tag):
                self._enter(tag)

    def _end_tag(self, tag: str) -> None:
        if tag in self.tags["inline"]:
            if not self._is_hidden() and (mark := self.tags["marks"].get(tag)):
                self.builder.close_mark(mark)
        elif not self._close(_HEADINGS if tag in _HEADINGS else (tag,), tag) and tag not in (
            self.tags["invisible"] | self.tags["raw"]
        ):
            self._end_block()

    def _is_hidden(self) -> bool:
        return self.hidden_from < len(self.open)

    def _push(self, tag: str) -> bool:
        if len(self.open) >= DEEPEST:
            return False
        self.open.append(tag)
        return True

    def _close(self, which: Collection[str], tag: str) -> bool:
        """Closes the innermost open element of some tags, and all in it; whether there was one."""
        walls = self.tags["walls"].get(tag) or self.tags["walls"]["any"]
        for index in range(len(self.open) - 1, -1, -1):
            if self.open[index] in which:
                while len(self.open) > index:
                    self._pop()
                return True
            if self.open[index] in walls:
                return False
        return False

    def _pop(self) -> None:
        """Leaves the innermost element."""
        tag = self.open.pop()
        if len(self.open) == self.hidden_from:
            self.hidden_from = sys.maxsize
        elif not self._is_hidden():
            self._end_block()
            if tag in ("ol", "ul"):
                self.builder.lists.leave()
            elif tag == "tr":
                self.builder.end_row()
            elif tag == "table":
                self.builder.tables.leave()
            if tag in self.tags["blocks"]:
                self.kinds.pop()

    def _enter(self, tag: str) -> None:
        if tag in ("ol", "ul"):
            self.builder.lists.enter(ordered=tag == "ol")
        elif tag == "li":
            self.builder.lists.next_item()
        elif tag == "table":
            self.builder.tables.enter()
        elif tag == "tr":
            self.builder.begin_row()
        elif tag in ("td", "th"):
            self.builder.begin_cell(is_heading=tag == "th" or "thead" in self.open)
        if tag in self.tags["blocks"]:
            self.kinds.append(self.tags["blocks"][tag])
            if tag in _HEADINGS:
                self.builder.level = int(tag[1])

    def _end_block(self) -> None:
        if not self._is_hidden():
            self.builder.end_block(self.kinds[-1] if self.kinds else "paragraph")


@cache
def _end_of(tag: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?i)</{tag}(?=[\s/>])", regex.ASCII)
