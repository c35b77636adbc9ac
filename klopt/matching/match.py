"""A turn on its pages: which sentence of which page says what the answer says, how completely.

A sentence of the answer is *covered* by sentences of a page in so far as its words, each with
its weight, stand there or are like words that do. Rare words weigh more than those that every
sentence has; numbers, keys and code weigh more than words. Words that stand elsewhere on the page
count for a part: an answer says "the panel" where the page has named it three sentences earlier.

Likeness and weights are whole numbers, so that no order of adding shows.

Not every sentence says something that can be held against a page: a greeting, "Prima, succes!" and
"Ja." say nothing that a page could bear out or contradict; nor does a sentence that says that the
answer is not known, or where else to ask.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.cached import cached_property
from klopt.lexicons import Lexicons
from klopt.matching.index import LITERAL_WEIGHT, SAME, Context, PageIndex, Relations, rarity
from klopt.matching.units import Integers, distinct, units_of
from klopt.reading.guides import OPENING
from klopt.reading.reader import Reading
from klopt.reading.text import Span
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = ["Match", "refusal_in", "statements_in"]

Floats = NDArray[np.float64]
Likes = NDArray[np.int16]

ELSEWHERE: Final = 400
"""What a word counts that stands on the page but not in the sentence, in thousandths."""
ALONE, PAIR = 100, 97
"""What the coverage by one sentence counts, and that by two that follow one another."""
TITLE, HEADINGS, TEXT = 1.5, 0.7, 1.0
"""What the parts of a page count when it is asked what the page is about."""
OF_OPENING: Final = 0.7
"""What the answer's own opening counts there, against the question."""
TEMPERATURE: Final = 0.3

_FEWEST_CHARS: Final = 2
"""A shorter word, such as "x", says nothing; a number does."""
_MOST_BEFORE: Final = 2
"""So many words of its own may lead to a referral: "For questions on this you had best ask ..."."""


