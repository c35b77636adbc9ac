"""How much of each side the other has, by rarity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import MARKS, Floats, Relation
from klopt.comparing.slots.view import Bools, Integers, Slot, Views, columns

__all__ = ["coverage"]

NEAREST = MARKS.index("nearest")
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
    nearest = claim.flags[:, :, NEAREST] * claim.here
    spread = claim.matched & ~views.partner_in(home)
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
        share(nearest, claim.weights),
        share(nearest, claim.weights * claim.alone),
        share((views.cosines * home[:, None, :]).max(axis=2, initial=0), claim.weights),
        share(page.flags[:, :, NEAREST], of_home),
        _longest_run(claim.has("same_pair")),
        share(spread, claim.weights),
        _passages(claim.partners, claim.matched),
        *_weakest(claim.likeness, claim.weights),
        *_weakest(page.likeness, of_home),
    ]
    return columns(numbers), []


def share(values: NDArray[Any], weights: NDArray[Any]) -> Floats:
    """The weighted mean of each row; 0 without weight."""
    found: Floats = (values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-6)
    return found


def _longest_run(marked: Bools) -> Integers:
    """The number of words of the longest stretch of marked words."""
    numbers = np.arange(marked.shape[1])
    last = np.maximum.accumulate(np.where(marked, -1, numbers), axis=1)
    found: Integers = (numbers - last).max(axis=1)
    return found


def _passages(partners: Integers, kept: Bools) -> Floats:
    """How far apart the partners of neighbours stand, 0 to 1."""
    leaps = np.abs(np.diff(partners, axis=1)) > 6
    both = kept[:, 1:] & kept[:, :-1]
    found: Floats = (leaps & both).sum(axis=1) / np.maximum(both.sum(axis=1), 1)
    return found


def _weakest(likeness: Floats, weights: Floats) -> Floats:
    """What the words lack that lack most, the worst first, shape ``(WEAKEST, n_pairs)``."""
    lacks = np.zeros((len(weights), max(WEAKEST, weights.shape[1])), np.float32)
    lacks[:, : weights.shape[1]] = (likeness - 1) * weights
    lacks.sort(axis=1)
    found: Floats = -lacks[:, :WEAKEST].T
    return found
