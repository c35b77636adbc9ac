"""Which of the pages' guides is the one that was asked for, and how like two guides are.

A page has a guide for turning something on and one for turning it off, and either may be quoted
word for word. What sets them apart is what stands above them.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from klopt.matching.index import Relations
from klopt.matching.language import Language
from klopt.matching.match import Match
from klopt.matching.units import Integers
from klopt.reading.guides import Guide, Step
from klopt.reading.reader import Reading
from klopt.reading.tokens import LITERAL_SIGNS, Tokens

__all__ = ["AskedGuides", "WordedGuide", "likeness", "stray", "worded_guides"]

_MOST_WORDS: Final = 40
"""So many words of a question say what it is about."""
_WORDED: Final = WeakKeyDictionary[
    Reading, dict[tuple[Tokens, frozenset[str]], tuple["WordedGuide", ...]]
]()
"""The guides of pages stay, so that their words are counted once."""
_EQUAL: Final = 1e-9


class AskedGuides:
    """The guides of a turn's pages, held against its question."""

    def __init__(self, match: Match, relations: Relations) -> None:
        self._match = match
        self._relations = relations
        self._asked = match.question.words[:_MOST_WORDS]
        self._above = [context.index.above_guides for context in match.contexts]
        self._nearness = [
            match.covered((match.asked,), above, page)[0] if above else []
            for page, above in enumerate(self._above)
        ]
        self._nearest = max(
            (max(nearness, default=0.0) for nearness in self._nearness), default=0.0
        )

    def includes(self, page: int, number: int) -> bool:
        """Whether the guide of a page with this number may be the one that was asked for.

        Not when what stands above another guide, here or on another page, has more of the
        question; nor when this one has the opposite of a word of the question, and not the word.
        """
        if self._nearness[page][number] < self._nearest - _EQUAL:
            return False
        guide = self._match.contexts[page].index.reading.guides[number]
        return not self._is_opposite(page, self._above[page][number], guide)

    def _is_opposite(self, page: int, above: Integers, guide: Guide) -> bool:
        index, relations = self._match.contexts[page].index, self._relations
        own = {*above.tolist(), *index.units.between(guide.start, guide.end).tolist()}
        words = {index.units.words[number] for number in own}
        for word in self._asked:
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
    """The guides of a text, known again for as long as the text is."""
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
    """Shorter length / longer length × mean cosine of the steps in order, 0 to 1.

    A step whose components are not exactly the other's has cosine 0.
    """
    steps = zip(one.guide.steps, other.guide.steps, one.words, other.words, strict=False)
    cosines = [
        _cosine(mine, theirs) if step.components == other_step.components else 0.0
        for step, other_step, mine, theirs in steps
    ]
    lengths = min(len(one.words), len(other.words)) / max(len(one.words), len(other.words))
    return min(1.0, lengths * sum(cosines) / len(cosines))


def stray(one: WordedGuide, other: WordedGuide, language: Language) -> bool:
    """Whether any step differs from its counterpart in what may not differ.

    That is a component, a number, a key, a negation, or a word that excludes one of the other's.
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
    """Cosine of two bags of words; 1 for two empty ones, as steps of components alone are.

    >>> _cosine(Counter("ab"), Counter("ab")), _cosine(Counter("a"), Counter("b"))
    (1.0, 0.0)
    """
    if first == second:
        return 1.0
    squares = (sum(count * count for count in one.values()) for one in (first, second))
    lengths = math.sqrt(math.prod(squares))
    shared = sum(count * second[word] for word, count in first.items())
    return shared / lengths if lengths else 0.0
