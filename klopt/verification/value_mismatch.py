"""Values of a claim that the pages contradict: a value of something else, or one on no page.

A claim's quantity is compared with the quantities of the same dimension on the page of its passage
(`klopt.text.quantities`). A quantity of a page is described by the words of its clause, or of its
row and the headings of its column, and by the headings above it. If the claim's words describe a
quantity with another value (a rival) better than any quantity with the claim's own value, the claim
has the wrong value. A number that the question has too, or that is computed from others, is not
compared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from klopt._internal.cached import cached_property
from klopt.lexicons import load_one
from klopt.text.quantities import Quantity, are_alike, are_rivals, quantities_of
from klopt.verification.findings import Finding, Span
from klopt.verification.index import SAME, PageIndex
from klopt.verification.match import Match
from klopt.verification.units import Integers

SENTENCE: Final = 0.7
"""Weight of a word outside the quantity's clause, in its sentence; 1 inside the clause."""
ABOVE: Final = 0.6
"""Weight of a word of the headings above the quantity."""
QUESTION: Final = 0.5
"""Weight of a word that only the question has."""
LIKE: Final = 0.5
"""From this similarity on, a word of the claim counts as found beside a quantity."""
MAX_MENTIONS: Final = 300
"""Quantities of a page that are compared, at most."""
MAX_OWN: Final = 24
"""Quantities of a claim that are compared, at most."""
MAX_WORDS: Final = 60
"""Words of a claim and its question that describe a quantity."""
MAX_FOUND: Final = 3
"""Words of the claim found beside a quantity that are counted, at most."""
BASE: Final = -0.8
ABSENT: Final = 1.4
AHEAD: Final = 3.2
AHEAD_IN_TABLE: Final = 3.8
BOTH_WAYS: Final = 0.8
FOUND: Final = 0.15
OWN_AHEAD: Final = 1.3
"""Log-odds of a mismatch, fitted on pairs of half of the companies.

``BASE`` is the base; ``ABSENT`` is added if no page has the value. The others are weights:

- ``AHEAD``: how much better the claim's words describe the rival than the claim's own value;
  ``AHEAD_IN_TABLE`` is added to it if both are in one row or column of a table;
- ``OWN_AHEAD``: the same, of the words that are not only the question's, if a page has the value;
- ``BOTH_WAYS``: how well the claim and the rival's clause cover each other;
- ``FOUND``: the number of the claim's own words that are found beside the rival."""
CERTAIN_FROM: Final = 0.9
"""From these log-odds on, a value is a mismatch. In pairs of answers that differ by a number, one
was found in a third of the untrue answers and in 0.4% of the true ones; in 0.8% of real faithful
answers."""
RIVAL_FROM: Final = 0.3
"""A value that no page has gets a rival only if the claim's words describe the rival at least this
well, from 0 to 1."""
_BREAK: Final = re.compile(r"[,;:()–|]\s|\s[-–|]\s")
_YEAR_MONTHS: Final = 12.0
MAX_BEFORE: Final = 80
"""Characters before a claim's first quantity searched for words of a sum, such as "in total"."""
_TOLERANCE: Final = 0.005
_TIE: Final = 1e-9
_Cell = tuple[int, int, int]
_NO_CELL: Final = (-1, -1, -1)
_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Mention:
    """A quantity of a page with the words that describe it, as integers of the page.

    Attributes:
        quantity: The quantity.
        unit: The number of its sentence.
        cell: Table, row and column; -1 outside tables.
        words: The words of its clause, or of its cell, the row's key and the column's headings;
            then the others of its sentence; then those above.
        counts: What each counts where the quantity is a rival.
        near: How many of the words are those of its clause or cell.
    """

    quantity: Quantity
    unit: int
    cell: _Cell
    words: Integers
    counts: _Floats
    near: int


@dataclass(frozen=True, slots=True)
class _Described:
    """The words of a claim that describe one of its quantities, as numbers of the turn.

    Attributes:
        words: The words.
        weights: What each counts; they add up to 1.
        is_own: Whether each word is in the claim, not only in the question.
    """

    words: Integers
    weights: _Floats
    is_own: NDArray[np.bool_]


