"""Builds a `PlainText` piece by piece, keeping the offsets, whatever the markup was."""

from __future__ import annotations

import unicodedata
from array import array
from dataclasses import replace
from typing import Final

from klopt.reading.text import Block, BlockKind, Mark, MarkKind, PlainText

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def _is_dropped(character: str) -> bool:
    """Zero-width and direction-control characters, which a reader does not see."""
    return unicodedata.category(character) in ("Cf", "Cc") and not character.isspace()


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

    def add(self, text: str, origin: int, *, step: int = 1, keep_white_space: bool = False) -> None:
        """Characters that start at ``origin`` in the source.

        Args:
            text: The characters.
            origin: Offset of the first one in the source.
            step: 1 when each character has its own place, 0 when all come from ``origin``, as
                the characters of an entity do.
            keep_white_space: True in blocks of code.
        """
        if text.isascii() and text.isprintable() and step == 1 and "  " not in text:
            self._add_plain(text, origin)
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
            elif (not character.isascii() and _is_dropped(character)) or character < " ":
                continue
            self._characters.append(character)
            self._origins.append(origin + index * step)

    def _add_plain(self, text: str, origin: int) -> None:
        if text[:1] == " " and self._at_blank():
            text, origin = text[1:], origin + 1
        self._characters.extend(text)
        self._origins.extend(range(origin, origin + len(text)))

    def _at_blank(self) -> bool:
        return len(self._characters) == self._block_start or self._characters[-1].isspace()

    def open_mark(self, kind: MarkKind) -> None:
        """A stretch of markup starts here."""
        self._open_marks.append((kind, len(self._characters)))

    def close_mark(self, kind: MarkKind) -> None:
        """The innermost open stretch of this kind ends here; without one, nothing happens."""
        for index in range(len(self._open_marks) - 1, -1, -1):
            if self._open_marks[index][0] == kind:
                self._keep_mark(*self._open_marks.pop(index))
                return

    def _keep_mark(self, kind: MarkKind, start: int) -> None:
        end = len(self._characters)
        while end > start and self._characters[end - 1].isspace():
            end -= 1
        while start < end and self._characters[start].isspace():
            start += 1
        if end > start:
            self._marks.append(Mark(kind, start, end))

    def end_block(
        self,
        kind: BlockKind,
        *,
        list_number: int = -1,
        ordered: bool = False,
        item_number: int = -1,
        depth: int = 0,
    ) -> None:
        """What was added since the last block is a block; if that is nothing, there is none."""
        while self._open_marks:
            self._keep_mark(*self._open_marks.pop())
        while len(self._characters) > self._block_start and self._characters[-1].isspace():
            self._characters.pop()
            self._origins.pop()
        start, end = self._block_start, len(self._characters)
        if end == start:
            return
        level = self.level if kind == "heading" else 0
        self._blocks.append(
            Block(kind, start, end, list_number, ordered, item_number, depth, level)
        )
        self._characters.append("\n")
        self._origins.append(self._origins[-1] + 1)
        self._block_start = end + 1

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


def _normalized(plain: PlainText) -> PlainText:
    """The same text in NFC: letters with combining marks become one character."""
    text = plain.text
    places = array("q")  # for each old character, its new place
    characters: list[str] = []
    origins = array("q")
    index = 0
    while index < len(text):
        end = index + 1
        while end < len(text) and unicodedata.combining(text[end]) and end - index < 32:
            end += 1
        cluster = unicodedata.normalize("NFC", text[index:end])
        places.extend([len(characters)] * (end - index))
        characters.extend(cluster)
        origins.extend([plain.origins[index]] * len(cluster))
        index = end
    places.append(len(characters))
    origins.append(plain.origins[-1])
    blocks = tuple(
        replace(block, start=places[block.start], end=places[block.end]) for block in plain.blocks
    )
    marks = tuple(Mark(mark.kind, places[mark.start], places[mark.end]) for mark in plain.marks)
    return PlainText(plain.source, "".join(characters), origins, blocks, marks)
