"""Which of the pages' guides is the one that was asked for.

A page has a guide for turning something on and one for turning it off, and either may be quoted
word for word. What sets them apart is what stands above them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from klopt.matching.match import Match
from klopt.matching.relations import Relations
from klopt.matching.units import Integers, distinct
from klopt.reading.guides import Guide
from klopt.reading.tokens import LITERAL_SIGNS

__all__ = ["AskedGuides"]

_MOST_WORDS: Final = 40
"""So many words of a question, or above a guide, say what it is about."""
_EQUAL: Final = 1e-9


class AskedGuides:
    """The guides of a turn's pages, held against its question.

    Args:
        match: The turn on its pages.
        relations: Of its language.
    """

    def __init__(self, match: Match, relations: Relations) -> None:
        self._match = match
        self._relations = relations
        self._asked = match.question.words[:_MOST_WORDS]
        self._above = [
            [_above(match, page, guide) for guide in context.index.reading.guides]
            for page, context in enumerate(match.contexts)
        ]
        self._nearness = [
            match.covered((match.asked,), above, page)[0] for page, above in enumerate(self._above)
        ]
        self._nearest = max((max(one, default=0.0) for one in self._nearness), default=0.0)

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
            rivals = [one for one in meant if relations.has_rival(one)]
            if any(relations.exclude(one, other) for one in rivals for other in words):
                return True
        return False


def _above(match: Match, page: int, guide: Guide) -> Integers:
    """The words of the page's title, of the headings above a guide and of what leads in to it."""
    index = match.contexts[page].index
    numbers = index.units.numbers(guide.start, guide.end)
    if not numbers:
        return index.title[:_MOST_WORDS]
    first = numbers.start
    leading = {0, *index.paths[first], max(0, first - 1)}
    found = [index.units.of(unit)[:_MOST_WORDS] for unit in sorted(leading) if unit < first]
    return distinct(np.concatenate(found)) if found else np.empty(0, np.int64)
