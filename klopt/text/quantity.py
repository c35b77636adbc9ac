"""A value with its unit, the words that give it one, and whether two values agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from klopt.lexicons import load_one
from klopt.text.stems import stemmer
from klopt.text.values import MEASURES

DAY_SECONDS: Final = 86_400
BINARY: Final = 1.024  # kilobytes of 1024 and of 1000 bytes
_COUNTING: Final = {"count", "label", "number", "ordinal", "year"}


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


class QuantityWords:
    """The words of a language that give a number its dimension and unit."""

    def __init__(self, language: str) -> None:
        numbers, stem = load_one(language, "numbers"), stemmer(language)
        tables = numbers.values
        self.units: dict[str, tuple[str, str, float]] = {}
        for word, size in {**tables["time_units"], **tables["seconds"]}.items():
            self._add(word, stem, ("time", "", size))
        for word, size in {**tables["calendar_units"], **tables["months"]}.items():
            self._add(word, stem, ("months", "", size))
        for name in MEASURES:
            for word, size in tables[name].items():
                self._add(word, stem, (name, "", size))
        for group in load_one(language, "contrasts").word_groups.get("currencies", ()):
            for word in group:
                self._add(word, stem, ("money", max(group, key=len), 1.0))
        self.hour = stem("uur" if language == "nl" else "hour")
        shares = {**dict.fromkeys(tables["percent"], 0.01), **tables["permille"]}
        self.find_share = _phrases(shares)
        self.shares = {"%": 0.01, "‰": 0.001, **shares}
        self.find_part = _phrases(tables["parts_of_day"])
        self.find_clock_before = re.compile(
            rf"(?:\A|(?<=\W))(?:{_either(tables['clock_leads'])})[ \u00a0]\Z", re.IGNORECASE
        )
        self.ordinals = frozenset(tables["ordinals"])
        self.scales = frozenset(tables["scales"])
        self.additions = tuple(tables["additions"])
        self.labels = frozenset(map(stem, tables["labels"]))
        self.range_words = frozenset(tables["range_words"])
        self.fractions = frozenset({**tables["fractions"], **tables["shares"]})
        self.days = tables["weekdays"]
        day = _either(self.days)
        links = _either({word: 1 for word, sort in tables["range_words"].items() if sort == 2})
        self.find_days = re.compile(
            rf"(?<!\w)({day})\.?(?:\s?(?:[-–—]|\b(?:{links})\b)\s?({day})\.?)?(?!\w)", re.IGNORECASE
        )
        self.sure_days = frozenset(word for word in self.days if len(word) > 3)
        self.workdays = _phrases(tables["working_days"], "(?<![\\w])(?<!\\d )(?<!\\d)")

    def _add(self, word: str, stem: Callable[[str], str], meaning: tuple[str, str, float]) -> None:
        self.units.setdefault(word, meaning)
        self.units.setdefault(stem(word), meaning)


def _either(words: Mapping[str, float]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _phrases(words: Mapping[str, float], before: str = r"[ \u00a0\-]?") -> re.Pattern[str]:
    written = _either(words).replace("'", "['’]")
    return re.compile(rf"{before}({written})(?![^\W_])", re.IGNORECASE)


@lru_cache(8)
def quantity_words(language: str) -> QuantityWords:
    """Return the words of a language from a cache."""
    return QuantityWords(language)
