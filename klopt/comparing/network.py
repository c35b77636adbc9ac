"""The small network that says whether a passage says what a statement says; numpy alone.

Each word is read with its neighbours, looks for its like on the other side, and is compared with
what it found there; what all words say is gathered from both sides (decomposable attention, Parikh
et al. 2016, with the composition of ESIM, Chen et al. 2017, as one convolution).

Differs: words are points of `klopt.comparing.vectors` that are not learnt further, beside marks
that say what tables and rules know of them; the attention begins from those.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Batch, Floats, Relation
from klopt.comparing.vectors import Coordinates, product

__all__ = ["LABELS", "Network", "Says", "softmax"]

Says = Literal["supported", "contradicted", "not_stated"]

LABELS: Final[tuple[Says, ...]] = ("supported", "contradicted", "not_stated")
"""What a passage may say of a statement."""
Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]

_FAR: Final = np.float32(-1e4)
_TOLD: Final = Relation.RIVAL
"""So many relations are told."""


class Network:
    """The trained network.

    Args:
        weights: Name → array, as `training.comparator` writes them.
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = {name: np.asarray(array, np.float32) for name, array in weights.items()}

    def __call__(self, batch: Batch, coordinates: Coordinates) -> Floats:
        """How likely each of `LABELS` is for each pair, as logarithms that are not yet chances.

        Args:
            batch: The pairs.
            coordinates: Of all words that the pairs name, one a row.

        Returns:
            Shape ``(n, 3)``.
        """
        weights = self._weights
        claims, pages = batch.claim_mask, batch.page_mask
        count, lengths = int(claims.sum()), np.append(claims.sum(axis=1), pages.sum(axis=1))
        rows = np.concatenate([batch.claim_rows[claims], batch.page_rows[pages]])
        marks = np.concatenate([batch.claim_marks[claims], batch.page_marks[pages]])
        words = self._read(self._known(coordinates, rows), marks, lengths)
        claim, page = _filled(words[:count], claims), _filled(words[count:], pages)
        looking = _filled(product(words[:count], weights["attend"]), claims)
        points = looking @ page.transpose(0, 2, 1)
        points += weights["near"] * batch.cosines + weights["related"][batch.relations]
        points[~(claims[:, :, None] & pages[:, None, :])] = _FAR
        to_page, to_claim = softmax(points, 2), softmax(points, 1)
        others = [(to_page @ page)[claims], (to_claim.transpose(0, 2, 1) @ claim)[pages]]
        told = [
            _told(batch.relations, to_page, 1)[claims],
            _told(batch.relations, to_claim, 2)[pages],
        ]
        compared = self._compare(
            words, np.concatenate(others), marks, np.concatenate(told), lengths
        )
        gathered = np.concatenate(
            [self._gather(compared[:count], claims), self._gather(compared[count:], pages)], axis=1
        )
        hidden = _positive(product(gathered, weights["decide"]) + weights["decide_base"])
        found: Floats = hidden @ weights["label"] + weights["label_base"]
        return found

    def _known(self, coordinates: Coordinates, rows: Integers) -> Floats:
        """What is known of each word by itself, apart from its marks."""
        used, places = np.unique(rows, return_inverse=True)
        vectors = coordinates[used].astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
        found: Floats = product(vectors, self._weights["vectors"])[places]
        return found

    def _read(self, known: Floats, marks: Floats, lengths: Integers) -> Floats:
        weights = self._weights
        words = _positive(known + product(marks, weights["marks"]) + weights["words_base"])
        words += _positive(_around(words, weights["around"], lengths) + weights["around_base"])
        return words

    def _compare(
        self, own: Floats, other: Floats, marks: Floats, told: Floats, lengths: Integers
    ) -> Floats:
        weights = self._weights
        both = np.concatenate([own, other, np.abs(own - other), own * other, marks, told], axis=1)
        words = _positive(product(both, weights["compare"]) + weights["compare_base"])
        words += _positive(_around(words, weights["compose"], lengths) + weights["compose_base"])
        return words

    def _gather(self, words: Floats, mask: Bools) -> Floats:
        weights = self._weights
        points = np.full((*mask.shape, 1), _FAR)
        points[mask, 0] = words @ weights["gate"] + weights["gate_base"]
        filled = _filled(words, mask)
        mean = filled.sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)
        chosen = (filled * softmax(points, 1)).sum(axis=1)
        # No word is below zero, so what is filled up never stands highest.
        return np.concatenate([filled.max(axis=1), mean, chosen], axis=1)


def _positive(values: Floats) -> Floats:
    found: Floats = np.maximum(values, 0, out=values)
    return found


def _around(words: Floats, weights: Floats, lengths: Integers) -> Floats:
    """A convolution over three words: the one before, the word, the one after.

    Args:
        words: Of all texts, one after the other.
        weights: One table for each of the three.
        lengths: The number of words of each text; beyond its ends there is nothing.
    """
    ends = np.cumsum(lengths)
    ends = ends[(ends > 0) & (ends < len(words))]
    before, after = product(words[:-1], weights[0]), product(words[1:], weights[2])
    before[ends - 1] = after[ends - 1] = 0
    found = product(words, weights[1])
    found[1:] += before
    found[:-1] += after
    return found


def _told(relations: NDArray[np.uint8], shares: Floats, axis: int) -> Floats:
    """For each word of one side how much of what it looks at has each `Relation`.

    Args:
        relations: Shape ``(n, n_claim, n_page)``.
        shares: How much each word looks at each other, shape as ``relations``.
        axis: 1 for the words of the claim, 2 for those of the page.
    """
    cells = np.nonzero(relations)
    shape = len(relations), relations.shape[axis], _TOLD
    places = (cells[0] * shape[1] + cells[axis]) * shape[2] + relations[cells] - 1
    sums = np.bincount(places, shares[cells], math.prod(shape))
    return sums.reshape(shape).astype(np.float32)


def _filled(words: Floats, mask: Bools) -> Floats:
    """The words of texts side by side, filled up with zeros to the longest."""
    found = np.zeros((*mask.shape, words.shape[-1]), np.float32)
    found[mask] = words
    return found


def softmax(points: Floats, axis: int) -> Floats:
    """Logarithms as chances that add up to 1 along an axis."""
    found: Floats = points - points.max(axis=axis, keepdims=True)
    np.exp(found, out=found)
    found /= found.sum(axis=axis, keepdims=True)
    return found
