"""A yes or no that opens the statement, with the question that it answers."""

from __future__ import annotations

import numpy as np

from klopt.comparing.pairs import Floats, Relation
from klopt.comparing.sides import bit_of
from klopt.comparing.slots.coverage import share
from klopt.comparing.slots.view import Bools, Integers, Slot, Stance, Views, columns

__all__ = ["confirmation"]

LIMITS = (
    "all",
    "alone",
    "before",
    "after",
    "few",
    "may",
    "must",
    "possible",
    "automatic",
    "manual",
)
"""Qualifiers that a question has in vain where the passage has another one."""


def confirmation(views: Views) -> tuple[Floats, list[Slot]]:
    """Whether the passage says what the question asks, turned around by a no."""
    asked, claim, page = views.asked, views.claim, views.page
    opening = views.opening[:, None]
    sign = np.take_along_axis(claim.says("yes") * 1.0 - claim.says("no"), opening, 1)[:, 0]
    rivals = (views.relations == Relation.RIVAL) & asked.content[:, :, None]
    replaced = (rivals.any(axis=2) & ~asked.has("same")).any(axis=1)
    at_home = np.take_along_axis(views.home, asked.partners, 1)
    denied = np.take_along_axis(page.denied, asked.partners, 1)
    weights = asked.weights * asked.matched
    turned = share(asked.denied != denied, weights)
    limits = _bits(asked.qualifiers * asked.here) != _bits(page.qualifiers * views.home)
    numbers = [
        asked.here.any(axis=1),
        sign,
        *_signed(sign, turned),
        *_signed(sign, replaced),
        *_signed(sign, share(asked.likeness, asked.weights)),
        *_signed(sign, share(asked.likeness * at_home, asked.weights)),
        *_signed(sign, limits.sum(axis=1)),
        sign * (page.has("negated") & views.home).any(axis=1),
        sign * claim.has("negated").sum(axis=1),
        sign * claim.content.sum(axis=1),
        sign * (1 - 2 * turned) * (1 - 2 * replaced),
    ]
    here = (rivals & ~asked.has("same")[:, :, None]).any(axis=1) & views.home
    slots = []
    sides: tuple[tuple[int, Stance], ...] = ((1, "against"), (-1, "for"))
    for turn, side in sides:
        rows = np.flatnonzero(here.any(axis=1) & (sign == turn))
        rival = here[rows].argmax(axis=1)
        places = np.column_stack([rows, views.opening[rows], rival])
        slots.append(Slot("confirmation", side, places))
    return columns(numbers), slots


def _signed(sign: Floats, values: Floats) -> tuple[Floats, Floats]:
    return values, sign * values


def _bits(words: Integers) -> Bools:
    together = np.bitwise_or.reduce(words, axis=1)
    found: Bools = together[:, None] & np.array([bit_of(name) for name in LIMITS]) > 0
    return found
