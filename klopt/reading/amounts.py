"""Amounts, times and dates in one form, however they are written.

"Twee weken" and "14 dagen" get the same keys, and so do "half acht" and "7:30", "een kwart" and
"25%". Offsets stay those of the words as written. Whatever may be meant otherwise stays as it is:
"per week" has no number, "a second reminder" no unit, and "zes uur" is a time only beside a part
of the day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import itemgetter
from typing import Final, TypeVar

from klopt.reading.values import TENS, AmountMark, Sort, Values, dated, told

__all__ = ["LITERAL_SIGNS", "Draft", "Kind", "settle"]

OFFICE_HOUR: Final = 7
"""Where a time is told in words and an hour before it ("half vijf"), the afternoon's is meant."""
LAST_DAY: Final = 31
_HOUR_SECONDS: Final = 3600
_NOON: Final = 12
_GAP: Final = re.compile(r"[ \u00a0\-‐‑]?")
_BLANKS: Final = " \u00a0"
_COUNTED: Final = (Sort.NUMBER, Sort.SCALE)
_WHOLES: Final = (Sort.NUMBER, Sort.FIGURES)


LITERAL_SIGNS: Final = ("#", "@")
"""What the key of a number (``#``) and of a key or code (``@``) begins with: they match only
themselves."""


class Kind(IntEnum):
    """What a word is."""

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
    """The words read so far; the lists are those of `klopt.reading.tokens.Tokens`.

    Attributes:
        text: Where they stand.
        gone: Words that have become part of the one before them.
        signs: Signs that are words too: before which word, its key, where it stands.
    """

    text: str
    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    kinds: bytearray = field(default_factory=bytearray)
    stops: bytearray = field(default_factory=bytearray)
    gone: set[int] = field(default_factory=set)
    signs: list[tuple[int, str, int]] = field(default_factory=list)

    def add(self, key: str, start: int, end: int, kind: Kind, stop: int) -> None:
        """A word behind all others."""
        self.keys.append(key)
        self.starts.append(start)
        self.ends.append(end)
        self.kinds.append(kind)
        self.stops.append(stop)

    def written(self, number: int) -> str:
        """A word as it stands in the text, in lower case; nothing where there is none."""
        if not 0 <= number < len(self.keys):
            return ""
        return self.text[self.starts[number] : self.ends[number]].lower()

    def count(self, first: int, last: int, figures: str) -> None:
        """Makes one number of some words in a row."""
        self.keys[first] = f"#{figures}"
        self.kinds[first], self.stops[first] = Kind.NUMBER, 0
        self.join(first, last)

    def join(self, first: int, last: int) -> None:
        """Makes some words in a row a part of the first one."""
        self.ends[first] = self.ends[last]
        self.gone.update(range(first + 1, last + 1))

    def settle(self) -> None:
        """Leaves out what is gone, and puts in the signs."""
        edits: list[tuple[int, int, tuple[str, int] | None]]
        edits = [(number, number + 1, None) for number in self.gone]
        edits += [(number, number, (key, place)) for number, key, place in self.signs]
        edits.sort(key=itemgetter(0, 1))
        cuts = [edit[:2] for edit in edits]
        signs = [edit[2] for edit in edits]
        self.keys = _edited(self.keys, cuts, [sign and [sign[0]] for sign in signs])
        self.starts = _edited(self.starts, cuts, [sign and [sign[1]] for sign in signs])
        self.ends = _edited(self.ends, cuts, [sign and [sign[1] + 1] for sign in signs])
        self.kinds = _edited(self.kinds, cuts, [sign and bytearray(1) for sign in signs])
        self.stops = _edited(self.stops, cuts, [sign and bytearray(1) for sign in signs])


_List = TypeVar("_List", list[str], list[int], bytearray)


def _edited(
    whole: _List, cuts: Sequence[tuple[int, int]], instead: Sequence[_List | None]
) -> _List:
    """A list with something, or nothing, instead of some of its stretches, in order."""
    edited, at = whole[:0], 0
    for (start, end), new in zip(cuts, instead, strict=True):
        edited += whole[at:start]
        if new is not None:
            edited += new
        at = end
    edited += whole[at:]
    return edited


def settle(values: Values, draft: Draft, marks: Mapping[int, AmountMark]) -> None:
    """Brings the amounts of a text to one form."""
    reading = _Amounts(values, draft, marks)
    after = 0
    for number, mark in marks.items():
        if mark.sort > Sort.UNIT and number >= after:
            after = reading.read(number) + 1
    if draft.gone or draft.signs:
        draft.settle()


