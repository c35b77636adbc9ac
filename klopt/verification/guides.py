"""Find the guide that fits the question, compare guides, and find steps in another order.

A page may have one guide for turning something on and one for turning it off; the headings above
them tell them apart. The order of steps is compared in lists and in prose.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, islice, pairwise
from typing import Final, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
import regex

from klopt.lexicons import Lexicons
from klopt.text.guides import Guide, Step
from klopt.text.reader import Reading
from klopt.text.tokens import Tokens
from klopt.text.values import LITERAL_SIGNS
from klopt.verification.findings import Finding, Span
from klopt.verification.index import PageIndex, Relations
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.units import Integers

_MAX_WORDS: Final = 40
"""Words of a question that tell its subject."""
_WORDED: Final = WeakKeyDictionary[
    Reading, dict[tuple[Tokens, frozenset[str]], tuple["WordedGuide", ...]]
]()
"""The guides of each text with their words, cached with the text."""
EQUAL: Final = 1e-9
MAX_GUIDE_STEPS: Final = 100
"""Steps of an answer's guides that `compared_guides` compares, at most."""
MAX_PAGE_STEPS: Final = 2_000
"""Steps of a page's guides that it compares, at most."""
MIN_LIKE: Final = 0.7
"""Smallest share of a step's words in the page's step that it is aligned with."""
MARGIN: Final = 0.25
"""Smallest lead of that step over every other step of the page."""
MIN_PLACED: Final = 0.6
"""Smallest share of the steps that are aligned with steps of the page."""
LONG_CHARS: Final = 5
"""A shorter word, such as "then", marks the next step only where it opens a clause."""
LONGEST_LINK: Final = 6
MAX_STEPS: Final = 30
MAX_SEQUENCES: Final = 12
"""Steps of a sequence, and sequences of a text, that are compared, at most."""
_MARKS: Final = ",;:"
_Steps = list[Span]


class MatchingGuides:
    """The guides of a turn's pages that may answer its question."""

    def __init__(self, match: Match, relations: Relations) -> None:
        self._match = match
        self._relations = relations
        self._question = match.question.words[:_MAX_WORDS]
        self._above = [context.index.above_guides for context in match.contexts]
        self._nearness = [
            match.covered((match.question_words,), above, page)[0] if above else []
            for page, above in enumerate(self._above)
        ]
        self._nearest = max([0.0, *chain.from_iterable(self._nearness)])

    def includes(self, page: int, number: int) -> bool:
        """Return whether a guide of a page may be the one that the question asks for.

        Not when the headings above another guide cover more of the question; nor when this guide
        has the opposite of a word of the question, and not the word.
        """
        if self._nearness[page][number] < self._nearest - EQUAL:
            return False
        guide = self._match.contexts[page].index.reading.guides[number]
        return not self._is_opposite(page, self._above[page][number], guide)

    def _is_opposite(self, page: int, above: Integers, guide: Guide) -> bool:
        index, relations = self._match.contexts[page].index, self._relations
        own = {*above.tolist(), *index.units.between(guide.start, guide.end).tolist()}
        words = {index.units.words[number] for number in own}
        for word in self._question:
            meant = {word, *relations.synonyms(word)}
            if word[0] in LITERAL_SIGNS or not meant.isdisjoint(words):
                continue
            rivals = [word for word in meant if relations.has_rival(word)]
            if any(relations.exclude(word, other) for word in rivals for other in words):
                return True
        return False


@dataclass(frozen=True, slots=True, eq=False)
class WordedGuide:
    """A guide and its words."""

    guide: Guide
    words: tuple[Counter[str], ...]


def worded_guides(
    reading: Reading, tokens: Tokens, without: frozenset[str]
) -> tuple[WordedGuide, ...]:
    """Return the guides of a text from the cache."""
    if not reading.guides:
        return ()
    known = _WORDED.setdefault(reading, {})
    guides = known.get((tokens, without))
    if guides is None:
        guides = known[tokens, without] = tuple(
            WordedGuide(guide, tuple(_counted(step, tokens, without) for step in guide.steps))
            for guide in reading.guides
        )
    return guides


def _counted(step: Step, tokens: Tokens, without: frozenset[str]) -> Counter[str]:
    keys = (tokens.keys[number] for number in tokens.between(step.start, step.end))
    return Counter(key for key in keys if key not in without)


def likeness(one: WordedGuide, other: WordedGuide) -> float:
    """Return shorter length / longer length × mean cosine of the steps in order, 0 to 1.

    Two steps with different components have cosine 0.
    """
    steps = zip(one.guide.steps, other.guide.steps, one.words, other.words, strict=False)
    cosines = [
        _cosine(mine, theirs) if step.components == other_step.components else 0.0
        for step, other_step, mine, theirs in steps
    ]
    lengths = min(len(one.words), len(other.words)) / max(len(one.words), len(other.words))
    return min(1.0, lengths * sum(cosines) / len(cosines))


