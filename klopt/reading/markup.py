"""Text in any format to plain text with offsets: which reader it needs, and that of Markdown.

markdown-it-py finds the structure. Its tokens know their lines but not their characters, so each
piece of text is looked up again in its line, from left to right, past the markup that the token
before it stands for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

import regex
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from klopt.cached import cached_property
from klopt.errors import RecordError
from klopt.reading.html import add_html, read_html, tags
from klopt.reading.text import BlockKind, MarkKind, PlainText, PlainTextBuilder, read_plain
from klopt.records import PageFormat

MARKUP_CHARACTERS: Final = "*_`[]<>|!~\\&"
MARKUP_LIMIT: Final = 20_000
"""A text with more markup characters than this is read as plain text: nobody wrote it by hand,
and the time for brackets that never close grows faster than their number."""

WRAPPED_LINE_CHARS: Final = 60
"""A shorter line was not ended by wrapping."""

_LINE_START: Final = regex.compile(r"\p{Lu}|\d|[-–•✓→]\s", regex.VERSION1)
_NUMBER_ALONE: Final = regex.compile(r"\s*\d+[.)]\s*", regex.VERSION1)
"""An empty list to Markdown, and an answer to a reader."""

_NO_MARKUP: Final = regex.compile(
    r"(?![ \t]*(?:[#>+=-]|\d{1,9}[.)]))(?! {4}|\t)[^\n\r\0*_`\[\]<>|!~\\&]*+", regex.VERSION1
)
"""One line in which nothing can be markup."""

_PLACEHOLDER: Final = regex.compile(r"<([a-zA-Z][a-zA-Z0-9-]*+)(?: [\w.:-]++)*+>", regex.VERSION1)
_BEFORE_PIPE: Final = regex.compile(r"(?=\|)", regex.VERSION1)
_TAG_NAME: Final = regex.compile(r"</?([a-zA-Z][^\s/>]*+)", regex.VERSION1)
_END_TAG: Final = regex.compile(r"</([a-zA-Z][a-zA-Z0-9-]*+)", regex.VERSION1)

_HTML_START: Final = regex.compile(
    r"(?:<!--.*?-->\s*+|<\?xml[^>]*+>\s*+)*+<(?:!doctype\s+html|(?:html|head|body|div|p|[uod]l|li"
    r"|table|h[1-6]|section|article|main|header|footer|nav|aside|form|style|script|meta)\b)[^<>]*+>",
    regex.IGNORECASE | regex.DOTALL | regex.VERSION1,
)
_MARKDOWN_BLOCK: Final = regex.compile(r"\n(?:#{1,6} |```)")
_LOOK_CHARS: Final = 20_000

_MARKS: Final[dict[str, MarkKind]] = {"strong": "strong", "em": "emphasis", "link": "link"}

_INLINE_SIGN: Final = regex.compile(r"[\n_`\[<~\\&|]", regex.VERSION1)
"""Without any of these nothing but stars is markup in a line whose block is known."""
_STARRED: Final = regex.compile(
    r"(?<![\w*])(?P<stars>\*\*?)(?P<name>[\p{L}\p{N}](?:[^*]*+(?<=[\p{L}\p{N}]|:(?=\*++(?:\s|\Z))))?)"
    r"(?P=stars)(?![\w*])",
    regex.VERSION1,
)
"""Bold and italics beyond doubt."""

_BLOCK_SIGNS: Final = frozenset("#>`~<[-+*_")
_ITEM: Final = regex.compile(r"(?m)(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$)", regex.VERSION1)

_RULES: Final = tuple(
    (regex.compile(sign, regex.VERSION1), rules)
    for sign, rules in (
        (r" {4}|\t", ("code",)),
        (r"[<>]", ("blockquote", "html_block", "html_inline", "autolink")),
        (r"`|~~", ("fence", "backticks", "strikethrough")),
        (r"(?:[-=]|[*_][ \t]*+[*_][ \t]*+[*_])[ \t]*+(?:\n|\Z)", ("hr", "lheading")),
        (r"\[", ("link", "image", "reference")),
        (r"\|", ("table",)),
        (r"[\\&]", ("escape", "entity")),
        (r"#", ("heading",)),
    )
)
"""Signs without which some of markdown-it's rules find nothing, so that they are not tried."""


