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

    def apply(self, material: Material, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """The statements, each the likelier the nearer a sentence of the pages is to it.

        One that a place denies by its words becomes no likelier, and stays beside it; another of
        which no place has half of the words is put beside that sentence.
        """
        vectors, places = [np.zeros((0, WIDTH), np.float32)], list[tuple[int, int]]()
        for number, context in enumerate(material.contexts):
            read = self._read(context.index, MOST_SENTENCES - len(places))
            vectors.append(read)
            places += [(number, sentence) for sentence in range(len(read))]
        if not places:
            return tuple(statements)
        every = np.concatenate(vectors)
        answer = material.answer.plain
        moved: list[Statement] = []
        for statement in statements:
            asked = self._encoder.question(
                answer.quoted(*answer.original(statement.start, statement.end))
            )
            near = every @ asked
            best = int(near.argmax())
            truth, passage = _shifted(statement.truth, float(near[best])), statement.passage
            if most_true(statement.chances, statement.findings) < 1:
                moved.append(replace(statement, truth=min(truth, statement.truth)))
            elif passage is not None and passage.share >= NEAR_FROM:
                moved.append(replace(statement, truth=truth))
            else:  # what was found is of the other place
                passage = _passage(material, *places[best])
                moved.append(replace(statement, truth=truth, passage=passage, findings=()))
        return tuple(moved)

    def _read(self, index: PageIndex, most: int) -> Vector:
        """The vectors of a page's sentences, the first so many; shape ``(n, 384)``."""
        sentences = index.reading.sentences[:most]
        known = self._sentences.get(index)
        if known is None or len(known) < len(sentences):
            plain = index.reading.plain
            texts = (plain.quoted(*plain.original(one.start, one.end)) for one in sentences)
            known = np.array([self._encoder.question(text) for text in texts], np.float32)
            self._sentences[index] = known.reshape(-1, WIDTH)
        return known[: len(sentences)].reshape(-1, WIDTH)


def _shifted(truth: float, near: float) -> float:
    """A chance by words, moved by how near the nearest sentence is.

    >>> _shifted(0.8, USUAL), _shifted(0.8, 0.90), _shifted(0.8, 0.80)
    (0.6667, 0.8691, 0.0906)
    """
    odds = math.log(max(truth, LEAST) / max(1 - truth, LEAST))
    by_words, by_meaning = np.clip([odds, COUNTS * (near - USUAL)], -MOST_SHIFTED, MOST_SHIFTED)
    return round(1 / (1 + math.exp(-WORDS_COUNT * by_words - by_meaning)), DECIMALS)


def _passage(material: Material, page: int, sentence: int) -> Passage:
    span = material.contexts[page].index.reading.sentences[sentence]
    return Passage(page, sentence, sentence, 1.0, (span.start, span.end))