class ValueMismatches:
    """The quantities of one answer that its pages contradict."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._answer = match.answer_reading

    @cached_property
    def _asked(self) -> list[Quantity]:
        return quantities_of(self._match.question_reading)

    def of(self, unit: int, page: int) -> Iterator[Finding]:
        """The mismatches of a claim.

        Args:
            unit: The number of its sentence.
            page: The page of its passage; rivals are on this page.

        Yields:
            Findings of the kind ``amount``, or ``row`` or ``column`` if the value is that of
            another row or column of the same table. Their spans include the units; a value that no
            page has, and that has no rival, has no span on the page.
        """
        match, answer = self._match, self._answer
        span = match.answer.starts[unit], match.answer.ends[unit]
        own = quantities_of(answer, *span)[:MAX_OWN]
        if not own or _hedges(answer.language)["examples"].search(answer.plain.text, *span):
            return
        for one in own:
            if one.dimension in ("number", "ordinal") or self._is_left_alone(one):
                continue
            described = self._described(one, own, span)
            if described is None:
                continue
            found = self._mismatch(one, own, described, page)
            if found is not None:
                kind, rival = found
                at = None if rival is None else (rival.quantity.start, rival.quantity.end)
                yield Finding(kind, "against", (one.start, one.end), at)

    def _is_left_alone(self, one: Quantity) -> bool:
        """Return whether the question has the value too, or the claim only approximates it."""
        if any(are_alike(one, other) for other in self._asked):
            return True
        before = _hedges(self._answer.language)["before"]
        return bool(before.search(self._answer.plain.text, max(0, one.start - 16), one.start))

    def _described(self, one: Quantity, own: Sequence[Quantity], span: Span) -> _Described | None:
        """Return the words that describe a quantity of a claim."""
        match, tokens = self._match, self._answer.tokens
        inside = {at for other in own for at in range(other.first, other.last + 1)}
        first, last = _clause(self._answer.plain.text, *span, one)
        counts = dict.fromkeys(match.question_words.tolist(), QUESTION)
        for at in tokens.content(*span):
            number = match.words.get(tokens.keys[at])
            if number is not None and at not in inside:
                counts[number] = 1.0 if first <= tokens.starts[at] < last else SENTENCE
        if not counts:
            return None
        numbers = np.array(list(counts), np.int64)[-MAX_WORDS:]
        factors = np.array(list(counts.values()))[-MAX_WORDS:]
        weights = match.weights[numbers] * factors
        return _Described(numbers, weights / weights.sum(), factors > QUESTION)

    def _mismatch(
        self, one: Quantity, own: Sequence[Quantity], described: _Described, page: int
    ) -> tuple[str, _Mention | None] | None:
        """Return the certain contradiction of a quantity and its kind, or None.

        The rival is None if no page has the value and the claim's words hardly describe any other.
        """
        match = self._match
        rival, most, same, equal = None, None, None, None
        for number, context in enumerate(match.contexts):
            mentions = _mentions_of(context.index)
            alike, rivals = mentions.beside(one, own if number == page else ())
            if not len(alike) and (number != page or not len(rivals)):
                continue
            likes = match.word_likes[number][described.words] / SAME
            if len(alike):
                gains = mentions.gains(alike, likes, sentence=1.0)
                best = int((described.weights @ gains).argmax())
                if equal is None or described.weights @ (gains[:, best] - equal) > 0:
                    same, equal = mentions.every[alike[best]], gains[:, best]
            if number == page and len(rivals):
                gains = mentions.gains(rivals, likes, sentence=SENTENCE)
                likely = described.weights @ gains
                ties = np.flatnonzero(likely >= likely.max() - _TIE)
                apart = [_apart(one, mentions.every[int(rivals[at])]) for at in ties]
                best = int(ties[int(np.argmin(apart))])
                rival, most = mentions.every[rivals[best]], gains[:, best]
        if rival is None or most is None:
            return None
        ahead = (most if equal is None else most - equal) * described.weights
        cell = same.cell if same is not None else _NO_CELL
        likes = match.word_likes[page][described.words] / SAME
        odds = (
            BASE
            + ABSENT * (same is None)
            + (AHEAD + AHEAD_IN_TABLE * _share_line(cell, rival.cell)) * float(ahead.sum())
            + BOTH_WAYS * _both_ways(rival, likes, described, match.contexts[page].index)
            + FOUND * min(MAX_FOUND, int((most[described.is_own] >= LIKE).sum()))
            + OWN_AHEAD * (same is not None) * float(ahead[described.is_own].sum())
        )
        kind = _kind(rival.cell, cell)
        if odds < CERTAIN_FROM or self._is_computed(one, own, page):
            return None
        # Its sentence has a word of the claim that the rival's sentence lacks.
        if kind == "amount" and equal is not None and ((equal >= SENTENCE) & (most <= ABOVE)).any():
            return None
        is_apart = same is None and float(ahead.sum()) < RIVAL_FROM and kind == "amount"
        return kind, None if is_apart else rival

    def _is_computed(self, one: Quantity, own: Sequence[Quantity], page: int) -> bool:
        """Whether a value is the sum, difference, product or share of two others.

        The first is on the page, or in the claim or the question, and has the same dimension. The
        second is in the claim or the question; on the page only if it is a share, or if the claim
        says that it adds up values. A year's 12 months count for money.
        """
        if isinstance(one.value, str):
            return False
        given = [other for other in (*own, *self._asked) if other is not one]
        mentions = _mentions_of(self._match.contexts[page].index)
        there = [mention.quantity for mention in mentions.every]
        firsts = _values(there, one.dimension) | _values(given, one.dimension)
        shares = _values((*there, *given), "share")
        factors = {other.written for other in given if other.written} | shares
        factors |= {1 - share for share in shares} | {1 + share for share in shares}
        if one.dimension == "money":
            factors.add(_YEAR_MONTHS)
        text, hedges = self._answer.plain.text, _hedges(self._answer.language)
        is_sum = hedges["sums"].search(text, own[0].start - MAX_BEFORE, one.start)
        terms = firsts if is_sum else _values(given, one.dimension)
        wanted = abs(one.value)
        return any(
            abs(result - wanted) <= _TOLERANCE * wanted
            for first in firsts
            for result in chain(
                (first * factor for factor in factors),
                (first / factor for factor in factors if factor),
                (first + term for term in terms),
                (abs(first - term) for term in terms),
            )
        )


def _values(quantities: Iterable[Quantity], dimension: str) -> set[float]:
    """The values of quantities of one dimension."""
    return {
        float(other.value)
        for other in quantities
        if other.dimension == dimension and not isinstance(other.value, str)
    }


@lru_cache(8)
def _hedges(language: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of a language for numbers that claim nothing."""
    tables = load_one(language, "numbers").values
    before, examples, sums = (
        "|".join(re.escape(word).replace("'", "['’]") for word in tables[name])
        for name in ("hedges", "examples", "sums")
    )
    return {
        "before": re.compile(rf"(?:(?<!\w)(?:{before})[ ]|[~≈±][ ]?)\Z", re.IGNORECASE),
        "examples": re.compile(rf"(?<!\w)(?:{examples})(?!\w)", re.IGNORECASE),
        "sums": re.compile(rf"(?<!\w)(?:{sums})(?!\w)|[=×+]", re.IGNORECASE),
    }


