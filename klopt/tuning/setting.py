"""What surrounds an answer in the making: its page, the pages beside it, and all the others."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from klopt.tuning.excerpts import Excerpts
from klopt.tuning.wording import Wording, bare

__all__ = ["Neighbours", "Setting"]

MOST_WORDS: Final = 1_500
"""Of one page, so many distinct content words are compared."""
MOST_NEIGHBOURS: Final = 30


@dataclass(frozen=True)
class Setting:
    """The pages around one answer.

    Attributes:
        page: The page that the answer is made from.
        contexts: The pages that the bot was given, the page among them unless it was left out.
        outside: Pages near the page's subject that the bot was not given.
        wording: The words of their language.
    """

    page: Excerpts
    contexts: Sequence[Excerpts]
    outside: Sequence[Excerpts]
    wording: Wording

    @cached_property
    def folded(self) -> str:
        """All contexts in small letters, with single blanks."""
        return " ".join(" ".join(context.folded.split()) for context in self.contexts)

    @cached_property
    def words(self) -> frozenset[str]:
        """The content words of all contexts."""
        return frozenset().union(
            *(self.wording.content_words(context.folded) for context in self.contexts)
        )

    def says(self, text: str) -> bool:
        """Whether a context says these very words, in any case and whatever the white space."""
        return " ".join(bare(text).lower().split()).strip(" .!") in self.folded


class Neighbours:
    """For each page the nearest others, by the content words that they share.

    Nearness is the sum over shared words of log(pages / pages with the word), divided by the root
    of the product of both pages' own sums, so that long pages are not near to everything.
    """

    def __init__(self, pages: Sequence[Excerpts], wording: Wording) -> None:
        words = [wording.content_words(page.folded) for page in pages]
        counts = Counter(word for found in words for word in found)
        self._rarity = {word: math.log(len(pages) / count) for word, count in counts.items()}
        self._words = [
            sorted(found, key=lambda word: (counts[word], word))[:MOST_WORDS] for found in words
        ]
        self._pages: dict[str, list[int]] = defaultdict(list)
        for place, found in enumerate(self._words):
            for word in found:
                if 2 * counts[word] <= len(pages) or len(pages) < 4:
                    self._pages[word].append(place)
        self._norms = [math.sqrt(sum(self._rarity[w] for w in found)) or 1 for found in self._words]
        self._known: dict[int, tuple[int, ...]] = {}

    def of(self, place: int) -> tuple[int, ...]:
        """The places of the nearest pages, nearest first, at most `MOST_NEIGHBOURS`."""
        if place not in self._known:
            shared: dict[int, float] = defaultdict(float)
            for word in self._words[place]:
                for other in self._pages.get(word, ()):
                    shared[other] += self._rarity[word]
            shared.pop(place, None)
            nearness = {other: total / self._norms[other] for other, total in shared.items()}
            found = sorted(nearness, key=lambda other: (-round(nearness[other], 9), other))
            self._known[place] = tuple(found[:MOST_NEIGHBOURS])
        return self._known[place]