def steps_conflict(one: WordedGuide, other: WordedGuide, language: Language) -> bool:
    """Return whether a step differs from its counterpart in meaning.

    That is in a component, number, key or negation, or by words that exclude each other.
    """
    relations = language.relations
    negation = language.lexicons["negations"].phrases["negations"]
    steps = zip(one.guide.steps, other.guide.steps, one.words, other.words, strict=False)
    for step, other_step, mine, theirs in steps:
        turned = [negation.search(text) is None for text in (step.text, other_step.text)]
        if step.components != other_step.components or turned[0] != turned[1]:
            return True
        own, others = mine - theirs, theirs - mine
        if any(word[0] in LITERAL_SIGNS for word in own + others):
            return True
        rivals = (word for word in own if relations.has_rival(word))
        if any(relations.exclude(word, rival) for word in rivals for rival in others):
            return True
    return False


def _cosine(first: Counter[str], second: Counter[str]) -> float:
    """Return the cosine of two bags of words; 1 for two empty ones.

    >>> _cosine(Counter("ab"), Counter("ab")), _cosine(Counter("a"), Counter("b"))
    (1.0, 0.0)
    """
    if first == second:
        return 1.0
    squares = (sum(count * count for count in one.values()) for one in (first, second))
    lengths = math.sqrt(math.prod(squares))
    shared = sum(count * second[word] for word, count in first.items())
    return shared / lengths if lengths else 0.0


def compared_guides(match: Match, word_share: float) -> list[ComparedGuides]:
    """Return each guide of an answer with each guide of its pages.

    The likeness of two steps is ``word_share`` × words covered + the rest × components shared.
    """
    return [
        ComparedGuides(own, page, other, _likeness(match, own, page, other, word_share))
        for own in _first(match.answer_reading.guides, MAX_GUIDE_STEPS)
        for page, context in enumerate(match.contexts)
        for other in _first(context.index.reading.guides, MAX_PAGE_STEPS)
    ]


@dataclass(frozen=True, slots=True)
class ComparedGuides:
    """A guide of the answer and one of a page.

    Attributes:
        own: That of the answer.
        page: The number of the page.
        other: That of the page.
        table: The likeness of their steps, 0 to 1, shape ``(own steps, other steps)``.
    """

    own: Guide
    page: int
    other: Guide
    table: list[list[float]]

    @property
    def mean(self) -> float:
        """The mean likeness of the answer's steps with the most similar ones of the page."""
        return sum(map(max, self.table)) / len(self.table)

    def order(self, enough: float) -> tuple[float, list[tuple[Step, int]]] | None:
        """Return how many steps are in order, 0 to 1, and each one that comes too early.

        None if fewer than two steps have a likeness of ``enough`` with one of the page.
        """
        matched: list[tuple[Step, int]] = []
        for step, row in zip(self.own.steps, self.table, strict=True):
            if max(row) >= enough:
                matched.append((step, _place(row, matched[-1][1] if matched else 0)))
        if len(matched) < 2:
            return None
        early = [one for one, other in combinations(matched, 2) if other[1] < one[1]]
        value = max(0.0, 1.0 - len(early) / (len(matched) - 1))
        return value, list(dict.fromkeys(early))


def _place(row: list[float], previous: int) -> int:
    """Return the most similar step; of equals the first one not before the previous."""
    equals = [place for place, share in enumerate(row) if share >= max(row) - EQUAL]
    return next((place for place in equals if place >= previous), equals[0])


def _first(guides: tuple[Guide, ...], most_steps: int) -> list[Guide]:
    """Return the guides up to a number of steps together."""
    ends = accumulate(len(guide.steps) for guide in guides)
    return [one for one, end in zip(guides, ends, strict=True) if end <= most_steps]


def _likeness(
    match: Match, own: Guide, page: int, other: Guide, word_share: float
) -> list[list[float]]:
    """Return the likeness of the steps of two guides."""
    units = match.contexts[page].index.units
    covered = match.covered(
        [match.answer.between(step.start, step.end) for step in own.steps],
        [units.between(step.start, step.end) for step in other.steps],
        page,
    )
    return [
        [
            word_share * share + (1 - word_share) * _shared(step, counterpart, share)
            for counterpart, share in zip(other.steps, row, strict=True)
        ]
        for step, row in zip(own.steps, covered, strict=True)
    ]


def _shared(step: Step, other: Step, otherwise: float) -> float:
    """Return the share of a step's components that another has; ``otherwise`` without any."""
    if not step.components:
        return otherwise
    named = set(step.components)
    return len(named & set(other.components)) / len(named)


