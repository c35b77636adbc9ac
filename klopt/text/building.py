"""Build plain text piece by piece, keeping the offsets, whatever the markup was."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

import numpy as np
import regex

from klopt.text.open_blocks import Lists, OpenRow, OpenTables
from klopt.text.plain import HANGUL, Block, BlockKind, Mark, MarkKind, PlainText
from klopt.types import REPLACEMENT

MAX_OPEN_MARKS: Final = 32
"""Nested marks; deeper ones are ignored."""
MAX_ROW_CHARS: Final = 2_000  # a longer table row is not joined into one line
MAX_SPANNED: Final = 40  # columns or rows spanned by one cell
MAX_COPIED_CHARS: Final = 200
"""A longer cell is not copied into the cells that it spans."""
_APOSTROPHE: Final = regex.compile(r"(?<=\p{L})[’‘ʼ´](?=\p{L})", regex.VERSION1)
"""Within a word all apostrophes are one."""
_WIDE: Final = re.compile(r"\s{2,}|[^\S ]")
"""White space that is not one blank."""
_JOINED: Final = regex.compile(rf"(?s){HANGUL}|.\p{{M}}{{0,31}}+", regex.VERSION1)
"""Characters that NFC may join; the bound keeps sorting accents cheap."""


def read_plain(source: str) -> PlainText:
    r"""A text without markup, each of its lines a block.

    >>> read_plain("Ga naar: HRM\n\nKlik op: Nieuw").text
    'Ga naar: HRM\nKlik op: Nieuw'
    """
    builder = PlainTextBuilder(source)
    offset = 0
    for line in source.split("\n"):
        builder.add(line, offset)
        builder.end_block("paragraph")
        offset += len(line) + 1
    return builder.build()


class PlainTextBuilder:
    """Collects characters with their original offsets, blocks and marks.

    White space within a block becomes one blank, lone surrogates become U+FFFD, zero-width
    characters go. Nothing is kept between two texts: one builder builds one text.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._characters: list[str] = []
        self._origins = array("q")
        self._places = array("q", np.arange(len(source) + 1).tobytes())  # slices of it are fast
        self._blocks: list[Block] = []
        self._marks: list[Mark] = []
        self._open_marks: list[tuple[MarkKind, int]] = []
        self._block_start = 0
        self._copied = 0  # characters of cells that span others
        self.level = 0  # of the heading that is being built
        self.tab: tuple[int, int] | None = None  # of the added text
        self.lists = Lists()
        self.tables = OpenTables()

    def add(self, text: str, origin: int, *, step: int = 1, keep_white_space: bool = False) -> None:
        """Characters that start at ``origin`` in the source.

        With ``step=0`` all come from there, as the characters of an entity do; white space is kept
        in blocks of code.
        """
        if (
            step == 1
            and text.isprintable()
            and (not keep_white_space or text.isascii())
            and "  " not in text
        ):
            if text[:1] == " " and self._at_blank():
                text, origin = text[1:], origin + 1
            self._characters.extend(text)
            self._origins.extend(self._places[origin : origin + len(text)])
            return
        if not keep_white_space and text.isspace() and self._at_blank():
            return
        if step == 1 and not keep_white_space and _WIDE.search(text):
            at = 0
            for wide in _WIDE.finditer(text):
                self.add(text[at : wide.start()], origin + at)
                self.add(" ", origin + wide.start())
                at = wide.end()
            self.add(text[at:], origin + at)
            return
        for index, character in enumerate(text):
            if character.isspace():
                if not keep_white_space:
                    if self._at_blank():
                        continue
                    character = " "
                elif character in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
                    character = "\n"
            elif "\ud800" <= character <= "\udfff":
                character = REPLACEMENT
            elif character < " " or (
                not character.isascii() and unicodedata.category(character) in ("Cf", "Cc")
            ):
                continue
            self._characters.append(character)
            self._origins.append(origin + index * step)

    def add_starred(self, text: str, origin: int, starred: regex.Pattern[str]) -> None:
        """Text with Markdown's stars as what they stand for.

        ``starred`` finds them, as groups ``stars`` and ``name``.
        """
        position = 0
        for match in starred.finditer(text):
            kind: MarkKind = "strong" if len(match["stars"]) == 2 else "emphasis"
            self.add(text[position : match.start()], origin + position)
            self.open_mark(kind)
            self.add(match["name"], origin + match.start("name"))
            self.close_mark(kind)
            position = match.end()
        self.add(text[position:], origin + position)

    @property
    def last_origin(self) -> int:
        """Where the last character comes from in the source; 0 before the first."""
        return self._origins[-1] if self._origins else 0

    def _at_blank(self) -> bool:
        return len(self._characters) == self._block_start or self._characters[-1].isspace()

    def open_mark(self, kind: MarkKind) -> None:
        """Open a mark."""
        if len(self._open_marks) < MAX_OPEN_MARKS:
            self._open_marks.append((kind, len(self._characters)))

    def close_mark(self, kind: MarkKind) -> None:
        """Close the innermost open mark of this kind, if any."""
        for index in range(len(self._open_marks) - 1, -1, -1):
            if self._open_marks[index][0] == kind:
                self._keep_mark(*self._open_marks.pop(index))
                return

    def is_in_mark(self, kind: MarkKind) -> bool:
        """Return whether a mark of this kind is open."""
        return any(opened == kind for opened, _ in self._open_marks)

    def _keep_mark(self, kind: MarkKind, start: int) -> None:
        end = len(self._characters)
        while end > start and self._characters[end - 1].isspace():
            end -= 1
        while start < end and self._characters[start].isspace():
            start += 1
        if end > start:
            self._marks.append(Mark(kind, start, end))

    def end_block(self, kind: BlockKind) -> None:
        """End a block, unless it is empty; in a list it is an item or code."""
        characters, start, end = self._characters, self._block_start, len(self._characters)
        while self._open_marks:
            self._keep_mark(*self._open_marks.pop())
        while end > start and characters[-1].isspace():
            characters.pop()
            self._origins.pop()
            end -= 1
        if end == start:
            return
        if self.lists.open:
            kind = "code" if kind == "code" else "item"
            block = Block(kind, start, end, *self.lists.place, tab=self.tab)
        else:
            level = self.level if kind == "heading" else 0
            block = Block(kind, start, end, level=level, tab=self.tab)
        self._blocks.append(block)
        characters.append("\n")
        self._origins.append(self._origins[-1] + 1)
        self._block_start = end + 1

    def begin_row(self) -> None:
        """Begin a row of the innermost table."""
        row = OpenRow(len(self._blocks), len(self._marks), len(self.lists.open))
        self.tables.rows.append(row)

    def begin_cell(self, *, is_heading: bool, columns: int = 1, rows: int = 1) -> None:
        """Begin a cell of the innermost row, if any.

        Args:
            is_heading: Whether it is one of headings.
            columns: How many columns it spans.
            rows: How many rows it spans; its text is copied into all of them.
        """
        for row in self.tables.rows[-1:]:
            self._end_cell(row)
            row.cells.append(len(self._blocks))
            row.columns, row.rows = min(columns, MAX_SPANNED), min(rows, MAX_SPANNED)
            row.is_heading &= is_heading

    def _end_cell(self, row: OpenRow) -> None:
        """Copies the last cell of a row where it spans columns, then cells of the rows above."""
        if row.columns > 1 or row.rows > 1:
            column = len(row.cells) - 1
            text = " ".join(
                "".join(self._characters[block.start : block.end])
                for block in self._blocks[row.cells[-1] :]
            )
            for more in range(row.columns):
                if row.rows > 1:
                    row.spanning[column + more] = row.rows - 1, text
                if more:
                    self._copy_cell(row, text)
            row.columns = row.rows = 1
        while (above := self.tables.spanning.get(len(row.cells))) is not None:
            if above[0] > 1:
                row.spanning[len(row.cells)] = above[0] - 1, above[1]
            self._copy_cell(row, above[1])

    def _copy_cell(self, row: OpenRow, text: str) -> None:
        """A cell with the text of one that spans it, empty where that is too long."""
        row.cells.append(len(self._blocks))
        self._copied += len(text) + 3
        if text and len(text) <= MAX_COPIED_CHARS and self._copied <= len(self._source):
            self.add(text, self.last_origin, step=0)
            self.end_block("cell")

    def end_row(self) -> None:
        """The blocks of the innermost row's cells become one block.

        Not where there is but one cell, or more in them than a line has: a table that lays out a
        page has headings, steps and other tables in its cells.
        """
        if not self.tables.rows:
            return
        row = self.tables.rows.pop()
        if len(row.cells) > 1 or (row.cells and self.tables.spanning):
            self._end_cell(row)
        self.tables.span(row)
        table, number = self.tables.place(is_heading=row.is_heading)
        blocks = self._blocks[row.first_block :]
        if len(row.cells) > 1 and blocks and _is_line(blocks, row.depth):
            self._join(row, blocks, table, number)

    def _join(self, row: OpenRow, blocks: list[Block], table: int, number: int) -> None:
        start = blocks[0].start
        characters, origins = self._characters[start:], self._origins[start:]
        del self._characters[start:], self._origins[start:]
        moved: list[int] = []  # for each block, how far
        cell = 0
        for place, block in enumerate(blocks, row.first_block):
            bars = bisect_right(row.cells, place) - 1 - cell
            cell += bars
            between = " | " if bars else " "
            between = f"{between}{'| ' * (bars - 1)}" if moved else "| " * bars
            self._characters.extend(between)
            before = max(origins[block.start - start] - 1, *self._origins[-1:], 0)
            self._origins.extend([before] * len(between))
            moved.append(len(self._characters) - block.start)
            own = slice(block.start - start, block.end - start)
            self._characters.extend(characters[own])
            self._origins.extend(origins[own])
        end = len(self._characters)
        self._characters.append("\n")
        self._origins.append(self._origins[-1] + 1)
        self._block_start = end + 1
        kept = blocks[0]._replace(kind="row", start=start, end=end, table=table, row=number)
        self._blocks[row.first_block :] = [kept]
        ends = [block.end for block in blocks]
        for index in range(row.first_mark, len(self._marks)):
            mark = self._marks[index]
            by = moved[bisect_left(ends, mark.end)]
            self._marks[index] = Mark(mark.kind, mark.start + by, mark.end + by)

    def build(self) -> PlainText:
        """Return the finished text; an open block becomes a paragraph."""
        self.end_block("paragraph")
        if self._blocks:
            self._characters.pop()
            last = self._origins.pop()
        else:
            last = 0
        self._origins.append(min(last, len(self._source)))
        marks = sorted(self._marks, key=lambda mark: (mark.start, -mark.end))
        text = "".join(self._characters)
        if not text.isascii():
            text = _APOSTROPHE.sub("'", text)
        plain = PlainText(self._source, text, self._origins, tuple(self._blocks), tuple(marks))
        return plain if unicodedata.is_normalized("NFC", text) else _normalized(plain)


