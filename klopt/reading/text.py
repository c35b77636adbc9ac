"""Plain text with a way back: every plain character knows its place in the original.

A `PlainTextBuilder` builds one piece by piece, keeping the offsets, whatever the markup was.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import regex

from klopt.cached import cached_property
from klopt.records import REPLACEMENT

MOST_OPEN_MARKS: Final = 32
"""Bold in italics in a link ...: what opens within so many is not marked."""

MOST_ROW_CHARS: Final = 2_000
"""A longer row of a table is none that is read as one line."""

BlockKind = Literal["paragraph", "heading", "item", "code", "quote", "cell", "row"]
MarkKind = Literal["strong", "emphasis", "code", "link", "key"]

_HANGUL: Final = r"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[가-힣][\u11a8-\u11c2]"
_CHARACTER: Final = regex.compile(rf"(?s)&#?\w++;|{_HANGUL}|.\p{{M}}*+", regex.VERSION1)
"""What one plain character may come from: an entity, or a letter with accents that stand apart."""

_BAR: Final = regex.compile(r"(?<!\S)\|(?!\S)", regex.VERSION1)
"""What stands between two cells of a row."""

_JOINED: Final = regex.compile(rf"(?s){_HANGUL}|.\p{{M}}{{0,31}}+", regex.VERSION1)
"""What may become one character in NFC; the bound keeps the order of accents cheap."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of plain text: characters ``start`` to ``end`` (exclusive), from 0."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of plain text that the markup set apart: bold, italic, code, link or key."""

    kind: MarkKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, row of a table, quotation or block of code.

    Attributes:
        kind: What it is; a paragraph inside a list item is an ``item``. A ``row`` has its cells on
            one line (`PlainText.cells`); a ``cell`` is one of a table that only lays out a page.
        start: First plain character.
        end: After the last plain character.
        list_number: Items of one list share it, counted from 0 in the page; -1 outside lists.
        ordered: Whether the list is numbered.
        item_number: Paragraphs of one item share it, counted from 0 in the list; -1 outside.
        depth: 0 outside lists, 1 in a list, 2 in a list in a list ...
        level: 1 to 6 for a heading, else 0.
        table: Rows of one table share it, counted from 0 in the page; -1 outside rows.
        row: 0 for the row of headings, which not every table has; the others count from 1; -1
            outside rows.
    """

    kind: BlockKind
    start: int
    end: int
    list_number: int = -1
    ordered: bool = False
    item_number: int = -1
    depth: int = 0
    level: int = 0
    table: int = -1
    row: int = -1