@cache
def _parser(*idle: tuple[str, ...]) -> MarkdownIt:
    """A parser of blocks, without some rules; what stands in a block is parsed where need be."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.block.ruler.before("table", "lone_line", _lone_line)
    return parser.disable(["inline", "text_join", *(name for names in idle for name in names)])


def _lone_line(state: StateBlock, start: int, _end: int, _silent: bool) -> bool:
    """A rule for paragraphs of one line, on which markdown-it would try all of its rules.

    Their token says ``at`` which character of the source they begin.
    """
    source, at = state.src, state.bMarks[start] + state.tShift[start]
    first = source[at + 2 : at + 3] if source.startswith("**", at) else source[at]
    if first in _BLOCK_SIGNS or first.isspace() or first.isdigit():
        return False
    if not first or state.is_code_block(start) or not _ends_before(state, start + 1):
        return False
    content = source[at : state.eMarks[start]].rstrip(" \t")
    if content[-1].isspace():
        return False
    state.line = start + 1
    token = state.push("inline", "", 0)
    token.content, token.map, token.meta = content, [start, start + 1], {"at": at}
    return True


def _ends_before(state: StateBlock, line: int) -> bool:
    """Whether a paragraph surely ends before a line: an empty one, or an item of a list around."""
    if line >= state.lineMax or state.isEmpty(line):
        return True
    indent = state.sCount[line]
    return (
        0 <= indent < state.blkIndent
        and (state.listIndent < 0 or indent - state.listIndent < 4)
        and _ITEM.match(state.src, state.bMarks[line] + state.tShift[line]) is not None
    )


def _parser_for(text: str) -> MarkdownIt:
    return _parser(*(rules for sign, rules in _RULES if sign.search(text) is None))


def read_text(source: str, page_format: PageFormat = "auto") -> PlainText:
    """Plain text, blocks and marks of a text in any of the formats.

    ``auto`` takes HTML when the text starts with the tag of a block and has no Markdown heading or
    fence; Markdown otherwise, of which plain text is a part and in which tags are read too.

    Raises:
        RecordError: The format is unknown.

    >>> read_text("<p>Klik op <b>Nieuw</b></p>").text
    'Klik op Nieuw'
    """
    match page_format if page_format != "auto" else guess_format(source):
        case "markdown":
            return read_markdown(source)
        case "html":
            return read_html(source)
        case "plain":
            return read_plain(source)
    raise RecordError(f'format "{page_format}" is not one of auto, markdown, html, plain')


def guess_format(source: str) -> Literal["markdown", "html"]:
    """The format of a text that does not say which it is in; see `read_text`.

    >>> guess_format("<p>Klik op <b>Nieuw</b></p>"), guess_format("Klik op <naam>")
    ('html', 'markdown')
    """
    head = source[:_LOOK_CHARS].lstrip("\ufeff \t\r\n")
    is_html = _HTML_START.match(head) and not _MARKDOWN_BLOCK.search(head)
    return "html" if is_html else "markdown"


def read_markdown(source: str) -> PlainText:
    """Plain text, blocks and marks of a Markdown text.

    >>> plain = read_markdown("1. Klik op **Opslaan**.")
    >>> plain.text, plain.marks[0].kind
    ('Klik op Opslaan.', 'strong')
    >>> plain.original(8, 15)
    (13, 20)
    """
    if len(source) > MARKUP_LIMIT and sum(map(source.count, MARKUP_CHARACTERS)) > MARKUP_LIMIT:
        return read_plain(source)
    if _NUMBER_ALONE.fullmatch(source) or _NO_MARKUP.fullmatch(source):
        return read_plain(source)
    return _Walk(source).run()


def _is_plain(content: str) -> bool:
    """Whether nothing is markup in what stands in a block, but bold and italics beyond doubt."""
    if _INLINE_SIGN.search(content):
        return False
    return "*" not in content or "*" not in _STARRED.sub("", content)


class _Line(NamedTuple):
    """A line of a block's content, and where it stands in the source.

    ``step`` is 0 where it was not found there: then all of it comes from one place.
    """

    start: int
    end: int
    origin: int
    origin_end: int
    step: int


class _Walk:
    """One pass over the tokens of one text."""

    def __init__(self, source: str) -> None:
        # markdown-it folds line ends and NUL; both keep their length here, so offsets hold.
        self.text = source.replace("\r\n", " \n").replace("\r", "\n").replace("\0", " ")
        self.builder = PlainTextBuilder(source)
        self.lines = self.text.split("\n")
        self.line_starts = [0]
        for line in self.lines:
            self.line_starts.append(self.line_starts[-1] + len(line) + 1)
        self.quotes = 0
        self.cell_ends: dict[int, int] = {}

    def run(self) -> PlainText:
        kind: BlockKind = "paragraph"
        parser, references = _parser_for(self.text), dict[str, Any]()
        for token in parser.parse(self.text, references):
            match token.type:
                case "inline":
                    children: list[Token] = []
                    kind = "paragraph" if token.meta else kind
                    if not _is_plain(token.content):
                        parser.inline.parse(token.content, parser, references, children)
                    self._inline(token, kind, children)
                case "paragraph_close" | "list_item_close" | "heading_close":
                    pass
                case "paragraph_open":
                    kind = "paragraph"
                case "list_item_open":
                    self.builder.lists.next_item()
                case "heading_open":
                    kind = "heading"
                    self.builder.level = int(token.tag[1])
                case "ordered_list_open" | "bullet_list_open":
                    self.builder.lists.enter(ordered=token.tag == "ol")
                case "ordered_list_close" | "bullet_list_close":
                    self.builder.lists.leave()
                case "th_open" | "td_open":
                    kind = "cell"
                    self.builder.begin_cell(is_heading=token.tag == "th")
                case "tr_open":
                    self.builder.begin_row()
                case "tr_close":
                    self.builder.end_row()
                case "table_open":
                    self.builder.tables.enter()
                case "table_close":
                    self.builder.tables.leave()
                case "blockquote_open":
                    self.quotes += 1
                case "blockquote_close":
                    self.quotes -= 1
                case "fence" | "code_block":
                    self._code(token)
                case "html_block":
                    self._html(token)
        return self.builder.build()

    def _inline(self, token: Token, kind: BlockKind, children: Sequence[Token]) -> None:
        if not children:
            at = token.meta["at"] if token.meta else self._lines(token, kind == "cell")[0].origin
            self.builder.add_starred(token.content, at, _STARRED)
            self._end(kind)
            return
        lines = self._lines(token, kind == "cell")
        inline = _Inline(self.builder, token.content, lines, kind, lambda: self._end(kind))
        for child in children:
            inline.add(child)
        self._end(kind)
        inline.end_lists()

    def _end(self, kind: BlockKind) -> None:
        self.builder.end_block("quote" if self.quotes and kind == "paragraph" else kind)

    def _lines(self, token: Token, is_cell: bool) -> list[_Line]:
        """Where each line of the token's content stands in the source."""
        lines: list[_Line] = []
        first, last = token.map or [0, 0]
        start = 0
        for number, content in enumerate(token.content.split("\n"), first):
            line = self.lines[number] if number < last else ""
            origin = self.line_starts[min(number, len(self.lines) - 1)]
            bare, wanted = line.rstrip(), content.rstrip()
            at = len(bare) - len(wanted)
            if is_cell:
                wanted = wanted.replace("|", r"\|")
            if is_cell or not bare.endswith(wanted):
                at = line.find(wanted, self.cell_ends.get(number, 0))
                if is_cell and at >= 0:
                    self.cell_ends[number] = at + len(wanted)
            end = start + len(content)
            lines.append(_Line(start, end, origin + max(at, 0), origin + len(line), at >= 0))
            start = end + 1
        return lines

    def _code(self, token: Token) -> None:
        first, last = token.map or [0, 0]
        fenced = token.type == "fence"
        self.builder.open_mark("code")
        for index, content in enumerate(token.content.split("\n")):
            number = first + index + fenced
            if number >= last or not content:
                continue
            at = max(self.lines[number].rfind(content), 0)
            origin = self.line_starts[number] + at
            self.builder.add(content, origin, keep_white_space=True)
            self.builder.add("\n", origin + len(content), keep_white_space=True)
        self.builder.close_mark("code")
        self._end("code")

    def _html(self, token: Token) -> None:
        first, last = token.map or [0, 0]
        start, end = self.line_starts[first], self.line_starts[last]
        add_html(self.builder, self.text[start:end], start)
        self._end("paragraph")