class Match:
    """One turn on its pages; what is costly is done when it is asked for.

    Attributes:
        answer: The answer's sentences.
        question: The question's.
        contexts: The pages.
        statements: The numbers of the answer's sentences that can be held against a page.
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
        self.relations = relations
        saying = statements_in(
            answer, self.question.ids, [context.index for context in contexts], lexicons
        )
        starts = {sentence.start for sentence in saying}
        self.statements = [n for n, start in enumerate(self.answer.starts) if start in starts]

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
    def _alike(self) -> list[tuple[Integers, Integers, Likes]]:
        """For each page which word of the turn is like which of its words, and how, in thousandths.

        Few of all pairs are, so that what follows from them is found from those alone.
        """
        alike = []
        for context in self.contexts:
            cells = [
                (row, number, likeness)
                for word, row in self.words.items()
                for number, likeness in context.index.like(word, self.relations).items()
            ]
            rows, columns, values = np.array(cells, np.int64).reshape(-1, 3).T
            alike.append((rows, columns, values.astype(np.int16)))
        return alike

    @cached_property
    def word_likes(self) -> list[Likes]:
        """For each page, shape ``(n_words, n_page_words)``: how like, in thousandths."""
        by_page: list[Likes] = []
        for (rows, columns, values), context in zip(self._alike, self.contexts, strict=True):
            likes = np.zeros((len(self.words), len(context.index.units.words)), np.int16)
            likes[rows, columns] = values
            by_page.append(likes)
        return by_page

    @cached_property
    def likes(self) -> list[Likes]:
        """For each page, shape ``(n_words, n_units)``: the likest word of each of its sentences."""
        by_page: list[Likes] = []
        for (rows, columns, values), context in zip(self._alike, self.contexts, strict=True):
            index = context.index
            firsts, units = index.postings
            counts = index.counts[columns]
            ends = np.cumsum(counts)
            numbers = np.arange(counts.sum()) + np.repeat(firsts[columns] - ends + counts, counts)
            likes = np.zeros((len(self.words), len(index.units)), np.int16)
            cells = np.repeat(rows * len(index.units), counts) + units[numbers]
            np.maximum.at(likes.reshape(-1), cells, np.repeat(values, counts))
            by_page.append(likes)
        return by_page

    @cached_property
    def likest(self) -> list[Likes]:
        """For each page, shape ``(n_words,)``: how like its likest word is."""
        by_page: list[Likes] = []
        for rows, _, values in self._alike:
            by_page.append(np.zeros(len(self.words), np.int16))
            np.maximum.at(by_page[-1], rows, values)
        return by_page

    @cached_property
    def weights(self) -> Integers:
        """What each word of the turn counts, in thousandths: rarer in the pages is more."""
        total = max(1, sum(len(context.index.units) for context in self.contexts))
        counts = np.zeros(len(self.words), np.int64)
        for (rows, columns, values), context in zip(self._alike, self.contexts, strict=True):
            most = np.zeros(len(self.words), np.int64)
            np.maximum.at(most, rows, values * context.index.counts[columns])
            counts += most
        return np.array(
            [
                rarity(count / SAME, total) * (LITERAL_WEIGHT if word[0] in LITERAL_SIGNS else 1)
                for word, count in zip(self.words, counts.tolist(), strict=True)
            ],
            np.int64,
        )

    def asked_share(self) -> float | None:
        """How much of the question the sentences that cover it best have; None without words.

        Those are one sentence of a page, or two that follow one another.
        """
        if not len(self.asked):
            return None
        weights = self.weights[self.asked]
        most = 0
        for likes, likest in zip(self.likes, self.likest, strict=True):
            if likes.shape[1]:
                elsewhere = likest[self.asked].astype(np.int64) * ELSEWHERE // SAME
                gains = np.maximum(likes[self.asked] - elsewhere[:, None], 0) * weights[:, None]
                pairs = np.maximum(gains[:, :-1], gains[:, 1:]).sum(axis=0).max(initial=0)
                base = (elsewhere * weights).sum()
                covered = ALONE * (base + gains.sum(axis=0).max()), PAIR * (base + pairs)
                most = max(most, *map(int, covered))
        return min(1.0, most / (ALONE * SAME * int(weights.sum())))

    def covered(
        self, rows: Sequence[Integers], groups: Sequence[Integers], page: int
    ) -> list[list[float]]:
        """How much of the weight of some words groups of words of a page cover, 0 to 1.

        Args:
            rows: Groups of words of the turn, by number.
            groups: Groups of words of the page, by integer.
            page: The page.

        Returns:
            For each group of the turn's words, its shares; 0 where either group is empty.
        """
        ends = list(accumulate(map(len, rows)))
        runs = [np.arange(end - len(row), end) for row, end in zip(rows, ends, strict=True)]
        words = np.concatenate(rows)
        likes, weights = self.word_likes[page].take(words, axis=0), self.weights.take(words)
        highest = _grouped(np.maximum, likes, groups, axis=1) * weights[:, None]
        covered = _grouped(np.add, highest, runs, axis=0)
        totals = _grouped(np.add, weights, runs, axis=0)
        shares: list[list[float]] = (covered / np.maximum(SAME * totals, 1)[:, None]).tolist()
        return shares

    @cached_property
    def relevance(self) -> list[float]:
        """For each page, the chance that it is the one which the question is about; sums to 1.

        Title, headings and text are compared with the question, and with what the answer says
        around its steps, which tells what the answer takes the question to be about.
        """
        points = []
        for page, context in enumerate(self.contexts):
            index = context.index
            parts = (index.title, index.headings, np.arange(len(index.units.words)))
            about, opening = (
                TITLE * title + HEADINGS * headings + TEXT * text
                for title, headings, text in self.covered((self.asked, self._opening), parts, page)
            )
            points.append((about + OF_OPENING * opening) / TEMPERATURE)
        chances = [math.exp(point - max(points)) for point in points]
        return [chance / sum(chances) for chance in chances]

    @cached_property
    def _opening(self) -> Integers:
        """The words of the answer's statements that are no steps and name no component."""
        guides, units = self._reading.guides, self.answer
        if not guides:
            return units.of(self.statements[0]) if self.statements else np.empty(0, np.int64)
        named = {bisect_right(units.starts, name.start) - 1 for name in self._reading.named}
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
        names, allowed = self._reading.named, self.relations.allowed_names
        known = {
            key: [key in allowed or context.index.names(key) for context in self.contexts]
            for key in dict.fromkeys(name.key for name in names)
        }
        return [known[name.key] for name in names]


def _grouped(
    gather: np.ufunc, table: NDArray[Any], groups: Sequence[Integers], *, axis: int
) -> Integers:
    """Rows or columns of a table gathered by group; 0 for an empty group."""
    shape = list(table.shape)
    shape[axis] = len(groups)
    grouped = np.zeros(shape, np.int64)
    filled = [number for number, group in enumerate(groups) if len(group)]
    if filled and table.size:
        sizes = [len(groups[number]) for number in filled]
        flat = np.concatenate([groups[number] for number in filled])
        starts = np.cumsum([0, *sizes[:-1]])
        gathered = gather.reduceat(np.take(table, flat, axis=axis), starts, axis=axis)
        grouped[filled if axis == 0 else (slice(None), filled)] = gathered
    return grouped