@dataclass(frozen=True)
class PlainText:
    """A text without its markup.

    Attributes:
        source: The original, as it came in.
        text: Plain text in NFC; blocks are separated by one newline, white space within a block
            is one blank, zero-width characters are gone.
        origins: For each plain character, the offset of the original character it comes from;
            one more at the end. Shape ``(len(text) + 1,)``, non-decreasing.
        blocks: The blocks, in order, not overlapping.
        marks: What the markup set apart, by start; marks may nest.
    """

    source: str
    text: str
    origins: array[int]
    blocks: tuple[Block, ...]
    marks: tuple[Mark, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original offsets of a plain stretch; ``source[start:end]`` holds its text.

        An accent that stands apart in the original belongs to its letter, and an entity within
        a block is not cut. An empty stretch stays empty.
        """
        if end <= start:
            return self.origins[start], self.origins[start]
        last = min(self.origins[end - 1] + 1, len(self.source))
        whole = _CHARACTER.match(self.source, last - 1, max(last, self.origins[end]))
        return min(self.origins[start], max(0, last - 1)), whole.end() if whole else last

    def plain(self, start: int, end: int) -> tuple[int, int]:
        """The plain stretch that holds the original stretch, the inverse of `original`."""
        return bisect_left(self.origins, start), bisect_left(self.origins, end)

    def cells(self, row: Block) -> list[Span]:
        """The cells of a row, from the left, without the blanks around them.

        Those that are empty have their place too, but for the last ones.
        """
        bars = [match.start() for match in _BAR.finditer(self.text, row.start, row.end)]
        cells = []
        for start, end in zip(
            [row.start, *(bar + 1 for bar in bars)], [*bars, row.end], strict=True
        ):
            cell = self.text[start:end]
            start += len(cell) - len(cell.lstrip())
            cells.append(Span(start, start + len(cell.strip())))
        return cells

    def as_written(self, spans: Sequence[tuple[int, int]]) -> tuple[str, Sequence[tuple[int, int]]]:
        """A text, and where stretches stand in it: this one, or what it was translated from."""
        return self.text, spans

    def excerpt(self, start: int, end: int) -> tuple[str, int, int]:
        """The words of a plain stretch, and the original stretch that holds them."""
        first, last = self.original(start, end)
        return self.quoted(first, last), first, last

    def quoted(self, start: int, end: int) -> str:
        """The plain text of a stretch of the original."""
        first, last = self.plain(start, end)
        return self.text[first:last]

    @cached_property
    def has_words(self) -> bool:
        """Whether there is any letter or digit."""
        return any(map(str.isalnum, self.text))

    @property
    def running_text(self) -> str:
        """The text with what the markup sets apart blanked out, for the vote on the language."""
        if not self.marks:
            return self.text
        characters = list(self.text)
        for mark in self.marks:
            characters[mark.start : mark.end] = " " * (mark.end - mark.start)
        return "".join(characters)


def in_small_letters(text: str) -> str:
    """A text in small letters with every character where it was.

    >>> in_small_letters("İK WİL") == "İk wİl"
    True
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


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


class Lists:
    """The lists that are open while a text is built."""

    def __init__(self) -> None:
        self._count = 0
        self.open: list[list[int]] = []  # outermost first: number, ordered, items so far

    def enter(self, *, ordered: bool) -> None:
        """A list begins."""
        self.open.append([self._count, ordered, 0])
        self._count += 1

    def next_item(self) -> None:
        """An item of the innermost list begins."""
        if self.open:
            self.open[-1][2] += 1

    def leave(self) -> None:
        """The innermost list ends."""
        if self.open:
            self.open.pop()

    @property
    def place(self) -> tuple[int, bool, int, int]:
        """Of a block that ends here: list number, whether ordered, item number and depth."""
        if not self.open:
            return -1, False, -1, 0
        number, ordered, items = self.open[-1]
        return number, bool(ordered), max(items - 1, 0), len(self.open)


@dataclass(slots=True)
class OpenRow:
    """A row of a table that is open.

    It knows the numbers of its first block and mark, how many lists it stands in, and the first
    block of each of its cells.
    """

    first_block: int
    first_mark: int
    depth: int
    cells: list[int] = field(default_factory=list)
    is_heading: bool = True


class OpenTables:
    """The tables and rows that are open while a text is built."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[list[int]] = []  # outermost first: number, of the row that comes next
        self.rows: list[OpenRow] = []

    def enter(self) -> None:
        """A table begins."""
        self._open.append([self._count, 0])
        self._count += 1

    def leave(self) -> None:
        """The innermost table ends."""
        if self._open:
            self._open.pop()

    def place(self, *, is_heading: bool) -> tuple[int, int]:
        """Of a row that ends here: the number of its table, and its own."""
        if not self._open:
            return -1, -1
        number, row = self._open[-1]
        row = row if is_heading or row else 1
        self._open[-1][1] = row + 1
        return number, row


class PlainTextBuilder:
    """Collects characters with their original offsets, blocks and marks.

    White space within a block becomes one blank, lone surrogates become U+FFFD, zero-width
    characters go. Nothing is kept between two texts: one builder builds one text.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._characters: list[str] = []
        self._origins = array("q")
        self._blocks: list[Block] = []
        self._marks: list[Mark] = []
        self._open_marks: list[tuple[MarkKind, int]] = []
        self._block_start = 0
        self.level = 0  # of the heading that is being built
        self.lists = Lists()
        self.tables = OpenTables()

    def add(self, text: str, origin: int, *, step: int = 1, keep_white_space: bool = False) -> None:
        """Characters that start at ``origin`` in the source.

        With ``step=0`` all come from there, as the characters of an entity do; white space is kept
        in blocks of code.
        """
        is_plain = text.isprintable() and "  " not in text
        if is_plain and step == 1 and (text.isascii() or not keep_white_space):
            self._add_plain(text, origin)
            return
        if not keep_white_space and text.isspace() and self._at_blank():
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

    def _add_plain(self, text: str, origin: int) -> None:
        if text[:1] == " " and self._at_blank():
            text, origin = text[1:], origin + 1
        self._characters.extend(text)
        self._origins.extend(range(origin, origin + len(text)))

    def _at_blank(self) -> bool:
        return len(self._characters) == self._block_start or self._characters[-1].isspace()

    def open_mark(self, kind: MarkKind) -> None:
        """A stretch of markup starts here."""
        if len(self._open_marks) < MOST_OPEN_MARKS:
            self._open_marks.append((kind, len(self._characters)))

    def close_mark(self, kind: MarkKind) -> None:
        """The innermost open stretch of this kind ends here; without one, nothing happens."""
        for index in range(len(self._open_marks) - 1, -1, -1):
            if self._open_marks[index][0] == kind:
                self._keep_mark(*self._open_marks.pop(index))
                return

    def is_in_mark(self, kind: MarkKind) -> bool:
        """Whether a stretch of this kind is open."""
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
        """What was added since the last block is a block; if that is nothing, there is none.

        In a list it is an item, or code.
        """
        while self._open_marks:
            self._keep_mark(*self._open_marks.pop())
        while len(self._characters) > self._block_start and self._characters[-1].isspace():
            self._characters.pop()
            self._origins.pop()
        start, end = self._block_start, len(self._characters)
        if end == start:
            return
        if self.lists.open:
            kind = "code" if kind == "code" else "item"
        level = self.level if kind == "heading" else 0
        self._blocks.append(Block(kind, start, end, *self.lists.place, level))
        self._characters.append("\n")
        self._origins.append(self._origins[-1] + 1)
        self._block_start = end + 1

    def begin_row(self) -> None:
        """A row of the innermost table begins."""
        row = OpenRow(len(self._blocks), len(self._marks), len(self.lists.open))
        self.tables.rows.append(row)

    def begin_cell(self, *, is_heading: bool) -> None:
        """A cell of the innermost row begins; without one, nothing happens."""
        for row in self.tables.rows[-1:]:
            row.cells.append(len(self._blocks))
            row.is_heading &= is_heading

    def end_row(self) -> None:
        """The blocks of the innermost row's cells become one block.

        Not where there is but one cell, or more in them than a line has: a table that lays out a
        page has headings, steps and other tables in its cells.
        """
        if not self.tables.rows:
            return
        row = self.tables.rows.pop()
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
        kept = replace(blocks[0], kind="row", start=start, end=end, table=table, row=number)
        self._blocks[row.first_block :] = [kept]
        ends = [block.end for block in blocks]
        for index in range(row.first_mark, len(self._marks)):
            mark = self._marks[index]
            by = moved[bisect_left(ends, mark.end)]
            self._marks[index] = Mark(mark.kind, mark.start + by, mark.end + by)

    def build(self) -> PlainText:
        """The finished text; what is still open becomes a paragraph."""
        self.end_block("paragraph")
        if self._blocks:
            self._characters.pop()
            last = self._origins.pop()
        else:
            last = 0
        self._origins.append(min(last, len(self._source)))
        marks = sorted(self._marks, key=lambda mark: (mark.start, -mark.end))
        text = "".join(self._characters)
        plain = PlainText(self._source, text, self._origins, tuple(self._blocks), tuple(marks))
        return plain if unicodedata.is_normalized("NFC", text) else _normalized(plain)


def _is_line(blocks: Sequence[Block], depth: int) -> bool:
    """Whether the blocks of a row are short texts, and no part of a page."""
    return blocks[-1].end - blocks[0].start <= MOST_ROW_CHARS and not any(
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
        # The letter stands where it began; accents that do not join it keep their places.
        first, more = len(characters), len(joined) - len(match[0])
        places.append(first)
        places.extend(first + max(0, old + more) for old in range(1, end - start))
        origins.append(plain.origins[start])
        origins.extend(plain.origins[start + max(0, new - more)] for new in range(1, len(joined)))
        characters.extend(joined)
    places.append(len(characters))
    origins.append(plain.origins[-1])
    blocks = tuple(
        replace(block, start=places[block.start], end=places[block.end]) for block in plain.blocks
    )
    marks = tuple(Mark(mark.kind, places[mark.start], places[mark.end]) for mark in plain.marks)
    return PlainText(plain.source, "".join(characters), origins, blocks, marks)
