"""Writes Markdown piece by piece, so that reading it gives the words and marks back."""

from __future__ import annotations

import unicodedata
from typing import Final, Literal, TypeAlias

import regex

from klopt.reading.markup import guess_format, read_text
from klopt.reading.text import MOST_OPEN_MARKS, Block, PlainText
from klopt.records import Page

Kind: TypeAlias = Literal["strong", "code"]

_Stretch: TypeAlias = tuple[Kind | None, list[tuple[bool, str]]]
"""A stretch of one kind and its parts: is it code, text."""

_SPECIAL: Final = regex.compile(r"[\\`*_\[\]<>&~|]")
_BLANKS: Final = regex.compile(r"[^\S\n]+")
_AROUND_NEWLINE: Final = regex.compile(r" *\n *")
_LINE_START: Final = regex.compile(r"(?am)^(?:(\d{1,9})(?=[.)])|(?=[#+=:-]))")
_TICKS: Final = regex.compile("`+")
_MARKS: Final[dict[str, Kind]] = {"code": "code", "key": "code", "strong": "strong"}


class MarkdownWriter:
    r"""Collects text and what stands out in it; one writer writes one text.

    What is strong within code, or within strong, is not marked again, nor is anything within
    `MOST_OPEN_MARKS`. Blanks at the ends of a
    stretch move out of it. Blank lines in the text separate paragraphs.

    >>> writer = MarkdownWriter()
    >>> writer.text("1. Typ ")
    >>> writer.open("code")
    >>> writer.text("a*b ")
    >>> writer.close("code")
    >>> writer.text("* 2")
    >>> print(writer.build())
    1\. Typ `a*b` \* 2
    """

    def __init__(self) -> None:
        self._blocks: list[list[_Stretch]] = [[]]
        self._open: list[Kind] = []

    def text(self, text: str) -> None:
        """Characters of the text itself."""
        block = self._blocks[-1]
        if not block or (not self._open and block[-1][0]):
            block.append((None, []))
        is_code = self._open[:1] == ["strong"] and "code" in self._open
        clean = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
        block[-1][1].append((is_code, _BLANKS.sub(" ", clean)))

    def open(self, kind: Kind) -> None:
        """A stretch starts."""
        if len(self._open) == MOST_OPEN_MARKS:
            return
        self._open.append(kind)
        if len(self._open) == 1:
            self._blocks[-1].append((kind, []))

    def close(self, kind: Kind) -> None:
        """The innermost stretch of the kind ends; without one, nothing happens."""
        for index in reversed(range(len(self._open))):
            if self._open[index] == kind:
                del self._open[index]
                if self._open and index == 0:
                    self._blocks[-1].append((self._open[0], []))
                return

    def end_block(self) -> None:
        """A new paragraph; what is open ends."""
        self._open.clear()
        self._blocks.append([])

    def build(self) -> str:
        """The Markdown."""
        return "\n\n".join(filter(None, map(_write, self._blocks)))


def page_markdown(page: Page) -> str:
    r"""The page's text as Markdown; one that is Markdown already stays as it is.

    Headings, lists, quotations, code, strong and keys come through; tables become paragraphs.

    >>> page_markdown(Page("<h1>Opslaan</h1><ol><li>Klik op <b>Bestand</b>.</ol>", format="html"))
    '# Opslaan\n\n1. Klik op **Bestand**.'
    """
    page_format = guess_format(page.text) if page.format == "auto" else page.format
    if page_format == "markdown":
        return page.text
    plain = read_text(page.text, page_format)
    return "\n\n".join(_block(plain, block) for block in plain.blocks)


def _block(plain: PlainText, block: Block) -> str:
    if block.kind == "code":
        code = plain.text[block.start : block.end]
        ticks = "`" * max(3, _ticks_count(code))
        return f"{ticks}\n{code}\n{ticks}"
    text = _inline(plain, block)
    match block.kind:
        case "heading":
            return f"# {text}"
        case "quote":
            return f"> {text}"
        case "item":
            sign = f"{block.item_number + 1}." if block.ordered else "-"
            return f"{'   ' * (block.depth - 1)}{sign} {text}"
    return text


def _inline(plain: PlainText, block: Block) -> str:
    """The text of a block with its marks."""
    writer = MarkdownWriter()
    turns: list[tuple[int, bool, Kind]] = []
    for mark in plain.marks:
        kind = _MARKS.get(mark.kind)
        if kind is not None and block.start <= mark.start and mark.end <= block.end:
            turns += [(mark.start, True, kind), (mark.end, False, kind)]
    place = block.start
    for at, opens, kind in sorted(turns, key=lambda turn: turn[:2]):
        if at > place:
            writer.text(plain.text[place:at])
            place = at
        (writer.open if opens else writer.close)(kind)
    if place < block.end:
        writer.text(plain.text[place : block.end])
    return writer.build()


def _write(block: list[_Stretch]) -> str:
    """One paragraph."""
    pieces: list[tuple[Kind | None, str]] = []
    for kind, parts in block:
        if kind is None:
            pieces.append((None, _plain("".join(text for _, text in parts))))
        else:
            pieces += _trimmed(kind, parts)
    return _LINE_START.sub(r"\1\\", _signed([piece for piece in pieces if piece[1]]))


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _trimmed(kind: Kind, parts: list[tuple[bool, str]]) -> list[tuple[Kind | None, str]]:
    """A stretch with its blanks before and after it."""
    whole = "".join(text for _, text in parts)
    if not whole.strip():
        return [(None, whole)]
    before, after = whole[:1].isspace(), whole[-1:].isspace()
    if kind == "code":
        inner = whole
    else:
        inner = "".join(_code(text) if is_code else _plain(text) for is_code, text in parts)
    inner = " ".join(inner.split())
    return [(None, " " * before), (kind, inner), (None, " " * after)]


def _signed(pieces: list[tuple[Kind | None, str]]) -> str:
    """The pieces with their signs; tags where signs would not be read as such."""
    found = ""
    for index, (kind, text) in enumerate(pieces):
        after = pieces[index + 1][1][0] if index + 1 < len(pieces) else ""
        touches = index > 0 and pieces[index - 1][0] == kind
        if kind is None:
            found += text
        elif kind == "code":
            found += f"<code>{_plain(text)}</code>" if touches else _code(text)
        elif touches or not (_flanks(found[-1:], text[0]) and _flanks(after, text[-1])):
            found += f"<b>{text}</b>"
        else:
            found += f"**{text}**"
    return _AROUND_NEWLINE.sub("\n", _BLANKS.sub(" ", found)).strip()


def _code(text: str) -> str:
    """A code span, with more ticks than the code has."""
    inner = " ".join(text.split())
    if not inner:
        return text
    ticks = "`" * _ticks_count(inner)
    blank = " " if "`" in (inner[0], inner[-1]) else ""
    return f"{ticks}{blank}{inner}{blank}{ticks}"


def _ticks_count(code: str) -> int:
    return 1 + max(map(len, _TICKS.findall(code)), default=0)


def _flanks(outside: str, inside: str) -> bool:
    """Whether ``**`` between the two opens or closes (CommonMark 0.31, section 6.2)."""
    if not outside or outside.isspace():
        return True
    signs = [unicodedata.category(character)[0] in "PS" for character in (inside, outside)]
    return signs != [True, False]
