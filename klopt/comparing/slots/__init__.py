"""What speaks for a statement beside a passage, and what against it: one file a family.

A family is a function from `Views` to numbers, which the model reads, and slots, which people
read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from klopt.comparing.pairs import Batch, Floats, Pair
from klopt.comparing.slots.confirmation import confirmation
from klopt.comparing.slots.coverage import coverage
from klopt.comparing.slots.exchange import exchange
from klopt.comparing.slots.negation import negation
from klopt.comparing.slots.novelty import novelty
from klopt.comparing.slots.order import order
from klopt.comparing.slots.qualifiers import qualifiers
from klopt.comparing.slots.substitution import substitution
from klopt.comparing.slots.values import values
from klopt.comparing.slots.view import Finding, Integers, Slot, views_of

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
    exchange,
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
    """For each pair what was found, in plain offsets; words that follow one another are one."""
    found: list[list[Finding]] = [[] for _ in pairs]
    for slot in slots:
        for row, (word, other), (last, last_other) in _stretches(slot.places.tolist()):
            pair = pairs[row]
            claim = _span(pair.claim_spans, word, last)
            page = _span(pair.page_spans, other, last_other)
            found[row].append(Finding(slot.kind, slot.side, claim, page))
    return found


def _stretches(
    places: Sequence[Sequence[int]],
) -> Iterator[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Pair, first words and last words of places that follow one another on both sides."""
    for number, (row, word, other) in enumerate(places):
        if number and places[number - 1] == _before(row, word, other):
            continue
        last, last_other = word, other
        for after in places[number + 1 :]:
            if _before(*after) != [row, last, last_other]:
                break
            _, last, last_other = after
        yield row, (word, other), (last, last_other)


def _before(row: int, word: int, other: int) -> list[int]:
    return [row, word - 1, other - 1 if other >= 0 else other]


def _span(spans: Integers, first: int, last: int) -> tuple[int, int] | None:
    return (int(spans[first, 0]), int(spans[last, 1])) if first >= 0 else None
