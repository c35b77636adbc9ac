"""HTML to plain text with offsets: what a reader sees of a page, as blocks and marks.

`klopt.text.html_tree` parses the page, `klopt.text.html_content` finds its content, and this module
writes the content into a plain text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Final

import regex

from klopt.text.building import PlainTextBuilder
from klopt.text.html_content import content_of, mark_hidden
from klopt.text.html_facts import HEADINGS, tags
from klopt.text.html_tabs import Panel, panels_of
from klopt.text.html_tree import Element, Tree
from klopt.text.open_blocks import Lists
from klopt.text.plain import LABEL_LEVEL, BlockKind, MarkKind, PlainText

MAX_HEAD_CHARS: Final = 200_000  # searched for a title
_TITLE: Final = regex.compile(r"(?i)<title\b[^>]*+>([^<]{1,500})</title", regex.VERSION1)
_CODE: Final = regex.compile(
    r"(?is)<(script|style|svg)\b.*?(?:</\1\s*+>|\Z)|<!--.*?(?:-->|\Z)", regex.VERSION1
)
_SITE: Final = regex.compile(r"\s+[|–—·:-]\s+")
"""Separator of the title of a page and the name of its site."""
_ENTITY: Final = regex.compile(
    r"&(?:\#[0-9]{1,20}|\#[xX][0-9a-fA-F]{1,20}|[a-zA-Z][a-zA-Z0-9]{1,30});?", regex.VERSION1
)
_STARRED: Final = regex.compile(
    r"(?<![\w*\\])(?P<stars>\*\*?)(?=[^\s*])(?P<name>[^*\n]{1,80})(?<=\S)(?P=stars)(?![\w*])",
    regex.VERSION1,
)
"""Markdown's bold and italics: bots put them between tags too."""
_UNSHOWN: Final = re.compile(
    r"\{\{>?\s?(?:dc|snippet)\.[\w.-]{1,80}\s?\}\}"
    "|[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]"
)
"""Placeholders of Zendesk, and icons of fonts."""
_SPANS: Final = regex.compile(
    r"""(?i)\s(colspan|rowspan)\s*=\s*["']?\s*(\d{1,4})""", regex.VERSION1
)
_NUMBER: Final = regex.compile(r"""(?i)\s(?:start|value)\s*=\s*["']?\s*(\d{1,4})\b""")
_CONTENT_TITLE: Final = regex.compile(r"""\s(?:ri:content-title|ri:space-key)\s*=\s*"([^"]*+)\"""")
_DATE: Final = regex.compile(r"""\sdatetime\s*=\s*["']([^"']*+)""")


def read_html(source: str) -> PlainText:
    """Return plain text, blocks and marks of what a reader sees of an HTML page.

    Left out are scripts, comments, hidden and struck-out text, and what is around the main content:
    navigation, headers, footers, banners, forms. Where nothing would remain, all that is not hidden
    is read. The label of a tab becomes a heading above its content.

    >>> read_html("<p>Klik op <b>Opslaan</b> &amp; sluit.</p><script>x()</script>").text
    'Klik op Opslaan & sluit.'
    >>> read_html("<nav><a>Verlof</a></nav><main>Klik op Nieuw.</main>").text
    'Klik op Nieuw.'
    """
    tree = Tree(_clean(source))
    mark_hidden(tree)
    panels = panels_of(tree)
    unseen = {element for element in tree.elements if not element.is_seen}
    plain = _written(source, tree, content_of(tree, title_of(source)), panels)
    if not plain.text:
        for element in tree.elements:
            element.is_seen = element not in unseen
        plain = _written(source, tree, [tree.page], panels)
    return plain


def title_of(source: str) -> str | None:
    """Return the ``<title>`` of a page without the name of its site; None where it has none.

    >>> title_of("<title>Verlof &amp; ziekte | Acme Helpcentrum</title>")
    'Verlof & ziekte'
    """
    match = _TITLE.search(source, 0, MAX_HEAD_CHARS)
    text = " ".join(html.unescape(match[1]).split()) if match else ""
    return _SITE.split(text)[0] or None


def chars_to_read(source: str) -> int:
    """Return the characters of a page of HTML without scripts, styles, pictures and comments.

    >>> chars_to_read("<p>Verlof</p><script>x()</script>")
    13
    """
    return len(_CODE.sub("", source))


def _written(
    source: str, tree: Tree, parts: Sequence[Element], panels: Mapping[int, Panel]
) -> PlainText:
    builder = PlainTextBuilder(source)
    _Writer(builder, tree, 0, panels).write(parts)
    return builder.build()


def add_html(builder: PlainTextBuilder, fragment: str, offset: int) -> None:
    """Add the text of an HTML fragment that is at ``offset`` of the builder's source."""
    tree = Tree(_clean(fragment))
    mark_hidden(tree)
    outer, builder.lists = builder.lists, Lists()
    _Writer(builder, tree, offset, panels_of(tree)).write([tree.page])
    builder.lists = outer


def _clean(source: str) -> str:
    """The source with line feeds as its line ends, as long as it was."""
    return source.replace("\0", " ").replace("\r\n", " \n").replace("\r", "\n")


