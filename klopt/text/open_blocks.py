"""The lists and tables that are open while a text is built."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class OpenList:
    """An open list: its number, whether it is ordered, and its items so far."""

    number: int
    ordered: bool
    items: int = 0


class Lists:
    """The lists that are open while a text is built."""

    def __init__(self) -> None:
        self._count = 0
        self.open: list[OpenList] = []  # outermost first
        self._last: OpenList | None = None  # closed outside other lists

    def enter(self, *, ordered: bool, first: int = 1) -> OpenList:
        """Open a list whose items count from ``first``; it continues the list that ended before."""
        last = self._last
        if ordered and first > 1 and not self.open and last and last.items == first - 1:
            self.open.append(last)
        else:
            items = max(first - 1, 0) if ordered else 0
            self.open.append(OpenList(self._count, ordered, items))
            self._count += 1
        return self.open[-1]

    def next_item(self, number: int | None = None, *, of: OpenList | None = None) -> None:
        """Begin an item of the innermost list, with its number where it states one.

        Beginning an item ``of`` a list closes the lists in that.
        """
        if of is not None and of in self.open:
            del self.open[self.open.index(of) + 1 :]
        if self.open:
            last = self.open[-1]
            is_later = number and last.ordered and number > last.items
            last.items = number if number and is_later else last.items + 1

    def leave(self, left: OpenList | None = None) -> None:
        """Close a list, if it is open, and those in it; without one, the innermost."""
        if self.open and (left is None or left is self.open[-1]):
            left = self.open.pop()
        elif left in self.open:
            del self.open[self.open.index(left) :]
        if left and left.ordered and not self.open:
            self._last = left

    @property
    def place(self) -> tuple[int, bool, int, int]:
        """List number, whether ordered, item number and depth of a block that ends now."""
        if not self.open:
            return -1, False, -1, 0
        last = self.open[-1]
        return last.number, last.ordered, max(last.items - 1, 0), len(self.open)


@dataclass(slots=True)
class OpenRow:
    """An open table row.

    ``cells`` has the first block of each, ``columns`` and ``rows`` the span of the last cell,
    ``spanning`` the cells that span rows below.
    """

    first_block: int
    first_mark: int
    depth: int
    cells: list[int] = field(default_factory=list)
    is_heading: bool = True
    columns: int = 1
    rows: int = 1
    spanning: dict[int, tuple[int, str]] = field(default_factory=dict)


class OpenTables:
    """The tables and rows that are open while a text is built."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[list[int]] = []  # outermost first: number, of the row that comes next
        self._spanning: list[dict[int, tuple[int, str]]] = []
        self.rows: list[OpenRow] = []

    @property
    def spanning(self) -> dict[int, tuple[int, str]]:
        """Column → rows that a cell from above still spans, and its text."""
        return self._spanning[-1] if self._spanning else {}

    def enter(self) -> None:
        """Open a table."""
        self._open.append([self._count, 0])
        self._spanning.append({})
        self._count += 1

    def leave(self) -> None:
        """Close the innermost table."""
        if self._open:
            self._open.pop()
            self._spanning.pop()

    def span(self, row: OpenRow) -> None:
        """Keep the cells of a row that span rows below."""
        if self._spanning:
            self._spanning[-1] = row.spanning

    def place(self, *, is_heading: bool) -> tuple[int, int]:
        """Return the number of the table, and of its row, for a row that ends now."""
        if not self._open:
            return -1, -1
        number, row = self._open[-1]
        if is_heading and row == 1:  # a second row of headings
            row = 0
        row = row if is_heading or row else 1
        self._open[-1][1] = row + 1
        return number, row
