"""A word of the statement in the place of another of the passage: a rival, or one near it."""

from __future__ import annotations

import numpy as np

from klopt.comparing.pairs import Floats, Relation
from klopt.comparing.slots.negation import reach
from klopt.comparing.slots.view import Bools, Integers, Slot, Views, columns

__all__ = ["around", "substitution"]

NEAR = 0.35
"""From this cosine on two words are near enough for one to stand in the other's place."""


def substitution(views: Views) -> tuple[Floats, list[Slot]]:
    """Words that stand free on both sides and are near each other or exclude each other.

    A place counts more where the words around are partners too.
    """
    claim, page = views.claim, views.page
    free = claim.alone[:, :, None] & page.alone[:, None, :]
    near = views.cosines * free
    placed = near * around(views)
    rivals = (views.relations == Relation.RIVAL) & claim.here[:, :, None] & ~_same(views)
    free_rivals = rivals & (page.likeness < 0.9)[:, None, :]
    home = views.home[:, None, :]
    best = near.max(axis=2)
    numbers = [
        best.max(axis=1),
        best.sum(axis=1),
        (best >= NEAR).sum(axis=1),
        (best * claim.weights).max(axis=1),
        (near * home).max(axis=(1, 2)),
        placed.max(axis=(1, 2)),
        (placed * home).max(axis=2).sum(axis=1),
        rivals.any(axis=2).sum(axis=1),
        free_rivals.any(axis=2).sum(axis=1),
        (rivals & home).any(axis=2).sum(axis=1),
        (free_rivals & home).any(axis=2).sum(axis=1),
        (rivals * around(views)).max(axis=(1, 2)),
    ]
    denied = reach(claim.has("negated"))[:, :, None] == reach(page.has("negated"))[:, None, :]
    words = (~claim.has("number") & ~claim.has("literal"))[:, :, None]
    slots = [
        Slot("opposite", "against", _places(free_rivals & home & words & denied, views.cosines)),
        Slot("replaced", "against", _places((placed >= NEAR) & words & ~rivals, near)),
    ]
    return columns(numbers), slots


def around(views: Views) -> Floats:
    """Of each two words, how many of the two words before and after are partners, 0 to 1."""
    same = (views.relations == Relation.SAME) | (views.relations == Relation.SYNONYM)
    steps = same.astype(np.float32) * views.claim.here[:, :, None]
    found: Floats = np.zeros_like(steps)
    for step in (1, 2):
        found[:, step:, step:] += steps[:, :-step, :-step]
        found[:, :-step, :-step] += steps[:, step:, step:]
    found /= 2
    np.minimum(found, 1, out=found)
    return found


def _same(views: Views) -> Bools:
    """Where the word of the statement stands in the passage as well."""
    return views.claim.has("same")[:, :, None]


def _places(found: Bools, order: Floats) -> Integers:
    """For each word of a statement the best of what was found."""
    rows, words = np.nonzero(found.any(axis=2))
    others = np.where(found, order, -2)[rows, words].argmax(axis=1)
    return np.column_stack([rows, words, others])