class _Amounts:
    """The amounts of one text; every method gives the last word that it has read."""

    def __init__(self, values: Values, draft: Draft, marks: Mapping[int, AmountMark]) -> None:
        self.values, self.draft, self.marks = values, draft, marks

    def read(self, number: int) -> int:
        """What begins with a word."""
        sort = self.marks[number].sort
        is_followed = number + 1 in self.marks
        if sort == Sort.FIGURES:
            self._sign(number)
            if not is_followed and not self._behind(number)[0]:
                return number
        elif sort == Sort.ARTICLE:
            if not is_followed:
                return number
            if self._next(number, Sort.FRACTION, Sort.SHARE):
                last = self._clock(number + 1)
                if last >= 0:
                    return last
        elif sort in (Sort.FRACTION, Sort.SHARE):
            last = self._clock(number)
            if last >= 0:
                return last
        elif sort == Sort.ORDINAL:
            return self._ordinal(number)
        elif sort == Sort.MONTH:
            return self._month(number) if is_followed else number
        elif sort == Sort.SPAN:
            return self._time(number, number, 1, number)
        return self._amount(number)

    def _next(self, number: int, *sorts: Sort) -> AmountMark | None:
        """The mark of the word right behind one, if it is of some sort."""
        mark = self.marks.get(number + 1)
        if mark is None or mark.sort not in sorts or not self._touches(number):
            return None
        return mark

    def _touches(self, number: int) -> bool:
        """Whether nothing but a blank or a hyphen stands between a word and the next one."""
        draft = self.draft
        if number + 1 >= len(draft.keys):
            return False
        return bool(_GAP.fullmatch(draft.text, draft.ends[number], draft.starts[number + 1]))

    def _links(self, number: int, shares: float) -> bool:
        """Whether the word behind one joins it with what follows."""
        linked = self.values.linking.get(self.draft.written(number + 1))
        return linked == shares and self._touches(number) and self._touches(number + 1)

    def _unit(self, number: int) -> AmountMark | None:
        """The unit right behind a word."""
        unit = self._next(number, Sort.UNIT, Sort.SPAN, Sort.ORDINAL)
        if unit is None or unit.sort != Sort.ORDINAL:
            return unit
        if not unit.is_unit_too or self._has_noun(number + 1):
            return None
        return AmountMark(Sort.UNIT, unit.is_unit_too)

    def _has_noun(self, number: int) -> bool:
        """Whether a word with content of its own stands right behind one."""
        return self._touches(number) and not self.draft.stops[number + 1]

    def _amount(self, number: int) -> int:
        """A number, a fraction or an article, and what is counted."""
        mark, draft = self.marks[number], self.draft
        amount, last = self._count(number)
        if amount is None:
            return self._part_of_day(number, number)
        is_part = mark.sort in (Sort.FRACTION, Sort.SHARE)
        is_sure = mark.sort != Sort.SHARE
        part = None if is_part else self._next(last, Sort.FRACTION, Sort.SHARE, Sort.ORDINAL)
        if part is not None and part.amount and mark.sort != Sort.FIGURES:
            is_ordinal = part.sort == Sort.ORDINAL
            if part.sort == Sort.FRACTION or self._links(last + 1, 1):
                amount = amount / part.amount if is_ordinal else amount * part.amount
                last, is_part = last + 1, True
        unit_after = last
        if is_part and self._links(last, 1):
            unit_after, is_sure = last + 1, True
        if is_part and self._next(unit_after, Sort.ARTICLE):
            unit_after += 1
        unit = self._unit(unit_after)
        scale = self._next(unit_after, Sort.SCALE) if is_part else None
        if scale is not None and scale.amount is not None:
            draft.count(number, unit_after + 1, told(amount * scale.amount))
            return unit_after + 1
        if unit is not None and self._is_rate(number):
            return number
        if unit is not None and unit.amount is not None:
            return self._time(number, unit_after, amount, unit_after + 1, unit)
        if is_part:
            if is_sure:
                draft.count(number, last, told(round(100 * amount, 2)))
            return last
        month = self._next(last, Sort.MONTH)
        if month is not None and self._date(number, amount, month, last + 1):
            return last + 1
        if mark.sort == Sort.ARTICLE and last == number:
            return number
        if not draft.stops[number] or last > number or self._has_noun(number):
            draft.count(number, last, told(amount))
        return self._percent(last) or self._part_of_day(number, last)

    def _is_rate(self, number: int) -> bool:
        """Whether an article stands for "per": "once a week", "5 euro a month"."""
        if not number or self.marks[number].sort != Sort.ARTICLE or not self._touches(number - 1):
            return False
        before = self.draft.written(number - 1)
        is_money = self.draft.keys[number - 1] in self.values.signs.values()
        is_number = self.draft.kinds[number - 1] == Kind.NUMBER
        return is_money or is_number or self.values.linking.get(before) == 2

    def _count(self, number: int) -> tuple[float | None, int]:
        """A number of one or several words: "two hundred and five", "two and a half"."""
        amount, last = self.marks[number].amount, number
        if amount is None:
            return None, last
        while (after := self._next(last, *_COUNTED)) is not None and after.amount is not None:
            if after.sort == Sort.SCALE:
                amount *= after.amount
            elif self.marks[last].sort in _COUNTED and _adds(amount, after.amount):
                amount += after.amount
            else:
                break
            last += 1
        if self.marks[last].sort in _COUNTED and amount >= 100 and self._links(last, 0):
            rest = self._next(last + 1, Sort.NUMBER)
            if rest is not None and rest.amount is not None and _adds(amount, rest.amount):
                amount, last = amount + rest.amount, last + 2
        name, more, words = self._behind(last)
        if name == "additions":
            amount, last = amount + more, last + words
        return amount, last

    def _time(
        self, first: int, last: int, amount: float, place: int, unit: AmountMark | None = None
    ) -> int:
        """An amount of time in the unit that it is told in; the unit may be its only word."""
        values, draft = self.values, self.draft
        unit = unit or self.marks[place]
        each = unit.amount or 0
        name, more, words = self._behind(place)
        if name == "parts_of_day" and each == _HOUR_SECONDS and amount <= _NOON:
            draft.count(first, last, told(_hour(amount, more)))
            self._stop(place + 1, place + words)
            return place + words
        end = place
        if name == "additions":
            amount, end = amount + more, place + words
        while self._links(end, 0) and (rest := self._next(end + 1, *_WHOLES, Sort.ARTICLE)):
            part = self._unit(end + 2)
            if part is None or not part.amount or part.calendar != unit.calendar:
                break
            if not rest.amount or part.amount >= each:
                break
            amount, end = amount + rest.amount * part.amount / each, end + 3
        draft.join(place, end)
        before = self._before(first)
        lower = self.marks[before].amount if before >= 0 else amount
        for size, key in values.told_in[unit.calendar]:
            counts = [round((bound or 0) * each / size, 6) for bound in (amount, lower)]
            if all(map(float.is_integer, counts)):
                draft.count(first, last, told(counts[0]))
                if before >= 0:
                    draft.count(before, before, told(counts[1]))
                if place != first:
                    draft.keys[place], draft.stops[place] = key, 0
                    if draft.kinds[place] == Kind.NUMBER:
                        draft.kinds[place] = Kind.WORD
                return end
        draft.count(first, last, told(amount))
        return end

    def _before(self, number: int) -> int:
        """The other number of the same unit: "two to four weeks", "2-4 weeks"; -1 for none."""
        draft = self.draft
        link = self.values.linking.get(draft.written(number - 1))
        before = number - 2 if link in (0, 3) else number - 1
        if before < 0 or before in draft.gone or not self._touches(number - 1):
            return -1
        mark = self.marks.get(before)
        if mark is None or mark.sort not in _WHOLES or mark.amount is None:
            return -1
        is_range = link is not None or draft.text[draft.ends[before]] not in _BLANKS
        return before if is_range and self._touches(before) else -1

    def _clock(self, number: int) -> int:
        """A time such as "half acht" or "quarter to eight"; -1 where there is none."""
        draft, values = self.draft, self.values
        clock = values.find_clock.match(draft.text, draft.starts[number])
        if clock is None:
            return -1
        last = number + clock[1].count(" ")
        hours = self._next(last, *_WHOLES) if last + 1 < len(draft.keys) else None
        if hours is None or hours.amount is None or hours.amount not in range(1, _NOON + 1):
            return -1
        unit = self._unit(last + 1)
        if unit is not None and (unit.calendar or unit.amount != _HOUR_SECONDS):
            return -1
        minutes = int(hours.amount * 60 + values.clock[clock[1].lower()])
        hour, minute = divmod(minutes, 60)
        end = last + 1
        if unit is not None:
            end += 1
            self._stop(end, end)
        name, more, words = self._behind(end)
        if name == "parts_of_day":
            hour = int(_hour(hour, more))
            self._stop(end + 1, end + words)
            end += words
        elif hour < OFFICE_HOUR:
            hour += _NOON
        draft.count(number, last + 1, f"{hour}.{minute:02}")
        return end

    def _part_of_day(self, number: int, last: int) -> int:
        """A time in figures with "pm" and the like, or with the word for hours."""
        draft = self.draft
        hour, point, minute = draft.keys[number].removeprefix("#").partition(".")
        unit = self._unit(last) if len(minute) == 2 else None
        if unit is not None and unit.amount == _HOUR_SECONDS:
            last += 1
            self._stop(last, last)
        name, more, words = self._behind(last)
        if name == "parts_of_day" and hour.isdigit() and len(hour) < 3:
            draft.keys[number] = f"#{_hour(int(hour), more):.0f}{point}{minute}"
            self._stop(last + 1, last + words)
            last += words
        return last

    def _percent(self, last: int) -> int:
        """The word for a hundredth, which figures need not have; 0 where it is not there."""
        name, _, words = self._behind(last)
        if name != "percent":
            return 0
        self._stop(last + 1, last + words)
        return last + words

    def _ordinal(self, number: int) -> int:
        """The day of a month, or a place in a row."""
        mark, draft = self.marks[number], self.draft
        month = self._next(number, Sort.MONTH)
        place = number + 1
        if month is None and self._links(number, 1):
            month, place = self._next(number + 1, Sort.MONTH), number + 2
        if month is not None and self._date(number, mark.amount, month, place):
            return place
        is_phrase = (draft.written(number + 1), mark.amount) in self.values.set_phrases
        is_placed = draft.written(number - 1) in self.values.determiners and self._has_noun(number)
        is_open = draft.stops[number] or mark.is_unit_too
        if is_open and mark.amount is not None and is_placed and not is_phrase:
            draft.count(number, number, told(mark.amount))
        return number

    def _month(self, number: int) -> int:
        """A date with the month first: "March 1"."""
        day = self._next(number, Sort.FIGURES, Sort.ORDINAL)
        if day is None or self._unit(number + 1) is not None or not self._is_name(number):
            return number
        month = self.marks[number]
        return number + 1 if self._date(number + 1, day.amount, month, number) else number

    def _is_name(self, number: int) -> bool:
        return self.draft.text[self.draft.starts[number]].isupper()

    def _date(self, number: int, day: float | None, month: AmountMark, place: int) -> bool:
        """Binds a day to its month; "may" is none where it is no name."""
        draft = self.draft
        if day is None or month.amount is None or day not in range(1, LAST_DAY + 1):
            return False
        if draft.stops[place] and not self._is_name(place):
            return False
        draft.count(number, number, dated(day, month.amount))
        draft.stops[place] = 0
        return True

    def _behind(self, number: int) -> tuple[str, float, int]:
        """What stands behind a word: the table that has it, its number, and how many words."""
        draft = self.draft
        behind = self.values.find_behind.match(draft.text, draft.ends[number])
        if behind is None:
            return "", 0, 0
        name, amount = self.values.behind[behind[1].lower().replace("’", "'")]
        last = number
        while last + 1 < len(draft.keys) and draft.starts[last + 1] < behind.end():
            last += 1
        return name, amount, last - number

    def _stop(self, first: int, last: int) -> None:
        for number in range(first, last + 1):
            self.draft.stops[number] = 1

    def _sign(self, number: int) -> None:
        """A sign of money beside figures is a word, too."""
        draft, signs = self.draft, self.values.signs
        text, start, end = draft.text, draft.starts[number], draft.ends[number]
        floor = draft.ends[number - 1] if number else 0
        if draft.signs:
            floor = max(floor, draft.signs[-1][2] + 1)
        before = start - 2 if text[start - 1 : start] in _BLANKS else start - 1
        if before >= floor and text[before] in signs:
            draft.signs.append((number, signs[text[before]], before))
        after = end + 1 if text[end : end + 1] in _BLANKS else end
        ceiling = draft.starts[number + 1] if number + 1 < len(draft.keys) else len(text)
        if after < ceiling and text[after] in signs:
            draft.signs.append((number + 1, signs[text[after]], after))


def _adds(amount: float, more: float) -> bool:
    """Whether the second number completes the first one: "twenty five", "hundred twenty"."""
    if amount in TENS:
        return 0 < more < 10
    return amount >= 100 and amount % 100 == 0 and 0 < more < 100


def _hour(hour: float, more: float) -> float:
    """An hour of a clock of twelve hours, in a part of the day.

    >>> _hour(6, 12), _hour(12, 12), _hour(12, 0), _hour(9, 0)
    (18, 12, 0, 9)
    """
    if more:
        return hour + more if hour < _NOON else hour
    return 0 if hour == _NOON else hour