class _Inline:
    """The children of one inline token, with a cursor into its content."""

    def __init__(
        self,
        builder: PlainTextBuilder,
        content: str,
        lines: Sequence[_Line],
        kind: BlockKind,
        end_block: Callable[[], None],
    ) -> None:
        self.builder = builder
        self.kind = kind
        self.end_block = end_block
        self.depth = len(builder.lists.open)
        self.content = content
        self.one_line = content.replace("\n", " ")
        self.lines = lines
        self.cursor = 0

    @cached_property
    def closed(self) -> frozenset[str]:
        """The names of the tags that are closed."""
        return frozenset(_END_TAG.findall(self.content))

    def add(self, child: Token) -> None:
        name, _, end = child.type.rpartition("_")
        if child.type == "text":
            self.text(child.content)
        elif child.type == "text_special":
            self._special(child)
        elif child.type == "code_inline":
            self._code(child)
        elif child.type in ("softbreak", "hardbreak"):
            at = self._skip("\n")
            if child.type == "hardbreak" or self._starts_line(at):
                self.end_block()
            else:
                self.builder.add(" ", self._place(at))
        elif child.type == "html_inline":
            if self._is_placeholder(child.content):
                self.text(child.content)
            else:
                self._skip(child.content)
                self._tag(child.content)
        elif child.type == "image":
            self._skip("![")
            for grandchild in child.children or []:
                self.add(grandchild)
            self._skip_target()
        elif end == "open":
            self._skip(child.markup if name in ("strong", "em", "s") else "[")
            if name in _MARKS:
                self.builder.open_mark(_MARKS[name])
        elif end == "close":
            if name in _MARKS:
                self.builder.close_mark(_MARKS[name])
            if name in ("strong", "em", "s"):
                self._skip(child.markup)
            elif child.markup != "autolink":
                self._skip_target()

    def _starts_line(self, at: int) -> bool:
        """Whether a line break was meant: bots and people end lines with one newline.

        Markdown takes it for a blank. A line that was wrapped is long and goes on in the middle
        of a sentence; one that was meant is short or ends a sentence, and the next starts one.
        """
        before = self.content[self.content.rfind("\n", 0, at) + 1 : at].rstrip()
        after = self.content[at + 1 : at + 80].lstrip().lstrip("*_`")
        if not before or not after or not _LINE_START.match(after):
            return False
        return len(before) < WRAPPED_LINE_CHARS or before.rstrip("*_`")[-1:] in ".:!?;"

    def _place(self, index: int) -> int:
        index = min(max(index, 0), len(self.content))
        line = self._line(index)
        if index == line.end:
            return line.origin_end
        # before each pipe in a cell the source has a backslash
        pipes = self.content.count("|", line.start, index + 1) if self.kind == "cell" else 0
        return line.origin + line.step * (index - line.start + pipes)

    def _line(self, index: int) -> _Line:
        return self.lines[bisect_right(self.lines, index, key=attrgetter("start")) - 1]

    def _skip(self, markup: str) -> int:
        """Moves past the next occurrence; the index where it stood, or the cursor."""
        at = self.content.find(markup, self.cursor) if markup else -1
        if at < 0:
            return self.cursor
        self.cursor = at + len(markup)
        return at

    def text(self, text: str) -> None:
        if not text:
            return
        at = self.content.find(text, self.cursor)
        if at < 0:
            self.builder.add(text, self._place(self.cursor), step=0)
            return
        self.cursor = at + len(text)
        # No line break is inside a text token, so its characters are neighbours up to a pipe.
        for piece in _BEFORE_PIPE.split(text) if self.kind == "cell" else (text,):
            self.builder.add(piece, self._place(at))
            at += len(piece)

    def _special(self, child: Token) -> None:
        at = self._skip(child.markup)
        origin = self._place(at)
        if child.info == "escape":  # before most characters the backslash itself is text
            self.builder.add(child.content, origin + len(child.markup) - len(child.content))
        else:
            self.builder.add(child.content, origin, step=0)

    def _code(self, child: Token) -> None:
        self._skip(child.markup)
        at = self.one_line.find(child.content, self.cursor)
        self.builder.open_mark("code")
        if at >= 0 and self.kind != "cell" and self.content.startswith(child.content, at):
            self.builder.add(child.content, self._place(at), step=self._line(at).step)
        else:
            for index, character in enumerate(child.content):
                self.builder.add(character, self._place(at + index if at >= 0 else self.cursor))
        self.builder.close_mark("code")
        self.cursor = max(at, self.cursor) + len(child.content)
        self._skip(child.markup)

    def _tag(self, tag: str) -> None:
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
                self.builder.add(" ", self._place(self.cursor - 1))
            else:
                self.end_block()
                self._list(name, is_end=is_end)

    def _list(self, name: str, *, is_end: bool) -> None:
        lists = self.builder.lists
        is_inside = len(lists.open) > self.depth
        if name in ("ol", "ul"):
            if not is_end:
                lists.enter(ordered=name == "ol")
            elif is_inside:
                lists.leave()
        elif name == "li" and is_inside and not is_end:
            lists.next_item()

    def end_lists(self) -> None:
        """Ends the lists of tags that were left open."""
        del self.builder.lists.open[self.depth :]

    def _is_placeholder(self, tag: str) -> bool:
        """Whether it is something to fill in ("-d <domein>"): no element, and never closed."""
        match = _PLACEHOLDER.fullmatch(tag)
        if match is None or any(match[1].lower() in known for known in tags().values()):
            return False
        return match[1] not in self.closed

    def _skip_target(self) -> None:
        """Past ``](...)`` or ``][...]`` after the text of a link or an image."""
        self._skip("]")
        opening = self.content[self.cursor : self.cursor + 1]
        if opening == "[":
            self._skip("]")
        elif opening == "(":
            depth, index = 0, self.cursor
            while index < len(self.content):
                character = self.content[index]
                if character == "\\":
                    index += 1
                depth += (character == "(") - (character == ")")
                index += 1
                if depth == 0:
                    break
            self.cursor = index