def statements_in(
    answer: Reading, asked: Collection[str], pages: Sequence[PageIndex], lexicons: Lexicons
) -> list[Span]:
    """The sentences that can be held against a page, in order.

    >>> from klopt import lexicons
    >>> from klopt.reading.reader import Reader
    >>> reader = Reader(lexicons.load("en"))
    >>> answer = reader.read("Great, good luck! I don't know. Leave is 25 days.")
    >>> [answer.plain.text[one.start :] for one in statements_in(answer, (), (), reader.lexicons)]
    ['Leave is 25 days.']
    """
    saying = _saying(answer, lexicons)
    if refusal_in(answer, asked, pages, lexicons) is None:
        return saying
    unknown = _places(answer, "does_not_know", lexicons)
    return [
        sentence
        for sentence in saying
        if _adds(answer, sentence, asked)
        or not (_has(sentence, unknown) or _refers_only(answer, sentence, asked, lexicons))
    ]


def refusal_in(
    answer: Reading, asked: Collection[str], pages: Sequence[PageIndex], lexicons: Lexicons
) -> Span | None:
    """Where an answer says that it does not know, or refers to people and says nothing else.

    Who should contact the help desk for a new pass, and is told so, was answered: where a page
    about what was asked says it, and not merely for when all else fails, it is a statement.

    What the question names, ``asked``, the answer does not claim.
    """
    text, refusals = answer.plain.text, lexicons["refusals"]
    match = refusals.first("does_not_know", text)
    if match is not None:
        return Span(*match.span())
    match = refusals.first("refers_elsewhere", text)
    if match is None:
        return None
    saying = _saying(answer, lexicons)
    if not all(_refers_only(answer, sentence, asked, lexicons) for sentence in saying):
        return None
    words = [answer.tokens.keys[number] for number in answer.tokens.content(*match.span())]
    if any(_is_told(words, asked, page) for page in pages):
        return None
    return Span(*match.span())


def _refers_only(
    answer: Reading, sentence: Span, asked: Collection[str], lexicons: Lexicons
) -> bool:
    """Whether a sentence refers to people, and tells to do nothing else first."""
    text = answer.plain.text[sentence.start : sentence.end]
    referring = lexicons["refusals"].hits(text, "refers_elsewhere")
    start = min((matches[0].start() for _, matches in referring), default=None)
    if start is None or _adds(answer, sentence, asked):
        return False
    step = lexicons["guides"].first("step_verb", text, only=OPENING)
    if step is not None and step.end() <= start:
        return False
    before = answer.tokens.content(sentence.start, sentence.start + start)
    return sum(answer.tokens.keys[number] not in asked for number in before) <= _MOST_BEFORE


def _is_told(words: Collection[str], asked: Collection[str], page: PageIndex) -> bool:
    """Whether a sentence of a page has all the words, beside what was asked, and no condition."""
    units, text = page.units, page.reading.plain.text
    known = {units.ids[word] for word in words if word in units.ids}
    about = {units.ids[word] for word in asked if word in units.ids}
    if len(known) < len(set(words)) or not about:
        return False
    for unit in range(len(units)):
        own = set(units.of(unit).tolist())
        before = text[max(0, units.starts[unit] - 2) : units.starts[unit]]
        if known <= own and not units.conditional[unit] and "?" not in before:
            above = (units.of(heading).tolist() for heading in page.paths[unit])
            if not about.isdisjoint(own.union(page.title.tolist(), *above) - known):
                return True
    return False


def _places(answer: Reading, group: str, lexicons: Lexicons) -> list[int]:
    """Where the patterns of a group of refusals stand, in order."""
    hits = lexicons["refusals"].hits(answer.plain.text, group)
    return sorted(match.start() for _, matches in hits for match in matches)


def _has(sentence: Span, places: Sequence[int]) -> bool:
    """Whether one of some places, in order, lies in a sentence."""
    at = bisect_left(places, sentence.start)
    return at < len(places) and places[at] < sentence.end


def _saying(answer: Reading, lexicons: Lexicons) -> list[Span]:
    """The sentences that have a word with content outside fillers and phrases that only agree."""
    tokens, text = answer.tokens, answer.plain.text
    idle = bytearray(len(text))
    phrases = (
        *lexicons["confirmations"].phrases.values(),
        lexicons["negations"].phrases["openings"],
    )
    for expression in phrases:
        for match in expression.finditer(text):
            idle[match.start() : match.end()] = b"\1" * len(match[0])
    fillers = set(answer.fillers)
    return [
        sentence
        for sentence in answer.sentences
        if sentence not in fillers
        and any(
            not idle[tokens.starts[number]] and (len(tokens.keys[number]) >= _FEWEST_CHARS)
            for number in tokens.content(sentence.start, sentence.end)
        )
    ]


def _adds(answer: Reading, sentence: Span, asked: Collection[str]) -> bool:
    """Whether a sentence has a number, key or component of which the question says nothing."""
    tokens = answer.tokens
    words = (tokens.keys[number] for number in tokens.between(sentence.start, sentence.end))
    if any(word[0] in LITERAL_SIGNS and word not in asked for word in words):
        return True
    return any(
        sentence.start <= name.start < sentence.end
        and not all(tokens.keys[number] in asked for number in tokens.content(name.start, name.end))
        for name in answer.named
    )
