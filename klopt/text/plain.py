"""Plain text with a way back: every plain character knows its place in the original."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import regex

from klopt._internal.cached import cached_property

BlockKind = Literal["paragraph", "heading", "item", "code", "quote", "cell", "row"]
MarkKind = Literal["strong", "emphasis", "code", "link", "key"]
LABEL_LEVEL: Final = 7  # Level of the label of a tab, below all headings
HANGUL: Final = r"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[가-힣][\u11a8-\u11c2]"
_CHARACTER: Final = regex.compile(rf"(?s)&#?\w++;|{HANGUL}|.\p{{M}}*+", regex.VERSION1)
"""The original of one plain character: an entity, or a letter with separate accents."""
_BAR: Final = regex.compile(r"(?<!\S)\|(?!\S)", regex.VERSION1)
"""Separator of the cells of a row."""
_CLOSING_MARKS: Final = frozenset(".,;:!?)]}”’»")
"""A removed stretch leaves no blank before these."""
_RUN: Final = regex.compile(rb"\x01++")  # kept characters


class Span(NamedTuple):
    """A stretch of plain text: characters ``start`` to ``end`` (exclusive), from 0."""

    start: int
    end: int


class Mark(NamedTuple):
    """A stretch of plain text that the markup set apart: bold, italic, code, link or key."""

    kind: MarkKind
    start: int
    end: int


class Block(NamedTuple):
    """A paragraph, heading, list item, row of a table, quotation or block of code.

    Attributes:
        kind: A paragraph inside a list item is an ``item``. A ``row`` has its cells on
            one line (`PlainText.cells`); a ``cell`` is one of a table that only lays out a page.
        start: First plain character.
        end: After the last plain character.
        list_number: Items of one list share it, counted from 0 in the page; -1 outside lists.
        ordered: Whether the list is numbered.
        item_number: Paragraphs of one item share it, counted from 0 in the list; -1 outside.
        depth: 0 outside lists, 1 in a list, 2 in a list in a list ...
        level: 1 to 6 for a heading, 7 for the label of a tab, else 0.
        table: Rows of one table share it, counted from 0 in the page; -1 outside rows.
        row: 0 for the row of headings, which not every table has; the others count from 1; -1
            outside rows.
        tab: Blocks of one tab share it: the number of the tabs beside one another, counted from 0
            in the page, and that of the tab among them; None outside tabs.
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
    tab: tuple[int, int] | None = None


