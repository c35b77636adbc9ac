"""Whether both sides deny the same words."""

from __future__ import annotations

import numpy as np

from klopt.comparing.pairs import Floats
from klopt.comparing.slots.coverage import share
from klopt.comparing.slots.view import Bools, Slot, Views

__all__ = ["negation", "reach"]

BEFORE, AFTER = 4, 4
"""So many words before and after it a negation reaches."""


def negation(views: Views) -> tuple[Floats, list[Slot]]:
    """Negations of both sides, and the partners of which only one is denied."""
    claim, page = views.claim, views.page
    mine, theirs = claim.has("negated"), page.has("negated")
    opening = np.arange(mine.shape[1]) == views.opening[:, None]
    mine = mine & ~(opening & claim.says("no"))
    my_reach, their_reach = reach(mine), reach(theirs)
    denied = views.partner_in(their_reach)
    weights = claim.weights * claim.matched
    only_mine, only_theirs = my_reach & ~denied, ~my_reach & denied
    asked = views.asked.has("negated")
    at_home = (theirs & views.home).sum(axis=1)
    numbers = [
        mine.sum(axis=1),
        theirs.sum(axis=1),
        at_home,
        (mine.sum(axis=1) % 2) != (at_home % 2),
        mine.any(axis=1) * 1.0 - (at_home > 0),
        asked.sum(axis=1),
        share(only_mine, weights),
        share(only_theirs, weights),
        share(my_reach & denied, weights),
    ]
    slots = []
    heavy = claim.matched & (claim.weights >= 0.3)
    for where in (only_mine & heavy, only_theirs & heavy):
        rows, words = np.nonzero(where)
        slots.append(
            Slot("negation", "against", np.column_stack([rows, words, claim.partners[rows, words]]))
        )
    return np.stack(numbers, axis=1, dtype=np.float32, casting="unsafe"), slots


def reach(marked: Bools) -> Bools:
    """Words and their neighbours."""
    sums = np.cumsum(np.pad(marked, ((0, 0), (BEFORE + 1, AFTER))), axis=1)
    found: Bools = sums[:, BEFORE + AFTER + 1 :] > sums[:, : -(BEFORE + AFTER + 1)]
    return found
