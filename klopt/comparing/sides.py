"""The words of a text as the comparator sees them: all, stop words too, with their marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from klopt.lexicons import Lexicons, load_one
from klopt.matching.index import PageIndex
from klopt.matching.units import Integers
from klopt.reading.reader import Reading
from klopt.reading.tokens import Kind

__all__ = ["FLAGS", "QUALIFIERS", "PreparedPage", "Side", "bit_of", "prepared", "side_of"]

FLAGS: Final = ("stop", "number", "literal", "component", "negated", "conditional", "capital")
"""What is marked at each word; ``literal`` is a key or code, ``negated`` a negation's own words,
``capital`` a capital that no sentence begins with."""

QUALIFIERS: Final = (*sorted(load_one("nl", "qualifiers").lists), "yes", "no")
"""The lists of the lexicon ``qualifiers``, and what opens an answer with a yes or a no."""


@dataclass(frozen=True, eq=False)
class Side:
    """One text.

    Attributes:
        words: Its distinct words (`klopt.reading.tokens`), in order.
        ids: For each word of the text its number in ``words``, shape ``(n,)``.
        flags: One column for each of `FLAGS`, 0 or 1, shape ``(n, len(FLAGS))``.
        starts: First plain character of each word.
        ends: After its last one.
        sentences: The number of its sentence.
        qualifiers: A bit for each of `QUALIFIERS` that the word belongs to.
    """

    words: tuple[str, ...]
    ids: Integers
    flags: NDArray[np.float32]
    starts: Integers
    ends: Integers
    sentences: Integers
    qualifiers: Integers

    @cached_property
    def spans(self) -> Integers:
        """First plain character and end of each word, shape ``(n, 2)``."""
        return np.stack([self.starts, self.ends], axis=1)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Word → its number."""
        return {word: number for number, word in enumerate(self.words)}

    def between(self, start: int, end: int) -> slice:
        """The words that start in a plain stretch."""
        first, last = np.searchsorted(self.starts, (start, end)).tolist()
        return slice(first, last)


def side_of(reading: Reading, lexicons: Lexicons) -> Side:
    """The words of a text.

    Args:
        reading: The text.
        lexicons: Of its language; of ``negations`` the lists of negations and conditions are used.
    """
    tokens, text = reading.tokens, reading.plain.text
    numbers: dict[str, int] = {}
    ids = np.array([numbers.setdefault(key, len(numbers)) for key in tokens.keys], np.int64)
    kinds = np.frombuffer(tokens.kinds, np.uint8)
    starts = np.array(tokens.starts, np.int64)
    flags = np.zeros((len(ids), len(FLAGS)), np.float32)
    flags[:, 0] = np.frombuffer(tokens.stops, np.uint8)
    flags[:, 1] = kinds == Kind.NUMBER.value
    flags[:, 2] = (kinds == Kind.KEY.value) | (kinds == Kind.CODE.value)
    flags[:, 3] = kinds == Kind.COMPONENT.value
    phrases = lexicons["negations"].phrases
    for column, name in ((4, "negations"), (5, "conditions")):
        for match in phrases[name].finditer(text):
            span = tokens.between(*match.span())
            flags[span.start : span.stop, column] = 1
    flags[:, 6] = [text[start].isupper() for start in tokens.starts]
    sentences = [one.start for one in reading.sentences]
    opening = np.searchsorted(starts, sentences)
    flags[opening[opening < len(ids)], 6] = 0
    written = text.lower()
    if len(written) != len(text):
        written = "".join(one.lower()[0] for one in text)
    surfaces = [written[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
    return Side(
        tuple(numbers),
        ids,
        flags,
        starts,
        np.array(tokens.ends, np.int64),
        np.searchsorted(sentences, starts, side="right"),
        _qualifiers(surfaces, lexicons),
    )


@dataclass(frozen=True, eq=False)
class PreparedPage(PageIndex):
    """A page that has its side, too, as one from an index file does.

    Attributes:
        side: Its words as the comparator sees them.
    """

    side: Side


def prepared(index: PageIndex, lexicons: Lexicons) -> PreparedPage:
    """A page with its side."""
    given = {one.name: getattr(index, one.name) for one in fields(PageIndex)}
    return PreparedPage(**given, side=side_of(index.reading, lexicons))


@cache
def bit_of(*names: str) -> int:
    """The bits of some of `QUALIFIERS` together."""
    return sum(1 << QUALIFIERS.index(name) for name in names)


def _qualifiers(words: Sequence[str], lexicons: Lexicons) -> Integers:
    found = [0] * len(words)
    phrases = _phrases(lexicons)
    for number, word in enumerate(words):
        for phrase, bit in phrases.get(word, ()):
            end = number + len(phrase)
            if tuple(words[number:end]) == phrase:
                found[number:end] = [bits | bit for bits in found[number:end]]
    return np.array(found, np.int64)


@lru_cache(8)
def _phrases(lexicons: Lexicons) -> dict[str, list[tuple[tuple[str, ...], int]]]:
    """First word → the phrases that begin with it, as words, each with its bit."""
    found: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    lists = dict(lexicons["qualifiers"].lists)
    lists["yes"] = lexicons["confirmations"].lists["openings"]
    lists["no"] = lexicons["negations"].lists["openings"]
    for name, entries in lists.items():
        for phrase in map(str.split, entries):
            found.setdefault(phrase[0], []).append((tuple(phrase), bit_of(name)))
    return found
