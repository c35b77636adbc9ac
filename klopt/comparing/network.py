"""The small network that says whether a passage says what a statement says; numpy alone.

Each word is read with its neighbours, looks for its like on the other side, and is compared with
what it found there; what all words say is gathered from both sides (decomposable attention, Parikh
et al. 2016, with the composition of ESIM, Chen et al. 2017, as one convolution).

Differs: words are points of `klopt.comparing.vectors` that are not learnt further, beside marks
that say what tables and rules know of them; the attention begins from those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Batch, Floats, Relation
from klopt.comparing.vectors import Coordinates

__all__ = ["LABELS", "Network", "Says"]

Says = Literal["supported", "contradicted", "not_stated"]

LABELS: Final[tuple[Says, ...]] = ("supported", "contradicted", "not_stated")
"""What a passage may say of a statement."""
_FAR: Final = np.float32(-1e4)
_TOLD: Final = (Relation.SAME, Relation.SYNONYM, Relation.LIKE, Relation.RIVAL)


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
        vectors = coordinates.astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
        known = vectors @ weights["vectors"]
        claim_mask, page_mask = batch.claim_mask[..., None], batch.page_mask[..., None]
        claim = self._read(known[batch.claim_rows], batch.claim_marks, claim_mask)
        page = self._read(known[batch.page_rows], batch.page_marks, page_mask)
        points = (claim @ weights["attend"]) @ page.transpose(0, 2, 1)
        points += weights["near"] * batch.cosines + weights["related"][batch.relations]
        points[~(claim_mask & batch.page_mask[:, None, :])] = _FAR
        to_page, to_claim = _shares(points, 2), _shares(points, 1)
        told = [batch.relations == one for one in _TOLD]
        claim_told = np.stack([(to_page * one).sum(axis=2) for one in told], axis=2)
        page_told = np.stack([(to_claim * one).sum(axis=1) for one in told], axis=2)
        gathered = np.concatenate(
            [
                self._gather(
                    self._compare(claim, to_page @ page, batch.claim_marks, claim_told, claim_mask),
                    claim_mask,
                ),
                self._gather(
                    self._compare(
                        page,
                        to_claim.transpose(0, 2, 1) @ claim,
                        batch.page_marks,
                        page_told,
                        page_mask,
                    ),
                    page_mask,
                ),
            ],
            axis=1,
        )
        hidden = _positive(gathered @ weights["decide"] + weights["decide_base"])
        found: Floats = hidden @ weights["label"] + weights["label_base"]
        return found

    def _read(self, known: Floats, marks: Floats, mask: NDArray[np.bool_]) -> Floats:
        weights = self._weights
        words = _positive(known + marks @ weights["marks"] + weights["words_base"]) * mask
        around = _positive(_around(words, weights["around"]) + weights["around_base"])
        return (words + around) * mask

    def _compare(
        self, own: Floats, other: Floats, marks: Floats, told: Floats, mask: NDArray[np.bool_]
    ) -> Floats:
        weights = self._weights
        both = np.concatenate([own, other, np.abs(own - other), own * other, marks, told], axis=2)
        words = _positive(both @ weights["compare"] + weights["compare_base"]) * mask
        around = _positive(_around(words, weights["compose"]) + weights["compose_base"])
        return (words + around) * mask

    def _gather(self, words: Floats, mask: NDArray[np.bool_]) -> Floats:
        weights = self._weights
        most = np.where(mask, words, _FAR).max(axis=1)
        mean = words.sum(axis=1) / np.maximum(mask.sum(axis=1), 1)
        points = words @ weights["gate"] + weights["gate_base"]
        points[~mask[..., 0]] = _FAR
        chosen = (words * _shares(points, 1)[..., None]).sum(axis=1)
        return np.concatenate([most, mean, chosen], axis=1)


def _positive(values: Floats) -> Floats:
    return np.maximum(values, 0, out=values)


def _around(words: Floats, weights: Floats) -> Floats:
    """A convolution over three words: the one before, the word, the one after."""
    found = words @ weights[1]
    found[:, 1:] += words[:, :-1] @ weights[0]
    found[:, :-1] += words[:, 1:] @ weights[2]
    return found


def _shares(points: Floats, axis: int) -> Floats:
    found = np.exp(points - points.max(axis=axis, keepdims=True))
    found /= found.sum(axis=axis, keepdims=True)
    return found
