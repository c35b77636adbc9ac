"""Fit the weights of heuristics: logistic regression on ratings, without negative weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from klopt import heuristics
from klopt._internal.extras import needs
from klopt.evaluation.fitting.samples import Sample
from klopt.scoring.tree import HIGHEST, LOWEST, Term, Weighing

Floats = NDArray[np.float64]

PENALTY: Final = 6.0
"""L2 penalty on a weight, for heuristics scaled to a standard deviation of 1."""
MIN_VALUES: Final = 5
"""A heuristic measured on fewer answers gets no weight."""
MIN_WEIGHT: Final = 0.02
"""A smaller weight, for a standard deviation of the heuristic, is left out."""
UNFITTED: Final = Weighing(0.0, {})
_FLAT: Final = 1e-6


class FeatureColumn(NamedTuple):
    """A heuristic on all samples, in standard deviations from its neutral value."""

    name: str
    scaled: Floats
    neutral: float
    spread: float


class _Prior(NamedTuple):
    """Values that weights and base are drawn to, and the penalties for leaving them."""

    weights: Floats
    base: float
    penalty: float
    base_penalty: float


def fit_weights(
    samples: Sequence[Sample],
    names: Sequence[str],
    start: Weighing = UNFITTED,
    nearness: float = PENALTY,
) -> Weighing:
    """Fit the weights whose log-odds are closest to the ratings.

    Args:
        samples: Rated answers of one language.
        names: The heuristics to weigh.
        start: Weights fitted to other answers; the result stays near them, and heuristics without
            a signal on the samples keep their weight.
        nearness: Penalty for leaving the start, as `PENALTY` is for leaving 0 without one.

    Returns:
        Base and terms. A neutral value is that of the start; otherwise 1 for a heuristic that
        looks for faults, and the mean for others.

    Source:
        Lassche et al., section 5.3, gives each feature the same weight.

    >>> fit_weights([], ["hal"])
    Weighing(base=0.0, terms={})
    """
    if not samples:
        return start
    columns = columns_of(samples, names, start)
    prior = None
    if start.terms:
        known = [start.terms.get(column.name) for column in columns]
        scales = zip(known, columns, strict=True)
        before = [0.0 if term is None else term.weight * one.spread for term, one in scales]
        prior = _Prior(np.array(before), start.base, nearness, nearness)
    weights, base = minimised([column.scaled for column in columns], samples, prior)
    measured = {column.name for column in columns}
    terms = {name: term for name, term in start.terms.items() if name not in measured}
    for column, weight in zip(columns, weights, strict=True):
        if weight >= MIN_WEIGHT:
            terms[column.name] = Term(float(weight / column.spread), column.neutral)
    return Weighing(base, terms)


def columns_of(
    samples: Sequence[Sample], names: Sequence[str], start: Weighing = UNFITTED
) -> list[FeatureColumn]:
    """Return the heuristics that are measured, and differ, on these answers."""
    found: list[FeatureColumn] = []
    for name in names:
        values = [sample.value(name) for sample in samples]
        measured = [value for value in values if value is not None]
        if len(measured) < MIN_VALUES:
            continue
        if name in start.terms:
            neutral = start.terms[name].neutral
        else:
            looks_for_faults = heuristics.BY_NAME[name].looks_for_faults
            neutral = 1.0 if looks_for_faults else float(np.mean(measured))
        every = np.array([neutral if value is None else value for value in values])
        spread = float(np.std(every))
        if spread > _FLAT:
            found.append(FeatureColumn(name, (every - neutral) / spread, neutral, spread))
    return found


def minimised(
    columns: Sequence[Floats], samples: Sequence[Sample], prior: _Prior | None = None
) -> tuple[Floats, float]:
    """Return weights and base that minimise the cross-entropy with the ratings plus the penalty."""
    scaled = np.column_stack([np.zeros((len(samples), 0)), *columns])
    count = scaled.shape[1]
    targets = np.array([(sample.rating - LOWEST) / (HIGHEST - LOWEST) for sample in samples])
    aim = prior or _Prior(np.zeros(count), 0.0, PENALTY, 0.0)

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, base = point[:count], point[count]
        odds = scaled @ weights + base
        misses = 1.0 / (1.0 + np.exp(-odds)) - targets
        value = np.logaddexp(0.0, odds) - targets * odds
        away, base_away = weights - aim.weights, base - aim.base
        base_slope = misses.sum() + aim.base_penalty * base_away
        slope = np.append(scaled.T @ misses + aim.penalty * away, base_slope)
        cost = aim.penalty / 2 * (away @ away) + aim.base_penalty / 2 * base_away**2
        return float(value.sum() + cost), slope

    bounds = [(0.0, None)] * count + [(None, None)]
    start = np.append(np.full(count, 0.1), 0.0)
    with needs("evaluate", "fitting to ratings needs scipy"):
        from scipy import optimize
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return found.x[:count], float(found.x[count])
