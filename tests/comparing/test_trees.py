"""The trees against a walk in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from klopt.comparing.learnt import BoostedTrees


def grown(random: np.random.Generator, n_trees: int, n_numbers: int) -> dict[str, np.ndarray]:
    """BoostedTrees of up to three levels, each node written before its children."""
    features: list[int] = []
    thresholds: list[float] = []
    children: list[list[int]] = []
    values: list[float] = []

    def grow(level: int) -> int:
        if level and (level == 3 or random.random() < 0.3):
            values.append(float(random.normal()))
            return -len(values)
        number = len(features)
        features.append(int(random.integers(n_numbers)))
        thresholds.append(float(random.normal()))
        children.append([0, 0])
        children[number] = [grow(level + 1), grow(level + 1)]
        return number

    roots = [grow(0) for _ in range(n_trees)]
    lefts, rights = zip(*children, strict=True)
    named = {"features": features, "thresholds": thresholds, "lefts": lefts, "rights": rights}
    named |= {"roots": roots, "values": values, "base": float(random.normal())}
    return {
        **{name: np.array(one) for name, one in named.items()},
        "weights": random.normal(size=n_numbers),
    }


def walked(arrays: dict[str, np.ndarray], row: np.ndarray) -> float:
    found = float(arrays["base"]) + float(row @ arrays["weights"])
    for root in arrays["roots"].tolist():
        node = root
        while node >= 0:
            right = row[arrays["features"][node]] > np.float32(arrays["thresholds"][node])
            node = int(arrays["rights" if right else "lefts"][node])
        found += float(arrays["values"][-1 - node])
    return found


@pytest.mark.parametrize("seed", range(8))
def test_trees_are_walked_as_one_walks_them(seed: int):
    random = np.random.default_rng(seed)
    arrays = grown(random, 12, 5)
    rows = random.normal(size=(20, 5)).astype(np.float32)
    found = BoostedTrees(arrays)(rows)
    wanted = [walked(arrays, row) for row in rows]
    assert found.shape == (20,)
    assert found == pytest.approx(np.array(wanted), abs=1e-4)


def test_a_number_at_the_threshold_goes_left():
    arrays = grown(np.random.default_rng(0), 1, 1)
    arrays |= {name: np.array([one]) for name, one in (("lefts", -1), ("rights", -2))}
    arrays |= {"features": np.array([0]), "thresholds": np.array([0.5]), "roots": np.array([0])}
    arrays |= {"values": np.array([-1.0, 1.0]), "weights": np.zeros(1), "base": np.array(0.0)}
    assert BoostedTrees(arrays)(np.array([[0.5], [0.6]], np.float32)).tolist() == [-1.0, 1.0]


def test_no_rows_give_no_sums():
    arrays = grown(np.random.default_rng(1), 3, 2)
    assert BoostedTrees(arrays)(np.empty((0, 2), np.float32)).shape == (0,)
