"""Rows of an Excel workbook, as those of CSV: what its first sheet shows, with nothing computed."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element
from zipfile import BadZipFile, ZipFile
from zipfile import Path as Part

from klopt.batch.tables import Found, Header
from klopt.bilingual.xml_file import read_elements
from klopt.errors import InputError
from klopt.extras import needs

WORKBOOK_LIMIT_BYTES: Final = 200_000_000
_DEEPEST: Final = 20
"""So many folders within one another; a workbook has four."""

_CELL: Final = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""A sign that XML does not hold, as Excel writes it."""
_DATES: Final = frozenset((*range(14, 23), *range(45, 48)))
"""The formats of dates and times that every workbook has."""
_IN_DATES: Final = re.compile(r'(?:"[^"]*"|\[[^]]*\]|\\.|[^dmyhs"\[\\])*[dmyhs]', re.IGNORECASE)


def read_excel(path: Path, names: Mapping[str, str] | None) -> Iterator[Found]:
    """The rows of the first sheet of an .xlsx file, by their number in it; blank ones left out.

    The first row that is not blank has the names; what stands in a column without one is not read.
    A formula is what it came to when the file was saved, a number or a time is text, as in CSV.
    """
    header = None
    columns: list[int] = []
    for number, cells in _rows(path):
        if header is None:
            columns = list(cells)
            header = Header(list(cells.values()), str(path), names)
        else:
            yield number, header.fields([cells.get(column, "") for column in columns]), None


def _rows(path: Path) -> Iterator[tuple[int, dict[int, str]]]:
    """Each row with a text in it: its number, and the texts by column."""
    with needs("excel", "Excel files need defusedxml"):
        import defusedxml.ElementTree  # noqa: F401
    try:
        with ZipFile(path) as archive:
            if sum(part.file_size for part in archive.infolist()) > WORKBOOK_LIMIT_BYTES:
                raise InputError(
                    f"{path}: unpacked it has more than {WORKBOOK_LIMIT_BYTES:,} bytes; save the "
                    "sheet as CSV, which may be of any size"
                )
            if any(name.count("/") > _DEEPEST for name in archive.namelist()):
                raise BadZipFile("a folder lies too deep")  # each of its folders would be listed
            book = _Book(Part(archive, "xl/"))
            number = 0
            for row in read_elements(book.first_sheet(), frozenset(["row"])):
                number = int(row.get("r", number + 1))
                if texts := dict(book.texts(row)):
                    yield number, texts
    except InputError:
        raise
    except (BadZipFile, EOFError, LookupError, OSError, RuntimeError, ValueError, zlib.error) as e:
        told = " ".join(str(e).split()) or type(e).__name__
        raise InputError(f"{path}: not an Excel workbook (.xlsx), or damaged: {told}") from None


class _Book:
    """What the cells of a sheet refer to."""

    def __init__(self, parts: Part) -> None:
        self._parts = parts
        self._strings = [_joined(item) for item in self._all("sharedStrings.xml", "si")]
        styles = list(self._all("styles.xml", "numFmt", "cellXfs"))
        codes = {style.get("numFmtId"): style.get("formatCode", "") for style in styles}
        self._is_date = [
            int(xf.get("numFmtId", 0)) in _DATES
            or bool(_IN_DATES.match(codes.get(xf.get("numFmtId"), "")))
            for style in styles
            for xf in style
        ]
        flags = {book.get("date1904") for book in self._all("workbook.xml", "workbookPr")}
        self._epoch = datetime(1904, 1, 1) if {"1", "true"} & flags else datetime(1899, 12, 30)

    def first_sheet(self) -> Part:
        """The part with the sheet that stands first."""
        rels = self._all("_rels/workbook.xml.rels", "Relationship")
        targets = {rel.get("Id"): rel.get("Target", "") for rel in rels}
        for sheet in self._all("workbook.xml", "sheet"):
            part = self._parts / targets.get(sheet.get("id"), "").removeprefix("/xl/")
            if part.is_file():
                return part
        raise ValueError("there is no sheet in it")

    def texts(self, row: Element) -> Iterator[tuple[int, str]]:
        """The cells of a row that are not blank, by column from 1."""
        column = 0
        for cell in row:
            place = _CELL.fullmatch(cell.get("r", ""))
            column = _number(place[1]) if place else column + 1
            if text := self._text(cell):
                yield column, text

    def _all(self, name: str, *wanted: str) -> Iterator[Element]:
        part = self._parts / name
        if part.is_file():
            yield from read_elements(part, frozenset(wanted))

    def _text(self, cell: Element) -> str:
        kind, value = cell.get("t", "n"), cell.findtext("v", "")
        match kind:
            case "s":
                return self._strings[int(value)]
            case "inlineStr":
                return _joined(cell)
            case "b":
                return {"0": "false", "1": "true"}.get(value, value)
            case "n" if value:
                style = int(cell.get("s", 0))
                is_date = style < len(self._is_date) and self._is_date[style]
                return self._time(float(value)) if is_date else _figure(value)
        return _unescaped(value)

    def _time(self, days: float) -> str:
        moment = self._epoch + timedelta(seconds=round(days * 86_400))
        return moment.time().isoformat() if days < 1 else moment.isoformat()


def _joined(element: Element) -> str:
    """The text of a string, in whatever type its pieces are set."""
    pieces = (piece.findtext("t", "") for piece in element.iter() if piece.tag in ("si", "is", "r"))
    return _unescaped("".join(pieces))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _figure(value: str) -> str:
    """A number as people write it.

    >>> _figure("7"), _figure("4.5"), _figure("1.2E+3")
    ('7', '4.5', '1200')
    """
    number = float(value)
    return f"{number:.0f}" if number.is_integer() and abs(number) < 1e15 else repr(number)


def _number(letters: str) -> int:
    """A column by its letters.

    >>> _number("A"), _number("AA")
    (1, 27)
    """
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