@dataclass(frozen=True)
class PlainText:
    """A text without its markup.

    Attributes:
        source: The original, as it came in.
        text: Plain text in NFC; blocks are separated by one newline, white space within a block
            is one blank, zero-width characters are removed, apostrophes within words are straight.
        origins: For each plain character, the offset of the original character it comes from;
            one more at the end. Shape ``(len(text) + 1,)``, non-decreasing.
        blocks: The blocks, in order, not overlapping.
        marks: The marked stretches, by start; marks may nest.
    """

    source: str
    text: str
    origins: array[int]
    blocks: tuple[Block, ...]
    marks: tuple[Mark, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the original offsets of a plain stretch; ``source[start:end]`` holds its text.

        A separate accent in the original belongs to its letter, and an entity within
        a block is not cut. An empty stretch stays empty.
        """
        if end <= start:
            return self.origins[start], self.origins[start]
        last = min(self.origins[end - 1] + 1, len(self.source))
        first = min(self.origins[start], max(0, last - 1))
        around = self.source[last - 1 : last + 1]
        if around.isascii() and around[:1] != "&":  # as nearly always
            return first, last
        whole = _CHARACTER.match(self.source, last - 1, max(last, self.origins[end]))
        return first, whole.end() if whole else last

    def plain(self, start: int, end: int) -> tuple[int, int]:
        """Return the plain stretch of an original stretch, the inverse of `original`."""
        return bisect_left(self.origins, start), bisect_left(self.origins, end)

    def cells(self, row: Block) -> list[Span]:
        """Return the cells of a row, stripped; trailing empty cells are left out."""
        bars = [match.start() for match in _BAR.finditer(self.text, row.start, row.end)]
        cells = []
        for start, end in zip(
            [row.start, *(bar + 1 for bar in bars)], [*bars, row.end], strict=True
        ):
            cell = self.text[start:end]
            start += len(cell) - len(cell.lstrip())
            cells.append(Span(start, start + len(cell.strip())))
        return cells

    def without(self, cuts: Sequence[Span], blocks: Sequence[Block] | None = None) -> PlainText:
        """Remove stretches; the rest keeps its original offsets.

        Args:
            cuts: Plain stretches, in order, not overlapping.
            blocks: New blocks, in the offsets of this text, in order, not overlapping; text
                outside them is removed, as are blocks without words.

        >>> from klopt.text.building import read_plain
        >>> plain = read_plain("Goede vraag! Dat kan [1].")
        >>> kept = plain.without([Span(0, 13), Span(21, 24)])
        >>> kept.text, kept.original(0, 8)
        ('Dat kan.', (13, 25))
        """
        text = self.text
        is_kept = bytearray(len(text))
        for block in blocks or self.blocks:
            is_kept[block.start : block.end] = b"\1" * (block.end - block.start)
        for cut in cuts:
            is_kept[cut.start : cut.end] = bytes(cut.end - cut.start)
        for cut in cuts:  # no blank twice, none at an edge or before what ends a clause
            before, after = cut.start - 1, cut.end
            is_edge = after == len(text) or not is_kept[after] or text[after] in _CLOSING_MARKS
            if before >= 0 and is_kept[before] and text[before] == " ":
                is_kept[before] = not is_edge
            at_start = before < 0 or not is_kept[before] or text[before] == " "
            if after < len(text) and text[after] == " " and at_start:
                is_kept[after] = 0
        # places: plain offset of each character in the shorter text; origins: as the attribute
        places, origins = array("q", bytes(8 * (len(text) + 1))), array("q")
        pieces: list[str] = []
        kept: list[Block] = []
        count = at = 0
        for block in blocks or self.blocks:
            places[at : block.start] = array("q", [count]) * (block.start - at)
            runs = [match.span() for match in _RUN.finditer(is_kept, block.start, block.end)]
            first, at = count, block.start
            if not any(map(str.isalnum, "".join(text[start:end] for start, end in runs))):
                runs = []
            for start, end in runs:
                places[at:start] = array("q", [count]) * (start - at)
                places[start:end] = array("q", range(count, count + end - start))
                pieces.append(text[start:end])
                origins.extend(self.origins[start:end])
                count, at = count + end - start, end
            places[at : block.end + 1] = array("q", [count]) * (block.end + 1 - at)
            if runs:
                kept.append(block._replace(start=first, end=count))
                pieces.append("\n")
                origins.append(self.origins[at])
                count += 1
            at = block.end + 1
        if kept:
            pieces.pop()
        else:
            origins.append(0)
        marks = [Mark(mark.kind, places[mark.start], places[mark.end]) for mark in self.marks]
        return PlainText(
            self.source,
            "".join(pieces),
            origins,
            tuple(kept),
            tuple(mark for mark in marks if mark.end > mark.start),
        )

    def as_written(self, spans: Sequence[tuple[int, int]]) -> tuple[str, Sequence[tuple[int, int]]]:
        """Return the text before translation, and the spans in it; here this text itself."""
        return self.text, spans

    def excerpt(self, start: int, end: int) -> tuple[str, int, int]:
        """Return the text of a plain stretch, and the offsets of its original."""
        first, last = self.original(start, end)
        return self.quoted(first, last), first, last

    def quoted(self, start: int, end: int) -> str:
        """Return the plain text of a stretch of the original."""
        first, last = self.plain(start, end)
        return self.text[first:last]

    @cached_property
    def has_words(self) -> bool:
        """Whether there is any letter or digit."""
        return any(map(str.isalnum, self.text))

    @property
    def running_text(self) -> str:
        """The text with blanks for bold, code and other marks, for detecting the language."""
        if not self.marks:
            return self.text
        characters = list(self.text)
        for mark in self.marks:
            characters[mark.start : mark.end] = " " * (mark.end - mark.start)
        return "".join(characters)


def in_small_letters(text: str) -> str:
    """Return a text in lower case with the same offsets.

    >>> in_small_letters("İK WİL") == "İk wİl"
    True
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
