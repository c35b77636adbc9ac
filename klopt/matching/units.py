"""The sentences of a text as what can be compared: their words as integers, and what turns them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from klopt.lexicons import Lexicons
from klopt.reading.reader import Reading

__all__ = ["Integers", "Units", "units_of"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Units:
    """The sentences of one text that have words with content, in order.

    Attributes:
        words: The distinct words with content, in order; a word's integer is its place here.
        starts: For each sentence its first plain character, shape ``(n,)``.
        ends: After its last one.
        tokens: The distinct words of each sentence as integers, one sentence after the other.
        offsets: Where the words of each sentence begin in ``tokens``, shape ``(n,)``.
        sequence: All words with content as integers, in the order of the text.
        conditional: 1 where a sentence stands under a condition.
    """

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    tokens: Integers
    offsets: Integers
    sequence: Integers
    conditional: bytes

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def ids(self) -> dict[str, int]:
        """Word → its integer."""
        return {word: number for number, word in enumerate(self.words)}

    def of(self, unit: int) -> Integers:
        """The distinct words of one sentence."""
        last = self.offsets[unit + 1] if unit + 1 < len(self) else len(self.tokens)
        return self.tokens[self.offsets[unit] : last]

    def numbers(self, start: int, end: int) -> range:
        """The numbers of the sentences that start in a plain stretch."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def between(self, start: int, end: int) -> Integers:
        """The distinct words of the sentences that start in a plain stretch, in order."""
        found = [self.of(unit) for unit in self.numbers(start, end)]
        return distinct(np.concatenate(found)) if found else np.empty(0, np.int64)


def distinct(numbers: Integers) -> Integers:
    """Numbers without repetition, in order of first appearance."""
    return np.fromiter(dict.fromkeys(numbers.tolist()), np.int64)


def units_of(reading: Reading, lexicons: Lexicons) -> Units:
    """The sentences of a text that have words with content.

    Args:
        reading: The text.
        lexicons: The tables of its language; of ``negations`` the list ``conditions`` is used.

    >>> from klopt import lexicons
    >>> from klopt.reading.reader import Reader
    >>> reader = Reader(lexicons.load("en"))
    >>> units = units_of(reader.read("Press `Ctrl+S`. Do not wait 30 seconds."), reader.lexicons)
    >>> units.words
    ('press', '@ctrl+s', 'wait', '#30', 'second')
    """
    tokens = reading.tokens
    ids: dict[str, int] = {}
    starts: list[int] = []
    ends: list[int] = []
    flat: list[int] = []
    offsets: list[int] = []
    sequence: list[int] = []
    numbers = tokens.running
    at = 0
    for sentence in reading.sentences:
        own: list[int] = []
        while at < len(numbers) and tokens.starts[numbers[at]] < sentence.end:
            own.append(ids.setdefault(tokens.keys[numbers[at]], len(ids)))
            at += 1
        if own:
            starts.append(sentence.start)
            ends.append(sentence.end)
            offsets.append(len(flat))
            flat.extend(dict.fromkeys(own))
            sequence.extend(own)
    return Units(
        tuple(ids),
        tuple(starts),
        tuple(ends),
        np.array(flat, np.int64),
        np.array(offsets, np.int64),
        np.array(sequence, np.int64),
        _conditional(reading.plain.text, starts, ends, lexicons),
    )


def _conditional(
    text: str, starts: Sequence[int], ends: Sequence[int], lexicons: Lexicons
) -> bytes:
    """1 for each sentence under a condition."""
    found = lexicons["negations"].phrases["conditions"].finditer(text)
    conditions = [match.start() for match in found]
    return bytes(
        any(start <= one < end for one in conditions)
        for start, end in zip(starts, ends, strict=True)
    )
