"""Whether both sides name things in one order and give them one role."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Floats
from klopt.comparing.slots.coverage import share
from klopt.comparing.slots.view import Bools, Integers, Slot, Views, Words, columns

__all__ = ["order"]

DIVIDING = (
    ("before", "before"),
    ("before", "after"),
    ("after", "before"),
    ("after", "after"),
    ("because", "because"),
)
"""Qualifiers of statement and passage that say what comes first."""
TURNED = 0.75
"""From this share on a statement stands the other way around."""


def order(views: Views) -> tuple[Floats, list[Slot]]:
    """Inversions of partners, what stands on which side of "before", and prepositions."""
    claim, page = views.claim, views.page
    firm = claim.content & (claim.likeness >= 0.6)
    home = firm & views.partner_in(views.home)
    numbers: list[NDArray[Any]] = [_inversions(claim, firm), _inversions(claim, home)]
    slots = []
    for word, other in DIVIDING:
        place, there, turned = _turned(views, firm, word, other)
        numbers += [there, np.where(there, turned, -1)]
        slots.append(Slot("order", "against", place[there & (turned >= TURNED)]))
    weights = claim.weights * firm
    for names in (("towards",), ("origin",), ("by",)):
        mine, theirs = _after(claim.says(*names)), _after(page.says(*names))
        beside = views.partner_in(theirs)
        numbers += [share(mine & ~beside, weights), share(~mine & beside, weights)]
    numbers += _steps_back(claim, home)
    return columns(numbers), slots


def _inversions(words: Words, kept: Bools) -> Floats:
    """The share of pairs of words whose partners stand the other way around."""
    places = words.partners
    both = kept[:, :, None] & kept[:, None, :]
    numbers = np.arange(kept.shape[1])
    both &= numbers[:, None] < numbers
    turned = both & (places[:, :, None] > places[:, None, :])
    alike = both & (places[:, :, None] == places[:, None, :])
    counts = [np.count_nonzero(one, axis=(1, 2)) for one in (both, turned, alike)]
    found: Floats = counts[1] / np.maximum(counts[0] - counts[2], 1)
    return found


def _steps_back(words: Words, kept: Bools) -> tuple[Floats, Floats]:
    """How often the next word's partner stands before that of the last one: number and share."""
    places = np.where(kept, words.partners, -1)
    last = np.maximum.accumulate(np.where(kept, np.arange(kept.shape[1]), -1), axis=1)
    before = np.full_like(last, -1)
    before[:, 1:] = last[:, :-1]
    there = kept & (before >= 0)
    back = there & (places < np.take_along_axis(places, np.maximum(before, 0), 1))
    count: Floats = back.sum(axis=1)
    return count, count / np.maximum(there.sum(axis=1), 1)


def _turned(views: Views, firm: Bools, mine: str, theirs: str) -> tuple[Integers, Bools, Floats]:
    """The words that divide both sides, whether both have one, and how much is misplaced."""
    own, other = views.claim.says(mine), views.page.says(theirs) & views.home
    there: Bools = np.logical_and(own.any(axis=1), other.any(axis=1))
    if not there.any():
        return np.zeros((len(own), 3), np.int64), there, np.zeros(len(own))
    word, word_there = own.argmax(axis=1), other.argmax(axis=1)
    left = np.arange(own.shape[1]) < word[:, None]
    left_there = views.claim.partners < word_there[:, None]
    crossed = share(left != left_there, views.claim.weights * firm)
    place = np.column_stack([np.arange(len(own)), word, word_there])
    return place, there, crossed if mine == theirs else 1 - crossed


def _after(marked: Bools) -> Bools:
    """The three words after some."""
    found = np.zeros_like(marked)
    for step in (1, 2, 3):
        found[:, step:] |= marked[:, :-step]
    return found
