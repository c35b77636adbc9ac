"""Read the rows of CSV; a row that cannot be read affects no other."""

from __future__ import annotations

import ast
import csv
import html
import json
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import TextIOWrapper
from itertools import chain, pairwise
from typing import Any, BinaryIO, Final

from klopt.errors import InputError
from klopt.logs.formats import ROW_LIMIT_CHARS, Found, Names, lines_of, text_of
from klopt.types import field_of

DELIMITERS: Final = (",", ";", "\t", "|")  # the one by which klopt knows most columns counts

_HEAD_LINES: Final = 30
_HEAD_CHARS: Final = 200_000  # the first lines of a table, in which klopt looks for column names
_KNOWN_COLUMNS: Final = 2  # Known names in a row from which it is the header, whatever precedes it
_STATED: Final = re.compile(r"sep=(.)\s*", re.IGNORECASE)  # by which Excel states the delimiter
_LITERAL_CHARS: Final = 1_000_000  # Longest text that is parsed as a list of Python
_ADJACENT: Final = re.compile(r"(?<=['\"])\s+(?=['\"])")  # numpy prints no comma between texts
_NO_PAGES: Final = ("", "-", "[]", "nan", "none", "null", "n/a", "nvt", "n.v.t.")
_ESCAPED_END: Final = re.compile(
    r"""(?:(?<=[.:;!?)*\]\"'>\u201d\u2019])(?<![A-Za-z]:)|(?<=[a-z])(?=(?:\\r|\\n)+[A-Z]))(?:(?:\\r)?\\n)+"""
    r"""|(?:(?:\\r)?\\n)+(?=\s*(?:[0-9]+[.)]|[-*\u2022#>])\s)"""
)  # Line ends that were written as a backslash and an n; not those in paths such as C:\nieuw
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_BLOCK: Final = re.compile(r"</?(?:p|ul|ol|li|div|table|h[1-6])\b", re.IGNORECASE)
_ESCAPED_TAG: Final = re.compile(r"&lt;/?(?:p|ul|ol|li|div|table|h[1-6]|br|b|strong|a)\b")
_PROTECTED: Final = re.compile(r"""(\A|[;\t\r\n]"*)'(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])""")
"""The quote by which klopt and others keep a spreadsheet from running an id as a formula."""

_HINT: Final = "is a quote not closed, or a quote within a text not doubled?"


def read_csv(data: BinaryIO, where: str, names: Names) -> Iterator[Found]:
    """Yield the rows of a CSV file; ``where`` is its name for messages.

    Titles above the column names are skipped. An unclosed quote costs only its own line; quotes
    that are not doubled are kept if the row has as many fields as the header.
    """
    csv.field_size_limit(ROW_LIMIT_CHARS)
    file = TextIOWrapper(data, encoding="utf-8-sig", errors="surrogateescape", newline="")
    try:
        yield from _rows(lines_of(file, where), where, names)
    finally:
        file.detach()


def _rows(lines: Iterator[str], where: str, names: Names) -> Iterator[Found]:
    head: list[str] = []
    while len(head) < _HEAD_LINES and sum(map(len, head)) < _HEAD_CHARS:
        if (line := next(lines, None)) is None:
            break
        head.append(line)
    delimiter, start = _layout(head, names)
    rows = _csv_rows(_Lines(chain(head[start:], lines)), delimiter)
    first_row = next(rows, [])
    if isinstance(first_row, str):
        raise InputError(f"{where}, the first line: {first_row}")
    header = Header(first_row, where, names)
    for number, cells in enumerate(rows, 1):
        if not isinstance(cells, str) and any(cells[len(first_row) :]):
            cells = "more fields than the header"
        if isinstance(cells, str):
            yield number, f"{where}, row {number}: {cells}", None
            continue
        decoded = [
            (cell, None) if cell.isascii() else text_of(cell.encode("utf-8", "surrogateescape"))
            for cell in cells
        ]
        warning = next((warning for _, warning in decoded if warning), None)
        yield number, header.fields([text for text, _ in decoded]), warning


def _layout(head: Sequence[str], names: Names) -> tuple[str, int]:
    """Return the delimiter of a table and the line on which its column names begin."""
    if head and (stated := _STATED.fullmatch(head[0])):
        return stated[1], 1
    best = (0, 0, "", 0)
    for delimiter in DELIMITERS:
        rows, lines = [], [0]
        reader = csv.reader(head, delimiter=delimiter)
        with suppress(csv.Error):
            for row in reader:
                rows.append(row)
                lines.append(reader.line_num)
        place = header_place(rows, names)
        if rows and (known := _known_count(rows[place], names)) >= _KNOWN_COLUMNS:
            best = max(best, (known, 0, delimiter, lines[place]))
            continue
        width = len(rows[place]) if rows else 0
        same_count = sum(len(row) == width for row in rows[place:])
        if width > 1:
            best = max(best, (0, same_count * width, delimiter, lines[place]))
    return best[2] or DELIMITERS[0], best[3]


def header_place(rows: Sequence[Sequence[str]], names: Names) -> int:
    """Return which of the first rows of a table holds the column names.

    That is the row with the most names that klopt knows, if it has several, or else the first with
    more than one cell and as many as the next.

    >>> header_place([["Export maart", ""], ["Vraag", "Antwoord"], ["Kan dat?", "Ja."]], None)
    1
    """
    counts = [_known_count(row, names) for row in rows]
    if rows and (most := max(counts)) >= _KNOWN_COLUMNS:
        return counts.index(most)
    for place, (row, following) in enumerate(pairwise(rows)):
        if len(row) > 1 and all(row) and len(row) == len(following):
            return place
    return 0


