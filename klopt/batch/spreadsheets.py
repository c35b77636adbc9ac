"""Rows of an Excel workbook, as those of CSV: what its first sheet shows, with nothing computed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import date, time
from itertools import islice
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

from klopt.batch.tables import Found, Header
from klopt.errors import ExtraMissingError, InputError

WORKBOOK_LIMIT_BYTES: Final = 200_000_000
MOST_ROWS: Final = 1_048_576
"""As many as a sheet has in Excel."""

_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")
"""A sign that XML does not hold, as Excel writes it."""


def read_excel(path: Path, names: Mapping[str, str] | None) -> Iterator[Found]:
    """The rows of the first sheet of an .xlsx file, by their number in it; blank ones left out.

    The first row that is not blank has the names; what stands in a column without one is not read.
    A formula is what it came to when the file was saved, a number or a time is text, as in CSV.

    Args:
        path: The file.
        names: Our field name → the file's, where no alias fits.

    Raises:
        InputError: It is no workbook, or too large unpacked.
        ExtraMissingError: openpyxl is not installed.
    """
    header = None
    for number, cells in enumerate(_rows(path), 1):
        texts = [_text(one) for one in cells]
        if not any(texts):
            continue
        if header is None:
            header = Header(texts, str(path), names)
        else:
            yield number, header.fields(texts), None


def _rows(path: Path) -> Iterator[tuple[Any, ...]]:
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise ExtraMissingError(
            "Excel files need openpyxl; install it with: pip install 'klopt[excel]'"
        ) from None
    try:
        with ZipFile(path) as archive:
            if sum(one.file_size for one in archive.infolist()) > WORKBOOK_LIMIT_BYTES:
                raise InputError(
                    f"{path}: unpacked it has more than {WORKBOOK_LIMIT_BYTES:,} bytes; save the "
                    "sheet as CSV, which may be of any size"
                )
        with warnings.catch_warnings(), path.open("rb") as file:
            warnings.filterwarnings("ignore", module="openpyxl")
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
            with closing(book):
                sheet = book.worksheets[0]
                sheet.reset_dimensions()  # they may say more than there is
                yield from islice(sheet.iter_rows(values_only=True), MOST_ROWS)
    except InputError:
        raise
    except Exception as error:  # of a damaged file openpyxl raises whatever its parts do
        told = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{path}: not an Excel workbook (.xlsx), or damaged: {told}") from None


def _text(cell: object) -> str:
    """What a cell says.

    >>> from datetime import datetime
    >>> [_text(one) for one in ("Nu_x0021_", None, 7, 4.5, True, datetime(2026, 3, 1, 9, 30))]
    ['Nu!', '', '7', '4.5', 'true', '2026-03-01T09:30:00']
    """
    match cell:
        case None:
            return ""
        case str():
            return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), cell)
        case bool():
            return str(cell).lower()
        case date() | time():
            return cell.isoformat()
    return str(cell)
