"""Learns how evidence counts: a logistic regression on ratings whose weights are never negative.

Each heuristic is a value from 0 to 1 where more is truer, so a negative weight could only be an
accident of the sample: weights are bounded below by 0, and more support never lowers a score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from klopt import heuristics
from klopt.extras import needs
from klopt.scoring.tree import HIGHEST, LOWEST, Term, Weighing
from klopt.tuning.samples import Sample

Floats = NDArray[np.float64]

PENALTY: Final = 6.0
"""What a weight costs, L2, for heuristics brought to a standard deviation of 1."""
FEWEST_VALUES: Final = 5
"""A heuristic that was measured on fewer answers gets no weight."""
LEAST_WEIGHT: Final = 0.02
"""A weight below this, for a standard deviation of the heuristic, is left out."""
MOST_WEIGHT: Final = 4.0
"""The most that a heuristic weighs beside others that say nothing on the same answers."""
UNLEARNT: Final = Weighing(0.0, {})
_FLAT: Final = 1e-6


class _Column(NamedTuple):
    """A heuristic on all samples, in spreads from what stands for a missing value."""

    name: str
    scaled: Floats
    neutral: float
    spread: float


class _Prior(NamedTuple):
    """Where weights and base are drawn to, and how hard."""

    weights: Floats
    base: float
    penalty: float
    base_penalty: float


def learn(
    samples: Sequence[Sample],
    names: Sequence[str],
    start: Weighing = UNLEARNT,
    nearness: float = PENALTY,
) -> Weighing:
    """The weights that bring log-odds closest to the ratings.

    Args:
        samples: Judged answers of one language.
        names: The heuristics to weigh.
        start: What other answers taught. With few samples what is learnt stays near it, with none
            it is the start. What says nothing on the samples stays as it is there.
        nearness: What leaving the start costs, as `PENALTY` is what leaving 0 costs without one.

    Returns:
        A `Weighing`. From a start without weights its base makes the mean score that of the
        ratings. A neutral value is that of the start; else 1 for a heuristic that looks for
        faults, and for the others the mean of the judged.

    Source:
        Lassche et al., section 5.3, gives each feature the same weight.

    >>> learn([], ["hal"])
    Weighing(base=0.0, terms={})
    """
    if not samples:
        return start
    columns = _columns(samples, names, start)
    prior = None
    if start.terms:
        known = [start.terms.get(column.name) for column in columns]
        scales = zip(known, columns, strict=True)
        before = [0.0 if term is None else term.weight * one.spread for term, one in scales]
        prior = _Prior(np.array(before), start.base, nearness, nearness)
    weights, base = _fit([column.scaled for column in columns], samples, prior)
    measured = {column.name for column in columns}
    terms = {name: term for name, term in start.terms.items() if name not in measured}
    for column, weight in zip(columns, weights, strict=True):
        if weight >= LEAST_WEIGHT:
            terms[column.name] = Term(float(weight / column.spread), column.neutral)
    return Weighing(base, terms)


def add(
    samples: Sequence[Sample],
    names: Sequence[str],
    kept: Weighing,
    *,
    held_back_share: float,
    send_from: float,
) -> Weighing:
    """Weights for some heuristics beside those that a profile has already.

    For judged answers of another kind, such as labels right or wrong on other pages: what the
    profile has learnt stays in proportion, and what is new is weighed against it.

    Args:
        samples: Judged answers of one language.
        names: The heuristics to weigh; what the profile has of them is forgotten.
        kept: What the profile has learnt.
        held_back_share: Of the highest rated of these answers, so many may score less.
        send_from: The profile's, between 1 and 5.

    Returns:
        The profile's terms with those of ``names``. The base stays, so that the line does for
        answers on which the new heuristics cannot be measured; for the others it is the neutral
        value of the new terms that puts it in its place. A new weight is at most ``MOST_WEIGHT``
        for the whole range of its heuristic.
    """
    others = {name: term for name, term in kept.terms.items() if name not in names}
    columns = _columns(samples, names)
    if not columns:
        return Weighing(kept.base, others)
    before = np.array([log_odds(sample, Weighing(0.0, others)) for sample in samples])
    spread = float(before.std()) or 1.0
    scaled = [(before - before.mean()) / spread, *(column.scaled for column in columns)]
    weights, _ = _fit(scaled, samples)
    unit = float(weights[0]) / spread
    added: dict[str, Term] = {}
    for column, weight in zip(columns, weights[1:], strict=True):
        if weight >= LEAST_WEIGHT:
            own = float(weight / column.spread)
            relative = own / unit if unit * MOST_WEIGHT > own else MOST_WEIGHT
            added[column.name] = Term(relative, column.neutral)
    # The line is moved by the neutral values, where the new heuristics say something.
    whole = Weighing(kept.base - log_odds_of(send_from), {**others, **added})
    highest = [
        log_odds(sample, whole)
        for sample in samples
        if sample.rating == HIGHEST and any(sample.value(name) is not None for name in added)
    ]
    if highest:
        line = float(np.quantile(highest, held_back_share))
        shift = line / sum(term.weight for term in added.values())
        added = {
            name: Term(term.weight, min(1.0, max(0.0, term.neutral + shift)))
            for name, term in added.items()
        }
    return Weighing(kept.base, {**others, **added})


def log_odds(sample: Sample, weighing: Weighing) -> float:
    """What a weighing makes of a sample; a heuristic that was not measured adds nothing."""
    return weighing.base + sum(
        term.weight * (value - term.neutral)
        for name, term in weighing.terms.items()
        if (value := sample.value(name)) is not None
    )


def log_odds_of(score: float) -> float:
    """The log-odds that come to a score between 1 and 5.

    >>> log_odds_of(3.0)
    0.0
    """
    return math.log((score - LOWEST) / (HIGHEST - score))


def _columns(
    samples: Sequence[Sample], names: Sequence[str], start: Weighing = UNLEARNT
) -> list[_Column]:
    """The heuristics that say something on these answers."""
    found: list[_Column] = []
    for name in names:
        values = [sample.value(name) for sample in samples]
        measured = [value for value in values if value is not None]
        if len(measured) < FEWEST_VALUES:
            continue
        if name in start.terms:
            neutral = start.terms[name].neutral
        else:
            looks_for_faults = heuristics.BY_NAME[name].looks_for_faults
            neutral = 1.0 if looks_for_faults else float(np.mean(measured))
        every = np.array([neutral if value is None else value for value in values])
        spread = float(np.std(every))
        if spread > _FLAT:
            found.append(_Column(name, (every - neutral) / spread, neutral, spread))
    return found


def _fit(
    columns: Sequence[Floats], samples: Sequence[Sample], prior: _Prior | None = None
) -> tuple[Floats, float]:
    """Weights and base that minimise the cross-entropy with the ratings plus the penalty."""
    scaled = np.column_stack([np.zeros((len(samples), 0)), *columns])
    count = scaled.shape[1]
    targets = np.array([(sample.rating - LOWEST) / (HIGHEST - LOWEST) for sample in samples])
    aim = prior or _Prior(np.zeros(count), 0.0, PENALTY, 0.0)

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, base = point[:count], point[count]
        odds = scaled @ weights + base
        misses = 1.0 / (1.0 + np.exp(-odds)) - targets
        value = np.logaddexp(0.0, odds) - targets * odds
        away, moved = weights - aim.weights, base - aim.base
        base_slope = misses.sum() + aim.base_penalty * moved
        slope = np.append(scaled.T @ misses + aim.penalty * away, base_slope)
        cost = aim.penalty / 2 * (away @ away) + aim.base_penalty / 2 * moved**2
        return float(value.sum() + cost), slope

    bounds = [(0.0, None)] * count + [(None, None)]
    start = np.append(np.full(count, 0.1), 0.0)
    with needs("evaluate", "learning from ratings needs scipy"):
        from scipy import optimize
    found = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return found.x[:count], float(found.x[count])
