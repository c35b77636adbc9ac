"""The trained models: networks that compare a claim with a passage, and weights of its features.

A claim's probability is a logistic regression on a few features of the claim and its best passage.
The weights are trained on answers that language models gave and people labelled; no weight is
negative, so more evidence for a claim never lowers its probability. All weights are plain arrays;
numpy computes them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from klopt._internal import shipped
from klopt.verification.units import Bools, Coordinates, Floats, Integers

if TYPE_CHECKING:  # pairs are made with the product below
    from klopt.verification.pairs import Batch

FEATURES: Final = (
    "network_supported",
    "families_supported",
    "word_share",
    "pair_share",
    "known_numbers",
    "no_contradiction",
    "no_other_value",
)
"""The features of a claim, in the order of the columns; a higher value speaks for the claim.

The first two are log-odds, at most `MAX_LOG_ODDS` either way. The shares of the claim's words and
of its neighbouring words that the passage has lie between 0 and 1. The last three are -1 where the
claim has a number that no page has, where a certain contradiction is found, and where the passage
has another value in the place of the claim's; else 0."""
MAX_LOG_ODDS: Final = 6.9
NO_PASSAGE: Final = (-3.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""The features of a claim that no passage comes near, before its numbers are looked up."""
LOWEST, HIGHEST = 0.005, 0.995
"""The bounds of a claim's probability: one claim alone does not decide a long answer's score."""


@dataclass(frozen=True)
class SupportWeights:
    """The weights of the features.

    Attributes:
        base: The log-odds of a claim whose features are all 0.
        weights: One for each of `FEATURES`, 0 or more, shape ``(n_features,)``.
    """

    base: float
    weights: NDArray[np.float64]

    @classmethod
    def load(cls) -> SupportWeights:
        """Return the weights that ship with klopt."""
        return cls.of(shipped.table("klopt.verification", "support.toml"))

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> SupportWeights:
        """Return the weights of a table with ``base`` and a table ``weights``.

        >>> SupportWeights.of({"base": 1.0, "weights": {"word_share": 2.0}}).base
        1.0
        """
        named = table["weights"]
        return cls(float(table["base"]), np.array([named.get(one, 0.0) for one in FEATURES]))

    def probabilities(self, features: Floats) -> NDArray[np.float64]:
        """Return the probability of each claim, from `LOWEST` to `HIGHEST`, shape ``(n_claims,)``.

        ``features`` has shape ``(n_claims, n_features)``.
        """
        odds = (features.astype(np.float64) * self.weights).sum(axis=1) + self.base
        probabilities: NDArray[np.float64] = np.clip(1 / (1 + np.exp(-odds)), LOWEST, HIGHEST)
        return probabilities


def support_of_answer(claims: Iterable[tuple[float, int]]) -> float:
    """Return the probability that an answer is faithful.

    The square roots of the claims' odds of a fault are averaged, each claim counted by the square
    root of its number of words: a long answer is judged like a short one, and a bad claim weighs
    more than a good one.

    Args:
        claims: The probability of each claim, above 0, and its number of words; at least one.

    >>> round(support_of_answer([(0.9, 9), (0.9, 9), (0.3, 9)]), 2)
    0.65
    >>> round(support_of_answer([(0.9, 9)] * 7), 2)
    0.9
    """
    weights = roots = 0.0
    for probability, words in claims:
        weight, bounded = max(1, words) ** 0.5, min(HIGHEST, max(LOWEST, probability))
        weights += weight
        roots += weight * (1 / bounded - 1) ** 0.5
    return 1 / (1 + (roots / weights) ** 2)


Label = Literal["supported", "contradicted", "not_stated"]

LABELS: Final[tuple[Label, ...]] = ("supported", "contradicted", "not_stated")
"""The labels of a claim against a passage."""
_PACKAGE: Final = "klopt.verification"
_FAR: Final = np.float32(-1e4)
MAX_PRODUCTS: Final = 1 << 18
"""Multiplications up to which OpenBLAS stays in the calling thread."""
FARTHEST: Final = 4.0
"""Standard deviations from the mean to which a feature is clipped."""


class Network:
    """A small network that compares a claim with a passage word by word.

    Each word is read with its neighbours, attends to the other side, and is compared with what it
    attends to; both sides are pooled (decomposable attention, Parikh et al. 2016, with the
    composition of ESIM, Chen et al. 2017, as one convolution).

    Differs: the vectors of `klopt.verification.words.WordVectors` are fixed, and marks from
    lexicons and rules are added to them; attention starts from these.

    Args:
        weights: Name → array, as `training.comparator` writes them.
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = {name: np.asarray(array, np.float32) for name, array in weights.items()}

    def __call__(self, batch: Batch, coordinates: Coordinates) -> Floats:
        """Return the logits of `LABELS` for each pair, shape ``(n, 3)``.

        ``coordinates`` are the vectors of all words, one a row.
        """
        weights = self._weights
        claims, pages = batch.claim.mask, batch.page.mask
        count, lengths = int(claims.sum()), np.append(claims.sum(axis=1), pages.sum(axis=1))
        rows = np.concatenate([batch.claim.rows[claims], batch.page.rows[pages]])
        marks = np.concatenate([batch.claim.marks[claims], batch.page.marks[pages]])
        words = self._read(self._known(coordinates, rows), marks, lengths)
        claim, page = _filled(words[:count], claims), _filled(words[count:], pages)
        looking = _filled(product(words[:count], weights["attend"]), claims)
        points = looking @ page.transpose(0, 2, 1)
        points += weights["near"] * batch.cosines + weights["related"].take(batch.relations)
        np.putmask(points, ~(claims[:, :, None] & pages[:, None, :]), _FAR)
        to_page, to_claim = softmax(points, 2), softmax(points, 1)
        others = [(to_page @ page)[claims], (to_claim.transpose(0, 2, 1) @ claim)[pages]]
        cells = batch.relations.nonzero()
        kinds, relations = batch.relations[cells] - 1, len(weights["related"]) - 1
        related = [
            _attended_relations(cells, kinds, to_page, 1, relations)[claims],
            _attended_relations(cells, kinds, to_claim, 2, relations)[pages],
        ]
        compared = self._compare(
            words, np.concatenate(others), marks, np.concatenate(related), lengths
        )
        gathered = np.concatenate(
            [self._gather(compared[:count], claims), self._gather(compared[count:], pages)], axis=1
        )
        hidden = np.maximum(product(gathered, weights["decide"]) + weights["decide_base"], 0)
        outcome: Floats = hidden @ weights["label"] + weights["label_base"]
        return outcome

    def _known(self, coordinates: Coordinates, rows: Integers) -> Floats:
        """Return the projected vector of each word."""
        is_used = np.zeros(len(coordinates), np.bool_)
        is_used[rows] = True
        used, places = is_used.nonzero()[0], (is_used.cumsum() - 1)[rows]
        vectors = coordinates.take(used, axis=0).astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
        return product(vectors, self._weights["vectors"]).take(places, axis=0)

    def _read(self, known: Floats, marks: Floats, lengths: Integers) -> Floats:
        weights = self._weights
        words = known + product(marks, weights["marks"])
        words += weights["words_base"]
        np.maximum(words, 0, out=words)
        around = _around(words, weights["around"], lengths)
        around += weights["around_base"]
        words += np.maximum(around, 0, out=around)
        return words

    def _compare(
        self, own: Floats, other: Floats, marks: Floats, related: Floats, lengths: Integers
    ) -> Floats:
        weights = self._weights
        table = weights["compare"]
        width, of_marks = own.shape[1], 4 * own.shape[1] + marks.shape[1]
        both = np.empty((len(own), len(table)), np.float32)
        apart = both[:, 2 * width : 3 * width]
        both[:, :width], both[:, width : 2 * width] = own, other
        np.abs(np.subtract(own, other, out=apart), out=apart)
        np.multiply(own, other, out=both[:, 3 * width : 4 * width])
        both[:, 4 * width : of_marks], both[:, of_marks:] = marks, related
        words = product(both, table)
        words += weights["compare_base"]
        np.maximum(words, 0, out=words)
        around = _around(words, weights["compose"], lengths)
        around += weights["compose_base"]
        words += np.maximum(around, 0, out=around)
        return words

    def _gather(self, words: Floats, mask: Bools) -> Floats:
        weights = self._weights
        points = np.full((*mask.shape, 1), _FAR)
        points[mask, 0] = words @ weights["gate"] + weights["gate_base"]
        filled = _filled(words, mask)
        mean = filled.sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)
        chosen = (filled * softmax(points, 1)).sum(axis=1)
        # No word is below zero, so padding is never the maximum.
        return np.concatenate([filled.max(axis=1), mean, chosen], axis=1)


