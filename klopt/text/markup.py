"""Read a text in any format into plain text with offsets: guess the format, parse Markdown.

pyromark (pulldown-cmark) parses Markdown into events with byte ranges. Each run of text that
equals its range in the source is added unchanged; entities and code spans are aligned.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

import regex
from pyromark import Markdown, Options

from klopt.errors import RecordError
from klopt.text.building import PlainTextBuilder, read_plain
from klopt.text.dialect_containers import EMPTY_HEADING, Change
from klopt.text.dialects import is_plain, visible
from klopt.text.html import add_html, read_html
from klopt.text.html import chars_to_read as html_chars
from klopt.text.html_facts import tags
from klopt.text.open_blocks import OpenList
from klopt.text.plain import LABEL_LEVEL, BlockKind, MarkKind, PlainText
from klopt.types import REPLACEMENT, PageFormat

WRAPPED_LINE_CHARS: Final = 60  # a shorter line does not end by wrapping
_MARKDOWN: Final = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_GFM
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
)
_LINE_START: Final = regex.compile(r"\p{Lu}|\d|[-–•✓→]\s", regex.VERSION1)
_NUMBER_ALONE: Final = regex.compile(r"\s*\d+[.)]\s*", regex.VERSION1)
"""An empty list to Markdown, and an answer to a reader."""
_NO_MARKUP: Final = regex.compile(
    r"(?![ \t]*(?:[#>+=-]|\d{1,9}[.)]))(?! {4}|\t)[^\n\r\0*_`\[\]<>|!~\\&]*+", regex.VERSION1
)
"""One line in which nothing can be markup."""
_PLACEHOLDER: Final = regex.compile(r"<([a-zA-Z][a-zA-Z0-9-]*+)(?: [\w.:-]++)*+>", regex.VERSION1)
_TAG_NAME: Final = regex.compile(r"</?([a-zA-Z][^\s/>]*+)", regex.VERSION1)
_END_TAG: Final = regex.compile(r"</([a-zA-Z][a-zA-Z0-9-]*+)", regex.VERSION1)
_BLANK_LINE: Final = regex.compile(r"\n[ \t>]*+(?=\n)", regex.VERSION1)
_SURROGATE: Final = regex.compile(r"[\ud800-\udfff]")
_HTML_START: Final = regex.compile(
    r"(?:<!--.*?-->\s*+|<\?xml[^>]*+>\s*+)*+<(?:!doctype\s+html|(?:html|head|body|div|p|[uod]l|li"
    r"|table|h[1-6]|section|article|main|header|footer|nav|aside|form|style|script|meta)\b)[^<>]*+>",
    regex.IGNORECASE | regex.DOTALL | regex.VERSION1,
)
_MARKDOWN_BLOCK: Final = regex.compile(r"\n(?:#{1,6} |```)")
_LOOK_CHARS: Final = 20_000
_MARKS: Final[dict[str, MarkKind]] = {"Strong": "strong", "Emphasis": "emphasis", "Link": "link"}
_INLINE: Final = frozenset({"Strong", "Emphasis", "Link", "Image"})
_NO_DESCRIPTION: Final = regex.compile(
    r"(?i)!\[(?:(?:untitled|image|img|picture|screen ?shot|afbeelding|schermafbeelding)?[ _\d-]*+"
    r"|[^\[\]\n]*+\.(?:png|jpe?g|gif|svg|webp))\]|.*(?:shields\.io|/badge|badge\.svg)",
    regex.VERSION1,
)
"""A picture whose alternative text describes nothing, or a badge."""


def read_text(source: str, page_format: PageFormat = "auto") -> PlainText:
    """Return plain text, blocks and marks of a text in any of the formats.

    ``auto`` takes HTML when the text starts with a block-level tag and has no Markdown heading or
    fence; Markdown otherwise, which includes plain text and inline tags.

    Raises:
        ExtraMissingError: The format is ``rst``, and docutils is not installed.
        RecordError: The format is unknown, or the text is not valid in it.

    >>> read_text("<p>Klik op <b>Nieuw</b></p>").text
    'Klik op Nieuw'
    """
    match page_format if page_format != "auto" else guess_format(source):
        case "markdown":
            return read_markdown(source)
        case "html":
            return read_html(source)
        case "rst":
            from klopt.text.rst import read_rst

            return read_rst(source)
        case "plain":
            return read_plain(source)
    raise RecordError(f'format "{page_format}" is not one of auto, markdown, html, rst, plain')


def without_html(text: str) -> str:
    """Return a text as a reader sees it if it is HTML, as some chat products store it.

    >>> without_html("<p>Hoe&nbsp;lang?</p>"), without_html("Klik **hier**")
    ('Hoe lang?', 'Klik **hier**')
    """
    is_html = "<" in text and guess_format(text) == "html"
    return " ".join(read_html(text).text.split()) if is_html else text


def chars_to_read(source: str, page_format: PageFormat = "auto") -> int:
    """Return the number of characters of a text, in HTML without scripts and the like.

    >>> chars_to_read("<p>Verlof</p><style>p {}</style>"), chars_to_read("<style>", "plain")
    (13, 7)
    """
    if page_format == "auto":
        page_format = guess_format(source)
    return html_chars(source) if page_format == "html" else len(source)


def guess_format(source: str) -> Literal["markdown", "html"]:
    """Return the format of a text that does not declare one; see `read_text`.

    >>> guess_format("<p>Klik op <b>Nieuw</b></p>"), guess_format("Klik op <naam>")
    ('html', 'markdown')
    """
    head = source[:_LOOK_CHARS].lstrip("\ufeff \t\r\n")
    is_html = _HTML_START.match(head) and not _MARKDOWN_BLOCK.search(head)
    return "html" if is_html else "markdown"


def read_markdown(source: str) -> PlainText:
    """Return plain text, blocks and marks of a Markdown text.

    >>> plain = read_markdown("1. Klik op **Opslaan**.")
    >>> plain.text, plain.marks[0].kind
    ('Klik op Opslaan.', 'strong')
    >>> plain.original(8, 15)
    (13, 20)
    """
    if _NUMBER_ALONE.fullmatch(source) or (_NO_MARKUP.fullmatch(source) and is_plain(source)):
        return read_plain(source)
    return _Walk(source).run()


class _Walk:
    """One pass over the events of one text; all offsets count the source's characters."""

    def __init__(self, source: str) -> None:
        # Line ends and NUL are replaced by text of the same length, so that offsets hold.
        text = source.replace("\r\n", " \n").replace("\r", "\n").replace("\0", " ")
        if not text.isascii():
            text = _SURROGATE.sub(REPLACEMENT, text)
        self.written = text
        self.visible = visible(text)
        self.text = self.visible.text
        self.changes = self.visible.changes[::-1]  # the next one last
        self.builder = PlainTextBuilder(source)
        self.kind: BlockKind = "paragraph"
        self.quotes = 0
        self.lists: list[OpenList] = []  # open in Markdown
        self.tag_lists: list[OpenList] = []  # that tags in the paragraph opened
        self.steps: list[OpenList] = []  # that tags around blocks opened
        self.hidden = 0  # open pictures without visible text
        self.block_start = 0  # of the innermost block that holds text
        self.line_start = -1  # of the text on the current line; -1 before its first text
        self.html: list[tuple[int, int]] = []  # lines of an HTML block
        self.is_heading = False  # the row of a table
        self.closed: frozenset[str] | None = None

    def run(self) -> PlainText:
        parsed, places = self.visible.parsed()
        builder, text, is_shifted = self.builder, self.text, bool(self.visible.cuts)
        first = last = -1  # a run of text that is not yet added
        events: Iterable[tuple[Any, Any]] = _MARKDOWN.events_with_range(parsed)
        for event, span in events:
            start, end = span.values()
            if places is not None:
                # the end is before the indentation of the next line that the parser did not see
                end = places[end - 1] + 1 if is_shifted and end > start else places[end]
                start = places[start]
            value: Any
            if isinstance(event, str):
                name, value = event, ""
            else:
                ((name, value),) = event.items()
            if name == "Text" and len(value) == end - start and self.kind != "code":
                if self.hidden:
                    continue
                if start == last:
                    last = end
                    continue
                if last > first:
                    builder.add(text[first:last], first)
                elif self.line_start < 0:
                    self.line_start = start
                first, last = start, end
                continue
            if last > first:
                builder.add(text[first:last], first)
                first = last = -1
            if name == "Start":
                ((name, detail),) = ((value, None),) if value.__class__ is str else value.items()
                self._start(name, detail, start, end)
            elif name == "End":
                self._end(value if value.__class__ is str else next(iter(value)))
            elif not self.hidden:
                self._leaf(name, value, start, end)
        self._end_block()
        self._change(len(text))
        return builder.build()

    def _start(self, name: str, detail: Any, start: int, end: int) -> None:  # noqa: ANN401
        """Enter an element, with what pyromark says about it."""
        builder = self.builder
        if name in _INLINE:
            if self.line_start < 0:
                self.line_start = start
            if name in _MARKS:
                builder.open_mark(_MARKS[name])
            elif self.hidden or _NO_DESCRIPTION.match(self.text, start, end):
                self.hidden += 1
            return
        self.closed, self.line_start, self.block_start = None, -1, start
        if name == "TableCell":
            self.kind = "cell"
            builder.begin_cell(is_heading=self.is_heading)
            return
        self._end_block()
        self._change(start)
        match name:
            case "Item":
                builder.lists.next_item()
            case "List":
                self.lists.append(builder.lists.enter(ordered=detail is not None))
            case "Heading":
                self.kind = "heading"
                builder.level = int(detail["level"][1])
            case "BlockQuote":
                self.quotes += 1
            case "CodeBlock":
                self.kind = "code"
                builder.open_mark("code")
            case "HtmlBlock":
                self.html = []
            case "Table":
                builder.tables.enter()
            case "TableHead" | "TableRow":
                self.is_heading = name == "TableHead"
                builder.begin_row()

    def _end(self, name: str) -> None:
        """Leave an element."""
        builder = self.builder
        if name in _INLINE:
            if name in _MARKS:
                builder.close_mark(_MARKS[name])
            elif self.hidden:
                self.hidden -= 1
            return
        if name == "CodeBlock":
            builder.close_mark("code")
        elif name == "HtmlBlock":
            self._html_block()
        self._end_block()
        self.kind, self.line_start = "paragraph", -1
        match name:
            case "List":
                builder.lists.leave(self.lists.pop())
            case "BlockQuote":
                self.quotes -= 1
            case "Table":
                builder.tables.leave()
            case "TableHead" | "TableRow":
                builder.end_row()

    def _end_block(self) -> None:
        kind = self.kind
        self.builder.end_block("quote" if self.quotes and kind == "paragraph" else kind)
        if self.tag_lists:  # left open
            self.builder.lists.leave(self.tag_lists[0])
            self.tag_lists.clear()

    def _change(self, place: int) -> None:
        """Apply the changes of the outline up to a place."""
        builder, lists = self.builder, self.builder.lists
        while self.changes and self.changes[-1].place <= place:
            change = self.changes.pop()
            match change.kind:
                case "tab":
                    builder.tab = change.tab
                case "steps":
                    self.steps.append(lists.enter(ordered=True))
                case "step" if self.steps:
                    lists.next_item(of=self.steps[-1])
                case "end" if self.steps:
                    lists.leave(self.steps.pop())
                case "label" | "heading" | "title" as kind:
                    self._add_label(change)
                    builder.level = LABEL_LEVEL if kind == "label" else 1
                    builder.end_block("paragraph" if kind == "title" else "heading")

    def _add_label(self, label: Change) -> None:
        """Add the text of a label, which is Markdown, unless the text is already past it.

        That is so inside HTML, which is added as a whole.
        """
        builder = self.builder
        is_here = label.start >= label.place  # not in the tag around this one
        if (label.start if is_here else label.place) < builder.last_origin:
            return
        plain = read_markdown(self.written[label.start : label.end])
        for place, character in enumerate(plain.text):
            for mark in plain.marks:
                if mark.start == place:
                    builder.open_mark(mark.kind)
            at = label.start + plain.origins[place] if is_here else label.place
            builder.add(character, at, step=int(is_here))
            for mark in plain.marks:
                if mark.end == place + 1:
                    builder.close_mark(mark.kind)

    def _leaf(self, name: str, value: str, start: int, end: int) -> None:
        if self.line_start < 0 and name != "SoftBreak":
            self.line_start = start
        match name:
            case "Text" if self.kind == "code":
                self._code_lines(value, start, end)
            case "Text":  # an entity
                self.builder.add(value, start, step=0)
            case "Code":
                self.builder.open_mark("code")
                self._aligned(value, start, end)
                self.builder.close_mark("code")
            case "SoftBreak" | "HardBreak":
                if name == "HardBreak" or self._is_line_break(start):
                    self._end_line()
                else:
                    self.builder.add(" ", start)
                self.line_start = -1
            case "InlineHtml":
                if self._is_placeholder(value, start):
                    self.builder.add(value, start)
                else:
                    self._tag(value, end)
            case "Html":
                self.html.append((start, end))

    def _end_line(self) -> None:
        kind = self.kind
        self.builder.end_block("quote" if self.quotes and kind == "paragraph" else kind)

    def _is_line_break(self, at: int) -> bool:
        """Whether a line break was meant: bots and people end lines with one newline."""
        before = self.text[self.line_start : at].rstrip() if self.line_start >= 0 else ""
        after = self.text[at + 1 : at + 80].partition("\n")[0].rstrip()
        after = after.lstrip("> \t" if self.quotes else None).lstrip("*_`")
        if not before or not after or not _LINE_START.match(after):
            return False
        return len(before) < WRAPPED_LINE_CHARS or before.rstrip("*_`")[-1:] in ".:!?;"

    def _aligned(self, value: str, start: int, end: int) -> None:
        """Add text whose source has more around or in it, such as a code span."""
        written = self.text[start:end]
        at = written.replace("\n", " ").find(value)
        if at >= 0:
            self.builder.add(written[at : at + len(value)], start + at)
            return
        at = 0
        for character in value:
            found = written.find(character, at)
            at = max(found, at)
            self.builder.add(character, start + at)
            at += found >= 0

    def _code_lines(self, value: str, start: int, end: int) -> None:
        at = start
        for line in value.split("\n"):
            if line:
                at = max(self.text.find(line, at, end), at)
                if line.strip() == EMPTY_HEADING and not self.written.startswith(line, at):
                    continue  # it stands for a tag
                self.builder.add(line, at, keep_white_space=True)
                self.builder.add("\n", at + len(line), keep_white_space=True)
                at = min(at + len(line), end)

    def _html_block(self) -> None:
        """Add a block of HTML, with blanks for the markup around its lines."""
        if not self.html:
            return
        pieces: list[str] = []
        at = self.html[0][0]
        for start, end in self.html:
            pieces += (" " * (start - at), self.text[start:end])
            at = max(end, at)
        add_html(self.builder, "".join(pieces), self.html[0][0])

    def _tag(self, tag: str, end: int) -> None:
        match = _TAG_NAME.match(tag)
        name = match[1].lower() if match else ""
        is_end = tag.startswith("</")
        if kind := tags()["marks"].get(name):
            if is_end:
                self.builder.close_mark(kind)
            else:
                self.builder.open_mark(kind)
        elif name in tags()["containers"] or name in tags()["others"]:
            if self.kind == "cell":  # it stays one
                self.builder.add(" ", end - 1)
            else:
                self._end_line()
                self._list_tag(name, is_end=is_end)

    def _list_tag(self, name: str, *, is_end: bool) -> None:
        lists = self.builder.lists
        if name in ("ol", "ul"):
            if not is_end:
                self.tag_lists.append(lists.enter(ordered=name == "ol"))
            elif self.tag_lists:
                lists.leave(self.tag_lists.pop())
        elif name == "li" and self.tag_lists and not is_end:
            lists.next_item(of=self.tag_lists[-1])

    def _is_placeholder(self, tag: str, start: int) -> bool:
        """Whether a tag is something to fill in ("-d <domein>"): no element, and never closed."""
        match = _PLACEHOLDER.fullmatch(tag)
        if match is None or any(match[1].lower() in known for known in tags().values()):
            return False
        if self.closed is None:
            end = _BLANK_LINE.search(self.text, start)
            block = self.text[self.block_start : end.start() if end else len(self.text)]
            self.closed = frozenset(_END_TAG.findall(block))
        return match[1] not in self.closed
