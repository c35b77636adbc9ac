"""Replace the markup of Markdown's dialects by filler, and record what it means for the outline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import regex

from klopt.text.dialect_patterns import FILLER

MAX_OPEN: Final = 24  # elements in one another; deeper ones are ignored
_REST: Final = regex.compile(r"[ \t]*+(?=\n|\Z)", regex.VERSION1)
_NEXT: Final = regex.compile(r"(?:[ \t]*+\n)++([ \t]*+)(?=\S)", regex.VERSION1)
_LINE: Final = regex.compile(r"([ \t]*+)([^\n]?+)", regex.VERSION1)

_FIRST_BYTES: Final = -64
"""Bytes of UTF-8 from this on, as signed integers, begin a character."""
EMPTY_HEADING: Final = "#"
"""Ends the blocks before it, and has no text."""

Stretch = tuple[int, int]


class Change(NamedTuple):
    """What begins or ends at a place of a text, before the block there.

    Attributes:
        place: The offset.
        kind: ``tab`` for another tab or none; ``label`` and ``heading`` for headings, ``title`` for
            a paragraph; ``steps`` and ``end`` for a list, ``step`` for its items.
        start: Where the text of a heading or paragraph starts; it may be before the place.
        end: And where it ends.
        tab: The number of the row of tabs and of the tab in it; None outside tabs.
    """

    place: int
    kind: str
    start: int = 0
    end: int = 0
    tab: tuple[int, int] | None = None


class Visible(NamedTuple):
    """The visible part of a text.

    Attributes:
        text: The text, as long as it was, with filler for what is invisible.
        cuts: Start of a line → how many characters of its indentation belong to tags around it.
        changes: By place.
    """

    text: str
    cuts: dict[int, int]
    changes: list[Change]

    def parsed(self) -> tuple[str, memoryview | None]:
        """Return the text without its cuts, and for each of its bytes the offset in the text."""
        text = self.text
        if not self.cuts and text.isascii():
            return text, None
        gone = np.zeros(len(text) + 1, bool)
        pieces, at = [], 0
        for start, chars in sorted(self.cuts.items()):
            end = min(start + chars, len(text))
            gone[start:end] = True
            pieces.append(text[at:start])
            at = end
        text = "".join((*pieces, text[at:]))
        encoded = np.frombuffer(f"{text}\n".encode(), np.int8)
        places: Any = np.cumsum(encoded >= _FIRST_BYTES) - 1
        if self.cuts:
            places = np.flatnonzero(~gone)[places]
        return text, memoryview(places)


@dataclass(slots=True)
class Container:
    """An open element."""

    family: str
    name: str
    role: str = ""
    column: int = 0  # of its tag
    depth: int = 0  # columns by which its content is indented further
    is_indented: bool = False  # it ends where a line is indented less
    tab: tuple[int, int] | None = None
    items: list[Stretch] = field(default_factory=list)  # labels of the tabs in it


def columns(blanks: str) -> int:
    """Return the width of an indentation."""
    return len(blanks.expandtabs(4))


def _cut_chars(blanks: str, width: int) -> int:
    """Return how many characters of an indentation are that wide."""
    if "\t" not in blanks:
        return width
    return next(n for n in range(len(blanks) + 1) if columns(blanks[:n]) >= width)


class Containers:
    """The open elements of a text, and its visible part so far.

    A method that hides a stretch returns the end of that.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.at = 0  # up to where the pieces replace the text
        self.cuts: dict[int, int] = {}
        self.changes: list[Change] = []
        self.open: list[Container] = []
        self.line = 0  # start of the first line whose indentation is not yet cut
        self.line_start = 0  # of the token
        self.is_first = True  # whether nothing visible precedes the token in its line
        self.rows = 0  # of tabs
        self.last: dict[int, tuple[tuple[int, int], int]] = {}  # depth → last tab, and its end

    def finish(self) -> Visible:
        """Return the visible part of the text."""
        self.cut_lines(len(self.text))
        while self.open:
            self._leave(len(self.text))
        self.pieces.append(self.text[self.at :])
        return Visible("".join(self.pieces), self.cuts, self.changes)

    def locate(self, start: int, position: int) -> None:
        """Find the line of a token, which begins at or after the end of the last one."""
        newline = self.text.rfind("\n", position, start)
        if newline >= 0:
            self.line_start = position = newline + 1
            self.is_first = True
        self.is_first = self.is_first and not self.text[position:start].strip(" \t>")

    def cut_lines(self, place: int) -> None:
        """Cut the indentation of the lines up to a place; elements may end by it."""
        while self.open and self.line <= place and self.line < len(self.text):
            match = _LINE.match(self.text, self.line)
            blanks, first = match.groups() if match else ("", "")
            width = columns(blanks)
            if first:
                less = [one for one in self.open if width < one.column + one.depth]
                ended = next((one for one in less if one.is_indented), None)
                while ended in self.open:
                    self._leave(self.line)
                for element in less if first not in "<{:" else ():
                    element.depth = 0
            if cut := min(sum(element.depth for element in self.open), width):
                self.cuts[self.line] = _cut_chars(blanks, cut)
            newline = self.text.find("\n", self.line)
            self.line = newline + 1 if newline >= 0 else len(self.text)

    def ends_line(self, place: int) -> bool:
        """Return whether nothing follows in a line."""
        return _REST.match(self.text, place) is not None

    def next_column(self, place: int) -> int:
        """Return the column of the next line with text if nothing follows in this one, else -1."""
        match = _NEXT.match(self.text, place)
        return columns(match[1]) if match else -1

    def begin(self, element: Container, start: int, end: int, labels: Sequence[Stretch]) -> int:
        """Open an element with its tag and the labels in it, and hide the tag."""
        if element.role == "tab" and not labels:
            labels = self._items()
        elif element.role == "tabs":
            element.items, labels = [*labels], ()
        elif element.role in ("steps", "step"):
            self.changes.append(Change(start, element.role))
        if len(self.open) < MAX_OPEN:
            if element.role == "tab":
                self._enter_tab(element, start)
            if not self.open:
                newline = self.text.find("\n", end)
                self.line = newline + 1 if newline >= 0 else len(self.text)
            if not element.is_indented and self.is_first:
                match = _LINE.match(self.text, self.line_start)
                element.column = columns(match[1]) if match else 0
                element.depth = max(0, self.next_column(end) - element.column)
            self.open.append(element)
        self.add_labels(start, labels, "label" if element.role == "tab" else "title")
        return self.blank(start, end)

    def add_labels(self, place: int, labels: Sequence[Stretch], kind: str = "title") -> None:
        """Record the labels of a tag as blocks of their own."""
        self.changes += (Change(place, kind, *label) for label in labels)

    def _items(self) -> Sequence[Stretch]:
        """Take the next label that the tag around tabs has for them."""
        around = next((one for one in reversed(self.open) if one.role == "tabs"), None)
        return [around.items.pop(0)] if around and around.items else ()

    def _enter_tab(self, element: Container, start: int) -> None:
        before, after = self.last.get(len(self.open), (None, 0))
        if before is None or self.text[after:start].strip():
            element.tab = self.rows, 0
            self.rows += 1
        else:
            element.tab = before[0], before[1] + 1
        self.changes.append(Change(start, "tab", tab=element.tab))

    def close(self, family: str, name: str, start: int, end: int | None = None) -> bool:
        """Close the innermost element of a family with a name, if any, and hide its end tag.

        The elements in it are closed too. Without a name, the innermost of the family is closed.
        """
        for number in range(len(self.open) - 1, -1, -1):
            element = self.open[number]
            if element.family == family and (not name or name == element.name):
                while len(self.open) > number:
                    self._leave(start, end)
                if end is not None:
                    self.blank(start, end)
                return True
        return False

    def _leave(self, place: int, end: int | None = None) -> None:
        """Close the innermost element at a place; ``end`` is that of its tag."""
        element = self.open.pop()
        if element.tab is not None:
            self.last[len(self.open)] = element.tab, end or place
            around = (one.tab for one in reversed(self.open) if one.tab is not None)
            self.changes.append(Change(place, "tab", tab=next(around, None)))
        elif element.role == "steps":
            self.changes.append(Change(place, "end"))

    def replace(self, start: int, end: int, filler: str) -> int:
        """Replace a stretch by text of the same length."""
        self.pieces += (self.text[self.at : start], filler)
        self.at = end
        return end

    def keep(self, start: int, first: int, last: int, end: int, sign: str = "") -> int:
        """Hide a stretch but for the text from ``first`` to ``last``, with a sign around it."""
        self.is_first = False
        self.replace(start, first, FILLER * (first - start - len(sign)) + sign)
        self.pieces.append(self.text[first:last])
        self.at = last
        return self.replace(last, end, sign + FILLER * (end - last - len(sign)))

    def hide(self, start: int, end: int) -> int:
        """Hide a stretch, by blanks where it is whole lines."""
        is_whole = self.is_first
        filler = []
        lines = self.text[start:end].split("\n")
        for number, line in enumerate(lines):
            if number == len(lines) - 1:
                is_whole = is_whole and (not line or self.ends_line(end))
            filler.append((" " if is_whole else FILLER) * len(line))
            is_whole = True
        return self.replace(start, end, "\n".join(filler))

    def blank(self, start: int, end: int) -> int:
        """Hide a tag, and end the paragraph and the list before it."""
        length, is_first = end - start, self.is_first
        match = _LINE.match(self.text, self.line_start)
        indent = match[1] if match and not is_first and len(match[1]) + 4 < length else ""
        if self.ends_line(end):
            filler = EMPTY_HEADING if is_first else f"\n{indent}{EMPTY_HEADING}"
            lines = self.text[start:end].split("\n")
            rest = "\n".join(" " * len(line) for line in lines)[len(filler) :]
            return self.replace(start, end, filler + rest)
        filler = f"\n\n{indent}"
        return self.replace(start, end, filler + FILLER * (length - len(filler)))
