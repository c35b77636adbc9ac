"""Numbers, keys, code and names: what one side has and the other has not, or otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Floats, Relation
from klopt.comparing.slots.view import Slot, Views, columns, most_of

__all__ = ["values"]

KINDS = (("number", "value"), ("literal", "key"), ("component", "name"), ("capital", "name"))
"""The mark of a word, and the kind of what is found of it."""
ALIKE = 0.9
"""Less like than this, a name is another one."""
AT_HOME, ANYWHERE = 0.5, 0.01
"""What it counts that another of its kind stands in the nearest sentence, or in the passage; as
much as `AT_HOME` is told."""


def values(views: Views) -> tuple[Floats, list[Slot]]:
    """What is named to the letter: found, replaced by another of its kind, or new."""
    claim, page = views.claim, views.page
    numbers: list[NDArray[Any]] = []
    slots = []
    known = claim.has("same") | claim.has("synonym")
    mine_left, theirs_left = claim.content, page.content
    for mark, kind in KINDS:
        mine, theirs = mine_left & claim.has(mark), theirs_left & page.has(mark)
        mine_left, theirs_left = mine_left & ~mine, theirs_left & ~theirs
        lost = mine & ~known & (claim.likeness < ALIKE)
        spare = theirs & (page.likeness < ALIKE)
        rows, words = np.nonzero(lost)
        placed = spare[rows] * (views.around[rows, words] + views.home[rows] * AT_HOME + ANYWHERE)
        highest = placed.max(axis=1)
        numbers += [
            (mine & known).sum(axis=1),
            lost.sum(axis=1),
            (lost & ~claim.has("asked")).sum(axis=1),
            (spare & views.home).sum(axis=1),
            most_of(rows, highest, len(lost)),
        ]
        others = np.where(highest >= AT_HOME, placed.argmax(axis=1), -1)
        places = np.column_stack([rows, words, others])
        found = np.nonzero(mine & known)
        slots += [
            Slot(kind, "for", np.column_stack([*found, claim.partners[found]])),
            Slot(kind, "against", places[others >= 0]),
            Slot(kind, "open", places[others < 0]),
        ]
    numbers.append(_other_number(views))
    return columns(numbers), slots


def _other_number(views: Views) -> Floats:
    """1 where a number that the passage lacks stands before a word that has another one there."""
    lost = views.claim.has("number") & ~views.claim.has("same")
    rows, words = np.nonzero(lost[:, :-1] & views.claim.here[:, 1:])
    beside = views.relations[rows, words + 1, 1:] == Relation.SAME
    return most_of(rows, (beside & views.page.has("number")[rows, :-1]).any(axis=1), len(lost))
