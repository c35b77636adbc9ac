"""Weights that are chosen on some questions and used on others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

Floats = NDArray[np.float64]

FOLDS: Final = 10
SEEDS: Final = 5
RIDGE: Final = 1.0
"""The penalty on squared weights, for shortfalls divided by their spread."""


def chosen_by_others(
    shortfalls: Floats, labels: NDArray[np.bool_], questions: Sequence[str]
) -> Floats:
    """Scores of answers, by weights that a logistic regression chose on other questions.

    Args:
        shortfalls: Answers × parts.
        labels: Whether each answer was called accurate.
        questions: The question of each answer; its answers stay together.

    Returns:
        One score an answer, the mean over `SEEDS` divisions into `FOLDS`. Each division's scores
        are without intercept and on the scale on which its weights sum to 1, so that scores of
        different folds can be compared.
    """
    names = sorted(set(questions))
    spread = shortfalls.std(axis=0)
    scaled = shortfalls / np.where(spread > 0, spread, 1.0)
    total = np.zeros(len(labels))
    for seed in range(SEEDS):
        order = np.random.Generator(np.random.PCG64(seed)).permutation(len(names))
        fold_of = {names[place]: number % FOLDS for number, place in enumerate(order)}
        folds = np.array([fold_of[name] for name in questions])
        for fold in range(FOLDS):
            held_out = folds == fold
            weights = _weights(scaled[~held_out], labels[~held_out])
            total[held_out] -= scaled[held_out] @ weights / max(weights.sum(), 1e-9)
    return total / SEEDS


def _weights(shortfalls: Floats, labels: NDArray[np.bool_]) -> Floats:
    """Weights from 0 upwards: a shortfall never speaks for an answer."""
    signs = np.where(labels, 1.0, -1.0)
    count = shortfalls.shape[1]

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, intercept = point[:count], point[count]
        margin = signs * (intercept - shortfalls @ weights)
        slope = -signs * special.expit(-margin)
        gradient = np.append(-shortfalls.T @ slope + 2 * RIDGE * weights, slope.sum())
        value = float(np.logaddexp(0.0, -margin).sum() + RIDGE * weights @ weights)
        return value, gradient

    bounds = [(0.0, None)] * count + [(None, None)]
    start = np.append(np.full(count, 0.1), 0.0)
    found = optimize.minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    return np.asarray(found.x[:count])
