"""A turn on its pages: which sentence of which page says what the answer says, how completely.

A sentence of the answer is *covered* by sentences of a page in so far as its words, each with
its weight, stand there or are like words that do. Rare words weigh more than those that every
sentence has; numbers, keys and code weigh more than words. Words that stand elsewhere on the page
count for a part: an answer says "the panel" where the page has named it three sentences earlier.

A sentence of the answer *resembles* one of a page in so far as each covers the other.

The pages are put behind one another, and all sentences of the answer are held against all of
theirs at once. Likeness and weights are whole numbers, so that no order of adding shows.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.lexicons import Lexicons
from klopt.matching.index import LITERAL_WEIGHT, Context, rarity
from klopt.matching.relations import SAME, Relations
from klopt.matching.units import Integers, Units, distinct, units_of
from klopt.reading.reader import Reading
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = ["Match"]

Floats = NDArray[np.float64]

ELSEWHERE: Final = 400
"""What a word counts that stands on the page but not in the sentence, in thousandths."""
ALONE, PAIR = 100, 97
"""What the coverage by one sentence counts, and that by two that follow one another."""
BLOCK_CELLS: Final = 4_000_000
"""So many cells are looked at in one go, which bounds memory on long pages."""

TITLE, HEADINGS, TEXT = 1.5, 0.7, 1.0
"""What the parts of a page count when it is asked what the page is about."""
OPENING: Final = 0.7
"""What the answer's own opening counts there, against the question."""
TEMPERATURE: Final = 0.3


