"""Find the best passage of each claim, and compare both: supported, contradicted or not stated.

A passage is one to three consecutive sentences, a row of a table, or a step, each with the headings
above it (`klopt.verification.units`). Its score is the weighted share of the claim's words, or
similar ones, that it has; words in headings and words of the question count for less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from klopt import lexicons
from klopt.errors import InputError, UnknownLanguageError
from klopt.types import Page
from klopt.verification.families import families
from klopt.verification.findings import Finding, FindingPlaces, Stretch, differing, findings_of
from klopt.verification.index import SAME, Context, PageIndex
from klopt.verification.language import Language
from klopt.verification.match import Match
from klopt.verification.networks import LABELS, Label, VerifierWeights, softmax
from klopt.verification.pairs import Batch, Pair, Pairing, batch_of, pair_shares
from klopt.verification.units import Floats, Integers
from klopt.verification.views import views_of
from klopt.verification.words import PreparedPage, Side, WordVectors, side_of

LANGUAGES: Final = ("en", "nl")
"""The languages with word vectors."""
DECIMALS: Final = 4
"""Decimals of probabilities, so that the order of addition does not matter."""
MAX_PAIRS: Final = 64
"""Pairs in one batch, which bounds memory."""
NETWORK_COUNTS: Final = 0.52
FAMILIES_COUNT: Final = 0.66
LEAN: Final = (0.45, 0.45, 0.0)
"""Weights of the log-probabilities of network and families for a single claim, and the bias of each
of `LABELS`; `benchmarks.claims` prints them."""
_LEAST: Final = 1e-4
HEADING: Final = 600
"""Factor of a word in a heading above the passage, in thousandths."""
QUESTION: Final = 500
"""Factor of the question's words together; the claim's count 1,000."""
EACH_SENTENCE: Final = 30
"""Cost of each further sentence of a passage, in thousandths."""
OF_HEADING: Final = 100
"""Cost of a passage that is a heading."""
BLOCK_CELLS: Final = 4_000_000
"""Cells of a matrix that is computed at once, which bounds memory."""

_NOWHERE: Final = -(1 << 30)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a page that a claim is compared with.

    Attributes:
        page: The number of the page.
        first: The number of its first sentence.
        last: The number of its last sentence.
        share: The weighted share of the claim's words that it has, 0 to 1.
        span: Plain start and end on its page.
    """

    page: int
    first: int
    last: int
    share: float
    span: tuple[int, int]


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

        Raises:
            UnknownLanguageError: It is not one of `LANGUAGES`.
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
        (findings,) = found.findings
        (probabilities,) = np.round(joined(found.network, found.families), DECIMALS).tolist()
        rivals = differing(findings, own, there, language.relations).rivals
        by_label = dict(zip(LABELS, probabilities, strict=True))
        return Comparison(max(LABELS, key=by_label.__getitem__), by_label, findings, rivals)

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
        for start in range(0, len(pairs), MAX_PAIRS):
            some = pairs[start : start + MAX_PAIRS]
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


def best_places(match: Match, rows: Sequence[int]) -> list[Passage | None]:
    """Return the best passage of the claims with these numbers; None where no page has a word."""
    if not rows:
        return []
    has_question = len(match.question_words) > 0  # its words are then the first group
    claims = [match.answer.by_sentence[unit] for unit in rows]
    groups = [match.question_words, *claims] if has_question else claims
    words, starts = np.concatenate(groups), np.cumsum([0, *map(len, groups[:-1])])
    best: list[Passage | None] = [None] * len(rows)
    most = [_NOWHERE] * len(rows)
    # Ties go to the first text by the alphabet, so that the order of pages does not matter.
    texts = [context.index.reading.plain.text for context in match.contexts]
    for page in sorted(range(len(texts)), key=texts.__getitem__):
        units, layout = match.contexts[page].index.units, match.contexts[page].index.layout
        firsts, lasts = layout.places
        if not len(firsts):
            continue
        beside = -EACH_SENTENCE * (lasts - firsts) - OF_HEADING * layout.headings[firsts]
        for block, own, offsets in _blocks_of(words, starts, len(firsts)):
            weights = match.weights[own]
            totals = np.add.reduceat(weights, offsets)[:, None]
            sums = np.add.reduceat(_gains(match, page, own) * weights[:, None], offsets, axis=0)
            if has_question and not block.start:
                beside += sums[0] * QUESTION // (SAME * totals[0])
                sums, totals, block = sums[1:], totals[1:], slice(1, block.stop)
            shares = sums // totals
            points = shares + beside
            points[shares == 0] = _NOWHERE
            first_row = block.start - has_question
            _leave_out(points, match, page, rows[first_row : block.stop - has_question])
            for number, at in enumerate(points.argmax(axis=1).tolist()):
                row, gained = first_row + number, int(points[number, at])
                if gained > most[row]:
                    first, last = int(firsts[at]), int(lasts[at])
                    share = int(shares[number, at]) / SAME
                    span = units.starts[first], units.ends[last]
                    best[row], most[row] = Passage(page, first, last, share, span), gained
    return best


def _blocks_of(
    tokens: Integers, offsets: Integers, width: int
) -> Iterator[tuple[slice, Integers, Integers]]:
    """Yield runs of segments whose words times a width are at most `BLOCK_CELLS`.

    Yields:
        The segments, at least one, their words, and where each begins among those.
    """
    ends = np.append(offsets[1:], len(tokens))
    start = 0
    while start < len(offsets):
        most = offsets[start] + max(1, BLOCK_CELLS // max(1, width))
        stop = max(start + 1, int(np.searchsorted(ends, most, side="right")))
        first, last = int(offsets[start]), int(ends[stop - 1])
        yield slice(start, stop), tokens[first:last], offsets[start:stop] - first
        start = stop


def _gains(match: Match, page: int, words: NDArray[Any]) -> NDArray[Any]:
    """Return the highest likeness of each word in each passage, shape ``(n_words, n_passages)``."""
    layout = match.contexts[page].index.layout
    likes = match.likes[page][words]
    firsts, lasts = layout.places
    own, offsets, numbers = layout.read_with
    # Along rows: numpy gathers whole rows much faster than columns.
    highest = np.maximum.reduceat(likes.T.take(own, axis=0), offsets, axis=0)
    above = highest.T.astype(np.int32) * HEADING // SAME
    gains = above.take(numbers[firsts], axis=1)
    for numbers in (firsts, (firsts + lasts) // 2, lasts):
        np.maximum(gains, likes[:, numbers], out=gains)
    return gains


def _leave_out(points: NDArray[Any], match: Match, page: int, rows: Sequence[int]) -> None:
    """Exclude the table rows beside the one that a claim or its question names."""
    layout = match.contexts[page].index.layout
    if not layout.keys:
        return
    firsts, _ = layout.places
    in_question = frozenset(match.question.words)
    for number, unit in enumerate(rows):
        stated = frozenset(
            match.answer.words[word] for word in match.answer.by_sentence[unit].tolist()
        )
        others = layout.others(stated, in_question)
        if others:
            points[number, np.isin(firsts, others)] = _NOWHERE


def compared(pairs: Sequence[Pair], batch: Batch) -> tuple[list[Floats], list[FindingPlaces]]:
    """Return the features of each family, shape ``(n_pairs, k)``, and all findings."""
    numbers, places = list[Floats](), list[FindingPlaces]()
    for columns, findings in families(views_of(pairs, batch)):
        is_flat = {column.ndim for column in columns} == {1}
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
