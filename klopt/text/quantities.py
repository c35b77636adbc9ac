"""Find the quantities of a text in base units, so that equal ones compare equal.

`klopt.text.amounts` normalises numbers. This module adds their dimension: money, a share, a
duration, a time of day, a date, a size, a label ("lid 3") or a count. Numbers of list items and
citations ("1.", "[1]") are not quantities.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final
from weakref import WeakKeyDictionary

from klopt.text.reader import Reading
from klopt.text.tokens import Tokens
from klopt.text.values import LITERAL_SIGNS, MEASURES, Kind, QuantityWords, quantity_words

YEARS: Final = range(1900, 2100)
DAY_SECONDS: Final = 86_400
BINARY: Final = 1.024  # kilobytes of 1024 and of 1000 bytes
_COUNTING: Final = {"count", "label", "number", "ordinal", "year"}
DECIMALS: Final = 6  # of a value
SHARE_DECIMALS: Final = 4  # of a share
_HOUR_MINUTES: Final = 60
_DAY_HOURS: Final = 24
_NUMBER_SIGN: Final = LITERAL_SIGNS[0]
_BLANK: Final = re.compile(r"[ \u00a0\-‐‑]?")
_CLOCK: Final = re.compile(r"(\d{1,2})[.:](\d{2})")
_KEYED_CLOCK: Final = re.compile(r"(\d{1,2})(?:\.(\d{2}))?")
_DATE: Final = re.compile(r"(\d{1,2})-(\d{1,2})")
_PLAIN: Final = re.compile(r"-?\d+(?:\.\d+)?")
_RANGE_SIGN: Final = re.compile(r"\s?[-–—]\s?")
_LIST_END: Final = re.compile(r"[.)](?=\s|\Z)")
_LIST_ITEM: Final = re.compile(r"\)|\.[ *_\"'“]*(?![a-z])")
_LINE_START: Final = re.compile(r"(?:\A|\n|[:.;!?)]\s)[ \t]*[(\[]?\Z")
_LABEL_GAP: Final = re.compile(r"\.? ?")
_LABEL_V: Final = re.compile(r"\Av|[.,:/]+\Z")
_MARKS: Final = re.compile(r"[ \u00a0]?(%|‰)")
_PHONE_STARTS: Final = "+(0"
_ORDINAL: Final = re.compile(r"\d+(?:e|de|ste|st|nd|rd|th)")
_WORD_END: Final = re.compile(r"[ \-]")
_PART: Final = re.compile(r"(\d)/(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with its unit.

    Attributes:
        start: First plain character of number and unit.
        end: After the last one.
        value: In the base unit of its dimension: seconds, months, minutes after midnight, bytes,
            metres, grams, litres, 0 to 1 for a share; a day and month as "5-3", the weekdays as
            "12345", the last digits of a phone number.
        dimension: ``money``, ``share``, ``time``, ``months``, ``clock``, ``date``, ``weekdays``,
            ``year``, ``phone``, ``ordinal``, one of the measures, ``label``, ``count``, or
            ``number`` where nothing says what it is a number of.
        unit: The currency, or the key of the word that is counted or labelled; else nothing.
        other: A second reading: value and dimension.
        first: The number of its first word.
        last: The number of its last word.
        written: The number as it is written, without its unit; None where it is no plain one.
    """

    start: int
    end: int
    value: float | str
    dimension: str
    unit: str = ""
    other: tuple[float | str, str] | None = None
    first: int = -1
    last: int = -1
    written: float | None = None


def are_equal(one: Quantity, two: Quantity) -> bool:
    """Whether two quantities are the same or may be: a number without a unit may have any."""
    is_bare = "number" in (one.dimension, two.dimension)
    if is_bare and one.written is not None and one.written == two.written:
        return True
    return any(
        _match(value, dimension, other, beside, is_one_unit=one.unit == two.unit)
        for value, dimension in _meanings(one)
        for other, beside in _meanings(two)
    )


