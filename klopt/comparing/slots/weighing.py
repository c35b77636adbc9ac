"""What the numbers of the slots say together; numpy alone.

A few small networks of three layers each, whose chances are averaged. Boosted trees over the same
numbers were no better.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from klopt.comparing.network import softmax
from klopt.comparing.pairs import Floats

__all__ = ["FARTHEST", "Weighing"]

FARTHEST: Final = 4.0
"""A number counts at most so many deviations from its mean."""


class Weighing:
    """The trained weights.

    Args:
        weights: Name → array, as `training.slots` writes them: ``means`` and ``deviations`` of the
            numbers, shape ``(n_numbers,)``; of each member ``first`` ``(n_members, n_numbers,
            width)``, ``second`` ``(n_members, width, width)`` and ``third`` ``(n_members, width,
            3)``, each with its base.
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = {name: np.asarray(array, np.float32) for name, array in weights.items()}

    def __call__(self, numbers: Floats) -> Floats:
        """The chance of each of `klopt.comparing.network.LABELS`.

        Args:
            numbers: Of `klopt.comparing.slots.slots_of`, shape ``(n, n_numbers)``.

        Returns:
            Shape ``(n, 3)``.
        """
        weights = self._weights
        known = (numbers - weights["means"]) / weights["deviations"]
        hidden = np.clip(known, -FARTHEST, FARTHEST)[None]
        for layer in ("first", "second"):
            hidden = np.maximum(hidden @ weights[layer] + weights[f"{layer}_base"], 0)
        points = hidden @ weights["third"] + weights["third_base"]
        found: Floats = softmax(points, 2).mean(axis=0)
        return found
