"""What is open while a text is built: its lists, its tables and their rows."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Lists", "Row", "Tables"]


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
class Row:
    """A row of a table that is open.

    Attributes:
        first_block: The number of its first block.
        first_mark: That of its first mark.
        depth: How many lists it stands in.
        cells: The number of the first block of each of its cells.
        is_heading: Whether all of them are headings.
    """

    first_block: int
    first_mark: int
    depth: int
    cells: list[int] = field(default_factory=list)
    is_heading: bool = True


class Tables:
    """The tables and rows that are open while a text is built."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[list[int]] = []  # outermost first: number, of the row that comes next
        self.rows: list[Row] = []

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