def _is_line(blocks: Sequence[Block], depth: int) -> bool:
    """Whether the blocks of a row are short texts, and no part of a page."""
    return blocks[-1].end - blocks[0].start <= MAX_ROW_CHARS and not any(
        block.kind in ("heading", "code", "row") or (block.ordered and block.depth > depth)
        for block in blocks
    )


def _normalized(plain: PlainText) -> PlainText:
    """The same text in NFC: letters with combining marks become one character."""
    places = array("q")  # for each old character, its new place
    characters: list[str] = []
    origins = array("q")
    for match in _JOINED.finditer(plain.text):
        start, end = match.span()
        joined = unicodedata.normalize("NFC", match[0])
        # The letter keeps its place; accents that do not join it keep their places.
        first, more = len(characters), len(joined) - len(match[0])
        places.append(first)
        places.extend(first + max(0, old + more) for old in range(1, end - start))
        origins.append(plain.origins[start])
        origins.extend(plain.origins[start + max(0, new - more)] for new in range(1, len(joined)))
        characters.extend(joined)
    places.append(len(characters))
    origins.append(plain.origins[-1])
    blocks = tuple(
        block._replace(start=places[block.start], end=places[block.end]) for block in plain.blocks
    )
    marks = tuple(Mark(mark.kind, places[mark.start], places[mark.end]) for mark in plain.marks)
    return PlainText(plain.source, "".join(characters), origins, blocks, marks)
