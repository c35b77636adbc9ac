"""How the order of the steps in an answer differs from the right one."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Arrangement", "arrange"]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What is wrong with an order; each step stands in at most one of ``missing`` and ``moved``.

    Attributes:
        missing: Steps that the order does not have.
        moved: Steps outside the longest run that is in the right order.
        repeated: Steps that the order has once more than there are, each time.
    """

    missing: tuple[int, ...]
    moved: tuple[int, ...]
    repeated: tuple[int, ...]


def arrange(right: Sequence[int], order: Sequence[int]) -> Arrangement:
    """Compares an order with the right one.

    Args:
        right: For each step its name; steps of one name count for one another.
        order: The names, as an answer orders its steps. A name that is there more often than in
            ``right`` counts as often as there, from the left.

    Returns:
        Numbers of steps (places in ``right``), from small to large.

    >>> arrange((0, 1, 2, 3), (0, 3, 1))
    Arrangement(missing=(2,), moved=(3,), repeated=())
    """
    places: dict[int, list[int]] = {}
    for place, name in enumerate(right):
        places.setdefault(name, []).append(place)
    kept, repeated = _as_often(right, order)
    run = _longest_run(places, kept)
    taken = set(run.values())
    free = {name: [place for place in held if place not in taken] for name, held in places.items()}
    moved = sorted(free[name].pop(0) for item, name in enumerate(kept) if item not in run)
    missing = sorted(place for held in free.values() for place in held)
    return Arrangement(tuple(missing), tuple(moved), tuple(places[name][0] for name in repeated))


def _as_often(right: Sequence[int], order: Sequence[int]) -> tuple[list[int], list[int]]:
    left = Counter(right)
    kept: list[int] = []
    repeated: list[int] = []
    for name in order:
        if name not in left:
            raise ValueError(f"step {name} is not one of the {len(right)} steps")
        (kept if left[name] else repeated).append(name)
        left[name] = max(0, left[name] - 1)
    return kept, repeated


def _longest_run(places: dict[int, list[int]], order: Sequence[int]) -> dict[int, int]:
    """The longest run in the right order: item of the order → place (Hunt and Szymanski)."""
    ends: list[int] = []
    chains: list[tuple[int, int, object]] = []
    for item, name in enumerate(order):
        for place in reversed(places[name]):
            length = bisect_left(ends, place)
            chain = (item, place, chains[length - 1] if length else None)
            ends[length : length + 1] = [place]
            chains[length : length + 1] = [chain]
    run: dict[int, int] = {}
    chain_left: object = chains[-1] if chains else None
    while isinstance(chain_left, tuple):
        item, place, chain_left = chain_left
        run[item] = place
    return run
