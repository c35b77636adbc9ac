"""HTML to plain text with offsets.

selectolax (lexbor) reads the page as a browser would, but does not say where a text stood. So the
text of its nodes is looked up again, in order, in the source without tags and with entities read.
"""

from __future__ import annotations

import html
from array import array
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import regex
from selectolax.lexbor import LexborHTMLParser, LexborNode

from klopt import shipped
from klopt.reading.text import BlockKind, Lists, PlainText, PlainTextBuilder

_MARKUP: Final = regex.compile(
    r"""
    <!--(?:.*?-->|.*+)                                        # a comment, perhaps never closed
    | <[/!?]?[a-zA-Z](?:[^>"']|"[^"]*+"|'[^']*+')*+>          # a tag; > may stand in quotes
    | <[/!?]?[a-zA-Z][^>]*+>?                                 # a tag with a quote left open
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});?)
    """,
    regex.DOTALL | regex.VERBOSE | regex.VERSION1,
)


@cache
def tags() -> Mapping[str, Any]:
    """What the reader makes of each tag.

    ``inline``, ``invisible`` and ``others`` are sets of tags, ``marks`` and ``blocks`` say of
    which kind is what stands in one.
    """
    table = shipped.table("klopt.reading", "html_tags.toml")
    sets = {name: frozenset(table[name]) for name in ("inline", "invisible", "others")}
    return {**sets, "marks": table["marks"], "blocks": table["blocks"]}


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
    clean = fragment.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    clean = clean.replace("\r\n", " \n").replace("\r", "\n")  # as long as it was
    outer, builder.lists = builder.lists, Lists()
    _Walk(builder, _Stream(clean), offset).run(LexborHTMLParser(clean).root)
    builder.lists = outer


class _Stream:
    """The source's characters outside tags, entities read, each with its offset."""

    def __init__(self, source: str) -> None:
        characters: list[str] = []
        self.offsets = array("q")
        last = 0
        for match in _MARKUP.finditer(source):
            characters.append(source[last : match.start()])
            self.offsets.extend(range(last, match.start()))
            last = match.end()
            if match["entity"]:
                read = html.unescape(match["entity"])
                characters.append(read)
                self.offsets.extend([match.start()] * len(read))
        characters.append(source[last:])
        self.offsets.extend(range(last, len(source) + 1))
        self.text = "".join(characters)
        self.cursor = 0

    def locate(self, text: str) -> int:
        """Where the text of the next node starts in `text`, or -1."""
        at = self.text.find(text, self.cursor)
        if at >= 0:
            self.cursor = at + len(text)
        return at


class _Walk:
    """Depth first over the nodes, without recursion: pages may nest without end."""

    def __init__(self, builder: PlainTextBuilder, stream: _Stream, offset: int) -> None:
        self.builder = builder
        self.stream = stream
        self.offset = offset
        self.tags = tags()
        self.kinds: list[BlockKind] = []

    def run(self, root: LexborNode | None) -> None:
        stack: list[tuple[LexborNode, bool]] = [(root, False)] if root is not None else []
        while stack:
            node, leaving = stack.pop()
            tag = node.tag or ""
            if leaving:
                self._leave(tag)
                continue
            if tag == "-text":
                self._text(node.text_content or "")
            elif tag not in self.tags["invisible"] and not tag.startswith(
                ("-comment", "_comment", "!")
            ):
                self._enter(tag)
                stack.append((node, True))
                children: list[tuple[LexborNode, bool]] = []
                child = node.child
                while child is not None:
                    children.append((child, False))
                    child = child.next
                stack.extend(reversed(children))

    def _text(self, text: str) -> None:
        if not text.strip():
            if text and (at := self.stream.locate(text)) >= 0:
                self.builder.add(" ", self.offset + self.stream.offsets[at])
            return
        at = self.stream.locate(text)
        keep = bool(self.kinds) and self.kinds[-1] == "code"
        offsets = self.stream.offsets
        if at < 0:
            place = self.offset + offsets[min(self.stream.cursor, len(offsets) - 1)]
            self.builder.add(text, place, step=0, keep_white_space=keep)
            return
        start = 0
        while start < len(text):  # one piece between two tags or entities at a time
            end = start + 1
            while end < len(text) and offsets[at + end] == offsets[at + end - 1] + 1:
                end += 1
            place = self.offset + offsets[at + start]
            self.builder.add(text[start:end], place, keep_white_space=keep)
            start = end

    def _enter(self, tag: str) -> None:
        if tag in self.tags["marks"]:
            self.builder.open_mark(self.tags["marks"][tag])
        elif tag not in self.tags["inline"]:
            self._end()
            if tag in ("ol", "ul"):
                self.builder.lists.enter(ordered=tag == "ol")
            elif tag == "li":
                self.builder.lists.next_item()
            if tag in self.tags["blocks"]:
                self.kinds.append(self.tags["blocks"][tag])
                if self.kinds[-1] == "heading":
                    self.builder.level = int(tag[1])

    def _leave(self, tag: str) -> None:
        if tag in self.tags["marks"]:
            self.builder.close_mark(self.tags["marks"][tag])
        elif tag not in self.tags["inline"]:
            self._end()
            if tag in ("ol", "ul"):
                self.builder.lists.leave()
            if tag in self.tags["blocks"] and self.kinds:
                self.kinds.pop()

    def _end(self) -> None:
        self.builder.end_block(self.kinds[-1] if self.kinds else "paragraph")
