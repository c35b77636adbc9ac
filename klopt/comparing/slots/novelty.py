"""Words of the statement that the passage has nothing like."""

from __future__ import annotations

import numpy as np

from klopt.comparing.pairs import Floats
from klopt.comparing.slots.values import KINDS
from klopt.comparing.slots.view import Slot, Views, columns

__all__ = ["novelty"]

FAR = 0.3
"""Below this nothing in the passage is like a word."""
RARE = 0.5
"""From this weight on a new word is told; of names `values` tells."""


def novelty(views: Views) -> tuple[Floats, list[Slot]]:
    """How many, how rare, and how far from all that the passage says."""
    claim = views.claim
    new = claim.content & (claim.likeness < FAR) & ~claim.has("asked")
    loose = claim.alone & ~claim.has("asked")
    weights = claim.weights * new
    numbers = [
        new.sum(axis=1),
        loose.sum(axis=1),
        weights.sum(axis=1),
        weights.max(axis=1),
        (claim.weights * loose).sum(axis=1),
        (claim.weights * loose).sum(axis=1) / np.maximum(claim.weights.sum(axis=1), 1e-6),
        np.where(loose, claim.likeness, 1).min(axis=1),
    ]
    named = np.any([claim.has(mark) for mark, _ in KINDS], axis=0)
    rows, words = np.nonzero(new & (claim.weights >= RARE) & ~named)
    slot = Slot("added", "open", np.column_stack([rows, words, np.full(len(rows), -1)]))
    return columns(numbers), [slot]
