"""The pages of which a PO catalogue has the messages, put together again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final

import regex

from klopt.bilingual.inline_tags import message_html
from klopt.bilingual.po import forms, read_messages

PIECE_CHARS: Final = 20_000
"""Messages that do not say whence they come stand on pages of about this length."""

_PATH: Final = regex.compile(r"path:\s*+\S*?(\w+)/(\w+)\s*\Z")
_LEFT_OUT: Final = frozenset({"credit", "license"})
"""Elements of Mallard and DocBook that are about a page rather than in it."""


def read_po_pages(path: Path) -> dict[str, str]:
    """Pages in HTML, by the names of the files that the messages come from.

    Of each message the translation counts; what is untranslated, fuzzy or obsolete is left out.
    Titles and items of lists are told by the comments that itstool writes.

    Raises:
        InputError: The file cannot be read, or is no PO; with the line.
    """
    placed: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, message in enumerate(read_messages(path)):
        if not message.msgid or message.fuzzy or message.obsolete:
            continue
        text = "<p>".join(message_html(one) for _, one in forms(message) if one.strip())
        place = _PATH.search(message.comment)
        parent, element = place.groups() if place else ("", "")
        if not text or parent in _LEFT_OUT:
            continue
        for name, line in message.occurrences or [("", str(number))]:
            line_number = int(line) if line.isdecimal() and len(line) < 10 else 0
            placed[name].append((line_number, _as_block(text, parent, element)))
    pages = {name: _joined(blocks) for name, blocks in placed.items() if name}
    for number, piece in enumerate(_pieces(placed.get("", ())), 1):
        pages[str(number)] = piece
    return pages


def _as_block(text: str, parent: str, element: str) -> str:
    if element == "title":
        tag = "h1" if parent in ("page", "article", "book") else "h2"
        return f"<{tag}>{text}</{tag}>"
    tag = "li" if parent in ("item", "listitem") else "p"
    return f"<{tag}>{text}</{tag}>"


def _joined(blocks: list[tuple[int, str]]) -> str:
    """The blocks in their order; items that follow one another are one list."""
    texts = (text for _, text in sorted(blocks, key=itemgetter(0)))
    return "\n".join(
        "\n".join(("<ol>", *own, "</ol>") if is_list else own)
        for is_list, own in groupby(texts, key=lambda text: text.startswith("<li>"))
    )


def _pieces(blocks: list[tuple[int, str]] | tuple[()]) -> Iterator[str]:
    piece: list[tuple[int, str]] = []
    chars = 0
    for block in blocks:
        piece.append(block)
        chars += len(block[1])
        if chars >= PIECE_CHARS:
            yield _joined(piece)
            piece, chars = [], 0
    if piece:
        yield _joined(piece)