class FamilyNetworks:
    """A few small networks over the features of the families, averaged.

    Boosted trees over the same features were no better.

    Args:
        weights: Name → array, as `training.families` writes them: ``means`` and ``deviations``
            of the features, shape ``(n_numbers,)``; of each member ``first`` ``(n_members,
            n_numbers, width)``, ``second`` ``(n_members, width, width)`` and ``third``
            ``(n_members, width, 3)``, each with its base.
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = {name: np.asarray(array, np.float32) for name, array in weights.items()}

    def __call__(self, numbers: Floats) -> Floats:
        """Return the probability of each of `LABELS`, shape ``(n, 3)``.

        ``numbers`` are from `klopt.verification.comparator.numbers_of`, shape ``(n, n_numbers)``.
        """
        weights = self._weights
        known = (numbers - weights["means"]) / weights["deviations"]
        hidden = np.clip(known, -FARTHEST, FARTHEST)[None]
        for layer in ("first", "second"):
            hidden = np.maximum(hidden @ weights[layer] + weights[f"{layer}_base"], 0)
        points = hidden @ weights["third"] + weights["third_base"]
        outcome: Floats = softmax(points, 2).mean(axis=0)
        return outcome


@dataclass(frozen=True)
class VerifierWeights:
    """The trained weights of verification, shared by all languages.

    Attributes:
        network: The word network.
        families: The networks over the families' features.
        support: The weights of a claim's features.
    """

    network: Network
    families: FamilyNetworks
    support: SupportWeights

    @classmethod
    def load(cls) -> VerifierWeights:
        """Return the weights that ship with klopt."""
        return cls(
            Network(shipped.arrays(_PACKAGE, "network.npz")),
            FamilyNetworks(shipped.arrays(_PACKAGE, "families.npz")),
            SupportWeights.load(),
        )


def product(rows: Floats, table: Floats) -> Floats:
    """Return a matrix product, in blocks small enough to be computed in the calling thread.

    With several BLAS threads the result would depend on their number, and small products would be
    slower. Shapes: ``(n, depth)``, contiguous, and ``(depth, width)``.
    """
    (count, depth), width = rows.shape, table.shape[1]
    result = np.empty((count, width), np.float32)
    piece = max(1, MAX_PRODUCTS // max(1, table.size))
    pieces, whole = count // piece, count - count % piece
    if whole:
        np.matmul(
            rows[:whole].reshape(pieces, piece, depth),
            table,
            out=result[:whole].reshape(pieces, piece, width),
        )
    np.matmul(rows[whole:], table, out=result[whole:])
    return result


def softmax(points: Floats, axis: int) -> Floats:
    """Return logits as probabilities that add up to 1 along an axis."""
    chances: Floats = points - np.maximum.reduce(points, axis, keepdims=True)
    np.exp(chances, out=chances)
    chances /= np.add.reduce(chances, axis, keepdims=True)
    return chances


def _around(words: Floats, weights: Floats, lengths: Integers) -> Floats:
    """Return a convolution over the word before, the word, and the word after.

    Args:
        words: The words of all texts, concatenated.
        weights: One matrix for each of the three.
        lengths: The number of words of each text, whose ends are padded with 0.
    """
    ends = lengths.cumsum()
    ends = ends[(ends > 0) & (ends < len(words))]
    before, after = product(words[:-1], weights[0]), product(words[1:], weights[2])
    before[ends - 1] = after[ends - 1] = 0
    sums = product(words, weights[1])
    sums[1:] += before
    sums[:-1] += after
    return sums


def _attended_relations(
    cells: tuple[Integers, ...],
    kinds: NDArray[np.uint8],
    shares: Floats,
    axis: int,
    count: int,
) -> Floats:
    """Return for each word of one side how much of its attention has each `Relation`.

    Args:
        cells: Pair, word of the claim and word of the page that have one.
        kinds: The relation, from 0.
        shares: The attention, shape ``(n, n_claim, n_page)``.
        axis: 1 for the words of the claim, 2 for those of the page.
        count: The number of relations.
    """
    shape = len(shares), shares.shape[axis], count
    places = (cells[0] * shape[1] + cells[axis]) * shape[2] + kinds
    sums = np.bincount(places, shares[cells], math.prod(shape))
    return sums.reshape(shape).astype(np.float32)


def _filled(words: Floats, mask: Bools) -> Floats:
    """Return the words of texts padded with zeros to the longest."""
    filled = np.zeros((*mask.shape, words.shape[-1]), np.float32)
    filled[mask] = words
    return filled