def _match(
    value: float | str, dimension: str, other: float | str, beside: str, *, is_one_unit: bool
) -> bool:
    """Whether two values are the same in their dimensions."""
    if dimension == beside and (is_one_unit or dimension in ("count", "label")):
        return _same(value, other, dimension)
    is_free = "number" in (dimension, beside) or {dimension, beside} <= _COUNTING
    return is_free and value == other


def are_rivals(one: Quantity, two: Quantity) -> bool:
    """Whether two quantities measure the same and differ."""
    if one.dimension != two.dimension or one.unit != two.unit:
        return False
    if one.dimension in ("number", "ordinal"):
        return False
    if one.dimension == "weekdays":
        return not set(str(one.value)) <= set(str(two.value))
    return not are_equal(one, two)


def are_alike(one: Quantity, two: Quantity) -> bool:
    """Whether two quantities are equal, or as near as units allow.

    A month is about 30 days, and a week five working days.
    """
    if are_equal(one, two):
        return True
    for mine, theirs in ((one, two), (two, one)):
        if isinstance(mine.value, str) or isinstance(theirs.value, str):
            return False
        if theirs.dimension != "time":
            continue
        days = theirs.value / DAY_SECONDS
        if mine.dimension == "months" and mine.value * 28 <= days <= mine.value * 31:
            return True
        if mine.dimension == "count" and mine.value * 7 == days * 5 and mine.value % 5 == 0:
            return True
    return False


def _meanings(one: Quantity) -> Iterator[tuple[float | str, str]]:
    yield one.value, one.dimension
    if one.other is not None:
        yield one.other


def _same(value: float | str, other: float | str, dimension: str) -> bool:
    if dimension == "date":
        return str(value).split("-")[:2] == str(other).split("-")[:2] and (
            {str(value).count("-"), str(other).count("-")} != {2} or value == other
        )
    if dimension != "bytes" or isinstance(value, str) or isinstance(other, str):
        return value == other
    low, high = sorted((abs(value), abs(other)))
    return any(abs(high - low * BINARY**power) <= 1e-6 * high for power in range(4))


_START: Final = attrgetter("start")
_KNOWN: Final = WeakKeyDictionary[Reading, list[Quantity]]()


def quantities_of(reading: Reading, start: int = 0, end: int | None = None) -> list[Quantity]:
    """Return the quantities of a reading that start in a plain stretch, from a cache."""
    known = _KNOWN.get(reading)
    if known is None:
        found = quantities(reading.plain.text, reading.tokens, reading.language)
        known = _KNOWN[reading] = found
    first = bisect_left(known, start, key=_START)
    return known[first : None if end is None else bisect_left(known, end, key=_START)]


def quantities(text: str, tokens: Tokens, language: str) -> list[Quantity]:
    """The quantities of a plain text in ``nl`` or ``en``, by start.

    >>> from klopt import lexicons
    >>> from klopt.text.tokens import Tokenizer
    >>> text = "Betaal € 12,50 binnen twee weken."
    >>> read = Tokenizer(lexicons.load("nl")).read(text)
    >>> [(text[one.start : one.end], one.value) for one in quantities(text, read, "nl")]
    [('€ 12,50', 12.5), ('twee weken', 1209600.0)]
    """
    words = quantity_words(language)
    found = [*_phones(text, tokens)]
    read = _Read(text, tokens, words, language)
    for number, kind in enumerate(tokens.kinds):
        if kind == Kind.NUMBER:
            one = read.quantity(number)
            if one is not None:
                key = tokens.keys[number][1:]
                written = float(key) if _PLAIN.fullmatch(key) else None
                signed = key.startswith("-") and text[one.start - 1 : one.start] in ("-", "−")
                found.append(replace(one, start=one.start - signed, written=written))
    found.extend(_weekdays(text, tokens, words))
    found.sort(key=lambda one: (one.start, -one.end))
    return _ranged(text, _apart(found), words)