class _Writer:
    """One way through the events of a page."""

    def __init__(
        self, builder: PlainTextBuilder, tree: Tree, offset: int, panels: Mapping[int, Panel]
    ) -> None:
        self.builder = builder
        self.tree = tree
        self.source = tree.source
        self.offset = offset
        self.marks: Mapping[str, MarkKind] = tags()["marks"]
        self.blocks: Mapping[str, BlockKind] = tags()["blocks"]
        self.inline: frozenset[str] = tags()["inline"]
        self.without_end = self.inline | tags()["invisible"]
        self.has_unshown = _UNSHOWN.search(self.source) is not None
        self.kinds: list[BlockKind] = []
        self.panels = panels
        self.outer_tabs: list[tuple[int, int] | None] = []

    def write(self, parts: Sequence[Element]) -> None:
        for part in parts:
            number = part.first
            events = self.tree.events
            end = part.last if part.source == "" else part.last + 1
            while number < end:
                event = events[number]
                if event is None:
                    self._end_block()
                elif isinstance(event, Element):
                    if event.is_seen:
                        self._start(event)
                    else:
                        if event.kind not in self.without_end:
                            self._end_block()
                        number = event.last
                elif len(event) == 2:
                    self._text(*event)
                else:
                    self._end(event[0])
                number += 1
            self._end_block()

    def _text(self, start: int, end: int) -> None:
        text, at = self.source[start:end], 0
        for match in _ENTITY.finditer(text) if "&" in text else ():
            read = html.unescape(match[0])
            if read != match[0]:
                self._add(text[at : match.start()], start + at)
                self._add(read, start + match.start(), step=0)
                at = match.end()
        self._add(text[at:], start + at)

    def _add(self, text: str, at: int, step: int = 1) -> None:
        if self.kinds and self.kinds[-1] == "code":
            self.builder.add(text, self.offset + at, step=step, keep_white_space=True)
            return
        if self.has_unshown or not step:
            position = 0
            for match in _UNSHOWN.finditer(text):
                self._add_shown(text[position : match.start()], at + position * step, step)
                position = match.end()
            text, at = text[position:], at + position * step
        self._add_shown(text, at, step)

    def _add_shown(self, text: str, at: int, step: int) -> None:
        if "*" in text and not self.builder.is_in_mark("code"):
            self.builder.add_starred(text, self.offset + at, _STARRED)
        else:
            self.builder.add(text, self.offset + at, step=step)

    def _start(self, element: Element) -> None:
        kind, builder = element.kind, self.builder
        if kind in self.inline:
            self._start_inline(element)
            return
        self._end_block()
        if panel := self.panels.get(element.first):
            self._start_panel(panel, element)
        if kind in ("ol", "ul"):
            number = _NUMBER.search(element.source) if kind == "ol" else None
            builder.lists.enter(ordered=kind == "ol", first=int(number[1]) if number else 1)
        elif kind == "li":
            number = _NUMBER.search(element.source)
            builder.lists.next_item(int(number[1]) if number else None)
        elif kind == "table":
            builder.tables.enter()
        elif kind == "tr":
            builder.begin_row()
        elif kind in ("td", "th"):
            spans = {name.lower(): int(count) for name, count in _SPANS.findall(element.source)}
            columns, rows = spans.get("colspan", 1), spans.get("rowspan", 1)
            is_heading = kind == "th" or _is_in_head(element)
            builder.begin_cell(is_heading=is_heading, columns=columns or 1, rows=rows or 1)
        if kind in self.blocks:
            self.kinds.append(self.blocks[kind])
            if kind in HEADINGS:
                builder.level = int(kind[1])
        if element.facts.is_component:
            builder.open_mark("strong")

    def _start_inline(self, element: Element) -> None:
        kind, builder = element.kind, self.builder
        if mark := self.marks.get(kind):
            if mark == "link":
                builder.close_mark(mark)  # links do not nest
            builder.open_mark(mark)
        elif element.facts.is_component:
            builder.open_mark("strong")
        if element.tag == "ri:page" and (title := _CONTENT_TITLE.search(element.source)):
            link = element.parent
            if "-link-body" not in self.source[link.start : link.end]:
                self._text(*self._place(element, title))
        elif (
            kind == "time"
            and element.start == element.end
            and (date := _DATE.search(element.source))
        ):
            self._text(*self._place(element, date))

    def _place(self, element: Element, match: regex.Match[str]) -> tuple[int, int]:
        """Where the value of an attribute is in the source."""
        before = element.start - len(element.source)
        return before + match.start(1), before + match.end(1)

    def _end(self, element: Element) -> None:
        kind, builder = element.kind, self.builder
        if kind in self.inline:
            if mark := self.marks.get(kind):
                builder.close_mark(mark)
            elif element.facts.is_component:
                builder.close_mark("strong")
            return
        self._end_block()
        if kind in ("ol", "ul"):
            builder.lists.leave()
        elif kind == "tr":
            builder.end_row()
        elif kind == "table":
            builder.tables.leave()
        if kind in self.blocks:
            self.kinds.pop()
        if element.first in self.panels:
            builder.tab = self.outer_tabs.pop()

    def _start_panel(self, panel: Panel, element: Element) -> None:
        """Write the label of a tab as a heading, and begin the tab."""
        builder = self.builder
        self.outer_tabs.append(builder.tab)
        builder.tab = panel.tab
        if panel.label:
            level, builder.level = builder.level, LABEL_LEVEL
            lists, builder.lists = builder.lists, Lists()
            builder.add(panel.label, self.offset + element.start, step=0)
            builder.end_block("heading")
            builder.level, builder.lists = level, lists

    def _end_block(self) -> None:
        self.builder.end_block(self.kinds[-1] if self.kinds else "paragraph")


def _is_in_head(element: Element) -> bool:
    around = element.parent
    while around.kind not in ("table", "thead", ""):
        around = around.parent
    return around.kind == "thead"
