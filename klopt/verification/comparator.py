"""Compare claims with passages: supported, contradicted or not stated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt import lexicons
from klopt.errors import InputError, UnknownLanguageError
from klopt.types import Page
from klopt.verification import meaning, wording
from klopt.verification.findings import Finding, FindingPlaces, Stretch, differing, findings_of
from klopt.verification.index import Context, PageIndex
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.networks import LABELS, Label, VerifierWeights, softmax
from klopt.verification.pairs import Batch, Pair, Pairing, batch_of, pair_shares
from klopt.verification.views import views_of
from klopt.verification.words import Floats, PreparedPage, Side, WordVectors, side_of

__all__ = ["LANGUAGES", "Comparator", "Comparison", "joined", "numbers_of", "using"]

LANGUAGES: Final = ("en", "nl")
"""The languages with word vectors."""
DECIMALS: Final = 4
"""Decimals of probabilities, so that the order of addition does not matter."""
MOST_PAIRS: Final = 64
"""Pairs in one batch, which bounds memory."""
NETWORK_COUNTS: Final = 0.52
FAMILIES_COUNT: Final = 0.66
LEAN: Final = (0.45, 0.45, 0.0)
"""Weights of the log-probabilities of network and families for a single claim, and the bias of each
of `LABELS`; `benchmarks.claims` prints them."""
_LEAST: Final = 1e-4


@dataclass(frozen=True)
class Comparison:
    """A claim compared with a passage.

    Attributes:
        label: The most probable label.
        probabilities: Label → probability; they add up to 1.
        slots: The findings for and against the claim, in plain offsets of claim and passage.
        rivals: Words of the claim, and those of the passage in their place.
    """

    label: Label
    probabilities: Mapping[str, float]
    slots: tuple[Finding, ...]
    rivals: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Compared:
    """Claims compared with their passages.

    Attributes:
        network: The probability of each of `LABELS` by the network, shape ``(n, 3)``.
        families: The same by the networks over the families.
        pair_shares: The share of the claim's words in a word pair that the passage has, shape
            ``(n,)``.
        findings: The findings of each.
    """

    network: Floats
    families: Floats
    pair_shares: Floats
    findings: list[tuple[Finding, ...]]


class Comparator:
    """Compares claims with passages of one language; thread-safe.

    Args:
        vectors: The word vectors of the language.
        learnt: The trained weights.

    >>> comparator = Comparator.load("nl")
    >>> page = "Sluit alle vensters met Alt+F7."
    >>> comparator.compare(page, "Met Alt+F8 sluit u alle vensters.").label
    'contradicted'
    >>> comparator.compare(page, "Met Alt+F7 sluit u alle vensters.").label
    'supported'
    """

    def __init__(self, vectors: WordVectors, learnt: VerifierWeights) -> None:
        self.vectors = vectors
        self.learnt = learnt
        self._sides: WeakKeyDictionary[PageIndex, Side] = WeakKeyDictionary()

    @classmethod
    def load(cls, language: str) -> Comparator:
        """Return the comparator of a language, with the weights that ship with klopt.

        Args:
            language: One of `LANGUAGES`.

        Raises:
            UnknownLanguageError: There are no word vectors of the language.
        """
        if language not in LANGUAGES:
            raise UnknownLanguageError(
                f'claims in "{language}" cannot be compared: the languages are '
                f"{', '.join(LANGUAGES)}"
            )
        known = _LOADED.get(language)
        if known is None:
            learnt = _OTHER[-1] if _OTHER else _learnt()
            known = _LOADED.setdefault(language, cls(WordVectors.load(language), learnt))
        return known

    def compare(self, passage: str, claim: str, question: str | None = None) -> Comparison:
        """Compare a claim with a passage.

        Args:
            passage: A few sentences of a page, Markdown or plain.
            claim: A sentence, with "Yes" or "No" before it if it answers a question.
            question: The question, which is read together with the claim.

        Raises:
            InputError: The passage or the claim has no words.
        """
        language = _language(self.vectors.language)
        read = language.reader.read
        first, claimed, page = read(question or ""), read(claim), language.page(Page(passage))
        for name, reading in (("passage", page.reading), ("claim", claimed)):
            if not len(reading.tokens):
                raise InputError(f"the {name} has no words, so there is nothing to compare")
        match = Match(first, claimed, [Context("", page)], language.relations, language.lexicons)
        pairing = self.pairing(match, language)
        own, there = (Stretch(one, 0, len(one.plain.text)) for one in (claimed, page.reading))
        pair = pairing.pair((0, own.end), 0, (0, there.end))
        found = self.chances(pairing, [pair])
        findings = found.findings
        probabilities = np.round(joined(found.network, found.families), DECIMALS)
        return Comparison(
            LABELS[int(probabilities[0].argmax())],
            dict(zip(LABELS, map(float, probabilities[0]), strict=True)),
            findings[0],
            differing(findings[0], own, there, language.relations).rivals,
        )

    def pairing(self, match: Match, language: Language) -> Pairing:
        """Return what makes pairs of the turn's claims and passages of its pages."""
        return Pairing(
            match,
            side_of(match.question_reading, language.lexicons),
            side_of(match.answer_reading, language.lexicons),
            [self._side(context.index, language) for context in match.contexts],
            self.vectors,
            language.relations,
        )

    def chances(self, pairing: Pairing, pairs: Sequence[Pair]) -> Compared:
        """Compare each claim with its passage."""
        network, families = ([np.empty((0, len(LABELS)), np.float32)] for _ in range(2))
        shares = [np.empty(0, np.float32)]
        findings: list[tuple[Finding, ...]] = []
        for start in range(0, len(pairs), MOST_PAIRS):
            some = pairs[start : start + MOST_PAIRS]
            batch = batch_of(some)
            numbers, places = compared(some, batch)
            network.append(softmax(self.learnt.network(batch, pairing.coordinates), 1))
            families.append(self.learnt.families(np.concatenate(numbers, axis=1)))
            shares.append(pair_shares(batch))
            findings += map(tuple, findings_of(some, places))
        both = np.concatenate(network), np.concatenate(families)
        return Compared(*both, np.concatenate(shares), findings)

    def _side(self, index: PageIndex, language: Language) -> Side:
        if isinstance(index, PreparedPage):
            return index.side
        known = self._sides.get(index)
        if known is None:
            known = self._sides[index] = side_of(index.reading, language.lexicons)
        return known


