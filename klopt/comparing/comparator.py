"""Whether a passage says what a statement says, denies it, or does not speak of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt import lexicons
from klopt.comparing import meaning, wording
from klopt.comparing.findings import Finding, FindingPlaces, Stretch, differing, findings_of
from klopt.comparing.learnt import LABELS, Learnt, Says, softmax
from klopt.comparing.pairs import Batch, Pair, Pairing, batch_of
from klopt.comparing.views import views_of
from klopt.comparing.words import Floats, PreparedPage, Side, WordVectors, side_of
from klopt.errors import InputError, UnknownLanguageError
from klopt.matching.index import Context, PageIndex
from klopt.matching.language import Language
from klopt.matching.match import Match
from klopt.reading.reader import Reading
from klopt.records import Page

__all__ = ["LANGUAGES", "Comparator", "Comparison", "joined", "numbers_of", "using"]

LANGUAGES: Final = ("en", "nl")
"""The languages that there are word vectors of."""
DECIMALS: Final = 4
"""Chances are rounded to so many decimals, so that no order of adding shows."""
MOST_PAIRS: Final = 64
"""So many pairs are compared in one go, which bounds memory."""
NETWORK_COUNTS: Final = 0.52
FAMILIES_COUNT: Final = 0.66
LEAN: Final = (0.45, 0.45, 0.0)
"""What the logarithms of their chances count for a claim by itself, and how much likelier each of
`LABELS` is than they say; `benchmarks.claims` prints them. How frequent each is among the
statements of answers is for the trees to say."""
_LEAST: Final = 1e-4


@dataclass(frozen=True)
class Comparison:
    """What a passage says of a claim.

    Attributes:
        label: The likeliest of the three.
        probabilities: Of ``supported``, ``contradicted`` and ``not_stated``; they add up to 1.
        slots: What speaks for the claim and against it, in plain offsets of claim and passage.
        rivals: What the claim says and what the passage says in its place, a few words each.
    """

    label: Says
    probabilities: Mapping[str, float]
    slots: tuple[Finding, ...]
    rivals: tuple[tuple[str, str], ...] = ()


class Comparator:
    """Compares statements with passages of one language. Safe to use from several threads.

    Args:
        vectors: The words of the language.
        learnt: What compares.

    >>> comparator = Comparator.load("nl")
    >>> page = "Sluit alle vensters met Alt+F7."
    >>> comparator.compare(page, "Met Alt+F8 sluit u alle vensters.").label
    'contradicted'
    >>> comparator.compare(page, "Met Alt+F7 sluit u alle vensters.").label
    'supported'
    """

    def __init__(self, vectors: WordVectors, learnt: Learnt) -> None:
        self.vectors = vectors
        self.learnt = learnt
        self._sides: WeakKeyDictionary[PageIndex, Side] = WeakKeyDictionary()

    @classmethod
    def load(cls, language: str) -> Comparator:
        """The one that comes with klopt.

        Args:
            language: One of `LANGUAGES`.

        Raises:
            UnknownLanguageError: There are no word vectors of the language.
        """
        if language not in LANGUAGES:
            raise UnknownLanguageError(
                f'nothing compares statements in "{language}": the languages are '
                f"{', '.join(LANGUAGES)}"
            )
        known = _LOADED.get(language)
        if known is None:
            learnt = _OTHER[-1] if _OTHER else _learnt()
            known = _LOADED.setdefault(language, cls(WordVectors.load(language), learnt))
        return known

    def compare(self, passage: str, claim: str, question: str | None = None) -> Comparison:
        """What a passage says of a claim.

        Args:
            passage: A few sentences of a page, Markdown or plain.
            claim: What somebody says, with "Yes" or "No" before it where it answers a question.
            question: What was asked; it is read together with the claim.

        Raises:
            InputError: The passage or the claim has no words.
        """
        language = _language(self.vectors.language)
        read = language.reader.read
        asked, claimed, page = read(question or ""), read(claim), language.page(Page(passage))
        for name, reading in (("passage", page.reading), ("claim", claimed)):
            if not len(reading.tokens):
                raise InputError(f"the {name} has no words, so there is nothing to compare")
        match = Match(asked, claimed, [Context("", page)], language.relations, language.lexicons)
        pairing = self.pairing(match, asked, claimed, language)
        own, there = (Stretch(one, 0, len(one.plain.text)) for one in (claimed, page.reading))
        pair = pairing.pair((0, own.end), 0, (0, there.end))
        network, families, findings = self.chances(pairing, [pair])
        chances = np.round(joined(network, families), DECIMALS)
        return Comparison(
            LABELS[int(chances[0].argmax())],
            dict(zip(LABELS, map(float, chances[0]), strict=True)),
            findings[0],
            differing(findings[0], own, there, language.relations).rivals,
        )

    def pairing(
        self, match: Match, question: Reading, answer: Reading, language: Language
    ) -> Pairing:
        """A turn, ready for its statements to be held against places of its pages."""
        return Pairing(
            match,
            side_of(question, language.lexicons),
            side_of(answer, language.lexicons),
            [self._side(context.index, language) for context in match.contexts],
            self.vectors,
            language.relations,
        )

    def chances(
        self, pairing: Pairing, pairs: Sequence[Pair]
    ) -> tuple[Floats, Floats, list[tuple[Finding, ...]]]:
        """What network and families think of each pair, shape ``(n, 3)``; and what is found.

        Of each of the three labels the chance, if all three were as frequent.
        """
        network, families = ([np.empty((0, len(LABELS)), np.float32)] for _ in range(2))
        findings: list[tuple[Finding, ...]] = []
        for start in range(0, len(pairs), MOST_PAIRS):
            some = pairs[start : start + MOST_PAIRS]
            batch = batch_of(some)
            numbers, places = compared(some, batch)
            network.append(softmax(self.learnt.network(batch, pairing.coordinates), 1))
            families.append(self.learnt.families(np.concatenate(numbers, axis=1)))
            findings += map(tuple, findings_of(some, places))
        return np.concatenate(network), np.concatenate(families), findings

    def _side(self, index: PageIndex, language: Language) -> Side:
        if isinstance(index, PreparedPage):
            return index.side
        known = self._sides.get(index)
        if known is None:
            known = self._sides[index] = side_of(index.reading, language.lexicons)
        return known


def compared(pairs: Sequence[Pair], batch: Batch) -> tuple[list[Floats], list[FindingPlaces]]:
    """The numbers of each family, each of shape ``(n_pairs, k)``, and what all of them find."""
    views, numbers, places = views_of(pairs, batch), list[Floats](), list[FindingPlaces]()
    for columns, findings in (*wording.families(views), *meaning.families(views)):
        is_flat = all(column.ndim == 1 for column in columns)
        table = np.array(columns, np.float32).T if is_flat else np.column_stack(columns)
        numbers.append(table.astype(np.float32, copy=False))
        places += findings
    return numbers, places


def numbers_of(pairs: Sequence[Pair], batch: Batch) -> Floats:
    """The numbers of all families side by side."""
    return np.concatenate(compared(pairs, batch)[0], axis=1)


def joined(network: Floats, families: Floats) -> Floats:
    """The chances of claims by what the network and the families think, shape ``(n, 3)``.

    A sum of their logarithms, weighed as labelled claims of companies left out show.

    >>> joined(np.array([[0.2, 0.7, 0.1]]), np.array([[0.1, 0.8, 0.1]])).round(2).tolist()
    [[0.11, 0.84, 0.05]]
    """
    points = NETWORK_COUNTS * np.log(np.maximum(network, _LEAST))
    points += FAMILIES_COUNT * np.log(np.maximum(families, _LEAST))
    return softmax(points + LEAN, 1)


@contextmanager
def using(learnt: Learnt) -> Iterator[None]:
    """Compares with something else than what comes with klopt, to measure what that is worth."""
    _LOADED.clear()
    _OTHER.append(learnt)
    try:
        yield
    finally:
        _OTHER.pop()
        _LOADED.clear()


_LOADED: Final[dict[str, Comparator]] = {}
_OTHER: Final[list[Learnt]] = []


@cache
def _learnt() -> Learnt:
    return Learnt.load()


@cache
def _language(code: str) -> Language:
    return Language(lexicons.load(code))