def _known_count(row: Sequence[str], names: Names) -> int:
    fields = (field_of(cell.strip(), names) for cell in row if len(cell) <= 100)
    return len({*fields} - {None})


def refuse_duplicates(columns: Iterable[str], where: str, names: Names) -> None:
    """Raise an error when two columns that are read have the same name."""
    for name, count in Counter(columns).items():
        if count > 1 and field_of(name, names) is not None:
            raise InputError(
                f'{where}: there are {count} columns "{name[:40]}"; rename all but one'
            )


class Header:
    """The column names of a table of texts."""

    def __init__(self, columns: Sequence[str], where: str, names: Names) -> None:
        columns = [name.strip() for name in columns]
        refuse_duplicates(columns, where, names)
        self._columns = columns
        ours = [(name, field_of(name, names)) for name in columns]
        self._readers = {
            **{name: _listed for name, own in ours if own in ("contexts", "meta")},
            **{name: _unescaped for name, own in ours if own in ("question", "answer")},
            **{name: unprotected for name, own in ours if own == "id"},
        }

    def fields(self, cells: Sequence[str]) -> dict[str, Any]:
        """Return a row by column name; contexts and meta may hold JSON or a list of Python."""
        row: dict[str, Any] = dict.fromkeys(self._columns)
        for name, value in zip(self._columns, cells, strict=False):
            reader = self._readers.get(name)
            row[name] = value if reader is None else reader(value)
        row.pop("", None)
        return row


class _Lines:
    """The lines of a file; those of the last row can be read again."""

    def __init__(self, file: Iterator[str]) -> None:
        self.file = file
        self.row: list[str] = []
        self.chars = 0
        self.again: deque[str] = deque()

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        self.row.append(self.again.popleft() if self.again else next(self.file))
        self.chars += len(self.row[-1])
        if self.chars > ROW_LIMIT_CHARS:
            raise csv.Error(f"a row of more than {ROW_LIMIT_CHARS:,} characters")
        return self.row[-1]

    def begin_row(self) -> None:
        """Start another row."""
        self.row.clear()
        self.chars = 0


def _csv_rows(lines: _Lines, delimiter: str) -> Iterator[list[str] | str]:
    """Yield each row that is not blank: its fields, or an error message."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    field_count = 0
    while True:
        lines.begin_row()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            first, *rest = lines.row
            lines.again.extendleft(reversed(rest))
            lenient = [] if rest or len(first) > ROW_LIMIT_CHARS else _lenient(first, delimiter)
            if not lenient or len(lenient) != field_count:
                yield f"not CSV: {error}; {_HINT}"
                continue
            row = lenient
        if row:
            field_count = field_count or len(row)
            yield row


def _lenient(line: str, delimiter: str) -> list[str]:
    """Parse a line with quotes that are not doubled; return [] when one is not closed."""
    try:
        return [] if line.count('"') % 2 else next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return []


def _listed(value: str) -> object:
    """Parse a cell that holds a list or an object, of JSON or of Python; keep other text.

    >>> _listed("['a.md', 'b.md']"), _listed("['a.md' 'b.md']"), _listed("nan"), _listed("[x]")
    (['a.md', 'b.md'], ['a.md', 'b.md'], None, '[x]')
    """
    text = value.strip()
    if text.casefold() in _NO_PAGES:
        return None
    if text[:1] not in ("[", "{", "(") and not text.startswith("array("):
        return value
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    if len(text) <= _LITERAL_CHARS and text[-1:] in "]})":
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return _literal(ast.parse(_ADJACENT.sub(", ", text), mode="eval").body)
    return value


def _literal(node: ast.expr) -> object:
    """Return the value of a literal of Python, of an array of numpy or a document of LangChain."""
    match node:
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            return [_literal(item) for item in items]
        case ast.Call(func=ast.Name("array"), args=[first]):
            return _literal(first)
        case ast.Call(func=ast.Name("Document"), args=[], keywords=fields):
            return {str(own.arg): _literal(own.value) for own in fields}
        case ast.Dict(names, values):
            pairs = zip(names, values, strict=True)
            return {str(_literal(name)): _literal(own) for name, own in pairs if name is not None}
    return ast.literal_eval(node)


def _unescaped(value: str) -> str:
    r"""Return a text with the line ends and tags that an export escaped.

    >>> _unescaped(r"1. Open **Wifi**.\n2. Klik."), _unescaped(r"Zie C:\nieuw.")
    ('1. Open **Wifi**.\n2. Klik.', 'Zie C:\\nieuw.')
    """
    if "&lt;" in value and "<" not in value and _ESCAPED_TAG.search(value):
        value = html.unescape(value)
    if "\\n" in value and "\n" not in value:
        value = _ESCAPED_END.sub(lambda ends: "\n" * ends[0].count("n"), value)
    if "<" in value and not _BLOCK.search(value):
        value = _BREAK.sub("\n", value)
    return value


def unprotected(value: str) -> str:
    """Return a text without the quotes that `klopt.logs.writing.cell` put before formulas."""
    return _PROTECTED.sub(r"\1", value) if "'" in value else value
