"""A word of the statement in the place of another of the passage: a rival, or one near it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Floats, Relation
from klopt.comparing.slots.view import Slot, Views, columns, most_of

__all__ = ["substitution"]

NEAR = 0.35
"""From this cosine on two words are near enough for one to stand in the other's place."""
ALIKE = 0.9
"""A word of the passage with a word this like it in the statement is not free to be another."""


def substitution(views: Views) -> tuple[Floats, list[Slot]]:
    """Words that stand free on both sides and are near each other or exclude each other.

    A place counts more where the words around are partners too.
    """
    claim, page, count = views.claim, views.page, len(views.home)
    rows, words = np.nonzero(claim.alone)
    near = views.cosines[rows, words] * page.alone[rows]
    placed = near * views.around[rows, words]
    best = near.max(axis=1, initial=0)
    placed_at_home = (placed * views.home[rows]).max(axis=1, initial=0)
    lone = np.flatnonzero(placed.max(axis=1) >= NEAR)
    replaced = np.column_stack([rows, words, placed.argmax(axis=1)])[lone]
    numbers: list[NDArray[Any]] = [
        most_of(rows, best, count),
        np.bincount(rows, best, count),
        np.bincount(rows, best >= NEAR, count),
        most_of(rows, best * claim.weights[rows, words], count),
        most_of(rows, (near * views.home[rows]).max(axis=1, initial=0), count),
        most_of(rows, placed.max(axis=1), count),
        np.bincount(rows, placed_at_home, count),
    ]
    excluded = (views.relations == Relation.RIVAL).any(axis=2) & ~claim.has("same")
    rows, words = np.nonzero(excluded & claim.here)
    rivals = views.relations[rows, words] == Relation.RIVAL
    free = rivals & (page.likeness < ALIKE)[rows]
    for some in (rivals, free, rivals & views.home[rows], free & views.home[rows]):
        numbers.append(np.bincount(rows, some.any(axis=1), count))
    numbers.append(most_of(rows, (rivals * views.around[rows, words]).max(axis=1), count))
    denied = claim.denied[rows, words][:, None] == page.denied[rows]
    opposite = free & views.home[rows] & denied
    others = np.where(opposite, views.cosines[rows, words], -2).argmax(axis=1)
    places = np.column_stack([rows, words, others])[opposite.any(axis=1)]
    figure = claim.has("number") | claim.has("literal")
    return columns(numbers), [
        Slot("opposite", "against", places[~figure[places[:, 0], places[:, 1]]]),
        Slot("replaced", "against", replaced[~figure[replaced[:, 0], replaced[:, 1]]]),
    ]
