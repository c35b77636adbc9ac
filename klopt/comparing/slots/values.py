"""Numbers, keys, code and names: what one side has and the other has not, or otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Floats, Relation
from klopt.comparing.slots.substitution import around
from klopt.comparing.slots.view import Bools, Integers, Slot, Views, columns

__all__ = ["values"]

KINDS = (("number", "value"), ("literal", "key"), ("component", "name"), ("capital", "name"))
"""The mark of a word, and the kind of what is found of it."""


def values(views: Views) -> tuple[Floats, list[Slot]]:
    """What is named to the letter: found, replaced by another of its kind, or new."""
    claim, page = views.claim, views.page
    context = around(views)
    numbers: list[NDArray[Any]] = []
    slots = []
    mine_left, theirs_left = claim.content, page.content
    for mark, kind in KINDS:
        mine, theirs = mine_left & claim.has(mark), theirs_left & page.has(mark)
        mine_left, theirs_left = mine_left & ~mine, theirs_left & ~theirs
        found = mine & (claim.has("same") | claim.has("synonym"))
        lost = mine & ~found & (claim.likeness < 0.9)
        spare = theirs & (page.likeness < 0.9)
        beside = lost[:, :, None] & spare[:, None, :]
        placed = beside * (context + views.home[:, None, :] * 0.5 + 0.01)
        numbers += [
            found.sum(axis=1),
            lost.sum(axis=1),
            (lost & ~claim.has("asked")).sum(axis=1),
            (spare & views.home).sum(axis=1),
            placed.max(axis=(1, 2)),
        ]
        slots += [
            Slot(kind, "for", _with_partner(views, found)),
            Slot(kind, "against", _best(placed, 0.5)),
        ]
        rows, words = np.nonzero(lost & (placed.max(axis=2) < 0.5))
        slots.append(Slot(kind, "open", np.column_stack([rows, words, np.full(len(rows), -1)])))
    same = (views.relations == Relation.SAME) & claim.here[:, :, None]
    units = claim.has("number")[:, :-1, None] & page.has("number")[:, None, :-1]
    clash = units & same[:, 1:, 1:] & ~same[:, :-1, :-1] & ~claim.has("same")[:, :-1, None]
    numbers.append(clash.any(axis=(1, 2)))
    return columns(numbers), slots


def _with_partner(views: Views, found: Bools) -> Integers:
    rows, words = np.nonzero(found)
    return np.column_stack([rows, words, views.claim.partners[rows, words]])


def _best(placed: NDArray[Any], least: float) -> Integers:
    rows, words = np.nonzero(placed.max(axis=2) >= least)
    return np.column_stack([rows, words, placed[rows, words].argmax(axis=1)])
