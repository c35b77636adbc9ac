"""Bind each value of a claim to its alternative: a part of a sentence, or a row and a column.

"24 hours for Light, 48 hours for Standard" has two alternatives, each with its own words and
values. A part of a claim with words of only one of them is about that one: a value that it has is
confirmed, and a value that only another alternative has contradicts the page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

import numpy as np

from klopt.lexicons import Lexicons, load_one
from klopt.text.quantities import Quantity, are_alike, quantities_of
from klopt.text.reader import Reading
from klopt.verification.comparator import Passage
from klopt.verification.findings import Finding, Span
from klopt.verification.index import SYNONYM, PageIndex
from klopt.verification.match import Match
from klopt.verification.units import PageTable

MAX_VALUES: Final = 24
"""Values of a claim, of a sentence of a page and of a cell that are compared, at most."""
MAX_MENTIONS: Final = 300
"""Values of a page that are searched, at most."""
_TELLING: Final = ("ordinal", "weekdays")
"""Dimensions of quantities that tell alternatives apart and are no values of them."""
_WEEKEND: Final = re.compile(r"\bweekend", re.IGNORECASE)
"""The word is Dutch and English."""
_TIMES: Final = frozenset({"count", "months", "time"})
"""Dimensions in which rows of a table may give one thing: "3 working days", "24 hours"."""
MAX_OWN: Final = 3
"""Content words of a part of a page's sentence after the first, at most."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sentence: its plain start and end, and its values."""

    span: Span
    values: Sequence[Quantity]


