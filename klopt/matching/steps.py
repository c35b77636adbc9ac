"""The steps of two guides side by side: how alike their words are, and where they stray."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from klopt.matching.language import Language
from klopt.reading.guides import Guide
from klopt.reading.reader import Reading
from klopt.reading.tokens import LITERAL_SIGNS, Tokens

__all__ = ["WordedGuide", "likeness", "stray", "worded_guides"]


@dataclass(frozen=True, slots=True, eq=False)
class WordedGuide:
    """A guide and its words.

    Attributes:
        guide: The guide.
        words: For each step, how often it has each word.
    """

    guide: Guide
    words: tuple[Counter[str], ...]


def worded_guides(
    reading: Reading, tokens: Tokens, without: Collection[str]
) -> Iterator[WordedGuide]:
    """The guides of a text.

    Args:
        reading: The text.
        tokens: Its words, as they are compared.
        without: The words that do not count.
    """
    for guide in reading.guides:
        spans = (tokens.between(step.start, step.end) for step in guide.steps)
        keys = ((tokens.keys[number] for number in span) for span in spans)
        yield WordedGuide(
            guide, tuple(Counter(k for k in some if k not in without) for some in keys)
        )


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
