"""Match a turn with its pages: word likeness, coverage, and the sentences that are claims.

A sentence is *covered* by a page as far as its words, or similar ones, occur there. Rare words
weigh more than frequent ones; numbers, keys and code weigh more than words. Words elsewhere on the
page count for less: an answer may say "the panel" that the page names three sentences earlier.
Likeness and weights are integers, so that the order of addition does not matter.

A sentence without content, such as "Prima, succes!", is no claim; nor is one that says that the
answer is unknown, or where else to ask.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt._internal.cached import cached_property
from klopt.lexicons import Lexicons
from klopt.text.guides import OPENING
from klopt.text.plain import Span, in_small_letters
from klopt.text.reader import Reading
from klopt.text.values import LITERAL_SIGNS
from klopt.verification.index import (
    COMPOUND,
    LITERAL_WEIGHT,
    SAME,
    Context,
    PageIndex,
    Relations,
    rarity,
)
from klopt.verification.units import Integers, one_unit, units_of

Floats = NDArray[np.float64]
Likes = NDArray[np.int16]

ELSEWHERE: Final = 400
"""Factor of a word elsewhere on the page, in thousandths."""
ALONE, PAIR = 100, 97
"""Factors of the coverage by one sentence and by two consecutive sentences, in percent."""
FORM_WEIGHT: Final = 4
"""The weight of patterns of message types from which the form of the question decides."""
MAX_OF_REPLY: Final = 1
"""Content words of a bare yes or no, at most; with more it is a claim by itself."""
_FEWEST_CHARS: Final = 2
"""Characters of a content word, at least; a number may be shorter."""
_MAX_BEFORE: Final = 2
"""Content words before a referral, at most: "For questions on this you had best ask …"."""


class Match:
    """A turn matched with its pages; costly parts are computed on first use.

    Attributes:
        answer: The sentences of the answer.
        question: The sentences of the question.
        question_reading: The question as read.
        answer_reading: The answer as read.
        contexts: The pages.
        others: The pages in another language; only their names and numbers count.
        refusal: Where the answer says that it does not know, or only refers to people.
        claims: The numbers of the answer's sentences that are claims.
        is_bare_reply: Whether the answer is only a yes or no, so that its claim is the question.
    """

    def __init__(
        self,
        question: Reading,
        answer: Reading,
        contexts: Sequence[Context],
        relations: Relations,
        lexicons: Lexicons,
        others: Sequence[Context] = (),
    ) -> None:
        self.answer = units_of(answer, lexicons)
        self.question = units_of(question, lexicons)
        self.contexts, self.others = contexts, others
        self.question_reading, self.answer_reading = question, answer
        self.relations, self._lexicons = relations, lexicons
        pages, known = [context.index for context in contexts], frozenset(self.question.words)
        self.refusal = refusal_in(answer, known, pages, lexicons)
        sentences = claims_in(answer, known, lexicons, is_open=self.refusal is not None)
        starts = {sentence.start for sentence in sentences}
        self.claims = [n for n, start in enumerate(self.answer.starts) if start in starts]
        span = _reply_in(answer, sentences, lexicons) if len(self.claims) <= 1 else None
        self.is_bare_reply = False
        if span is not None and self.is_yes_or_no_question:
            own = [word for unit in self.claims for word in self.answer.of(unit).tolist()]
            words = (*self.question.words, *(self.answer.words[word] for word in own))
            if words:
                self.answer, self.claims = one_unit(words, span), [0]
                self.is_bare_reply = True

    @cached_property
    def is_yes_or_no_question(self) -> bool:
        """Whether a sentence of the question has the form of a yes/no question."""
        patterns = [
            pattern
            for pattern in self._lexicons["messages"].group("binary")
            if pattern.weight >= FORM_WEIGHT
        ]
        question = self.question_reading
        return any(
            pattern.search(in_small_letters(question.plain.text[one.start : one.end]))
            for one in question.sentences
            for pattern in patterns
        )

    @cached_property
    def words(self) -> dict[str, int]:
        """Distinct word of answer or question → its number."""
        words = dict.fromkeys((*self.answer.words, *self.question.words))
        return {word: number for number, word in enumerate(words)}

    @cached_property
    def question_words(self) -> Integers:
        """The numbers of the question's words."""
        return np.array([self.words[word] for word in self.question.words], np.int64)

    @cached_property
    def _alike(self) -> list[tuple[Integers, Integers, Likes]]:
        """For each page the similar words: number in the turn, number on the page, likeness."""
        alike = []
        for context in self.contexts:
            rows, columns, values = list[int](), list[int](), list[int]()
            for word, row in self.words.items():
                likes = context.index.like(word, self.relations)
                rows += [row] * len(likes)
                columns += likes
                values += likes.values()
            cells = np.array(rows, np.int64), np.array(columns, np.int64)
            alike.append((*cells, np.array(values, np.int16)))
        return alike

    @cached_property
    def word_likes(self) -> list[Likes]:
        """Likeness in thousandths for each page, shape ``(n_words, n_page_words)``."""
        by_page: list[Likes] = []
        for (rows, columns, values), context in zip(self._alike, self.contexts, strict=True):
            likes = np.zeros((len(self.words), len(context.index.units.words)), np.int16)
            likes[rows, columns] = values
            by_page.append(likes)
        return by_page

    @cached_property
    def likes(self) -> list[Likes]:
        """Highest likeness in each sentence of each page, shape ``(n_words, n_units)``."""
        by_page: list[Likes] = []
        for (rows, columns, values), context in zip(self._alike, self.contexts, strict=True):
            index = context.index
            firsts, units = index.postings
            counts = index.counts[columns]
            ends = np.cumsum(counts)
            numbers = np.arange(counts.sum()) + np.repeat(firsts[columns] - ends + counts, counts)
            likes = np.zeros((len(self.words), len(index.units.starts)), np.int16)
            cells = np.repeat(rows * likes.shape[1], counts) + units[numbers]
            np.maximum.at(likes.reshape(-1), cells, np.repeat(values, counts))
            by_page.append(likes)
        return by_page

    @cached_property
    def max_likeness(self) -> list[Likes]:
        """Highest likeness on each page, shape ``(n_words,)``."""
        by_page: list[Likes] = []
        for rows, _, values in self._alike:
            by_page.append(np.zeros(len(self.words), np.int16))
            np.maximum.at(by_page[-1], rows, values)
        return by_page

    @cached_property
    def other_words(self) -> frozenset[str]:
        """The words of the pages in another language."""
        return frozenset(key for one in self.others for key in one.index.reading.tokens.keys)

    @cached_property
    def anywhere(self) -> Likes:
        """Highest likeness of each word on any page; numbers and keys count on all pages."""
        max_likeness: Likes = np.max(
            [np.zeros(len(self.words), np.int16), *self.max_likeness], axis=0
        )
        for word, number in self.words.items():
            if word[0] in LITERAL_SIGNS and word in self.other_words:
                max_likeness[number] = SAME
        return max_likeness

    @cached_property
    def weights(self) -> Integers:
        """Weight of each word of the turn in thousandths: rarer words weigh more."""
        total = max(1, sum([len(context.index.units.starts) for context in self.contexts]))
        counts = np.zeros(len(self.words), np.int64)
        for (rows, columns, values), context in zip(self._alike, self.contexts, strict=True):
            most = np.zeros(len(self.words), np.int64)
            np.maximum.at(most, rows, values * context.index.counts[columns])
            counts += most
        per_word = counts.tolist()
        rarities = {count: rarity(count / SAME, total) for count in set(per_word)}
        return np.array(
            [
                rarities[count] * (LITERAL_WEIGHT if word[0] in LITERAL_SIGNS else 1)
                for word, count in zip(self.words, per_word, strict=True)
            ],
            np.int64,
        )

    @cached_property
    def _are_narrower(self) -> NDArray[np.bool_]:
        """Whether of each word, a compound, the pages have its last part at most."""
        names = [*self.words]
        narrower: NDArray[np.bool_] = self.anywhere == COMPOUND
        for (rows, columns, values), context in zip(self._alike, self.contexts, strict=True):
            parts = values == COMPOUND
            for row, column in zip(rows[parts], columns[parts], strict=True):
                narrower[row] &= len(context.index.units.words[column]) < len(names[row])
        return narrower

    def question_share(self) -> float | None:
        """Return the share of the question that the best one or two sentences cover.

        Words that ask for a measure ("how long") do not count, and "verzekering" covers nothing of
        "huisdierenverzekering". None for a question without words.
        """
        measures = self.relations.measures
        words = np.array(
            [self.words[word] for word in self.question.words if word not in measures], np.int64
        )
        if not len(words):
            return None
        is_known = ~self._are_narrower[words]
        weights, most = np.where(is_known, self.weights[words], rarity(0, 1)), 0
        for likes, max_likeness in zip(self.likes, self.max_likeness, strict=True):
            if likes.shape[1]:
                elsewhere = np.where(is_known, max_likeness[words], 0).astype(np.int64)
                elsewhere = elsewhere * ELSEWHERE // SAME
                own = likes[words] * is_known[:, None]
                gains = np.maximum(own - elsewhere[:, None], 0) * weights[:, None]
                pairs = np.maximum(gains[:, :-1], gains[:, 1:]).sum(axis=0).max(initial=0)
                base = (elsewhere * weights).sum()
                covered = ALONE * (base + gains.sum(axis=0).max()), PAIR * (base + pairs)
                most = max(most, *map(int, covered))
        return min(1.0, most / (ALONE * SAME * int(weights.sum())))

    def covered(
        self, rows: Sequence[Integers], groups: Sequence[Integers], page: int
    ) -> list[list[float]]:
        """Return the share of the weight of words that words of a page cover, 0 to 1.

        For each group of the turn's words in ``rows`` its shares, one for each group of the page's
        words in ``groups``; 0 where either group is empty.
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
    def named(self) -> list[list[bool]]:
        """Whether each page names each component of the answer, code excluded."""
        names, allowed = self.answer_reading.named, self.relations.allowed_names
        known = {
            key: [
                key in allowed or context.index.names(key)
                for context in (*self.contexts, *self.others)
            ]
            for key in dict.fromkeys(name.key for name in names)
        }
        return [known[name.key] for name in names]


def _grouped(
    gather: np.ufunc, table: NDArray[Any], groups: Sequence[Integers], *, axis: int
) -> Integers:
    """Return rows or columns of a table reduced by group; 0 for an empty group."""
    shape = list(table.shape)
    shape[axis] = len(groups)
    grouped = np.zeros(shape, np.int64)
    filled = [number for number, group in enumerate(groups) if len(group)]
    if filled and table.size:
        sizes = [len(groups[number]) for number in filled]
        flat = np.concatenate([groups[number] for number in filled])
        starts = np.cumsum([0, *sizes[:-1]])
        # Along rows: numpy gathers whole rows much faster than columns.
        rows = (table if axis == 0 else table.T).take(flat, axis=0)
        gathered = gather.reduceat(rows, starts, axis=0)
        if axis == 0:
            grouped[filled] = gathered
        else:
            grouped[:, filled] = gathered.T
    return grouped


def _reply_in(answer: Reading, sentences: Sequence[Span], lexicons: Lexicons) -> Span | None:
    """Return the sentence of an answer that is only a yes or no; None if there is more.

    "Ja hoor, dat kan!" claims the words of the question.
    """
    tokens = answer.tokens
    first = next(iter(answer.sentences), None)
    if first is None or any(sentence != first for sentence in sentences):
        return None
    words = in_small_letters(answer.plain.text[first.start : first.end]).split()
    opening = words[0].strip(".,!;:") if words else ""
    openings = (lexicons[name].lists["openings"] for name in ("confirmations", "negations"))
    if not any(opening in entries for entries in openings):
        return None
    content = tokens.content(first.start, first.end)
    return first if len(content) <= MAX_OF_REPLY else None


def claims_in(
    answer: Reading, question: Collection[str], lexicons: Lexicons, *, is_open: bool
) -> list[Span]:
    """Return the sentences that are claims, in order.

    ``is_open``: whether the answer leaves the question open, by `refusal_in`.

    >>> from klopt import lexicons
    >>> from klopt.text.reader import Reader
    >>> reader = Reader(lexicons.load("en"))
    >>> answer = reader.read("Great, good luck! I don't know. Leave is 25 days.")
    >>> claims = claims_in(answer, (), reader.lexicons, is_open=True)
    >>> [answer.plain.text[one.start :] for one in claims]
    ['Leave is 25 days.']
    """
    sentences = _with_content(answer, lexicons)
    if not is_open:
        return sentences
    hits = lexicons["refusals"].hits(answer.plain.text, "does_not_know")
    unknown = sorted(match.start() for _, matches in hits for match in matches)

    def is_claim(sentence: Span) -> bool:
        if _adds(answer, sentence, question):
            return True
        at = bisect_left(unknown, sentence.start)
        is_unknown = at < len(unknown) and unknown[at] < sentence.end
        return not is_unknown and not _refers_only(answer, sentence, question, lexicons)

    return list(filter(is_claim, sentences))


def refusal_in(
    answer: Reading, question: Collection[str], pages: Sequence[PageIndex], lexicons: Lexicons
) -> Span | None:
    """Return where an answer says that it does not know, or only refers to people.

    A referral is a claim where a page about the question's subject says the same unconditionally:
    "contact the help desk for a new pass".
    """
    text, refusals = answer.plain.text, lexicons["refusals"]
    match = refusals.first("does_not_know", text)
    if match is not None:
        return Span(*match.span())
    match = refusals.first("refers_elsewhere", text)
    if match is None:
        return None
    sentences = _with_content(answer, lexicons)
    if not all(_refers_only(answer, sentence, question, lexicons) for sentence in sentences):
        return None
    words = [answer.tokens.keys[number] for number in answer.tokens.content(*match.span())]
    if any(_is_on_page(words, question, page) for page in pages):
        return None
    return Span(*match.span())


def _refers_only(
    answer: Reading, sentence: Span, question: Collection[str], lexicons: Lexicons
) -> bool:
    """Return whether a sentence refers to people and gives no other instruction first."""
    text = answer.plain.text[sentence.start : sentence.end]
    referring = lexicons["refusals"].hits(text, "refers_elsewhere")
    start = min((matches[0].start() for _, matches in referring), default=None)
    if start is None or _adds(answer, sentence, question):
        return False
    step = lexicons["guides"].first("step_verb", text, only=OPENING)
    if step is not None and step.end() <= start:
        return False
    before = answer.tokens.content(sentence.start, sentence.start + start)
    return sum(answer.tokens.keys[number] not in question for number in before) <= _MAX_BEFORE


def _is_on_page(words: Collection[str], question: Collection[str], page: PageIndex) -> bool:
    """Return whether an unconditional sentence about the question has all of some words."""
    units, text = page.units, page.reading.plain.text
    known = {units.ids[word] for word in words if word in units.ids}
    about = {units.ids[word] for word in question if word in units.ids}
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


def _with_content(answer: Reading, lexicons: Lexicons) -> list[Span]:
    """Return the sentences with a content word outside confirmations."""
    tokens, text, idle = answer.tokens, answer.plain.text, bytearray(len(answer.plain.text))
    phrases = [lexicons["confirmations"].phrases[one] for one in lexicons["confirmations"].lists]
    for expression in (*phrases, lexicons["negations"].phrases["openings"]):
        for match in expression.finditer(text):
            idle[match.start() : match.end()] = b"\1" * len(match[0])
    kept, at = list[Span](), 0
    both = zip(tokens.starts, tokens.keys, tokens.stops, strict=True)
    words = [word for word in both if not word[2]]
    for sentence in answer.sentences:
        has_content = False
        while at < len(words) and words[at][0] < sentence.end:
            start, key, _ = words[at]
            has_content |= not idle[start] and len(key) >= _FEWEST_CHARS
            at += 1
        if has_content:
            kept.append(sentence)
    return kept


def _adds(answer: Reading, sentence: Span, question: Collection[str]) -> bool:
    """Return whether a sentence has a number, key or component that the question lacks."""
    tokens = answer.tokens
    words = (tokens.keys[number] for number in tokens.between(sentence.start, sentence.end))
    if any(word[0] in LITERAL_SIGNS and word not in question for word in words):
        return True
    return any(
        sentence.start <= name.start < sentence.end
        and not all(
            tokens.keys[number] in question for number in tokens.content(name.start, name.end)
        )
        for name in answer.named
    )
