"""Folds for cross-validation: answers that rest on one page stay together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import numpy as np

from klopt.tuning.samples import Sample

Item = TypeVar("Item")
FOLDS: Final = 10


def fold_numbers(samples: Sequence[Sample], *, count: int = FOLDS, seed: int = 0) -> list[int]:
    """For each sample the number of its fold, from 0.

    Args:
        samples: The samples.
        count: How many folds; fewer when there are fewer pages.
        seed: Shuffles the pages.
    """
    groups = sorted({one.group for one in samples})
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(groups))
    folds = {groups[place]: number % count for number, place in enumerate(order)}
    return [folds[one.group] for one in samples]


def splits(
    samples: Sequence[Sample], *, count: int = FOLDS, seed: int = 0
) -> Iterator[tuple[list[int], list[int]]]:
    """For each fold the places of the samples to learn from, and of those held out."""
    numbers = fold_numbers(samples, count=count, seed=seed)
    for fold in sorted(set(numbers)):
        inside = [place for place, number in enumerate(numbers) if number != fold]
        yield inside, [place for place, number in enumerate(numbers) if number == fold]


def picked(items: Sequence[Item], places: Sequence[int]) -> list[Item]:
    """The items at some places."""
    return [items[place] for place in places]