class Match:
    """One turn on its pages; what is costly is done when it is asked for.

    Args:
        question: The question.
        answer: The answer.
        contexts: The pages, in the given order.
        relations: Of the language.
        lexicons: Of the language.

    Attributes:
        answer: The answer's sentences.
        question: The question's.
        contexts: The pages.
        statements: The numbers of the answer's sentences, without greetings and the like.
        unit_page: For each sentence of the pages, put behind one another, its page.
        unit_number: And its number on that page.
    """

    def __init__(
        self,
        question: Reading,
        answer: Reading,
        contexts: Sequence[Context],
        relations: Relations,
        lexicons: Lexicons,
    ) -> None:
        self.answer = units_of(answer, lexicons)
        self.question = units_of(question, lexicons)
        self.contexts = contexts
        self._reading = answer
        self._relations = relations
        fillers = {(one.start, one.end) for one in answer.fillers}
        spans = zip(self.answer.starts, self.answer.ends, strict=True)
        self.statements = [number for number, span in enumerate(spans) if span not in fillers]
        self._pages: list[Units] = [one.index.units for one in contexts]
        counts = [len(units) for units in self._pages]
        self.unit_page = np.repeat(np.arange(len(counts)), counts)
        self.unit_number = np.concatenate([np.arange(count) for count in (0, *counts)])
        self._word_starts = np.cumsum([0, *(len(units.words) for units in self._pages)])
        self._unit_starts = np.cumsum([0, *counts])
        token_starts = np.cumsum([0, *(len(units.tokens) for units in self._pages)])
        self._tokens = _behind(units.tokens for units in self._pages) + np.repeat(
            self._word_starts[:-1], np.diff(token_starts)
        )
        self._offsets = _behind(units.offsets for units in self._pages) + np.repeat(
            token_starts[:-1], counts
        )

    @cached_property
    def words(self) -> dict[str, int]:
        """The distinct words of answer and question, with their numbers."""
        words = dict.fromkeys((*self.answer.words, *self.question.words))
        return {word: number for number, word in enumerate(words)}

    @cached_property
    def asked(self) -> Integers:
        """The numbers of the question's words."""
        return np.array([self.words[word] for word in self.question.words], np.int64)

    @cached_property
    def _likes(self) -> Integers:
        """Shape ``(n_words, n_page_words)``: how like, in thousandths."""
        likes = np.zeros((len(self.words), int(self._word_starts[-1])), np.int64)
        rows: list[int] = []
        columns: list[int] = []
        values: list[int] = []
        for start, context in zip(self._word_starts.tolist(), self.contexts, strict=False):
            for word, row in self.words.items():
                for number, likeness in context.index.like(word, self._relations).items():
                    rows.append(row)
                    columns.append(start + number)
                    values.append(likeness)
        likes[rows, columns] = values
        return likes

    @cached_property
    def weights(self) -> Integers:
        """What each word of the turn counts, in thousandths: rarer in the pages is more."""
        total = max(1, len(self.unit_page))
        counts = np.zeros(len(self.words), np.int64)
        for page, context in enumerate(self.contexts):
            if context.index.units.words:
                counts += (self._on(page) * context.index.counts).max(axis=1)
        return np.array(
            [
                rarity(count / SAME, total) * (LITERAL_WEIGHT if word[0] in LITERAL_SIGNS else 1)
                for word, count in zip(self.words, counts.tolist(), strict=True)
            ],
            np.int64,
        )

    def _on(self, page: int) -> Integers:
        return self._likes[:, self._word_starts[page] : self._word_starts[page + 1]]

    @cached_property
    def likes(self) -> Integers:
        """Shape ``(n_words, n_units)``: the likest word of each sentence of the pages."""
        return _highest(self._likes, self._tokens, self._offsets)

    @cached_property
    def _segments(self) -> tuple[Integers, Integers]:
        """The words of each sentence of the answer, then of the question; where each begins."""
        tokens, offsets = self.answer.tokens, self.answer.offsets
        if len(self.asked):
            offsets = np.append(offsets, len(tokens))
            tokens = np.concatenate([tokens, self.asked])
        return tokens, offsets

    @cached_property
    def totals(self) -> Integers:
        """What the words of each sentence of the answer, and of the question, count together."""
        tokens, offsets = self._segments
        return np.add.reduceat(self.weights[tokens], offsets)

    @cached_property
    def _best(self) -> tuple[Integers, Integers]:
        """Shape ``(n_sentences, n_pages)``, the question last: weight covered, and where.

        The place is twice the number of the first sentence, and one more when the next one is
        needed too; -1 where no word of the sentence stands on the page.
        """
        tokens, offsets = self._segments
        on_page = np.stack(
            [_row_maximum(self._on(page)) for page in range(len(self.contexts))], axis=1
        )
        elsewhere = on_page * ELSEWHERE // SAME
        weights = self.weights[:, None]
        gains = np.maximum(self.likes - elsewhere[:, self.unit_page], 0) * weights
        base = np.add.reduceat((elsewhere * weights)[tokens], offsets, axis=0)
        alone = np.add.reduceat(gains[tokens], offsets, axis=0)
        pairs = np.zeros_like(alone)
        if alone.shape[1] > 1:
            together = np.maximum(gains[:, :-1], gains[:, 1:])
            together[:, self.unit_page[:-1] != self.unit_page[1:]] = 0
            pairs[:, :-1] = np.add.reduceat(together[tokens], offsets, axis=0)
        whole = base[:, self.unit_page]
        found = np.stack([ALONE * (whole + alone), PAIR * (whole + pairs)], axis=2)
        covered = np.empty(base.shape, np.int64)
        places = np.full(base.shape, -1, np.int64)
        for page in range(len(self.contexts)):
            first, last = self._unit_starts[page], self._unit_starts[page + 1]
            if first == last:
                covered[:, page] = 0
                continue
            own = found[:, first:last].reshape(len(offsets), -1)
            places[:, page] = own.argmax(axis=1)
            covered[:, page] = own.max(axis=1)
            places[~alone[:, first:last].any(axis=1), page] = -1
        return covered, places

    @cached_property
    def shares(self) -> Floats:
        """Shape ``(n_sentences, n_pages)``, the question last: what each page covers, 0 to 1."""
        covered, _ = self._best
        return np.minimum(1.0, covered / (ALONE * SAME * self.totals)[:, None])

    def asked_share(self) -> float | None:
        """How much of the question the sentences that cover it best have; None without words."""
        return float(self.shares[-1].max()) if len(self.asked) else None

    def place(self, unit: int, page: int) -> tuple[int, int] | None:
        """Where a page covers a sentence of the answer best, in plain offsets; or None."""
        place = int(self._best[1][unit, page])
        if place < 0:
            return None
        units = self._pages[page]
        return units.starts[place // 2], units.ends[(place + 1) // 2]

    @cached_property
    def support(self) -> Floats:
        """For each page, how much of the answer's statements it covers together, 0 to 1."""
        if not self.statements:
            return np.zeros(len(self.contexts))
        covered = self._best[0][self.statements].sum(axis=0)
        support: Floats = covered / (ALONE * SAME * self.totals[self.statements].sum())
        return support

    @property
    def best_pages(self) -> list[int]:
        """The page that covers most of the answer, with those that cover as much."""
        return np.flatnonzero(self.support >= self.support.max()).tolist()

    @cached_property
    def resemblance(self) -> Floats:
        """Shape ``(n_sentences, n_units)``: how like sentences of answer and pages are, 0 to 1.

        The harmonic mean of what the page's sentence covers of the answer's, and the answer's of
        the page's.
        """
        tokens, offsets = self.answer.tokens, self.answer.offsets
        if not len(offsets) or not len(self._offsets):
            return np.zeros((len(offsets), len(self._offsets)))
        weights = self.weights[:, None]
        covers = np.add.reduceat((self.likes * weights)[tokens], offsets, axis=0)
        back = np.maximum.reduceat(self._likes[tokens], offsets, axis=0)
        page_weights = _behind(one.index.weights for one in self.contexts)
        unit_weights = _behind(one.index.unit_weights for one in self.contexts)
        covered = np.add.reduceat((back * page_weights)[:, self._tokens], self._offsets, axis=1)
        one = covers / (SAME * self.totals[: len(offsets)])[:, None]
        other = covered / (SAME * unit_weights)
        together = one + other
        return np.divide(2 * one * other, together, out=np.zeros_like(one), where=together > 0)

    @cached_property
    def negated(self) -> NDArray[np.bool_]:
        """For each sentence of the pages whether it is negated."""
        return np.frombuffer(b"".join(one.negated for one in self._pages), np.bool_)

    @cached_property
    def conditional(self) -> NDArray[np.bool_]:
        """For each sentence of the pages whether it stands under a condition."""
        return np.frombuffer(b"".join(one.conditional for one in self._pages), np.bool_)

    def unit_span(self, unit: int) -> tuple[int, int, int]:
        """Page, first plain character and end of a sentence of the pages."""
        page, number = int(self.unit_page[unit]), int(self.unit_number[unit])
        return page, self._pages[page].starts[number], self._pages[page].ends[number]

    def covered(
        self, rows: Sequence[Integers], groups: Sequence[tuple[int, Integers]]
    ) -> list[list[float]]:
        """How much of the weight of some words groups of words of the pages cover, 0 to 1.

        Args:
            rows: Groups of words of the turn, by number.
            groups: Pages, each with a group of its words, by integer.

        Returns:
            For each group of the turn's words, its shares; 0 where either group is empty.
        """
        flat = [words + self._word_starts[page] for page, words in groups]
        highest = _grouped(np.maximum, self._likes, flat, axis=1) * self.weights[:, None]
        covered = _grouped(np.add, highest, rows, axis=0)
        totals = _grouped(np.add, self.weights, rows, axis=0)
        shares: Floats = covered / np.maximum(SAME * totals, 1)[:, None]
        table: list[list[float]] = shares.tolist()
        return table

    @cached_property
    def relevance(self) -> list[float]:
        """For each page, the chance that it is the one which the question is about; sums to 1.

        Title, headings and text are compared with the question, and with what the answer says
        around its steps, which tells what the answer takes the question to be about.
        """
        groups = [
            (page, words)
            for page, context in enumerate(self.contexts)
            for words in (
                context.index.title,
                context.index.headings,
                np.arange(len(context.index.units.words)),
            )
        ]
        about, opening = np.array(self.covered((self.asked, self._opening), groups))
        points = ((about + OPENING * opening).reshape(-1, 3) * (TITLE, HEADINGS, TEXT)).sum(axis=1)
        chances = [math.exp(one) for one in ((points - points.max()) / TEMPERATURE).tolist()]
        return [chance / sum(chances) for chance in chances]

    @cached_property
    def _opening(self) -> Integers:
        """The words of the answer's statements that are no steps and name no component."""
        guides, units = self._reading.guides, self.answer
        if not guides:
            return units.of(self.statements[0]) if self.statements else np.empty(0, np.int64)
        named = {
            bisect_right(units.starts, one.start) - 1
            for one in self._reading.components
            if one.kind != "code"
        }
        steps = [(guide.start, guide.end) for guide in guides]
        around = [
            units.of(unit)
            for unit in self.statements
            if unit not in named
            and not any(start <= units.starts[unit] < end for start, end in steps)
        ]
        return distinct(np.concatenate(around)) if around else np.empty(0, np.int64)

    @cached_property
    def named(self) -> list[list[bool]]:
        """For each component of the answer, code left out, whether each page names it."""
        keys = [one.key for one in self._reading.components if one.kind != "code"]
        known = {key: [context.index.names(key) for context in self.contexts] for key in set(keys)}
        return [known[key] for key in keys]


def _behind(arrays: Iterable[Integers]) -> Integers:
    """Arrays put behind one another."""
    return np.concatenate([np.empty(0, np.int64), *arrays])


def _grouped(
    gather: np.ufunc, table: Integers, groups: Sequence[Integers], *, axis: int
) -> Integers:
    """Rows or columns of a table gathered by group; 0 for an empty group."""
    shape = list(table.shape)
    shape[axis] = len(groups)
    found = np.zeros(shape, np.int64)
    filled = [number for number, group in enumerate(groups) if len(group)]
    if filled and table.size:
        sizes = [len(groups[number]) for number in filled]
        flat = np.concatenate([groups[number] for number in filled])
        gathered = gather.reduceat(
            np.take(table, flat, axis=axis), np.cumsum([0, *sizes[:-1]]), axis=axis
        )
        found[filled if axis == 0 else (slice(None), filled)] = gathered
    return found


def _row_maximum(table: Integers) -> Integers:
    """The highest number of each row, 0 in an empty one."""
    highest: Integers = table.max(axis=1, initial=0)
    return highest


def _highest(likes: Integers, tokens: Integers, offsets: Integers) -> Integers:
    """Shape ``(n_rows, n_units)``: the highest of each row over the words of each sentence."""
    if not len(offsets):
        return np.zeros((len(likes), 0), np.int64)
    rows = max(1, BLOCK_CELLS // len(tokens))
    return np.concatenate(
        [
            np.maximum.reduceat(likes[start : start + rows][:, tokens], offsets, axis=1)
            for start in range(0, max(1, len(likes)), rows)
        ]
    )