def compared(pairs: Sequence[Pair], batch: Batch) -> tuple[list[Floats], list[FindingPlaces]]:
    """Return the features of each family, shape ``(n_pairs, k)``, and all findings."""
    views, numbers, places = views_of(pairs, batch), list[Floats](), list[FindingPlaces]()
    for columns, findings in (*wording.families(views), *meaning.families(views)):
        is_flat = all(column.ndim == 1 for column in columns)
        table = np.array(columns, np.float32).T if is_flat else np.column_stack(columns)
        numbers.append(table.astype(np.float32, copy=False))
        places += findings
    return numbers, places


def numbers_of(pairs: Sequence[Pair], batch: Batch) -> Floats:
    """Return the features of all families, shape ``(n_pairs, n_features)``."""
    return np.concatenate(compared(pairs, batch)[0], axis=1)


def joined(network: Floats, families: Floats) -> Floats:
    """Return the probabilities of claims by network and families together, shape ``(n, 3)``.

    A weighted sum of log-probabilities, fitted on labelled claims of held-out companies.

    >>> joined(np.array([[0.2, 0.7, 0.1]]), np.array([[0.1, 0.8, 0.1]])).round(2).tolist()
    [[0.11, 0.84, 0.05]]
    """
    points = NETWORK_COUNTS * np.log(np.maximum(network, _LEAST))
    points += FAMILIES_COUNT * np.log(np.maximum(families, _LEAST))
    return softmax(points + LEAN, 1)


@contextmanager
def using(learnt: VerifierWeights) -> Iterator[None]:
    """Use other weights than those that ship with klopt, for measurements."""
    _LOADED.clear()
    _OTHER.append(learnt)
    try:
        yield
    finally:
        _OTHER.pop()
        _LOADED.clear()


_LOADED: Final[dict[str, Comparator]] = {}
_OTHER: Final[list[VerifierWeights]] = []


@cache
def _learnt() -> VerifierWeights:
    return VerifierWeights.load()


@cache
def _language(code: str) -> Language:
    return Language(lexicons.load(code))
