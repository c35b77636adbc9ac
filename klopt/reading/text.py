"""Plain text with a way back: every plain character knows its place in the original."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

BlockKind = Literal["paragraph", "heading", "item", "code", "quote", "cell"]
MarkKind = Literal["strong", "emphasis", "code", "link", "key"]


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
    """A paragraph, heading, list item, table cell, quotation or block of code.

    Attributes:
        kind: What it is; a paragraph inside a list item is an ``item``.
        start: First plain character.
        end: After the last plain character.
        list_number: Items of one list share it, counted from 0 in the page; -1 outside lists.
        ordered: Whether the list is numbered.
        item_number: Paragraphs of one item share it, counted from 0 in the list; -1 outside.
        depth: 0 outside lists, 1 in a list, 2 in a list in a list ...
        level: 1 to 6 for a heading, else 0.
    """

    kind: BlockKind
    start: int
    end: int
    list_number: int = -1
    ordered: bool = False
    item_number: int = -1
    depth: int = 0
    level: int = 0


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

        An empty stretch stays empty. Text that a browser moves, such as words between the rows
        of a table, and that is not found again leads to the end of the source.
        """
        if end <= start:
            return self.origins[start], self.origins[start]
        last = min(self.origins[end - 1] + 1, len(self.source))
        return min(self.origins[start], max(0, last - 1)), last

    def plain(self, start: int, end: int) -> tuple[int, int]:
        """The plain stretch that holds the original stretch, the inverse of `original`."""
        return bisect_left(self.origins, start), bisect_left(self.origins, end)

    def quoted(self, start: int, end: int) -> str:
        """The plain text of a stretch of the original."""
        first, last = self.plain(start, end)
        return self.text[first:last]

    @cached_property
    def has_words(self) -> bool:
        """Whether there is any letter or digit."""
        return any(map(str.isalnum, self.text))

    @cached_property
    def running_text(self) -> str:
        """The text with what the markup sets apart blanked out, for the vote on the language."""
        characters = list(self.text)
        for mark in self.marks:
            characters[mark.start : mark.end] = " " * (mark.end - mark.start)
        return "".join(characters)
