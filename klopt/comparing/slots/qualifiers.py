"""How sure, how many, when, under which condition: what qualifies each side."""

from __future__ import annotations

import numpy as np

from klopt.comparing.pairs import Floats
from klopt.comparing.sides import QUALIFIERS
from klopt.comparing.slots.view import Integers, Slot, Views

__all__ = ["qualifiers"]

REACH = 3
"""So many words before and after it a qualifier may bear on."""


def qualifiers(views: Views) -> tuple[Floats, list[Slot]]:
    """For each list whether the statement, the nearest sentence and the passage have a word."""
    claim, page = views.claim, views.page
    mine = _bits(claim.qualifiers * claim.here)
    home, all_of_page = _bits(page.qualifiers * views.home), _bits(page.qualifiers)
    under = [
        claim.has("conditional").any(axis=1),
        (page.has("conditional") & views.home).any(axis=1),
        page.has("conditional").any(axis=1),
    ]
    numbers = np.concatenate(
        [mine - home, mine + home, mine * 2 - all_of_page, np.stack(under, 1)], 1
    )
    return numbers.astype(np.float32), []


def _bits(words: Integers) -> Integers:
    together = np.bitwise_or.reduce(words, axis=1)
    return together[:, None] >> np.arange(len(QUALIFIERS)) & 1
