"""Whether a passage says what a statement says, denies it, or does not speak of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt import lexicons
from klopt.comparing.contradictions import Contradictions
from klopt.comparing.findings import Finding, Stretch, differing, findings_of
from klopt.comparing.learnt import LABELS, Learnt, softmax
from klopt.comparing.pairs import Pair, Pairing, batch_of
from klopt.comparing.passages import Passage, passages_of
from klopt.comparing.slots import slots_of
from klopt.comparing.statements import (
    HOLDS_FROM,
    STATED_FROM,
    Says,
    Statement,
    facts_of,
    first_char,
    most_true,
    says_of,
)
from klopt.comparing.words import Floats, PreparedPage, Side, WordVectors, side_of
from klopt.errors import InputError, UnknownLanguageError
from klopt.matching.index import Context, PageIndex
from klopt.matching.language import Language
from klopt.matching.match import Match
from klopt.reading.reader import Reading
from klopt.records import Page

__all__ = ["LANGUAGES", "Comparator", "Comparison", "joined", "using"]

LANGUAGES: Final = ("en", "nl")
"""The languages that there are word vectors of."""
DECIMALS: Final = 4
"""Chances are rounded to so many decimals, so that no order of adding shows."""
SUREST: Final = 30.0
"""Log-odds go no further: a statement may have any number of names that no page has."""
MOST_PAIRS: Final = 64
"""So many pairs are compared in one go, which bounds memory."""
NETWORK_COUNTS: Final = 0.52
SLOTS_COUNT: Final = 0.66
LEAN: Final = (0.45, 0.45, 0.0)
"""What the logarithms of their chances count for a claim by itself, and how much likelier each of
`LABELS` is than they say; `training.joining` prints them. How frequent each is among the statements
of answers is for the trees to say."""
_LEAST: Final = 1e-4
_NO_PLACE: Final = (0.0, 0.0, 1.0)


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


@dataclass(frozen=True, eq=False)
class Held:
    """The statements of an answer beside their places.

    Attributes:
        starts: The first plain character of each.
        places: The best place of each; None when no page has a word of it.
        chances: Of `klopt.comparing.learnt.LABELS` there, shape ``(n, 3)``.
        findings: What speaks for each and against it there.
        facts: What the trees read, shape ``(n, len(FACTS))``.
    """

    starts: Sequence[int]
    places: Sequence[Passage | None]
    chances: Floats
    findings: Sequence[tuple[Finding, ...]]
    facts: Floats


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
        return _load(language)

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
        asked, said, page = read(question or ""), read(claim), language.page(Page(passage))
        for name, reading in (("passage", page.reading), ("claim", said)):
            if not len(reading.tokens):
                raise InputError(f"the {name} has no words, so there is nothing to compare")
        match = Match(asked, said, [Context("", page)], language.relations, language.lexicons)
        pairing = self.pairing(match, asked, said, language)
        own, there = (Stretch(one, 0, len(one.plain.text)) for one in (said, page.reading))
        pair = pairing.pair((0, own.end), 0, (0, there.end))
        network, slots, findings = self.chances(pairing, [pair])
        chances = np.round(joined(network, slots), DECIMALS)
        return Comparison(
            LABELS[int(chances[0].argmax())],
            dict(zip(LABELS, map(float, chances[0]), strict=True)),
            findings[0],
            differing(findings[0], own, there, language.relations).rivals,
        )

    def statements(
        self,
        match: Match,
        question: Reading,
        answer: Reading,
        language: Language,
        first: int = 0,
    ) -> tuple[Statement, ...]:
        """The statements of an answer, each held against the best place of its pages.

        Args:
            match: The answer on its pages.
            question: The question.
            answer: The answer.
            language: Of both.
            first: The number of the first that is wanted.
        """
        held = self.held(match, question, answer, language, first)
        odds = np.clip(self.learnt.trees(held.facts).astype(np.float64), -SUREST, SUREST)
        truths = np.round(1 / (1 + np.exp(odds)), DECIMALS).tolist()
        found = zip(
            *(match.statements, held.starts, truths, held.places, held.chances, held.findings),
            strict=True,
        )
        return tuple(_statement(match, *one) for one in islice(found, first, None))

    def held(
        self, match: Match, question: Reading, answer: Reading, language: Language, first: int = 0
    ) -> Held:
        """The statements of an answer beside the best place of each, and what the trees read.

        Those before the ``first`` are held beside nothing.
        """
        pairing = self.pairing(match, question, answer, language)
        units = match.statements
        best = [next(iter(some), None) for some in passages_of(match, units[first:])]
        places = [None] * min(first, len(units)) + best
        starts = [first_char(match, unit, pairing.answer) for unit in units]
        pairs = [
            pairing.pair((start, match.answer.ends[unit]), place.page, place.span(match))
            for unit, start, place in zip(units, starts, places, strict=True)
            if place
        ]
        chances = np.tile(_NO_PLACE, (len(units), 1))
        findings: list[tuple[Finding, ...]] = [()] * len(units)
        placed = [number for number, place in enumerate(places) if place]
        network, slots, found = self.chances(pairing, pairs)
        chances[placed] = np.round((network + slots) / 2, DECIMALS)
        contradictions = Contradictions(match, pairing.answer, pairing.pages)
        for number, some in zip(placed, found, strict=True):
            place = places[number]
            if place is None:
                continue
            findings[number] = (*some, *contradictions.of(units[number], place))
        facts = facts_of(
            *(match, answer, pairing.answer, pairing.question, pairing.pages),
            *(units, starts, places, chances),
        )
        return Held(starts, places, chances, findings, facts)

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
        """What the network and the slots think of each pair, shape ``(n, 3)`` each; and the slots.

        Of each of the three labels the chance, if all three were as frequent.
        """
        network, slots = ([np.empty((0, len(LABELS)), np.float32)] for _ in range(2))
        findings: list[tuple[Finding, ...]] = []
        for start in range(0, len(pairs), MOST_PAIRS):
            some = pairs[start : start + MOST_PAIRS]
            batch = batch_of(some)
            numbers, found = slots_of(some, batch)
            network.append(softmax(self.learnt.network(batch, pairing.coordinates), 1))
            slots.append(self.learnt.weighing(np.concatenate(numbers, axis=1)))
            findings += map(tuple, findings_of(some, found))
        return np.concatenate(network), np.concatenate(slots), findings

    def _side(self, index: PageIndex, language: Language) -> Side:
        if isinstance(index, PreparedPage):
            return index.side
        known = self._sides.get(index)
        if known is None:
            known = self._sides[index] = side_of(index.reading, language.lexicons)
        return known


def _statement(
    match: Match,
    unit: int,
    start: int,
    truth: float,
    place: Passage | None,
    chances: Floats,
    findings: tuple[Finding, ...],
) -> Statement:
    odds = (float(chances[0]), float(chances[1]), float(chances[2]))
    truth = min(truth, round(most_true(odds, findings), DECIMALS))
    is_near = place is not None and place.share >= STATED_FROM
    stands = truth >= HOLDS_FROM and is_near
    return Statement(
        unit,
        start,
        match.answer.ends[unit],
        truth,
        says_of(truth, stands, odds),
        stands,
        place,
        odds,
        findings,
    )


def joined(network: Floats, slots: Floats) -> Floats:
    """The chances of claims by what the network and the slots think, shape ``(n, 3)``.

    A sum of their logarithms, weighed as labelled claims of companies left out show.

    >>> joined(np.array([[0.2, 0.7, 0.1]]), np.array([[0.1, 0.8, 0.1]])).round(2).tolist()
    [[0.11, 0.84, 0.05]]
    """
    points = NETWORK_COUNTS * np.log(np.maximum(network, _LEAST))
    points += SLOTS_COUNT * np.log(np.maximum(slots, _LEAST))
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


def _load(language: str) -> Comparator:
    known = _LOADED.get(language)
    if known is None:
        learnt = _OTHER[-1] if _OTHER else _learnt()
        known = _LOADED.setdefault(language, Comparator(WordVectors.load(language), learnt))
    return known


_LOADED: Final[dict[str, Comparator]] = {}
_OTHER: Final[list[Learnt]] = []


@cache
def _learnt() -> Learnt:
    return Learnt.load()


@cache
def _language(code: str) -> Language:
    return Language(lexicons.load(code))
