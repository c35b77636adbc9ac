"""Read reStructuredText, as docutils and Sphinx render it.

docutils parses the text. It reports the directives of Sphinx as errors, with their source: these
are read here, by their names in `dialects.toml`. No file is included, and no code runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import regex

from klopt._internal.imports import needs
from klopt.errors import RecordError
from klopt.text.building import PlainTextBuilder
from klopt.text.dialect_patterns import roles, table
from klopt.text.plain import LABEL_LEVEL, BlockKind, MarkKind, PlainText

if TYPE_CHECKING:
    from docutils import nodes

EXTRA: Final = "rst"
MAX_CHARS: Final = 2_000_000
"""A longer text is not read."""
MAX_PARAGRAPH_CHARS: Final = 10_000
"""The marks in a longer paragraph are read as text, as docutils is slow there."""
DEEPEST: Final = 10
"""Directives in one another; what is in deeper ones is not read."""
SEARCH_CHARS: Final = 2_000
"""How far the source of a word is searched for."""
_SETTINGS: Final = {
    "file_insertion_enabled": False,
    "halt_level": 6,
    "line_length_limit": 100_000,
    "raw_enabled": False,
    "report_level": 6,
    "syntax_highlight": "none",
    "warning_stream": "",
}
_DIRECTIVE: Final = regex.compile(
    r"\s*+\.\.[ ](?P<name>[\w+-]++(?::[\w+-]++)*+)[ ]?::[ ]*+(?P<label>[^\n]*+)(?:\n|\Z)",
    regex.VERSION1,
)
_OPTION: Final = regex.compile(r"[ ]++:[\w-]++:(?:[ ]|$)", regex.VERSION1)
_TARGET: Final = regex.compile(r"\s*+<[^<>]*+>$", regex.VERSION1)
_PIECE: Final = regex.compile(r"\s++|\S++", regex.VERSION1)


def read_rst(source: str) -> PlainText:
    """Return plain text, blocks and marks of a text in reStructuredText.

    Raises:
        ExtraMissingError: docutils is not installed.
        RecordError: The text is too long, or docutils cannot parse it.

    >>> read_rst("Klik op :guilabel:`&Nieuw`.").text
    'Klik op Nieuw.'
    """
    if len(source) > MAX_CHARS:
        raise RecordError(f"reStructuredText of over {MAX_CHARS:,} characters is not read")
    return _Walk(source).run()


@cache
def _parser() -> Callable[[str], nodes.document]:
    """Return the function that parses a text."""
    with needs(EXTRA, "reading reStructuredText needs docutils"):
        from docutils import frontend, nodes, utils
        from docutils.parsers.rst import Parser, states

    def interpreted(source: str, text: str, role: str, _line: int) -> tuple[list[Any], list[Any]]:
        return [_role(source, utils.unescape(text), role)], []

    settings = frontend.get_default_settings(Parser)
    vars(settings).update(_SETTINGS)

    def parse(text: str) -> nodes.document:
        document = utils.new_document("", settings.copy())
        inliner = states.Inliner()
        inliner.interpreted = interpreted  # docutils does not know the roles of Sphinx
        read = inliner.parse
        inliner.parse = lambda text, line, memo, parent: (
            read(text, line, memo, parent)
            if len(text) <= MAX_PARAGRAPH_CHARS
            else ([nodes.Text(utils.unescape(text))], [])
        )
        Parser(inliner=inliner).parse(text, document)
        return document

    return parse


def _role(source: str, text: str, role: str) -> nodes.Node:
    """Return the node of a role's text."""
    from docutils import nodes

    name, known = role.lower().rpartition(":")[2], table()["rst"]
    if name in known["hidden_roles"] or name.startswith(("fa", "raw")):
        return nodes.inline(source, "")
    if name in ("guilabel", "menuselection"):
        plain = text.replace("&&", "\0").replace("&", "").replace("\0", "&")
        return nodes.strong(source, plain.replace("-->", ">"))
    if name == "kbd":
        return nodes.inline(source, text, classes=["key"])
    if name in known["code_roles"]:
        return nodes.literal(source, text)
    text = text.partition(" (")[0] if name == "abbr" else _TARGET.sub("", text)
    return nodes.inline(source, text.lstrip("!~/"))