def _apart(found: list[Quantity]) -> list[Quantity]:
    """Drop quantities inside the one before them, such as the year of a date."""
    apart: list[Quantity] = []
    for one in found:
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return apart


def _phones(text: str, tokens: Tokens) -> Iterator[Quantity]:
    for number, kind in enumerate(tokens.kinds):
        if kind == Kind.CODE and tokens.keys[number][1:].isdigit():
            start, end = tokens.starts[number], tokens.ends[number]
            if text[start] in _PHONE_STARTS:
                key = tokens.keys[number][1:]
                yield Quantity(start, end, key, "phone", first=number, last=number)


def _weekdays(text: str, tokens: Tokens, words: QuantityWords) -> Iterator[Quantity]:
    """Days of the week, each by itself or from one to another."""
    for match in words.find_days.finditer(text):
        first, last = match[1].lower(), (match[2] or "").lower()
        if not last and first not in words.sure_days:
            continue
        start = int(words.days[first])
        stop = int(words.days[last]) if last else start
        run = [(start + step) % 7 for step in range((stop - start) % 7 + 1)]
        own = tokens.between(*match.span())
        value = "".join(map(str, sorted(run)))
        end = match.end(2 if last else 1)
        yield Quantity(match.start(), end, value, "weekdays", "", None, own.start, own.stop - 1)
    for match in words.workdays.finditer(text):
        own = tokens.between(*match.span(1))
        yield Quantity(*match.span(1), "01234", "weekdays", "", None, own.start, own.stop - 1)


def _ranged(text: str, found: list[Quantity], words: QuantityWords) -> list[Quantity]:
    """Give the first number of a range the unit of the second: "3-5 GB"."""
    for number in range(len(found) - 2, -1, -1):
        one, after = found[number], found[number + 1]
        if one.dimension not in ("number", "year", "label") or isinstance(one.value, str):
            continue
        between = text[one.end : after.start]
        if after.dimension in ("number", "label") or len(between) > 12:
            continue
        if between.strip().lower() in words.range_words or _RANGE_SIGN.fullmatch(between):
            scale = _scale_of(text, after)
            value: float | str = one.value
            if scale is not None and after.dimension != "clock":
                value = round(one.value * scale, DECIMALS)
            elif after.dimension == "clock":
                value = one.value * _HOUR_MINUTES
            elif after.dimension not in ("count", "money"):
                continue
            found[number] = replace(one, value=value, dimension=after.dimension, unit=after.unit)
    return found


def _scale_of(text: str, one: Quantity) -> float | None:
    """How many base units the unit of a quantity is; None where that is not known."""
    digits = re.match(r"\d+(?:[.,]\d+)?", text[one.start : one.end])
    if digits is None or isinstance(one.value, str):
        return None
    written = float(digits[0].replace(",", "."))
    return one.value / written if written else None


