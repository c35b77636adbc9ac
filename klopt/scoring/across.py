"""Statements beside pages in another language: where they stand by what they mean, not by words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt.comparing import Statement, most_true
from klopt.comparing.passages import Passage
from klopt.embedding.encoder import WIDTH, TextEncoder, Vector
from klopt.heuristics import Material
from klopt.matching import PageIndex
from klopt.scoring.statements import NEAR_FROM

MOST_SENTENCES: Final = 400
"""So many sentences of the pages of a turn are read."""
USUAL: Final = 0.88
"""How near a statement is to its place, half of the time."""
COUNTS: Final = 60.0
"""How much the logarithm of the odds of being true rises with how near it is."""
MOST_SHIFTED: Final = 3.0
"""By so much at most;"""
WORDS_COUNT: Final = 0.5
"""and what they count that the words gave. All three were picked on pairs of two companies."""
DECIMALS: Final = 4
LEAST: Final = 1e-4


class Nearness:
    """How near statements are to the sentences of their pages. Safe to use from several threads."""

    def __init__(self) -> None:
        self._encoder = TextEncoder.shipped()
        self._sentences: WeakKeyDictionary[PageIndex, Vector] = WeakKeyDictionary()

    def statements(self, material: Material) -> tuple[Statement, ...]:
        """An answer's statements, each the likelier the nearer a sentence of the pages is to it.

        One of which no place has half of the words is held against that sentence. One that its
        place denies by its words becomes no likelier.
        """
        by_words = material.statements or ()
        if not (near := self._nearest(material, by_words)):
            return by_words
        elsewhere = {
            statement.unit: place
            for statement, (_, place) in zip(by_words, near, strict=True)
            if statement.passage is None or statement.passage.share < NEAR_FROM
        }
        held = material.statements_from(0, elsewhere) or ()
        moved: list[Statement] = []
        for statement, (cosine, _) in zip(held, near, strict=True):
            truth = _shifted(statement.truth, cosine)
            if most_true(statement.chances, statement.findings) < 1:
                truth = min(truth, statement.truth)
            moved.append(replace(statement, truth=truth))
        return tuple(moved)

    def _nearest(
        self, material: Material, statements: Sequence[Statement]
    ) -> list[tuple[float, Passage]]:
        """For each statement how near the nearest sentence of the pages is, and where it stands."""
        vectors, places = [np.zeros((0, WIDTH), np.float32)], list[Passage]()
        for number, context in enumerate(material.contexts):
            read = self._read(context.index, MOST_SENTENCES - len(places))
            vectors.append(read)
            units = context.index.units
            spans = zip(units.starts[: len(read)], units.ends, strict=False)
            places += [Passage(number, at, at, NEAR_FROM, span) for at, span in enumerate(spans)]
        if not places:
            return []
        every, answer = np.concatenate(vectors), material.answer.plain
        nearest: list[tuple[float, Passage]] = []
        for statement in statements:
            text = answer.quoted(*answer.original(statement.start, statement.end))
            near = every @ self._encoder.question(text)
            best = int(near.argmax())
            nearest.append((float(near[best]), places[best]))
        return nearest

    def _read(self, index: PageIndex, most: int) -> Vector:
        """The vectors of a page's sentences, the first so many; shape ``(n, 384)``."""
        units, known = index.units, self._sentences.get(index)
        count = min(most, len(units))
        if known is None or len(known) < count:
            plain = index.reading.plain
            spans = zip(units.starts[:count], units.ends, strict=False)
            texts = (plain.quoted(*plain.original(*span)) for span in spans)
            read = np.array([self._encoder.question(text) for text in texts], np.float32)
            known = self._sentences[index] = read.reshape(-1, WIDTH)
        return known[:count]


def _shifted(truth: float, near: float) -> float:
    """A chance by words, moved by how near the nearest sentence is.

    >>> _shifted(0.8, USUAL), _shifted(0.8, 0.90), _shifted(0.8, 0.80)
    (0.6667, 0.8691, 0.0906)
    """
    odds = math.log(max(truth, LEAST) / max(1 - truth, LEAST))
    by_words, by_meaning = np.clip([odds, COUNTS * (near - USUAL)], -MOST_SHIFTED, MOST_SHIFTED)
    return round(1 / (1 + math.exp(-WORDS_COUNT * by_words - by_meaning)), DECIMALS)
