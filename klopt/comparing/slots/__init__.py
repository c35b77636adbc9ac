"""What speaks for a statement beside a passage, and what against it: one file a family.

A family is a function from `Views` to numbers, which the model reads, and slots, which people
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from klopt.comparing.pairs import Batch, Floats, Pair
from klopt.comparing.slots.confirmation import confirmation
from klopt.comparing.slots.coverage import coverage
from klopt.comparing.slots.negation import negation
from klopt.comparing.slots.novelty import novelty
from klopt.comparing.slots.order import order
from klopt.comparing.slots.qualifiers import qualifiers
from klopt.comparing.slots.substitution import substitution
from klopt.comparing.slots.values import values
from klopt.comparing.slots.view import Finding, Slot, views_of

__all__ = ["FAMILIES", "Finding", "findings_of", "numbers_of", "slots_of"]

FAMILIES: Final = (
    coverage,
    novelty,
    substitution,
    values,
    negation,
    qualifiers,
    order,
    confirmation,
)


def slots_of(pairs: Sequence[Pair], batch: Batch) -> tuple[list[Floats], list[Slot]]:
    """The numbers of each family, each of shape ``(n_pairs, k)``, and all slots."""
    views = views_of(pairs, batch)
    numbers, slots = zip(*(family(views) for family in FAMILIES), strict=True)
    return list(numbers), [one for some in slots for one in some]


def numbers_of(pairs: Sequence[Pair], batch: Batch) -> Floats:
    """The numbers of all families side by side."""
    return np.concatenate(slots_of(pairs, batch)[0], axis=1)


def findings_of(pairs: Sequence[Pair], slots: Sequence[Slot]) -> list[list[Finding]]:
    """For each pair what was found, in plain offsets, in the order of the statement."""
    found: list[list[Finding]] = [[] for _ in pairs]
    for slot in slots:
        for row, word, other in slot.places.tolist():
            pair = pairs[row]
            claim = tuple(pair.claim_spans[word].tolist()) if word >= 0 else None
            page = tuple(pair.page_spans[other].tolist()) if other >= 0 else None
            found[row].append(Finding(slot.kind, slot.side, claim, page))
    return found