class _Mentions:
    """The quantities of one page.

    Attributes:
        every: All of them, in order.
    """

    def __init__(self, every: Sequence[_Mention]) -> None:
        self.every = every
        self._by_key: dict[tuple[object, ...], list[int]] = {}
        for number, mention in enumerate(every):
            one = mention.quantity
            key = one.value, one.dimension, one.unit, one.other, one.written
            self._by_key.setdefault(key, []).append(number)

    def beside(self, one: Quantity, own: Sequence[Quantity]) -> tuple[Integers, Integers]:
        """The mentions that may equal a quantity, and its rivals with another value, by number.

        A value that the claim has too, among its quantities ``own``, is no rival. If ``own`` is
        empty, there are no rivals.
        """
        alike, rivals = list[int](), list[int]()
        for numbers in self._by_key.values():
            other = self.every[numbers[0]].quantity
            if are_alike(one, other):
                alike += numbers
            elif own and are_rivals(one, other) and not any(are_alike(mine, other) for mine in own):
                rivals += numbers
        return np.array(sorted(alike), np.int64), np.array(sorted(rivals), np.int64)

    def gains(self, chosen: Integers, likes: _Floats, *, sentence: float) -> _Floats:
        """How well mentions have each word, shape ``(n_words, n_chosen)``.

        Args:
            chosen: The mentions, by number.
            likes: How like each word is to those of the page, shape ``(n_words, n_page_words)``.
            sentence: Weight of the words of a sentence outside the quantity's clause.
        """
        gains = np.zeros((len(likes), len(chosen)))
        some = [self.every[number] for number in chosen.tolist()]
        filled = [number for number, mention in enumerate(some) if len(mention.words)]
        if filled:
            words = np.concatenate([some[number].words for number in filled])
            counts = np.concatenate([some[number].counts for number in filled])
            sizes = [len(some[number].words) for number in filled]
            starts = np.cumsum([0, *sizes[:-1]])
            counts = np.where(counts == SENTENCE, sentence, counts)
            gains[:, filled] = np.maximum.reduceat(likes[:, words] * counts, starts, axis=1)
        return gains


