"""Small boosted trees, walked by numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from klopt.comparing.pairs import Floats

__all__ = ["Trees"]


class Trees:
    """Trees whose leaves add up to one number, here the log-odds of a fault.

    Args:
        arrays: ``features``, ``thresholds``, ``lefts`` and ``rights`` of all nodes of all trees;
            ``roots``, the first node of each tree; ``values`` of all leaves. A child below zero is
            a leaf: -1 is the first.

    >>> import numpy as np
    >>> arrays = {
    ...     "features": np.array([0]), "thresholds": np.array([0.5]), "lefts": np.array([-1]),
    ...     "rights": np.array([-2]), "roots": np.array([0, 0]), "values": np.array([-1.0, 1.0]),
    ... }
    >>> Trees(arrays)(np.array([[0.0], [1.0]], np.float32)).tolist()
    [-2.0, 2.0]
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._features = arrays["features"].astype(np.int64)
        self._thresholds = arrays["thresholds"].astype(np.float32)
        self._children = np.column_stack([arrays["lefts"], arrays["rights"]]).astype(np.int64)
        self._roots = arrays["roots"].astype(np.int64)
        self._values = arrays["values"].astype(np.float32)

    def __call__(self, numbers: Floats) -> Floats:
        """The sum of the leaves of each row.

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
        return found
