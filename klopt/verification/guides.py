"""Find the guide that fits the question, and compare guides.

A page may have one guide for turning something on and one for turning it off; the headings above
them tell them apart.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from klopt.text.guides import Guide, Step
from klopt.text.reader import Reading
from klopt.text.tokens import LITERAL_SIGNS, Tokens
from klopt.verification.index import Relations
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.units import Integers

__all__ = ["MatchingGuides", "WordedGuide", "likeness", "steps_conflict", "worded_guides"]

_MOST_WORDS: Final = 40
"""Words of a question that tell its subject."""
_WORDED: Final = WeakKeyDictionary[
    Reading, dict[tuple[Tokens, frozenset[str]], tuple["WordedGuide", ...]]
]()
"""The guides of each text with their words, cached with the text."""
_EQUAL: Final = 1e-9


class MatchingGuides:
    """The guides of a turn's pages that may answer its question."""

    def __init__(self, match: Match, relations: Relations) -> None:
        self._match = match
        self._relations = relations
        self._question = match.question.words[:_MOST_WORDS]
        self._above = [context.index.above_guides for context in match.contexts]
        self._nearness = [
            match.covered((match.question_words,), above, page)[0] if above else []
            for page, above in enumerate(self._above)
        ]
        self._nearest = max(
            (max(nearness, default=0.0) for nearness in self._nearness), default=0.0
        )

    def includes(self, page: int, number: int) -> bool:
        """Return whether a guide of a page may be the one that the question asks for.

        Not when the headings above another guide cover more of the question; nor when this guide
        has the opposite of a word of the question, and not the word.
        """
        if self._nearness[page][number] < self._nearest - _EQUAL:
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