@dataclass(frozen=True, slots=True)
class _Alternative:
    """A part of a page's sentence, or a cell.

    Attributes:
        words: The words that no other alternative has, as integers of the page.
        values: Its values.
        others: The values of the other alternatives, each with the kind of their findings and its
            number in its alternative.
        units: The sentences of all alternatives.
        key: The words that name the row of a cell.
    """

    words: frozenset[int]
    values: Sequence[Quantity]
    others: Sequence[tuple[str, int, Quantity]]
    units: Collection[int]
    key: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Bound:
    """The values of a claim that belong to one alternative.

    Attributes:
        spans: Their plain starts and ends in the answer.
        findings: Contradictions by those that only another alternative has.
    """

    spans: Sequence[Span]
    findings: Sequence[Finding]

    def apart(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings of others about values that belong to no alternative."""
        for one in findings:
            first, last = one.claim or (0, 0)
            if not any(start < last and first < end for start, end in self.spans):
                yield one


class Alternatives:
    """The alternatives to which the values of one answer's claims belong."""

    def __init__(self, match: Match, lexicons: Lexicons) -> None:
        self._match, self._answer = match, match.answer_reading
        self._denials = lexicons["negations"].phrases["negations"]

    def of(self, unit: int, place: Passage) -> Bound:
        """Return the values of a claim that belong to one alternative of its page.

        An alternative is a part of a sentence of its passage, or a cell of a table whose row and
        column the claim names, first of the table of its passage.

        Args:
            unit: The number of the claim's sentence.
            place: Its passage.
        """
        span, own = self._values(unit)
        if not own:
            return Bound((), ())
        layout, page = self._match.contexts[place.page].index.layout, place.page
        if place.first in layout.rows:
            found = [self._in_table(own, span, place, layout.rows[place.first][1])]
        else:
            units = range(place.first, place.last + 1)
            found = [self._in_sentence(own, span, page, one) for one in units]
        found += [self._in_table(own, span, place, table) for table in layout.tables]
        bound = dict[Span, Finding | None]()
        for one, finding in chain.from_iterable(found):
            bound.setdefault((one.start, one.end), finding)
        return Bound(tuple(bound), tuple(filter(None, bound.values())))

    def rows(self, unit: int, place: Passage) -> list[int]:
        """Return all rows that parts of a claim name, if its passage is one of several."""
        index = self._match.contexts[place.page].index
        if place.first not in index.layout.rows:
            return []
        keys = _keys(index, index.layout.rows[place.first][1])
        span, own = self._values(unit)
        parts = _parts(self._answer.plain.text, span, own, self._answer.language)
        named = {self._named(keys, part.span, place.page) for part in parts}
        return sorted(row for row in named if row is not None) if place.first in named else []

    def _values(self, unit: int) -> tuple[Span, list[Quantity]]:
        """Return the span of a claim, and its values."""
        span = self._match.answer.starts[unit], self._match.answer.ends[unit]
        own = quantities_of(self._answer, *span)[:MAX_VALUES]
        return span, [one for one in own if one.dimension not in _TELLING]

    def _in_sentence(
        self, own: Sequence[Quantity], span: Span, page: int, unit: int
    ) -> Iterator[tuple[Quantity, Finding | None]]:
        """Yield the values of a claim that belong to a part of a sentence."""
        index = self._match.contexts[page].index
        stretch = index.units.starts[unit], index.units.ends[unit]
        there = quantities_of(index.reading, *stretch)[:MAX_VALUES]
        for kind in dict.fromkeys((one.dimension, one.unit) for one in own):
            mine, theirs = (
                [q for q in some if (q.dimension, q.unit) == kind] for some in (own, there)
            )
            of_page = _parts(index.reading.plain.text, stretch, theirs, self._answer.language)
            if len(of_page) < 2:
                continue
            words = _words_apart(index, of_page, stretch)
            parts = _parts(self._answer.plain.text, span, mine, self._answer.language)
            days = [_days(index.reading, one.span) for one in of_page]
            if sum(map(bool, days)) > 1:
                chosen = [self._on_days(part, days) for part in parts]
            else:
                chosen = self._chosen(parts, page, words)
            for part, (at, is_stated) in zip(parts, chosen, strict=True):
                if at is not None and at < len(of_page):
                    beside = (one for one in of_page if is_stated and one is not of_page[at])
                    others = [
                        ("amount", *value) for one in beside for value in enumerate(one.values)
                    ]
                    own_words = words[at] if words else frozenset[int]()
                    right = _Alternative(own_words, of_page[at].values, others, (unit,))
                    yield from self._compared(part, right, page)

    def _in_table(
        self, own: Sequence[Quantity], span: Span, place: Passage, table: PageTable
    ) -> Iterator[tuple[Quantity, Finding | None]]:
        """Yield the values of a claim that belong to a cell, whose row and column it names."""
        index, page = self._match.contexts[place.page].index, place.page
        keys = _keys(index, table)
        parts = _parts(self._answer.plain.text, span, own, self._answer.language)
        whole, column, last = self._named(keys, span, page), None, None
        rows = [
            self._named(keys, part.span, page) or self._hinted(keys, part.span, place)
            for part in parts
        ]
        if whole is None and not any(one is not None for one in rows):
            return
        carried = None if any(one is not None for one in rows) else whole
        headings = _only(
            [
                {word for one in own for word in _ids(index, one) if number not in table.key}
                for number, own in enumerate(table.headings)
            ]
        )
        for part, own_row, (chosen, is_stated) in zip(
            parts, rows, self._chosen(parts, page, headings), strict=True
        ):
            row = own_row if own_row is not None else carried
            carried = row
            # "Current has 5 free withdrawals and Youth has 3"
            is_next = chosen is None and own_row is not None and own_row != last
            column = column if is_next else chosen
            last = own_row
            if row is None:
                continue
            cell = column
            if cell is None and own_row is not None:
                cell, is_stated = self._only_column(index, table, row, part), True
            if cell is None or cell >= len(table.rows[row]):
                continue
            others = [
                ("column" if line == row else "row", *value)
                for line, cells in table.rows.items()
                for number, place_of in enumerate(cells)
                if is_stated and (line == row) != (number == cell)
                for value in enumerate(quantities_of(index.reading, *place_of)[:MAX_VALUES])
            ]
            values = quantities_of(index.reading, *table.rows[row][cell])[:MAX_VALUES]
            key = frozenset(self._ids(page)[word] for word in keys.get(row, ()))
            right = _Alternative(headings[cell], values, others, table.rows.keys(), key)
            yield from self._compared(part, right, page)

    @staticmethod
    def _only_column(index: PageIndex, table: PageTable, row: int, part: _Part) -> int | None:
        """Return the one column of which a row has values of the kind of a part's."""
        cells = [
            (number, quantities_of(index.reading, *cell)[:MAX_VALUES])
            for number, cell in enumerate(table.rows[row])
            if number not in table.key
        ]
        for own in part.values:
            found = [number for number, some in cells if any(_is_like(own, one) for one in some)]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def _named(self, keys: Mapping[int, frozenset[str]], span: Span, page: int) -> int | None:
        """Return the one row that a stretch of the answer names, with the longest key."""
        known, ids = self._known(self._words(span), page), self._ids(page)
        named = {row: key for row, key in keys.items() if all(ids.get(one) in known for one in key)}
        longest = [row for row, key in named.items() if not any(map(key.__lt__, named.values()))]
        return longest[0] if len(longest) == 1 else None

    def _hinted(self, keys: Mapping[int, frozenset[str]], span: Span, place: Passage) -> int | None:
        """Return the row of the passage if a stretch has a word that only its key has."""
        others = (key for row, key in keys.items() if row != place.first)
        alone = keys.get(place.first, frozenset()).difference(*others)
        known, ids = self._known(self._words(span), place.page), self._ids(place.page)
        return place.first if any(ids.get(one) in known for one in alone) else None

    def _ids(self, page: int) -> Mapping[str, int]:
        return self._match.contexts[page].index.units.ids

    def _on_days(self, part: _Part, days: Sequence[Collection[str]]) -> tuple[int | None, bool]:
        """Return the one alternative for the days of a part, and whether it states them.

        Without any, the days of the question confirm values but contradict none.
        """
        own = _days(self._answer, part.span)
        question = self._match.question_reading
        named = own or _days(question, (0, len(question.plain.text)))
        found = [at for at, some in enumerate(days) if named and named <= set(some)]
        return (found[0] if len(found) == 1 else None), bool(own)

    def _chosen(
        self, parts: Sequence[_Part], page: int, alternatives: Sequence[frozenset[int]]
    ) -> list[tuple[int | None, bool]]:
        """Return the one alternative of which each part has words, and whether it states them.

        If no part has any, the question's words confirm values but contradict none.
        """
        chosen = [self._about(self._words(part.span), page, alternatives) for part in parts]
        is_stated = any(chosen)
        if not is_stated:
            chosen = [self._about(self._match.question.words, page, alternatives)] * len(parts)
        return [(some[0] if len(some) == 1 else None, is_stated) for some in chosen]

    def _about(
        self, words: Iterable[str], page: int, alternatives: Sequence[frozenset[int]]
    ) -> list[int]:
        known = self._known(words, page)
        return [at for at, own in enumerate(alternatives) if not known.isdisjoint(own)]

    def _known(self, words: Iterable[str], page: int) -> set[int]:
        """Return the words of a page that are among some words of the turn, or synonyms."""
        numbers = [self._match.words[word] for word in words if word in self._match.words]
        likes = self._match.word_likes[page][numbers].max(axis=0, initial=0)
        return set(np.flatnonzero(likes >= SYNONYM).tolist())

    def _words(self, span: Span) -> list[str]:
        tokens = self._answer.tokens
        return [tokens.keys[at] for at in tokens.content(*span)]

    def _compared(
        self, part: _Part, right: _Alternative, page: int
    ) -> Iterator[tuple[Quantity, Finding | None]]:
        """Yield the values of a part that its alternative has, or that only others have."""
        if not right.values or self._denials.search(self._answer.plain.text, *part.span):
            return
        mine = list[tuple[Quantity, str, int]]()
        for one in part.values:
            alike = (k for k in right.others if _is_like(one, k[2]) and are_alike(one, k[2]))
            kind, number, _ = next(alike, ("", 0, one))
            is_time = kind == "row" and {one.dimension, right.values[0].dimension} <= _TIMES
            if is_time or _is_like(one, right.values[0]):
                mine.append((one, kind, number))
        for at, (one, kind, number) in enumerate(mine):
            if any(are_alike(one, other) for other in right.values):
                yield one, None
            elif kind and len(mine) <= len(right.values):
                number = at if len(mine) > 1 else min(number, len(right.values) - 1)
                there = right.values[number]
                if not self._is_elsewhere(one, right, page):
                    spans = (one.start, one.end), (there.start, there.end)
                    yield one, Finding(kind, "against", *spans)

    def _is_elsewhere(self, one: Quantity, right: _Alternative, page: int) -> bool:
        """Return whether another sentence with words of the alternative has the value."""
        index = self._match.contexts[page].index
        for other in quantities_of(index.reading)[:MAX_MENTIONS]:
            unit = int(np.searchsorted(index.units.starts, other.start, side="right")) - 1
            is_apart = unit >= 0 and unit not in right.units and are_alike(one, other)
            words = set(index.units.of(unit).tolist()) if is_apart else frozenset[int]()
            if not right.words.isdisjoint(words) and right.key <= words:
                return True
        return False


def _is_like(one: Quantity, other: Quantity) -> bool:
    """Return whether a value of a claim may be of the kind of one of the page.

    A heading may say what a cell counts.
    """
    if one.dimension == "number" or (one.dimension, other.dimension) == ("count", "number"):
        return True
    return (one.dimension, one.unit) == (other.dimension, other.unit)


def _days(reading: Reading, span: Span) -> set[str]:
    """Return the days of the week that a stretch names, from 0 for Monday."""
    named = (one for one in quantities_of(reading, *span) if one.dimension == "weekdays")
    weekend = "56" if _WEEKEND.search(reading.plain.text, *span) else ""
    return set(weekend).union(*(str(one.value) for one in named))


def _keys(index: PageIndex, table: PageTable) -> Mapping[int, frozenset[str]]:
    """Return the words that name each row of a table."""
    return next((keys for keys in index.layout.keys if keys.keys() == table.rows.keys()), {})


def _ids(index: PageIndex, span: Span) -> list[int]:
    """Return the content words of a stretch of a page, as integers."""
    tokens, ids = index.reading.tokens, index.units.ids
    return [ids[tokens.keys[at]] for at in tokens.content(*span) if tokens.keys[at] in ids]


def _words_apart(index: PageIndex, parts: Sequence[_Part], span: Span) -> list[frozenset[int]]:
    """Return the words that only one part of a sentence has, for each, and then those of none.

    The first part begins with what all have in common. Its own words are as many of those nearest
    to the second part, before and after its values, as the second part has there. Names and days
    tell parts apart; where these have none, other words tell times of day apart. Nothing does where
    a part has many words.
    """
    tokens, ids, text = index.reading.tokens, index.units.ids, index.reading.plain.text
    quantities = quantities_of(index.reading, *span)
    days = [one for one in quantities if one.dimension == "weekdays"]
    telling = {at for one in days for at in range(one.first, one.last + 1)}

    def words(start: int, end: int) -> list[int]:
        return [at for at in tokens.content(start, end) if tokens.keys[at] in ids]

    sides = [
        [words(part.span[0], part.values[0].start), words(part.values[-1].end, part.span[1])]
        for part in parts
    ]
    if any(sum(map(len, side)) > MAX_OWN for side in sides[1:]):
        return []
    telling.update(at for at in words(*span) if text[tokens.starts[at]].isupper())
    is_clock = parts[0].values[0].dimension == "clock"
    if is_clock and telling.isdisjoint(chain(*chain(*sides[1:]))):
        telling.update(words(*span))
    sides = [[[at for at in side if at in telling] for side in both] for both in sides]
    sides[0] = [
        first[max(0, len(first) - len(second)) :] for first, second in zip(*sides[:2], strict=True)
    ]
    ends = [*(part.span[0] for part in parts[1:]), span[1]]
    sides.append([words(part.span[1], end) for part, end in zip(parts, ends, strict=True)])
    return _only([{ids[tokens.keys[at]] for at in chain(*both)} for both in sides])


def _only(groups: Sequence[set[int]]) -> list[frozenset[int]]:
    """Return the words of each group that no other one has."""
    return [
        frozenset(own.difference(*(other for other in groups if other is not own)))
        for own in groups
    ]


def _parts(text: str, span: Span, values: Sequence[Quantity], language: str) -> list[_Part]:
    """Split a sentence between values, at "and", "or" and commas.

    Values of one kind with nothing else between them stay together. What lies between the first
    and the last of several such places belongs to no part.
    """
    if not values:
        return []
    parts, start, own = list[_Part](), span[0], [values[0]]
    for one, other in pairwise(values):
        marks = list(_marks(language).finditer(text, one.end, other.start))
        if marks:
            first, last = marks[0].start(), marks[-1].end()
            is_list = (one.dimension, one.unit) == (other.dimension, other.unit)
            if not is_list or (text[one.end : first] + text[last : other.start]).strip():
                parts.append(_Part((start, first), own))
                start, own = last, []
        own.append(other)
    return [*parts, _Part((start, span[1]), own)]


@lru_cache(8)
def _marks(language: str) -> re.Pattern[str]:
    """Return the pattern of what may stand between alternatives."""
    words = load_one(language, "numbers").values["range_words"]
    joining = "|".join(re.escape(word) for word, kind in words.items() if kind == 1)
    return re.compile(rf"[,;:](?=\s)|(?<!\w)(?:{joining})(?!\w)", re.IGNORECASE)
