"""Whether both sides deny the same words."""

from __future__ import annotations

import numpy as np

from klopt.comparing.pairs import Floats
from klopt.comparing.slots.coverage import share
from klopt.comparing.slots.view import Bools, Integers, Slot, Views, columns, reach

__all__ = ["negation"]

HEAVY = 0.3
"""From this weight on it is told that a word is denied on one side only."""


def negation(views: Views) -> tuple[Floats, list[Slot]]:
    """Negations of both sides, and the partners of which only one is denied."""
    claim, page = views.claim, views.page
    mine, theirs = claim.has("negated"), page.has("negated")
    opening = np.arange(mine.shape[1]) == views.opening[:, None]
    mine = mine & ~(opening & claim.says("no"))
    my_reach, denied = reach(mine), views.partner_in(page.denied)
    weights = claim.weights * claim.matched
    only_mine, only_theirs = my_reach & ~denied, ~my_reach & denied
    asked = views.asked.has("negated")
    at_home = (theirs & views.home).sum(axis=1)
    odd = (mine.sum(axis=1) % 2) != (at_home % 2)
    numbers = [
        mine.sum(axis=1),
        theirs.sum(axis=1),
        at_home,
        odd,
        mine.any(axis=1) * 1.0 - (at_home > 0),
        asked.sum(axis=1),
        share(only_mine, weights),
        share(only_theirs, weights),
        share(my_reach & denied, weights),
    ]
    heavy = claim.matched & (claim.weights >= HEAVY)
    apart = heavy & odd[:, None] & views.partner_in(views.home)
    slots = [
        Slot("negation", "against", _denials(views, apart & only_mine, mine, True)),
        Slot("negation", "against", _denials(views, apart & only_theirs, theirs, False)),
        Slot("negation", "for", _denials(views, heavy & my_reach & denied, mine, True)),
    ]
    return columns(numbers), slots


def _denials(views: Views, where: Bools, marked: Bools, of_claim: bool) -> Integers:
    """For each negation the nearest word that it denies, beside what stands for it there."""
    rows, words = np.nonzero(where)
    if not len(rows):
        return np.empty((0, 3), np.int64)
    others = views.claim.partners[rows, words]
    denied = words if of_claim else others
    far = np.abs(np.arange(marked.shape[1]) - denied[:, None])
    far = np.where(marked[rows], far, marked.shape[1])
    negations = far.argmin(axis=1)
    order = np.lexsort([-denied, far.min(axis=1), negations, rows])
    ends = np.column_stack([rows, negations] + ([others] if of_claim else [words]))[order]
    new = np.ones(len(ends), np.bool_)
    new[1:] = (np.diff(ends[:, :2], axis=0) != 0).any(axis=1)
    return ends[new] if of_claim else ends[new][:, [0, 2, 1]]
