"""What was learnt of claims and of rated answers: a network, small ones over families, and trees.

All of it is plain arrays, reckoned by numpy alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from klopt import shipped
from klopt.comparing.pairs import Batch, Relation
from klopt.comparing.words import Bools, Coordinates, Floats, product
from klopt.matching.units import Integers

__all__ = [
    "FARTHEST",
    "LABELS",
    "BoostedTrees",
    "FamilyNetworks",
    "Learnt",
    "Network",
    "Says",
    "softmax",
]

Says = Literal["supported", "contradicted", "not_stated"]

LABELS: Final[tuple[Says, ...]] = ("supported", "contradicted", "not_stated")
"""What a passage may say of a statement."""
_ROOM: Final = "klopt.comparing"
_FAR: Final = np.float32(-1e4)
_TOLD: Final = Relation.RIVAL
"""So many relations are told."""
FARTHEST: Final = 4.0
"""A number counts at most so many deviations from its mean."""


class Network:
    """A small network that compares a statement with a passage word by word.

    Each word is read with its neighbours, looks for its like on the other side, and is compared
    with what it found there; what all words say is gathered from both sides (decomposable
    attention, Parikh et al. 2016, with the composition of ESIM, Chen et al. 2017, as one
    convolution).

    Differs: words are points of `klopt.comparing.words.WordVectors` that are not learnt further,
    beside marks that say what tables and rules know of them; the attention begins from those.

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
        claims, pages = batch.claim.mask, batch.page.mask
        count, lengths = int(claims.sum()), np.append(claims.sum(axis=1), pages.sum(axis=1))
        rows = np.concatenate([batch.claim.rows[claims], batch.page.rows[pages]])
        marks = np.concatenate([batch.claim.marks[claims], batch.page.marks[pages]])
        words = self._read(self._known(coordinates, rows), marks, lengths)
        claim, page = _filled(words[:count], claims), _filled(words[count:], pages)
        looking = _filled(product(words[:count], weights["attend"]), claims)
        points = looking @ page.transpose(0, 2, 1)
        points += weights["near"] * batch.cosines + weights["related"][batch.relations]
        points[~(claims[:, :, None] & pages[:, None, :])] = _FAR
        to_page, to_claim = softmax(points, 2), softmax(points, 1)
        others = [(to_page @ page)[claims], (to_claim.transpose(0, 2, 1) @ claim)[pages]]
        cells = np.nonzero(batch.relations)
        kinds = batch.relations[cells] - 1
        told = [_told(cells, kinds, to_page, 1)[claims], _told(cells, kinds, to_claim, 2)[pages]]
        compared = self._compare(
            words, np.concatenate(others), marks, np.concatenate(told), lengths
        )
        gathered = np.concatenate(
            [self._gather(compared[:count], claims), self._gather(compared[count:], pages)], axis=1
        )
        hidden = np.maximum(product(gathered, weights["decide"]) + weights["decide_base"], 0)
        outcome: Floats = hidden @ weights["label"] + weights["label_base"]
        return outcome

    def _known(self, coordinates: Coordinates, rows: Integers) -> Floats:
        """What is known of each word by itself, apart from its marks."""
        is_used = np.zeros(len(coordinates), np.bool_)
        is_used[rows] = True
        used, places = np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[rows]
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
        self, own: Floats, other: Floats, marks: Floats, told: Floats, lengths: Integers
    ) -> Floats:
        weights = self._weights
        table = weights["compare"]
        width, of_marks = own.shape[1], 4 * own.shape[1] + marks.shape[1]
        both = np.empty((len(own), len(table)), np.float32)
        apart = both[:, 2 * width : 3 * width]
        both[:, :width], both[:, width : 2 * width] = own, other
        np.abs(np.subtract(own, other, out=apart), out=apart)
        np.multiply(own, other, out=both[:, 3 * width : 4 * width])
        both[:, 4 * width : of_marks], both[:, of_marks:] = marks, told
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
        # No word is below zero, so what is filled up never stands highest.
        return np.concatenate([filled.max(axis=1), mean, chosen], axis=1)