def steps_out_of_order(match: Match, lexicons: Lexicons) -> list[Finding]:
    """Return the steps of an answer that precede a step which comes first on a page."""
    found, answer = list[Finding](), match.answer_reading
    for steps in islice(_sequences(answer, lexicons), MAX_SEQUENCES):
        if len(steps) == 1:
            continue
        rows = [_words(answer, step, match.words) for step in steps]
        most, early = 0, list[tuple[Span, Span]]()
        for page, context in enumerate(match.contexts):
            others = _sequences_of(context.index, lexicons)
            groups = [words for _, own in others for words in own]
            shares = match.covered(rows, groups, page) if groups else []
            first = 0
            for there, _ in others:
                last = first + len(there)
                placed = _placed(steps, [row[first:last] for row in shares], there)
                if len(placed) > max(most, 1, MIN_PLACED * len(steps) - 1e-9):
                    most = len(placed)
                    early = [
                        (one[1], one[2]) for one, after in pairwise(placed) if after[0] < one[0]
                    ]
                first = last
        found += [Finding("sequence", "against", *pair) for pair in early]
    return found


_Sequence: TypeAlias = tuple[_Steps, list[Integers]]
"""A sequence of a page: the spans of its steps, and the integers of each step's words."""
_KNOWN: Final = WeakKeyDictionary[PageIndex, dict[Lexicons, list[_Sequence]]]()


def _sequences_of(index: PageIndex, lexicons: Lexicons) -> list[_Sequence]:
    """Return the sequences of a page from a cache."""
    by_lexicons = _KNOWN.setdefault(index, {})
    known = by_lexicons.get(lexicons)
    if known is None:
        reading, ids = index.reading, index.units.ids
        known = by_lexicons[lexicons] = [
            (steps, [_words(reading, step, ids) for step in steps])
            for steps in islice(_sequences(reading, lexicons), MAX_SEQUENCES)
        ]
    return known


def _placed(
    steps: _Steps, shares: Sequence[Sequence[float]], others: _Steps
) -> list[tuple[int, Span, Span]]:
    """Return the aligned steps: number on the page, span in the answer, span on the page."""
    placed = []
    for step, row in zip(steps, shares, strict=True):
        best, *rest = sorted(row, reverse=True)
        if best >= MIN_LIKE and (not rest or best - rest[0] >= MARGIN):
            at = row.index(best)
            placed.append((at, step, others[at]))
    return placed


def _words(reading: Reading, span: Span, numbers: dict[str, int]) -> Integers:
    keys = (reading.tokens.keys[at] for at in reading.tokens.content(*span))
    return np.array([*dict.fromkeys(numbers[key] for key in keys if key in numbers)], np.int64)


def _sequences(reading: Reading, lexicons: Lexicons) -> Iterator[_Steps]:
    """Yield the sequences of a text: its guides, and sentences with "then"."""
    for guide in reading.guides:
        if len(guide.steps) <= MAX_STEPS:
            yield [(step.start, step.end) for step in guide.steps]
    text, phrases = reading.plain.text, lexicons["reversals"].phrases
    joining = phrases["joining"]
    after = [one.start() for one in phrases["then"].finditer(text) if _follows(text, one, joining)]
    if not after:
        return
    starts = [sentence.start for sentence in reading.sentences]
    unordered = sorted(
        one.start()
        for name in ("after", "before", "conditions")
        for one in phrases[name].finditer(text)
    )
    for number in sorted({bisect_left(starts, at + 1) - 1 for at in after}):
        if number < 0:
            continue
        sentence = reading.sentences[number]
        span = sentence.start, sentence.end
        at = bisect_left(unordered, span[0])
        if at < len(unordered) and unordered[at] < span[1]:
            continue
        run = list(_cut(text, span, joining))
        if 1 < len(run) <= MAX_STEPS:
            yield run


def _follows(text: str, then: regex.Match[str], joining: regex.Pattern[str]) -> bool:
    """Return whether a "then" marks the next step rather than the result of a condition."""
    before = text[max(0, then.start() - LONGEST_LINK) : then.start()].rstrip()
    links = any(one.end() == len(before) for one in joining.finditer(before))
    return len(then[0]) >= LONG_CHARS or links or before.endswith(tuple(_MARKS))


def _cut(text: str, span: Span, joining: regex.Pattern[str]) -> Iterator[Span]:
    """Yield the spans of a sentence that may be steps."""
    marks = (
        (at, at + 1) for at in range(*span) if text[at] in _MARKS and text[at + 1 : at + 2] == " "
    )
    start = span[0]
    for first, last in sorted([*marks, *(one.span() for one in joining.finditer(text, *span))]):
        yield start, first
        start = last
    yield start, span[1]
