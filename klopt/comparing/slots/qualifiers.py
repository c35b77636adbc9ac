"""How sure, how many, when, under which condition: what qualifies each side."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Floats
from klopt.comparing.sides import QUALIFIERS, bit_of
from klopt.comparing.slots.exchange import TOLD_ONLY
from klopt.comparing.slots.view import Integers, Slot, Views

__all__ = ["qualifiers"]

Names = tuple[str, ...]

LIMITS: Final[tuple[tuple[str, Names, Names], ...]] = (
    ("modality", ("must",), ()),
    ("quantity", ("all",), ("alone",)),
    ("quantity", ("alone",), ()),
    ("default", ("default",), ("automatic",)),
    ("manner", ("automatic",), ("default",)),
)
"""What is found, the lists that limit a statement, and those that say as much."""
_COUNTED: Final = [n for n, name in enumerate(QUALIFIERS) if name not in TOLD_ONLY]
REACH = 3
"""So many words before and after it a qualifier may bear on."""


def qualifiers(views: Views) -> tuple[Floats, list[Slot]]:
    """For each list whether the statement, the nearest sentence and the passage have a word."""
    claim, page = views.claim, views.page
    mine = np.bitwise_or.reduce(claim.qualifiers * claim.here, axis=1)
    home = np.bitwise_or.reduce(page.qualifiers * views.home, axis=1)
    all_of_page = np.bitwise_or.reduce(page.qualifiers, axis=1)
    under = [
        claim.has("conditional").any(axis=1),
        (page.has("conditional") & views.home).any(axis=1),
        page.has("conditional").any(axis=1),
    ]
    around, around_there = _around(claim.qualifiers * claim.here), _around(page.qualifiers)
    beside = np.take_along_axis(around_there, claim.partners, 1)
    weights = claim.weights * claim.matched
    numbers: list[NDArray[Any]] = [
        _bits(mine),
        _bits(home),
        _bits(all_of_page),
        _shares(around & ~beside, weights),
        _shares(beside & ~around, weights),
        np.stack(under, axis=1),
    ]
    return np.concatenate(numbers, axis=1).astype(np.float32), [
        _limited(views, mine, all_of_page, kind, one, like) for kind, one, like in LIMITS
    ]


def _limited(
    views: Views, mine: Integers, all_of_page: Integers, kind: str, one: Names, like: Names
) -> Slot:
    """Where the statement has what no word of the passage, nor of the question, says."""
    said = (all_of_page & bit_of(*one, *like) > 0) | views.asked.says(*one).any(axis=1)
    rows = np.flatnonzero((mine & bit_of(*one) > 0) & ~said)
    words = views.claim.says(*one)[rows].argmax(axis=1)
    return Slot(kind, "open", np.column_stack([rows, words, np.full(len(rows), -1)]))


def _shares(words: Integers, weights: Floats) -> Floats:
    """For each bit the share of the weight of the words that have it."""
    bits = _bits(words)
    found: Floats = (weights[:, None, :] @ bits.astype(np.float32))[:, 0]
    found /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-6)
    return found


def _around(words: Integers) -> Integers:
    """The bits of each word and of its neighbours."""
    found = words.copy()
    for step in range(1, REACH + 1):
        found[:, step:] |= words[:, :-step]
        found[:, :-step] |= words[:, step:]
    return found


def _bits(words: Integers) -> NDArray[np.uint8]:
    """The bits apart, along one more axis."""
    octets = np.ascontiguousarray(words).astype("<i8").view(np.uint8).reshape(*words.shape, 8)
    bits = np.unpackbits(octets, axis=-1, count=len(QUALIFIERS), bitorder="little")
    return bits[..., _COUNTED]
