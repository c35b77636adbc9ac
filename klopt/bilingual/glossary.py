"""Which names are each other's translation, learnt from where there is no doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

__all__ = ["Glossary"]

LEAST_LIKENESS: Final = 0.2
"""From this likeness on, two names among several are taken to be each other's."""

KNOWN_LIKENESS: Final = 0.5
KNOWN_COUNT: Final = 3
"""A name that was met so often, and so constantly, with one other belongs to it."""


@dataclass(frozen=True)
class Glossary:
    """Which names were met as each other's only partner, and how often.

    Attributes:
        counts: (source key, target key) → count.
    """

    counts: Mapping[tuple[str, str], int]

    @classmethod
    def learnt(cls, pairs: Iterable[tuple[str, str]]) -> Glossary:
        """The glossary of these pairs of keys.

        >>> glossary = Glossary.learnt([("opslaan", "save"), ("opslaan", "save"), ("map", "save")])
        >>> glossary.likeness("opslaan", "save"), glossary.likeness("opslaan", "open")
        (0.8, 0.0)
        """
        return cls(Counter(pairs))

    def likeness(self, source: str, target: str) -> float:
        """Dice's coefficient: twice the count of both over the sum of the counts of each, 0-1."""
        count = self.counts.get((source, target), 0)
        return 2 * count / (self._sources[source] + self._targets[target]) if count else 0.0

    def contradicts(self, source: str, target: str) -> bool:
        """Whether both are known to belong to others."""
        return (
            source in self._known
            and target in self._known_targets
            and self._known[source] != target
            and self.likeness(source, target) < LEAST_LIKENESS
        )

    def known(self, source: str) -> str | None:
        """The target key that a source key belongs to, or None when that is not sure."""
        return self._known.get(source)

    @cached_property
    def _sources(self) -> Counter[str]:
        return self._sums(0)

    @cached_property
    def _targets(self) -> Counter[str]:
        return self._sums(1)

    @cached_property
    def _known(self) -> dict[str, str]:
        """Source keys that belong to one target key."""
        return {
            source: target
            for (source, target), count in self.counts.items()
            if count >= KNOWN_COUNT and self.likeness(source, target) > KNOWN_LIKENESS
        }

    @cached_property
    def _known_targets(self) -> frozenset[str]:
        return frozenset(self._known.values())

    def _sums(self, side: int) -> Counter[str]:
        sums = Counter[str]()
        for pair, count in self.counts.items():
            sums[pair[side]] += count
        return sums