_MENTIONS: Final = WeakKeyDictionary[PageIndex, _Mentions]()


def _mentions_of(index: PageIndex) -> _Mentions:
    """Return the quantities of a page from a cache."""
    known = _MENTIONS.get(index)
    if known is None:
        known = _MENTIONS[index] = _Mentions(list(_mentions(index)))
    return known


def _mentions(index: PageIndex) -> Iterator[_Mention]:
    reading, units, layout = index.reading, index.units, index.layout
    for one in quantities_of(reading)[:MAX_MENTIONS]:
        unit = int(np.searchsorted(units.starts, one.start, side="right")) - 1
        if unit < 0 or one.start >= units.ends[unit]:
            continue
        cell, near, far = _NO_CELL, list[int](), list[int]()
        above = [other for other in layout.above[unit] if other not in layout.heading_rows]
        if unit in layout.rows:
            number, table = layout.rows[unit]
            cells = table.rows[unit]
            inside = (at for at, own in enumerate(cells) if own.start <= one.start < own.end)
            column = next(inside, None)
            if column is None:
                continue
            cell = number, unit, column
            for own in (*table.named_by(unit), *table.headings[column], cells[column]):
                near += _ids(index, (own.start, own.end), one)
        else:
            span = units.starts[unit], units.ends[unit]
            near = _ids(index, _clause(reading.plain.text, *span, one), one)
            far = _ids(index, span, one)
        heads = chain.from_iterable(units.of(other).tolist() for other in above)
        counts = dict.fromkeys(heads, ABOVE)
        counts.update(dict.fromkeys(far, SENTENCE))
        words = dict.fromkeys((*near, *far, *counts))
        counts.update(dict.fromkeys(near, 1.0))
        yield _Mention(
            *(one, unit, cell, np.array(list(words), np.int64)),
            *(np.array([counts[word] for word in words]), len(set(near))),
        )


def _ids(index: PageIndex, span: Span, one: Quantity) -> list[int]:
    """The words with content of a stretch of a page beside a quantity, as integers."""
    tokens, ids = index.reading.tokens, index.units.ids
    return [
        ids[tokens.keys[at]]
        for at in tokens.content(*span)
        if not one.first <= at <= one.last or (one.dimension == "label" and at == one.first)
        if tokens.keys[at] in ids
    ]


def _apart(one: Quantity, mention: _Mention) -> float:
    """Return the ratio of the larger of two quantities to the smaller one."""
    values = one.value, mention.quantity.value
    if isinstance(values[0], str) or isinstance(values[1], str):
        return 0.0
    low, high = sorted(map(abs, values))  # type: ignore[arg-type]
    return high / low if low else math.inf


def _clause(text: str, start: int, end: int, one: Quantity) -> Span:
    """The stretch of a sentence around a quantity up to the nearest commas and the like."""
    first, last = start, end
    for match in _BREAK.finditer(text, start, end):
        if match.end() <= one.start:
            first = match.end()
        elif match.start() >= one.end:
            last = match.start()
            break
    return first, last


def _both_ways(rival: _Mention, likes: _Floats, described: _Described, index: PageIndex) -> float:
    """Share of the claim's words in the rival's clause × share of the clause's words in it."""
    near = rival.words[: rival.near]
    if not len(near):
        return 0.0
    there = likes[:, near]
    weights = index.weights[near]
    back = float(there.max(axis=0) @ weights) / float(weights.sum())
    return back * float(there.max(axis=1) @ described.weights)


def _share_line(one: _Cell, two: _Cell) -> bool:
    """Return whether two cells share a row or column of a table."""
    return one[0] >= 0 and one[0] == two[0] and (one[1] == two[1] or one[2] == two[2])


def _kind(rival: _Cell, same: _Cell) -> str:
    """Return the kind of a mismatch: of another row, of another column, or another amount."""
    if rival == same or not _share_line(rival, same):
        return "amount"
    return "column" if rival[1] == same[1] else "row"
