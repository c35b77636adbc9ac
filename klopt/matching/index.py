"""One text ready to be searched: its units, its words and where they stand, what it is about."""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from klopt.matching.likeness import Vocabulary
from klopt.matching.units import Unit, units_of
from klopt.reading.parse import Parse
from klopt.reading.reader import PAGE_CACHE, Reading
from klopt.reading.recent import Recent


@dataclass(frozen=True, eq=False)
class Index:
    """One text.

    Attributes:
        reading: The text.
        parse: Its parse.
        units: Its sentences.
    """

    reading: Reading
    parse: Parse
    units: tuple[Unit, ...]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """For each unit, where it starts."""
        return tuple(unit.start for unit in self.units)

    @cached_property
    def places(self) -> dict[str, tuple[int, ...]]:
        """Token → the numbers of the units that have it, in order."""
        places: dict[str, list[int]] = {}
        for unit in self.units:
            for key in unit.keys:
                places.setdefault(key, []).append(unit.number)
        return {key: tuple(numbers) for key, numbers in places.items()}

    @cached_property
    def words(self) -> frozenset[str]:
        """Its distinct tokens."""
        return frozenset(self.places)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Its words."""
        return Vocabulary(tuple(self.places))

    @cached_property
    def component_keys(self) -> frozenset[str]:
        """The keys of the components that it names."""
        return frozenset(one.key for one in self.reading.components if one.kind != "code")

    @cached_property
    def title(self) -> frozenset[str]:
        """The tokens of its first sentence: what the page is about."""
        return frozenset(self.units[0].keys) if self.units else frozenset()

    @cached_property
    def headings(self) -> frozenset[str]:
        """The tokens of its headings and of its second sentence, which says it in other words."""
        keys = set(self.units[1].keys) if len(self.units) > 1 else set()
        for block in self.reading.plain.blocks:
            if block.kind == "heading":
                first, last = (
                    bisect_left(self.starts, block.start),
                    bisect_left(self.starts, block.end),
                )
                for unit in self.units[first:last]:
                    keys.update(unit.keys)
        return frozenset(keys)

    def names(self, key: str) -> bool:
        """Whether it names a component, or has its name as whole words."""
        return key in self.component_keys or self.reading.folded.find(key) is not None


class Indexes:
    """Remembers the indexes of pages.

    Safe to use from several threads.

    Args:
        size: How many to remember; a reader remembers as many parses.
    """

    def __init__(self, size: int = PAGE_CACHE) -> None:
        self._known: Recent[Parse, Index] = Recent(size)
        self._lock = threading.Lock()

    def of(self, reading: Reading, parse: Parse) -> Index:
        """The index of a text."""
        with self._lock:
            index = self._known.get(parse)
        if index is None:
            index = Index(reading, parse, units_of(reading, parse))
            with self._lock:
                self._known.put(parse, index)
        return index