class FamilyNetworks:
    """What the numbers of the families say together.

    A few small networks of three layers each, whose chances are averaged. Boosted trees over the
    same numbers were no better.

    Args:
        weights: Name → array, as `training.families` writes them: ``means`` and ``deviations``
            of the numbers, shape ``(n_numbers,)``; of each member ``first`` ``(n_members,
            n_numbers, width)``, ``second`` ``(n_members, width, width)`` and ``third``
            ``(n_members, width, 3)``, each with its base.
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = {name: np.asarray(array, np.float32) for name, array in weights.items()}

    def __call__(self, numbers: Floats) -> Floats:
        """The chance of each of `LABELS`.

        Args:
            numbers: Of `klopt.comparing.comparator.numbers_of`, shape ``(n, n_numbers)``.

        Returns:
            Shape ``(n, 3)``.
        """
        weights = self._weights
        known = (numbers - weights["means"]) / weights["deviations"]
        hidden = np.clip(known, -FARTHEST, FARTHEST)[None]
        for layer in ("first", "second"):
            hidden = np.maximum(hidden @ weights[layer] + weights[f"{layer}_base"], 0)
        points = hidden @ weights["third"] + weights["third_base"]
        outcome: Floats = softmax(points, 2).mean(axis=0)
        return outcome


class BoostedTrees:
    """Small boosted trees beside a weighted sum, which add up to the log-odds of a fault.

    Trees alone jump where a number crosses a line of theirs, so that of two answers that differ in
    one fact the order is left to chance; a sum alone knows nothing of what goes together.

    Args:
        arrays: ``features``, ``thresholds``, ``lefts`` and ``rights`` of all nodes of all trees,
            tree by tree, a node before its children; ``roots``, the first node of each tree;
            ``values`` of all leaves, tree by tree. A child below zero is a leaf: -1 is the first.
            ``weights``, one for each number of a row, and ``base``.

    >>> import numpy as np
    >>> arrays = {
    ...     "features": np.array([0]), "thresholds": np.array([0.5]), "lefts": np.array([-1]),
    ...     "rights": np.array([-2]), "roots": np.array([0]), "values": np.array([-2.0, 2.0]),
    ...     "weights": np.array([0.5]), "base": np.array(0.25),
    ... }
    >>> BoostedTrees(arrays)(np.array([[0.0], [1.0]], np.float32)).tolist()
    [-1.75, 2.75]
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._values = arrays["values"].astype(np.float32)
        self._weights = arrays["weights"].astype(np.float32)
        self._base = np.float32(arrays["base"])
        roots, count = arrays["roots"].astype(np.int64), len(arrays["features"])
        sizes = np.diff(np.append(roots, count))
        self._firsts = roots + np.arange(len(roots))  # a tree has a leaf more than it has nodes
        kept = _leaves_kept(
            list(zip(arrays["lefts"].tolist(), arrays["rights"].tolist(), strict=True)),
            np.repeat(self._firsts, sizes).tolist(),
        )
        features, thresholds = arrays["features"], arrays["thresholds"].astype(np.float32)
        self._nodes = []
        for number in range(int(sizes.max(initial=0))):
            # Of a tree with fewer nodes the last one is asked again, which changes nothing.
            nodes = roots + np.minimum(number, sizes - 1)
            if_left, if_right = kept[:, nodes]
            row = features[nodes].astype(np.int64), thresholds[nodes], if_left, if_left ^ if_right
            self._nodes.append(row)

    def __call__(self, numbers: Floats) -> Floats:
        """The sum of the leaves of each row, and of its numbers by their weights.

        All trees are asked at once, node by node. What a node answers rules out the leaves on its
        other side; of those that nothing rules out a tree's first is the one (QuickScorer,
        Lucchese et al. 2015).

        Args:
            numbers: Shape ``(n, n_numbers)``.

        Returns:
            Shape ``(n,)``.
        """
        left = np.full((len(numbers), len(self._firsts)), _ALL_LEAVES, np.uint8)
        for features, thresholds, if_left, differ in self._nodes:
            is_right = numbers.take(features, axis=1) > thresholds
            left &= if_left ^ (differ & np.negative(is_right.view(np.uint8)))
        leaves = self._firsts + _LOWEST_BIT.take(left)
        outcome: Floats = self._values.take(leaves).sum(axis=1)
        outcome += (numbers * self._weights).sum(axis=1) + self._base
        return outcome


_ALL_LEAVES: Final = 255
"""A tree has at most eight leaves, a bit each."""
_LOWEST_BIT: Final = np.array([max(0, (bits & -bits).bit_length() - 1) for bits in range(256)])


def _leaves_kept(children: Sequence[tuple[int, int]], firsts: Sequence[int]) -> NDArray[np.uint8]:
    """Which leaves of its tree stay where a node goes left, and where it goes right.

    Args:
        children: Left and right of each node; a child stands after its node.
        firsts: The first leaf of each node's tree.

    Returns:
        Shape ``(2, n_nodes)``, a bit for each leaf.
    """
    below, kept = [0] * len(children), np.empty((2, len(children)), np.uint8)
    for node in reversed(range(len(children))):
        first = firsts[node]
        left, right = (
            below[child] if child >= 0 else 1 << (-1 - child - first) for child in children[node]
        )
        below[node] = left | right
        kept[:, node] = _ALL_LEAVES ^ right, _ALL_LEAVES ^ left
    return kept


@dataclass(frozen=True)
class Learnt:
    """What was learnt from claims and rated answers; all languages share it.

    Attributes:
        network: Compares word by word.
        families: Weighs what the families find.
        boosted: Say how far a statement of an answer is true.
    """

    network: Network
    families: FamilyNetworks
    boosted: BoostedTrees

    @classmethod
    def load(cls) -> Learnt:
        """What comes with klopt."""
        return cls(
            Network(shipped.arrays(_ROOM, "network.npz")),
            FamilyNetworks(shipped.arrays(_ROOM, "families.npz")),
            BoostedTrees(shipped.arrays(_ROOM, "trees.npz")),
        )


def softmax(points: Floats, axis: int) -> Floats:
    """Logarithms as chances that add up to 1 along an axis."""
    chances: Floats = points - points.max(axis=axis, keepdims=True)
    np.exp(chances, out=chances)
    chances /= chances.sum(axis=axis, keepdims=True)
    return chances


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
    sums = product(words, weights[1])
    sums[1:] += before
    sums[:-1] += after
    return sums


def _told(
    cells: tuple[Integers, ...], kinds: NDArray[np.uint8], shares: Floats, axis: int
) -> Floats:
    """For each word of one side how much of what it looks at has each `Relation`.

    Args:
        cells: Pair, word of the claim and word of the page that have one.
        kinds: Which, from 0.
        shares: How much each word looks at each other, shape ``(n, n_claim, n_page)``.
        axis: 1 for the words of the claim, 2 for those of the page.
    """
    shape = len(shares), shares.shape[axis], _TOLD
    places = (cells[0] * shape[1] + cells[axis]) * shape[2] + kinds
    sums = np.bincount(places, shares[cells], math.prod(shape))
    return sums.reshape(shape).astype(np.float32)


def _filled(words: Floats, mask: Bools) -> Floats:
    """The words of texts side by side, filled up with zeros to the longest."""
    filled = np.zeros((*mask.shape, words.shape[-1]), np.float32)
    filled[mask] = words
    return filled
