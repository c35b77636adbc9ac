"""One word with digits in it: a number, a date, a code, or several of them written as one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["CODE", "NUMBER", "amount_of", "dated", "figures", "pieces", "told"]

NUMBER: Final = re.compile(r"v?\d+(?:[.,:/]\d+)*")
CODE: Final = re.compile(
    r"(?:[^\W\d_]{1,12}(?:-[^\W\d_]{1,4})?-?)?"  # LN-2041, T12, 4G, 020-1234567
    r"\d[^\W_]*(?:-(?:\d[^\W_]*|[^\W\d_][^\W_]{0,3}))*"
)
_TIME: Final = re.compile(r"0?(\d{1,2})[.:](\d{2})")
_THOUSANDS: Final = re.compile(r"([1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+))([.,]\d{1,2})?")
_PLAIN: Final = re.compile(r"\d+(?:\.\d+)?")
_RANGE: Final = re.compile(r"([1-9]\d{0,3})-([1-9]\d{0,3})")
_YEAR_FIRST: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})")
_NO_YEAR: Final = re.compile(r"(?=0|\d+-0)(\d{2})-(\d{2})")
_FUSED: Final = re.compile(r"(\d+(?:[.,:]\d+)?)-?([^\W\d_].*)")
_LAST_MONTH: Final = 12
_LAST_DAY: Final = 31
_LONGEST_FIGURES: Final = 15


def figures(number: str) -> str:
    """A number without its version's v and thousands; a time of day in one spelling.

    >>> figures("v9.7"), figures("1.000"), figures("2,50"), figures("09:30."), figures("08")
    ('9.7', '1000', '2.5', '9.30', '8')
    >>> figures("1.234,50"), figures("18.00"), figures("0,5")
    ('1234.5', '18', '0.5')
    """
    number = number.rstrip(".,:/").removeprefix("v")
    if (time := _TIME.fullmatch(number)) is not None:
        return time[1] if time[2] == "00" else f"{time[1]}.{time[2]}"
    if (whole := _THOUSANDS.fullmatch(number)) is not None:
        number = re.sub("[.,]", "", whole[1]) + (whole[2] or "").replace(".", ",")
    if number.count(",") == 1:
        number = number.replace(",", ".").rstrip("0").rstrip(".")
    return (number.lstrip("0") or "0") if number.isdigit() else number


def amount_of(number: str) -> float | None:
    """What `figures` says as a number; None of a version, a time and the like.

    >>> amount_of("2.5"), amount_of("9.30"), amount_of("10.4.2")
    (2.5, None, None)
    """
    if len(number) > _LONGEST_FIGURES or not _PLAIN.fullmatch(number) or _TIME.fullmatch(number):
        return None
    return float(number)


def told(amount: float) -> str:
    """An amount as `figures` says it.

    >>> told(1.5), told(1_000_000.0), told(0.461538)
    ('1.5', '1000000', '0.461538')
    """
    return f"{amount:.6f}".rstrip("0").rstrip(".")


def dated(day: float, month: float) -> str:
    """A day of a month, which no number is.

    >>> dated(1, 3)
    '1-3'
    """
    return f"{day:.0f}-{month:.0f}"


def pieces(word: str, language: str) -> Iterator[tuple[int, int, str]]:
    """The parts of a word that stand for themselves: start, end, and its figures, if it has any.

    So are the year and the day of a date, and both ends of a range. Nothing for any other word.

    Args:
        word: In lower case, with plain hyphens.
        language: In Dutch the day stands before the month in "01/03/2024"; in English it may not,
            so that only a date that can be one in one way is read.

    >>> list(pieces("2024-03-01", "nl")), list(pieces("10-15", "nl")), list(pieces("30-day", "en"))
    ([(0, 4, '2024'), (5, 10, '1-3')], [(0, 2, '10'), (3, 5, '15')], [(0, 2, '30'), (3, 6, '')])
    >>> list(pieces("1-3-2024", "nl")), list(pieces("020-1234567", "nl"))
    ([(0, 3, '1-3'), (4, 8, '2024')], [])
    """
    if (found := _YEAR_FIRST.fullmatch(word)) is not None:
        if _is_date(int(found[3]), int(found[2])):
            yield 0, 4, found[1]
            yield 5, 10, dated(int(found[3]), int(found[2]))
    elif (found := _YEAR_LAST.fullmatch(word)) is not None:
        day, month = int(found[1]), int(found[2])
        if language == "en" and "/" in word and month > _LAST_MONTH:
            day, month = month, day
        is_sure = language != "en" or "/" not in word or day == month or day > _LAST_MONTH
        if is_sure and _is_date(day, month):
            yield 0, found.end(2), dated(day, month)
            yield *found.span(3), found[3]
    elif (found := _NO_YEAR.fullmatch(word)) is not None and _is_date(int(found[1]), int(found[2])):
        yield *found.span(), dated(int(found[1]), int(found[2]))
    elif (found := _RANGE.fullmatch(word)) is not None and int(found[1]) < int(found[2]):
        yield *found.span(1), figures(found[1])
        yield *found.span(2), figures(found[2])
    elif (found := _FUSED.fullmatch(word)) is not None:
        yield *found.span(1), figures(found[1])
        yield *found.span(2), ""


def _is_date(day: int, month: int) -> bool:
    return 1 <= day <= _LAST_DAY and 1 <= month <= _LAST_MONTH
