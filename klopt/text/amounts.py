"""Normalise amounts, times and dates: "twee weken" and "14 dagen" get the same keys.

So do "half acht" and "7:30", "een kwart" and "25%". Offsets stay those of the original words, and
ambiguous words stay as they are: "per week" has no number, "a second reminder" no unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from klopt.text.values import (
    LAST_DAY,
    TENS,
    AmountMark,
    Draft,
    Kind,
    Sort,
    Values,
    dated,
    written_amount,
)

OFFICE_HOUR: Final = 7
"""Times in words before this hour ("half vijf") are in the afternoon."""
_HOUR_SECONDS: Final = 3600
_NOON: Final = 12
_GAP: Final = re.compile(r"[ \u00a0\-‐‑]?")
_BLANKS: Final = " \u00a0"
_DECIMALS: Final = re.compile(r"(\d{1,2})\.(\d)(\d)")
_SHARE_SIGNS: Final = re.compile(r" ?[%‰]")
_FIRST_PART: Final = 3  # lowest ordinal that may be a part: "two thirds"
_COUNTED: Final = (Sort.NUMBER, Sort.SCALE)
_WHOLES: Final = (Sort.NUMBER, Sort.FIGURES)


def normalise_amounts(values: Values, draft: Draft, marks: Mapping[int, AmountMark]) -> None:
    """Normalise the amounts of a text."""
    reading = _Amounts(values, draft, marks)
    after = 0
    for number, mark in marks.items():
        if mark.sort > Sort.UNIT and number >= after:
            after = reading.read(number) + 1
    if draft.joined or draft.signs:
        draft.apply_edits()


class _Amounts:
    """The amounts of one text; methods return the index of the last word they used."""

    def __init__(self, values: Values, draft: Draft, marks: Mapping[int, AmountMark]) -> None:
        self.values, self.draft, self.marks = values, draft, marks

    def read(self, number: int) -> int:
        """Read the amount that begins with a word."""
        sort = self.marks[number].sort
        is_followed = number + 1 in self.marks
        if sort == Sort.FIGURES:
            self._sign(number)
            self._decimals(number)
            if self._is_negative(number):
                self.draft.keys[number] = f"#-{self.draft.keys[number][1:]}"
                return number
            is_alone = not is_followed and not self._behind(number)[0]
            if is_alone and not self._cents(number, self.marks[number].amount):
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

    def _decimals(self, number: int) -> None:
        """Reads "12.50" beside money, a share or a measure as a decimal, not as a time."""
        draft = self.draft
        decimals = _DECIMALS.fullmatch(draft.written(number))
        if decimals is None:
            return
        text, end = draft.text, draft.ends[number]
        has_sign = bool(draft.signs) and draft.signs[-1][0] in (number, number + 1)
        money = self.values.signs.values()
        beside = [at for at in (number - 1, number) if at >= 0 and self._touches(at)]
        is_money = any(draft.keys[at + (at == number)] in money for at in beside)
        is_measure = number in beside and draft.written(number + 1) in self.values.measures
        is_share = _SHARE_SIGNS.match(text, end) or self._behind(number)[0] == "percent"
        if has_sign or is_money or is_measure or is_share:
            whole = f"{int(decimals[1])}.{decimals[2]}{decimals[3]}".rstrip("0").rstrip(".")
            draft.keys[number] = f"#{whole}"

    def _is_negative(self, number: int) -> bool:
        """Whether a minus sign precedes figures, outside ranges and not before "%"."""
        text, start = self.draft.text, self.draft.starts[number]
        before = text[max(0, start - 3) : start]
        if before[-1:] not in ("-", "−") or before[-2:-1] not in ("", " ", "\n", "(", "\u00a0"):
            return False
        return not before[:-2].isdigit() and not _SHARE_SIGNS.match(text, self.draft.ends[number])

    def _next(self, number: int, *sorts: Sort) -> AmountMark | None:
        """The mark of the word right behind one, if it is of some sort."""
        mark = self.marks.get(number + 1)
        if mark is None or mark.sort not in sorts or not self._touches(number):
            return None
        return mark

    def _touches(self, number: int) -> bool:
        """Whether only a blank or hyphen separates a word from the next one."""
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
        """Whether a content word follows directly."""
        return self._touches(number) and not self.draft.stops[number + 1]

    def _amount(self, number: int) -> int:
        """Read a number, fraction or article, and its unit."""
        mark, draft = self.marks[number], self.draft
        amount, last = self._count(number)
        if amount is None:
            return self._part_of_day(number, number)
        is_part = mark.sort in (Sort.FRACTION, Sort.SHARE)
        is_sure = mark.sort != Sort.SHARE
        part = None if is_part else self._next(last, Sort.FRACTION, Sort.SHARE, Sort.ORDINAL)
        if part is not None and part.amount and mark.sort != Sort.FIGURES:
            is_ordinal = part.sort == Sort.ORDINAL
            is_part_of = is_ordinal and mark.sort == Sort.NUMBER and self._are_parts(last, amount)
            if part.sort == Sort.FRACTION or is_part_of or self._links(last + 1, 1):
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
            draft.count(number, unit_after + 1, written_amount(amount * scale.amount))
            return unit_after + 1
        if unit is not None and self._is_rate(number):
            return number
        if unit is not None and unit.amount is not None:
            return self._time(number, unit_after, amount, unit_after + 1, unit)
        if is_part:
            if is_sure:
                draft.count(number, last, written_amount(round(100 * amount, 2)))
            return last
        month = self._next(last, Sort.MONTH)
        if month is not None and self._date(number, amount, month, last + 1):
            return last + 1
        if mark.sort == Sort.ARTICLE and last == number:
            return number
        if cents := self._cents(last, amount):
            draft.count(number, last, written_amount(amount + cents))
            draft.join(last + 1, last + 2)
            return last + 2
        if not draft.stops[number] or last > number or self._has_noun(number):
            draft.count(number, last, written_amount(amount))
        return self._percent(last) or self._part_of_day(number, last)

    def _cents(self, last: int, amount: float | None) -> float:
        """The part of a whole behind the currency: "zeven euro vijftig"; 0 for none."""
        draft, place = self.draft, last + 2
        if place >= len(draft.keys) or draft.keys[last + 1] not in self.values.signs.values():
            return 0
        if not (self._touches(last) and self._touches(last + 1)) or (amount or 0.5) % 1:
            return 0
        mark = self.marks.get(place)
        if mark is None or mark.sort not in _WHOLES or self._has_noun(place):
            return 0
        is_single = self._next(place, *_COUNTED, Sort.UNIT, Sort.SCALE, Sort.MONTH) is None
        return (mark.amount or 0) / 100 if is_single and 10 <= (mark.amount or 0) < 100 else 0

    def _are_parts(self, number: int, amount: float) -> bool:
        """Whether a number before an ordinal counts parts: "twee derde", not "twee eerste"."""
        part = self._next(number, Sort.ORDINAL)
        if part is None or part.amount is None or part.amount < _FIRST_PART:
            return False
        is_phrase = (self.draft.written(number + 2), part.amount) in self.values.set_phrases
        return 1 < amount < part.amount and not is_phrase

    def _is_rate(self, number: int) -> bool:
        """Whether an article means "per": "once a week", "5 euro a month"."""
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
        """Express a duration in the largest unit that divides it; the unit may be its only word."""
        values, draft = self.values, self.draft
        unit = unit or self.marks[place]
        each = unit.amount or 0
        name, more, words = self._behind(place)
        if name == "parts_of_day" and each == _HOUR_SECONDS and amount <= _NOON:
            draft.count(first, last, written_amount(_hour(amount, more)))
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
        for size, key in values.units_by_size[unit.calendar]:
            counts = [round((bound or 0) * each / size, 6) for bound in (amount, lower)]
            if all(map(float.is_integer, counts)):
                draft.count(first, last, written_amount(counts[0]))
                if before >= 0:
                    draft.count(before, before, written_amount(counts[1]))
                if place != first:
                    draft.keys[place], draft.stops[place] = key, 0
                    if draft.kinds[place] == Kind.NUMBER:
                        draft.kinds[place] = Kind.WORD
                return end
        draft.count(first, last, written_amount(amount))
        return end

    def _before(self, number: int) -> int:
        """The other number of the same unit: "two to four weeks", "2-4 weeks"; -1 for none."""
        draft = self.draft
        link = self.values.linking.get(draft.written(number - 1))
        before = number - 2 if link in (0, 3) else number - 1
        if before < 0 or before in draft.joined or not self._touches(number - 1):
            return -1
        mark = self.marks.get(before)
        if mark is None or mark.sort not in _WHOLES or mark.amount is None:
            return -1
        is_range = link is not None or draft.text[draft.ends[before]] not in _BLANKS
        return before if is_range and self._touches(before) else -1

    def _clock(self, number: int) -> int:
        """Read a time such as "half acht" or "quarter to eight"; -1 if there is none."""
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
        """Read a time in figures with "pm" and the like, or with the word for hours."""
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
            draft.count(number, number, written_amount(mark.amount))
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
        """Join a day and its month; lower-case "may" is not a month."""
        draft = self.draft
        if day is None or month.amount is None or day not in range(1, LAST_DAY + 1):
            return False
        if draft.stops[place] and not self._is_name(place):
            return False
        draft.count(number, number, dated(day, month.amount))
        draft.stops[place] = 0
        return True

    def _behind(self, number: int) -> tuple[str, float, int]:
        """Return the addition behind a word: its table, its number, and its length in words."""
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
        self.draft.stops[first : last + 1] = b"\1" * (last + 1 - first)

    def _sign(self, number: int) -> None:
        """Make a currency sign beside figures a word of its own."""
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
    """Return the hour of a twelve-hour clock in a part of the day; noon is 12, midnight 0."""
    if more:
        return hour + more if hour < _NOON else hour
    return 0 if hour == _NOON else hour