class _Read:
    """Reads the quantities of one text."""

    def __init__(self, text: str, tokens: Tokens, words: QuantityWords, language: str) -> None:
        self.text, self.tokens, self.words, self.language = text, tokens, words, language
        self.item = 0

    def quantity(self, number: int) -> Quantity | None:
        """Return the quantity of a number; None where it only numbers an item or source."""
        tokens, text = self.tokens, self.text
        key = tokens.keys[number][1:]
        start, end = tokens.starts[number], tokens.ends[number]
        written = text[start:end]
        if text[start - 1 : start] == "[" or self._is_item(number):
            return None
        if (date := _DATE.fullmatch(key)) is not None and not key.startswith("-"):
            return self._date(number, date)
        if (
            number
            and tokens.keys[number - 1] in self.words.labels
            and _LABEL_GAP.fullmatch(text, tokens.ends[number - 1], start)
        ):
            return Quantity(
                *(tokens.starts[number - 1], end, _LABEL_V.sub("", written.lower()), "label"),
                *(tokens.keys[number - 1], None, number - 1, number),
            )
        if (part := _PART.fullmatch(key)) is not None and 0 < int(part[1]) < int(part[2]) <= 10:
            value = round(int(part[1]) / int(part[2]), SHARE_DECIMALS)
            return Quantity(start, end, value, "share", first=number, last=number)
        behind = self._clock(number, key, written)
        if behind is not None:
            return behind
        if _PLAIN.fullmatch(key) is None:
            return Quantity(start, end, key, "label", "version", None, number, number)
        value = float(key)
        share = _MARKS.match(text, end) or self.words.find_share.match(text, end)
        if share is not None:
            value = round(value * self.words.shares[share[1].lower()], DECIMALS)
            return Quantity(start, share.end(), value, "share", first=number, last=number)
        before = self.words.units.get(tokens.keys[number - 1]) if number else None
        if before is not None and before[0] == "money" and self._touches(number - 1):
            return self._money(number - 1, number, value, before[1])
        return self._counted(number, value, written)

    def _counted(self, number: int, value: float, written: str) -> Quantity:
        """Return a number with the unit that it counts or the word that it labels."""
        tokens, text, words = self.tokens, self.text, self.words
        start, end = tokens.starts[number], tokens.ends[number]
        if written.lower() in words.ordinals or _ORDINAL.fullmatch(written.lower()):
            return Quantity(start, end, value, "ordinal", first=number, last=number)
        parts = set(_WORD_END.split(written.lower()))
        is_fraction = not any(map(str.isdigit, written)) and not parts & words.scales
        is_sum = any(more in written.lower() for more in words.additions)
        is_fraction &= not is_sum and (bool(parts & words.fractions) or " " in written)
        after = number + 1
        has_next = after < len(tokens) and self._touches(number)
        unit = words.units.get(tokens.keys[after]) if has_next else None
        if unit is not None:
            dimension, name, size = unit
            if is_fraction and dimension in MEASURES:
                size /= 100
            stop = tokens.ends[after]
            if dimension == "money":
                return self._money(number, after, value, name, start)
            value = round(value * size, DECIMALS)
            other: tuple[float | str, str] | None = None
            if dimension == "time" and tokens.keys[after] == words.hour:
                hour = value / 3600
                if hour.is_integer() and 0 <= hour <= _DAY_HOURS:
                    moment = hour * _HOUR_MINUTES
                    other = moment, "clock"
                    if words.find_clock_before.search(text, max(0, start - 12), start):
                        known = moment, "clock", "", (value, "time")
                        return Quantity(start, stop, *known, number, after)
            return Quantity(start, stop, value, dimension, name, other, number, after)
        if is_fraction:
            amount = round(value / 100, DECIMALS)
            if has_next and not tokens.stops[after]:
                return Quantity(
                    *(start, tokens.ends[after], amount, "count", tokens.keys[after]),
                    *((amount, "share"), number, after),
                )
            return Quantity(start, end, amount, "share", first=number, last=number)
        if value in YEARS and len(written) == 4 and written.isdigit():
            return Quantity(start, end, value, "year", first=number, last=number)
        if has_next and not tokens.stops[after] and tokens.kinds[after] != Kind.NUMBER:
            return Quantity(
                *(start, tokens.ends[after], value, "count", tokens.keys[after]),
                *((value, "number"), number, after),
            )
        if number and self._touches(number - 1) and not tokens.stops[number - 1]:
            before = tokens.keys[number - 1]
            if tokens.kinds[number - 1] == Kind.WORD and before[0] != _NUMBER_SIGN:
                return Quantity(
                    *(tokens.starts[number - 1], end, value, "label", before),
                    *((value, "number"), number - 1, number),
                )
        return Quantity(start, end, value, "number", first=number, last=number)

    def _money(self, first: int, last: int, value: float, name: str, start: int = -1) -> Quantity:
        tokens = self.tokens
        begin = tokens.starts[first] if start < 0 else start
        return Quantity(begin, tokens.ends[last], value, "money", name, None, first, last)

    def _date(self, number: int, date: re.Match[str]) -> Quantity:
        """A day of a month, with the year where one follows."""
        tokens = self.tokens
        first = last = number
        for beside in (number - 1, number + 1):
            if not 0 <= beside < len(tokens) or tokens.stops[beside]:
                continue
            if tokens.keys[beside].isalpha() and self._touches(min(beside, number)):
                first, last = min(first, beside), max(last, beside)
                break
        value = f"{date[1]}-{date[2]}"
        after = last + 1
        if after < len(tokens) and tokens.keys[after][1:].isdigit():
            year = tokens.keys[after][1:]
            gap = self.text[tokens.ends[last] : tokens.starts[after]]
            if len(year) == 4 and int(year) in YEARS and gap in (" ", ", ", "-", "/", ",", ""):
                value, last = f"{value}-{year}", after
        if tokens.kinds[number - 1 : number] == bytes([Kind.NUMBER]):
            year, gap = tokens.keys[number - 1][1:], self.text[tokens.ends[number - 1] :][:1]
            if gap == "-" and len(year) == 4 and year.isdigit() and first == number:
                value, first = f"{value}-{year}", number - 1
        start, end = tokens.starts[first], tokens.ends[last]
        return Quantity(start, end, value, "date", first=first, last=last)

    def _clock(self, number: int, key: str, written: str) -> Quantity | None:
        """Return the time of day of a number, or None."""
        tokens, text = self.tokens, self.text
        start, end = tokens.starts[number], tokens.ends[number]
        keyed = _KEYED_CLOCK.fullmatch(key)
        if keyed is None or int(keyed[1]) > _DAY_HOURS or int(keyed[2] or 0) >= _HOUR_MINUTES:
            return None
        after, last = number + 1, number
        has_hour = (
            after < len(tokens)
            and self._touches(number)
            and (tokens.keys[after] == self.words.hour or text[end + 1 : end + 2] in ("u", "h"))
            and self.words.units.get(tokens.keys[after], ("time",))[0] == "time"
        )
        clock = _CLOCK.fullmatch(written)
        part = self.words.find_part.match(text, end)
        is_spelled = keyed[2] is not None and not any(map(str.isdigit, written))
        if part is None and not is_spelled:
            if clock is None:
                return None
            if ":" not in written and not has_hour and self.language == "en":
                return None
        stop = end
        if has_hour and (clock is not None or is_spelled):
            last, stop = after, tokens.ends[after]
        if part is not None:
            stop = part.end()
            last = tokens.between(end, stop).stop - 1
        value = int(keyed[1]) * _HOUR_MINUTES + int(keyed[2] or 0)
        decimal = float(written.replace(",", ".")) if clock and "." in written else None
        other = (decimal, "number") if decimal is not None and not has_hour else None
        return Quantity(start, stop, float(value), "clock", "", other, number, last)

    def _touches(self, number: int) -> bool:
        tokens = self.tokens
        return bool(_BLANK.fullmatch(self.text, tokens.ends[number], tokens.starts[number + 1]))

    def _is_item(self, number: int) -> bool:
        """Whether a number only counts an item of a list: "1." or "2)" where a line begins."""
        tokens, text = self.tokens, self.text
        start, end = tokens.starts[number], tokens.ends[number]
        if not text[start:end].isdigit() or end - start > 2 or not _LIST_END.match(text, end):
            return False
        if not _LIST_ITEM.match(text, end):
            return False
        count = int(text[start:end])
        follows = number and tokens.stops[number - 1]  # "you have 2"
        is_next = count == self.item + 1 or (count == 2 and not (self.item or follows))
        is_item = is_next or bool(_LINE_START.search(text, max(0, start - 4), start))
        self.item = count if is_item else self.item
        return is_item
