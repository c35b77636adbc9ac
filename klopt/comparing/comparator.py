"""Whether a passage says what a statement says, denies it, or does not speak of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt import lexicons
from klopt.comparing.network import LABELS, Network
from klopt.comparing.pairs import Floats, Pair, Pairing, batch_of
from klopt.comparing.sides import Side, side_of
from klopt.comparing.vectors import WordVectors
from klopt.matching.index import Context, PageIndex
from klopt.matching.language import Language
from klopt.matching.match import Match
from klopt.reading.reader import Reading
from klopt.records import Page

__all__ = ["Comparator", "Comparison"]

DECIMALS: Final = 4
"""Chances are rounded to so many decimals, so that no order of adding shows."""
MOST_PAIRS: Final = 64
"""So many pairs are compared in one go, which bounds memory."""


class Comparator:
    """Compares statements with passages of one language. Safe to use from several threads.

    Args:
        vectors: The words of the language.
        network: What compares.
    """

    def __init__(self, vectors: WordVectors, network: Network) -> None:
        self.vectors = vectors
        self.network = network
        self._sides: WeakKeyDictionary[PageIndex, Side] = WeakKeyDictionary()

    @classmethod
    def load(cls, language: str) -> Comparator:
        return _load(language)

    @classmethod
    def untrained(cls, language: str) -> Comparator:
        """One that can pair but not compare, for training."""
        return cls(WordVectors.load(language), None)

    def pairing(self, match: Match, question: Reading, answer: Reading, language: Language) -> Pairing:
        pages = [self._side(context.index, language) for context in match.contexts]
        return Pairing(
            match,
            side_of(question, language.lexicons),
            side_of(answer, language.lexicons),
            pages,
            self.vectors,
            language.relations,
        )

    def chances(self, pairing: Pairing, pairs: Sequence[Pair]) -> Floats:
        """The chance of each of the three labels for each pair, shape ``(n, 3)``."""
        found = [np.empty((0, len(LABELS)), np.float32)]
        for start in range(0, len(pairs), MOST_PAIRS):
            points = self.network(batch_of(pairs[start : start + MOST_PAIRS]), pairing.coordinates)
            points = np.exp(points - points.max(axis=1, keepdims=True))
            found.append(points / points.sum(axis=1, keepdims=True))
        return np.round(np.concatenate(found), DECIMALS)

    def _side(self, index: PageIndex, language: Language) -> Side:
        known = self._sides.get(index)
        if known is None:
            known = self._sides[index] = side_of(index.reading, language.lexicons)
        return known


@lru_cache(2)
def _load(language: str) -> Comparator:
    return Comparator(WordVectors.load(language), Network.load())
