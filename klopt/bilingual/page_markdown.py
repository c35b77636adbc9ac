"""A page of any format as Markdown, so that its blocks can be paired with those of another."""

from __future__ import annotations

from typing import Final

import regex

from klopt.bilingual.markdown_writer import Kind, MarkdownWriter
from klopt.reading.markup import guess_format, read_text
from klopt.reading.text import Block, PlainText
from klopt.records import Page

_MARKS: Final[dict[str, Kind]] = {"code": "code", "key": "code", "strong": "strong"}
_TICKS: Final = regex.compile("`+")


def to_markdown(page: Page) -> str:
    r"""The page's text as Markdown; one that is Markdown already stays as it is.

    Headings, lists, quotations, code, strong and keys come through; tables become paragraphs.

    >>> to_markdown(Page("<h1>Opslaan</h1><ol><li>Klik op <b>Bestand</b>.</ol>", format="html"))
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
        ticks = "`" * max([3, *(1 + len(run[0]) for run in _TICKS.finditer(code))])
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
        if opens:
            writer.open(kind)
        else:
            writer.close(kind)
    if place < block.end:
        writer.text(plain.text[place : block.end])
    return writer.build()
