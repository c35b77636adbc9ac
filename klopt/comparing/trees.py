"""Small boosted trees beside a weighted sum, reckoned by numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Floats

__all__ = ["Trees"]


class Trees:
    """Trees whose leaves, and a weighted sum, add up to one number, here the log-odds of a fault.

    Trees alone jump where a number crosses a line of theirs, so that of two answers that differ in
    one fact the order is left to chance; a sum alone knows nothing of what goes together.

    Args:
        arrays: ``features``, ``thresholds``, ``lefts`` and ``rights`` of all nodes of all trees;
            ``roots``, the first node of each tree; ``values`` of all leaves. A child below zero is
            a leaf: -1 is the first. ``weights``, one for each number of a row, and ``base``.

    >>> import numpy as np
    >>> arrays = {
    ...     "features": np.array([0]), "thresholds": np.array([0.5]), "lefts": np.array([-1]),
    ...     "rights": np.array([-2]), "roots": np.array([0, 0]), "values": np.array([-1.0, 1.0]),
    ...     "weights": np.array([0.5]), "base": np.array(0.25),
    ... }
    >>> Trees(arrays)(np.array([[0.0], [1.0]], np.float32)).tolist()
    [-1.75, 2.75]
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._features = arrays["features"].astype(np.int64)
        self._thresholds = arrays["thresholds"].astype(np.float32)
        self._children = np.column_stack([arrays["lefts"], arrays["rights"]]).astype(np.int64)
        self._roots = arrays["roots"].astype(np.int64)
        self._values = arrays["values"].astype(np.float32)
        self._weights = arrays["weights"].astype(np.float32)
        self._base = np.float32(arrays["base"])

    def __call__(self, numbers: Floats) -> Floats:
        """The sum of the leaves of each row, and of its numbers by their weights.

        Args:
            numbers: Shape ``(n, n_numbers)``.

        Returns:
            Shape ``(n,)``.
        """
        count = len(numbers)
        rows = np.repeat(np.arange(count), len(self._roots))
        nodes = np.tile(self._roots, count)
        going = np.arange(len(nodes))
        while len(going):
            here = nodes[going]
            right = numbers[rows[going], self._features[here]] > self._thresholds[here]
            nodes[going] = self._children[here, right.astype(np.int64)]
            going = going[nodes[going] >= 0]
        found: Floats = self._values[-1 - nodes].reshape(count, len(self._roots)).sum(axis=1)
        found += (numbers * self._weights).sum(axis=1) + self._base
        return found
