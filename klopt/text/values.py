"""Words of a text before amounts are normalised; those that may be part of one are marked.

`klopt.text.amounts` normalises amounts, times and dates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from functools import lru_cache
from operator import itemgetter
from typing import Final

from klopt.lexicons import Lexicon, load_one
from klopt.text.stems import stemmer

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
LAST_DAY: Final = 31
_LONGEST_FIGURES: Final = 15
TENS: Final = range(20, 100, 10)
MEASURES: Final = ("bytes", "grams", "litres", "metres")
_BEHIND: Final = ("additions", "parts_of_day", "percent")
LITERAL_SIGNS: Final = ("#", "@")
"""First characters of the keys of numbers (``#``) and of keys and code (``@``)."""


class Sort(IntEnum):
    """The role of a word in an amount; none begins with the first three."""

    PARTICLE = auto()
    """No part of one: it may belong to a verb (`klopt.text.tokens`)."""
    PIECES = auto()
    """Several words written as one."""
    UNIT = auto()
    ARTICLE = auto()
    NUMBER = auto()
    FIGURES = auto()
    ORDINAL = auto()
    SCALE = auto()
    FRACTION = auto()
    SHARE = auto()
    """A fraction where what it is a share of follows: "a quarter of"."""
    SPAN = auto()
    """A unit that is counted without a number, too: "kwartier"."""
    MONTH = auto()


_SORTS: Final = {
    **dict.fromkeys(("cardinals", "multiples", "hours"), Sort.NUMBER),
    **{"ordinals": Sort.ORDINAL, "scales": Sort.SCALE, "articles": Sort.ARTICLE},
    **{"fractions": Sort.FRACTION, "shares": Sort.SHARE, "spans": Sort.SPAN},
    **dict.fromkeys(("seconds", "time_units", "months", "calendar_units"), Sort.UNIT),
    "month_names": Sort.MONTH,
}
_CALENDAR: Final = ("months", "calendar_units")
_COUNTED: Final = (Sort.NUMBER, Sort.SCALE)


@dataclass(frozen=True, slots=True)
class AmountMark:
    """The role of a word in an amount.

    Attributes:
        sort: Its role.
        amount: Its number; of a unit how many seconds or months it is; None of figures that are
            no plain number.
        calendar: Whether it is a unit of months.
        is_unit_too: Seconds of the unit that an ordinal also names: "second".
        pieces: Where in it each of several words starts and ends, and its figures; nothing where
            it is to be looked up.
    """

    sort: Sort
    amount: float | None = None
    calendar: bool = False
    is_unit_too: float = 0
    pieces: tuple[tuple[int, int, str], ...] = ()


class Values:
    """The amounts of one language."""

    def __init__(
        self, lexicon: Lexicon, key: Callable[[str], str], signs: Mapping[str, str]
    ) -> None:
        tables = lexicon.values
        self.signs = signs
        self.linking: Mapping[str, float] = tables["linking"]
        self.determiners = frozenset(tables["determiners"])
        self.set_phrases = frozenset(tables["set_phrases"].items())
        self.behind = {
            phrase: (name, amount) for name in _BEHIND for phrase, amount in tables[name].items()
        }
        self.find_behind = _finder(self.behind)
        self.clock: Mapping[str, float] = tables["clock"]
        self.find_clock = _finder(self.clock)
        self.units_by_size = tuple(
            sorted(((amount, key(word)) for word, amount in tables[name].items()), reverse=True)
            for name in ("time_units", "calendar_units")
        )
        self._cardinals: Mapping[str, float] = tables["cardinals"]
        self._ordinals: Mapping[str, float] = tables["ordinals"]
        self._scales = sorted(tables["scales"].items(), key=lambda entry: -entry[1])
        self._and = tuple(word for word, shares in self.linking.items() if not shares)
        self._marks = {
            word: AmountMark(sort, amount, name in _CALENDAR)
            for name, sort in _SORTS.items()
            for word, amount in tables[name].items()
        }
        self.measures = frozenset(word for name in MEASURES for word in tables[name])
        self.units = tuple(word for word, mark in self._marks.items() if mark.sort == Sort.UNIT)
        for word in self._ordinals.keys() & set(self.units):
            seconds = self._marks[word].amount or 0
            self._marks[word] = AmountMark(Sort.ORDINAL, self._ordinals[word], is_unit_too=seconds)

    def mark(self, word: str) -> AmountMark | None:
        """Return the role of a word in lower case; None for most words."""
        known = self._marks.get(word)
        if known is not None:
            return known
        tens, _, last = word.partition("-")
        if last in self._ordinals and self._cardinals.get(tens) in TENS:
            return AmountMark(Sort.ORDINAL, self._cardinals[tens] + self._ordinals[last])
        bare = word.removesuffix("ste") if word.endswith("ste") else word.removesuffix("th")
        if bare != word or [scale for scale, _ in self._scales if scale in word]:
            amount = self._compound(bare)
            if amount is not None:
                return AmountMark(Sort.NUMBER if bare == word else Sort.ORDINAL, amount)
        return None

    def opening(self, word: str) -> str:
        """Return the number that begins a word with a unit at its end, or nothing.

        >>> from klopt import lexicons
        >>> dutch = Values(lexicons.load("nl")["numbers"], str, {})
        >>> dutch.opening("tweedaags"), dutch.opening("half-jaar"), dutch.opening("zondag")
        ('twee', 'half', '')
        """
        for unit in self.units:
            if word.endswith(unit):
                head = word.removesuffix(unit).rstrip("-")
                mark = self._marks.get(head)
                if mark is not None and mark.sort in (*_COUNTED, Sort.FRACTION):
                    return head
        return ""

    def counts(self, word: str) -> bool:
        """Return whether a word is a number above one: "six-digit"."""
        return self._cardinals.get(word, 0) > 1

    def is_behind(self, word: str) -> bool:
        """Return whether a word may be attached to figures: "30min", "6pm"."""
        mark = self._marks.get(word)
        return word in self.behind or (mark is not None and mark.sort == Sort.UNIT)

    def _compound(self, word: str) -> float | None:
        """The value of a number that is written as one word: "honderdtwintig"."""
        known = self._cardinals.get(word)
        if known is not None:
            return known
        for scale, amount in self._scales:
            head, middle, tail = word.partition(scale)
            if middle:
                for link in self._and:
                    tail = tail.removeprefix(link) or tail
                times = self._compound(head) if head else 1
                rest = self._compound(tail) if tail else 0
                return None if times is None or rest is None else times * amount + rest
        return None


def _finder(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return an expression that finds a phrase, directly or after a blank."""
    written = (
        re.escape(phrase).replace("'", "['’]") for phrase in sorted(phrases, key=len, reverse=True)
    )
    return re.compile(rf"[ \u00a0]?({'|'.join(written)})(?![^\W_])", re.IGNORECASE)


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
    """Return the value of `figures`; None for a version, a time and the like.

    >>> amount_of("2.5"), amount_of("9.30"), amount_of("10.4.2")
    (2.5, None, None)
    """
    if len(number) > _LONGEST_FIGURES or not _PLAIN.fullmatch(number) or _TIME.fullmatch(number):
        return None
    return float(number)


def written_amount(amount: float) -> str:
    """Write an amount as `figures` does.

    >>> written_amount(1.5), written_amount(1_000_000.0), written_amount(0.461538)
    ('1.5', '1000000', '0.461538')
    """
    return f"{amount:.6f}".rstrip("0").rstrip(".")


def dated(day: float, month: float) -> str:
    """Write a day and its month, which differs from any number.

    >>> dated(1, 3)
    '1-3'
    """
    return f"{day:.0f}-{month:.0f}"


def pieces(word: str, language: str) -> Iterator[tuple[int, int, str]]:
    """Yield the parts of a joined word: start, end and figures, if any.

    Joined are the year and day of a date, the ends of a range, and "30-day". Of English dates such
    as "01/03/2024" only unambiguous ones are split.

    >>> list(pieces("2024-03-01", "nl")), list(pieces("10-15", "nl")), list(pieces("30-day", "en"))
    ([(0, 4, '2024'), (5, 10, '1-3')], [(0, 2, '10'), (3, 5, '15')], [(0, 2, '30'), (3, 6, '')])
    >>> list(pieces("1-3-2024", "nl")), list(pieces("020-1234567", "nl"))
    ([(0, 3, '1-3'), (4, 8, '2024')], [])
    """
    if (match := _YEAR_FIRST.fullmatch(word)) is not None:
        if _is_date(int(match[3]), int(match[2])):
            yield 0, 4, match[1]
            yield 5, 10, dated(int(match[3]), int(match[2]))
    elif (match := _YEAR_LAST.fullmatch(word)) is not None:
        day, month = int(match[1]), int(match[2])
        if language == "en" and "/" in word and month > _LAST_MONTH:
            day, month = month, day
        is_sure = language != "en" or "/" not in word or day == month or day > _LAST_MONTH
        if is_sure and _is_date(day, month):
            yield 0, match.end(2), dated(day, month)
            yield *match.span(3), match[3]
    elif (match := _NO_YEAR.fullmatch(word)) is not None and _is_date(int(match[1]), int(match[2])):
        yield *match.span(), dated(int(match[1]), int(match[2]))
    elif (match := _RANGE.fullmatch(word)) is not None and int(match[1]) < int(match[2]):
        yield *match.span(1), figures(match[1])
        yield *match.span(2), figures(match[2])
    elif (match := _FUSED.fullmatch(word)) is not None:
        yield *match.span(1), figures(match[1])
        yield *match.span(2), ""


def _is_date(day: int, month: int) -> bool:
    return 1 <= day <= LAST_DAY and 1 <= month <= _LAST_MONTH


class Kind(IntEnum):
    """The kind of a word."""

    WORD = 0
    NUMBER = 1
    KEY = 2
    CODE = 3
    COMPONENT = 4
    """A word of a component's name."""
    PARTICLE = 5
    """A particle that was joined with its verb."""


@dataclass(slots=True)
class Draft:
    """The words read so far; the lists are those of `klopt.text.tokens.Tokens`.

    Attributes:
        text: Where they stand.
        marks: The role in amounts of each word.
        joined: Words that are part of the one before them.
        signs: Signs to insert: index of the next word, key and place.
    """

    text: str
    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    stops: bytearray = field(default_factory=bytearray)
    marks: list[AmountMark | None] = field(default_factory=list)
    joined: set[int] = field(default_factory=set)
    signs: list[tuple[int, str, int]] = field(default_factory=list)

    def add(
        self, key: str, start: int, end: int, kind: Kind, stop: int, mark: AmountMark | None = None
    ) -> None:
        """Append a word."""
        self.keys.append(key)
        self.starts.append(start)
        self.ends.append(end)
        self.kinds.append(kind)
        self.stops.append(stop)
        self.marks.append(mark)

    def written(self, number: int) -> str:
        """Return a word as written, in lower case; empty outside the text."""
        if not 0 <= number < len(self.keys):
            return ""
        return self.text[self.starts[number] : self.ends[number]].lower()

    def count(self, first: int, last: int, figures: str) -> None:
        """Join successive words into one number."""
        self.keys[first] = f"#{figures}"
        self.kinds[first], self.stops[first] = Kind.NUMBER, 0
        self.join(first, last)

    def join(self, first: int, last: int) -> None:
        """Join successive words with the first one."""
        self.ends[first] = self.ends[last]
        self.joined.update(range(first + 1, last + 1))

    def apply_edits(self) -> None:
        """Remove joined words and insert signs."""
        edits = [(number, number + 1, Draft(self.text)) for number in self.joined]
        for number, key, place in self.signs:
            sign = Draft(self.text)
            sign.add(key, place, place + 1, Kind.WORD, 0)
            edits.append((number, number, sign))
        self.splice(sorted(edits, key=itemgetter(0, 1)))

    def splice(self, edits: Sequence[tuple[int, int, Draft]]) -> None:
        """Replace words, given as first, end and new words, in order."""
        for name in ("keys", "starts", "ends", "kinds", "stops", "marks"):
            whole = getattr(self, name)
            edited, at = whole[:0], 0
            for first, end, words in edits:
                edited += whole[at:first]
                edited += getattr(words, name)
                at = end
            edited += whole[at:]
            setattr(self, name, edited)


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
