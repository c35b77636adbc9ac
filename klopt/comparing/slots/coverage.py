"""How much of each side the other has, by rarity."""

from __future__ import annotations

import numpy as np

from klopt.comparing.pairs import Floats, Relation
from klopt.comparing.slots.view import Slot, Views

__all__ = ["coverage"]

WEAKEST = 3
"""So many of the least covered words are told one by one."""


def coverage(views: Views) -> tuple[Floats, list[Slot]]:
    """Coverage both ways: of all words, without the question's, in the nearest sentence."""
    claim, asked, page, home = views.claim, views.asked, views.page, views.home
    unasked = claim.weights * ~claim.has("asked")
    at_home = claim.likeness * views.partner_in(home)
    same = claim.has("same") * 1.0
    of_home = page.weights * home
    to_asked = np.maximum(page.likeness, (views.relations == Relation.SAME).any(axis=1) * page.here)
    numbers = [
        share(same, claim.weights),
        share(np.maximum(same, claim.has("synonym")), claim.weights),
        share(claim.likeness, claim.weights),
        share(at_home, claim.weights),
        share(claim.likeness, unasked),
        share(claim.has("same_pair"), claim.weights),
        share(page.likeness, page.weights),
        share(page.likeness, of_home),
        share(to_asked, of_home),
        share(asked.likeness, asked.weights),
        share(asked.likeness * views.partner_in(home), asked.weights),
        share(claim.has("asked"), claim.weights),
        claim.content.sum(axis=1),
        claim.here.sum(axis=1),
        page.content.sum(axis=1),
        (page.content & home).sum(axis=1),
        claim.weights.sum(axis=1),
        of_home.sum(axis=1),
        *_weakest(claim.likeness, claim.weights),
        *_weakest(page.likeness, of_home),
    ]
    return np.stack(numbers, axis=1, dtype=np.float32, casting="unsafe"), []


def share(values: Floats, weights: Floats) -> Floats:
    """The weighted mean of each row; 0 without weight."""
    found: Floats = (values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-6)
    return found


def _weakest(likeness: Floats, weights: Floats) -> Floats:
    """What the words lack that lack most, the worst first, shape ``(WEAKEST, n_pairs)``."""
    lacks = (1 - likeness) * weights
    lacks = np.pad(lacks, ((0, 0), (0, max(0, WEAKEST - lacks.shape[1]))))
    found: Floats = -np.sort(-lacks, axis=1)[:, :WEAKEST].T
    return found