class _Walk:
    """One pass over the tree of a text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
        self.builder = PlainTextBuilder(source)
        self.at = 0  # source of what is added next
        self.first_line = 0  # of the document in the source
        self.level = 0  # of the section
        self.quotes = 0
        self.directives = 0  # in one another
        self.added = 0  # pieces of text
        self.rows = 0  # of tabs
        self.last: tuple[int, tuple[int, int]] = (-1, (0, -1))  # where a tab ended, and the tab
        self.substitutions: dict[str, str] = {}

    def run(self) -> PlainText:
        self._document(self.source, 0)
        return self.builder.build()

    def _document(self, text: str, first_line: int) -> None:
        """Add a text that begins at a line of the source."""
        try:
            document = _parser()(text)
        except (ArithmeticError, AttributeError, LookupError, RecursionError, ValueError) as error:
            what = f"docutils cannot parse the reStructuredText: {type(error).__name__}"
            raise RecordError(what) from error
        before, self.first_line = self.first_line, first_line
        for name, definition in document.substitution_defs.items():
            self.substitutions.setdefault(name, definition.astext())
        self._children(document)
        self.first_line = before

    def _children(self, node: nodes.Node) -> None:
        for child in node.children:
            self._node(child)

    def _node(self, node: nodes.Node) -> None:
        """Add a node of the tree."""
        kind, known = type(node).__name__, table()["rst"]
        if kind in known["hidden_nodes"]:
            return
        if node.line and kind != "Text":
            line = self.first_line + node.line - node.astext().count("\n") - 3
            self.at = max(self.at, self.lines[max(0, min(line, len(self.lines) - 1))])
        add = getattr(self, f"_{kind}", self._children)
        mark, block = known["marks"].get(kind), known["blocks"].get(kind)
        if mark is None:
            add(node)
        else:
            self._marked(mark, node)
        if block is not None:
            self._end(block)

    def _marked(self, mark: MarkKind, node: nodes.Node) -> None:
        self.builder.open_mark(mark)
        self._children(node)
        self.builder.close_mark(mark)

    def _end(self, kind: BlockKind) -> None:
        self.builder.end_block("quote" if self.quotes and kind == "paragraph" else kind)

    def _add(self, text: str, *, is_code: bool = False) -> None:
        """Add text of the tree, which has other white space and no escapes, with its places."""
        self.added += 1
        for match in _PIECE.finditer(text):
            piece, self.at = match[0], max(self.at, self.builder.last_origin)
            found = (
                -1 if piece.isspace() else self.source.find(piece, self.at, self.at + SEARCH_CHARS)
            )
            place, step = (self.at, 0) if found < 0 else (found, 1)
            self.builder.add(piece, place, step=step, keep_white_space=is_code)
            if found >= 0:
                self.at = found + len(piece)

    def _Text(self, node: nodes.Text) -> None:  # noqa: N802
        self._add(node.astext())

    def _inline(self, node: nodes.Element) -> None:
        if "key" in node["classes"]:
            self._marked("key", node)
        else:
            self._children(node)

    def _section(self, node: nodes.Element) -> None:
        self.level += 1
        self._children(node)
        self.level -= 1

    def _title(self, node: nodes.Element) -> None:
        self._children(node)
        self.builder.level = self.level
        self._end("heading" if type(node.parent).__name__ == "section" else "paragraph")

    def _literal_block(self, node: nodes.Element) -> None:
        self._code(node.astext())

    _doctest_block = _literal_block

    def _code(self, text: str) -> None:
        self.builder.open_mark("code")
        self._add(text, is_code=True)
        self.builder.close_mark("code")
        self._end("code")

    def _block_quote(self, node: nodes.Element) -> None:
        self.quotes += 1
        self._children(node)
        self.quotes -= 1

    def _bullet_list(self, node: nodes.Element) -> None:
        self.builder.lists.enter(ordered=type(node).__name__ == "enumerated_list")
        self._children(node)
        self.builder.lists.leave()

    _enumerated_list = _bullet_list

    def _list_item(self, node: nodes.Element) -> None:
        self.builder.lists.next_item()
        self._children(node)

    def _field_list(self, node: nodes.Element) -> None:
        """Add fields, unless they are about the document."""
        if self.added:
            self._children(node)

    def _field_name(self, node: nodes.Element) -> None:
        self._children(node)
        self.builder.add(": ", self.at, step=0)

    def _image(self, node: nodes.Element) -> None:
        self._add(str(node.get("alt", "")))
        if type(node.parent).__name__ in ("document", "figure", "section"):
            self._end("paragraph")

    def _substitution_reference(self, node: nodes.Element) -> None:
        self.builder.add(self.substitutions.get(node.astext(), ""), self.at, step=0)

    def _table(self, node: nodes.Element) -> None:
        self.builder.tables.enter()
        self._children(node)
        self.builder.tables.leave()

    def _row(self, node: nodes.Element) -> None:
        self.builder.begin_row()
        self._children(node)
        self.builder.end_row()

    def _entry(self, node: nodes.Element) -> None:
        self.builder.begin_cell(
            is_heading=type(node.parent.parent).__name__ == "thead",
            columns=node.get("morecols", 0) + 1,
            rows=node.get("morerows", 0) + 1,
        )
        self._children(node)

    def _system_message(self, node: nodes.Element) -> None:
        """Read a directive that docutils does not know."""
        text = node.children[-1].astext() if node.children else ""
        match = _DIRECTIVE.match(text)
        name = match["name"].lower().rpartition(":")[2] if match else ""
        known = table()["rst"]
        if match is None or name in known["hidden"] or self.directives == DEEPEST:
            return
        line = self.first_line + node.get("line", 1) - 1
        lines = text[match.end() :].split("\n")
        options = next((n for n, one in enumerate(lines) if not _OPTION.match(one)), len(lines))
        indent = min((len(one) - len(one.lstrip()) for one in lines if one.strip()), default=0)
        content = "\n".join(one[indent:] for one in lines[options:])
        label = "" if name in known["unlabelled"] else match["label"]
        role = roles().get(name, "")
        self.directives += 1
        around = self.builder.tab
        if role == "tab":
            self._enter_tab(label)
        elif label and name not in known["code"]:
            self._document(label, line)
        if role == "tabs":
            self.last = -1, (0, 0)
        if name in known["code"]:
            self._code(content.strip("\n"))
        else:
            self._document(content, line + 1 + options)
        if role == "tab":
            self.last = self.added, self.builder.tab or (0, 0)
            self.builder.tab = around
        self.directives -= 1

    def _enter_tab(self, label: str) -> None:
        ended, (row, tab) = self.last
        if ended != self.added:  # the first of a row
            row, tab = self.rows, -1
            self.rows += 1
        self.builder.tab = row, tab + 1
        self._add(label)
        self.builder.level = LABEL_LEVEL
        self.builder.end_block("heading")
