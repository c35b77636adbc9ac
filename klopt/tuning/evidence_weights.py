"""Learns how evidence counts: a logistic regression on ratings whose weights are never negative.

Each heuristic is a value from 0 to 1 where more is truer, so a negative weight could only be an
accident of the sample: weights are bounded below by 0, and more support never lowers a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from klopt import heuristics
from klopt.scoring.tree import HIGHEST, LOWEST, Term, Weighing
from klopt.tuning.calibration import log_odds_of
from klopt.tuning.samples import Sample, telling

Floats = NDArray[np.float64]

FEWEST_VALUES: Final = 5
"""A heuristic that was measured on fewer answers gets no weight."""
LEAST_WEIGHT: Final = 0.02
"""A weight below this, for a standard deviation of the heuristic, is left out."""
MOST_WEIGHT: Final = 12.0
"""The most that a heuristic weighs beside others that say nothing on the same answers."""
_FLAT: Final = 1e-6
_FAULTS: Final[Mapping[str, bool]] = {one.name: one.looks_for_faults for one in heuristics.ALL}


@dataclass(frozen=True)
class _Column:
    """One heuristic over all samples: its values, what stands for missing ones, its spread."""

    name: str
    values: Floats
    neutral: float
    spread: float


def learn(
    samples: Sequence[Sample],
    names: Sequence[str],
    *,
    penalty: float = 6.0,
    made_weight: float = 0.5,
) -> Weighing:
    """The weights that bring log-odds closest to the ratings.

    Answers that were made from the help pages may stand beside those that people judged: they
    show faults that a few ratings do not. They have a base of their own, so that what is taken
    from them is what tells true from untrue, not how often an answer is true.

    Args:
        samples: Judged answers of one language.
        names: The heuristics to weigh.
        penalty: What a weight costs, L2, for heuristics brought to a standard deviation of 1.
        made_weight: What all made answers count together, where all judged ones count 1.

    Returns:
        A `Weighing` whose base makes the mean score that of the ratings. The neutral value of a
        heuristic that looks for faults is 1, of the others the mean of the judged. Without
        samples every weight is left out and the base is 0.

    Source:
        Lassche et al., section 5.3, gives each feature the same weight.

    >>> learn([], ["hal"])
    Weighing(base=0.0, terms={})
    """
    if not samples:
        return Weighing(0.0, {})
    columns = [column for name in names if (column := _column(samples, name)) is not None]
    scaled = np.column_stack(
        [np.zeros((len(samples), 0)), *((one.values - one.neutral) / one.spread for one in columns)]
    )
    weights, base = _fit(scaled, samples, penalty, made_weight)
    terms = {
        column.name: Term(float(weight / column.spread), column.neutral)
        for column, weight in zip(columns, weights, strict=True)
        if weight >= LEAST_WEIGHT
    }
    return Weighing(base, terms)


def add(
    samples: Sequence[Sample],
    names: Sequence[str],
    kept: Weighing,
    *,
    penalty: float = 6.0,
    held_back_share: float = 0.10,
    send_from: float,
) -> Weighing:
    """Weights for some heuristics beside those that a profile has already.

    For judged answers of another kind, such as labels right or wrong on other pages: what the
    profile has learnt stays in proportion, and what is new is weighed against it.

    Args:
        samples: Judged answers of one language.
        names: The heuristics to weigh; what the profile has of them is forgotten.
        kept: What the profile has learnt.
        penalty: What a weight costs, as in `learn`.
        held_back_share: Of the highest rated of these answers, so many may score less.
        send_from: The profile's, between 1 and 5.

    Returns:
        The profile's terms with those of ``names``. The base stays, so that the line does for
        answers on which the new heuristics cannot be measured; for the others it is the neutral
        value of the new terms that puts it in its place. A new weight is at most ``MOST_WEIGHT``
        for the whole range of its heuristic.
    """
    others = {name: term for name, term in kept.terms.items() if name not in names}
    columns = [column for name in names if (column := _column(samples, name)) is not None]
    if not columns:
        return Weighing(kept.base, others)
    before = np.array([sum(contributions(one, others).values()) for one in samples])
    spread = float(before.std()) or 1.0
    scaled = np.column_stack(
        [
            (before - before.mean()) / spread,
            *((one.values - one.neutral) / one.spread for one in columns),
        ]
    )
    weights, _ = _fit(scaled, samples, penalty, 0.0)
    unit = weights[0] / spread
    terms = dict(others)
    for column, weight in zip(columns, weights[1:], strict=True):
        if weight >= LEAST_WEIGHT:
            own = float(weight / column.spread)
            relative = own / unit if unit * MOST_WEIGHT > own else MOST_WEIGHT
            terms[column.name] = Term(min(MOST_WEIGHT, float(relative)), column.neutral)
    return Weighing(
        kept.base,
        _in_line(samples, names, kept.base - log_odds_of(send_from), terms, held_back_share),
    )


def _in_line(
    samples: Sequence[Sample],
    names: Sequence[str],
    base: float,
    terms: Mapping[str, Term],
    held_back_share: float,
) -> dict[str, Term]:
    """The terms with the neutral values moved so that the line holds for these answers."""
    added = [name for name in names if name in terms]
    highest = [
        base + sum(contributions(one, terms).values())
        for one in samples
        if one.rating == HIGHEST and any(one.value(name) is not None for name in added)
    ]
    if not highest:
        return dict(terms)
    shift = float(np.quantile(highest, held_back_share)) / sum(terms[name].weight for name in added)
    moved = {
        name: Term(terms[name].weight, min(1.0, max(0.0, terms[name].neutral + shift)))
        for name in added
    }
    return {**terms, **moved}


def contributions(sample: Sample, terms: Mapping[str, Term]) -> dict[str, float]:
    """The log-odds that each measured heuristic adds for a sample."""
    found: dict[str, float] = {}
    for name, term in terms.items():
        value = sample.value(name)
        if value is not None:
            found[name] = term.weight * (value - term.neutral)
    return found


def _fraction(rating: float) -> float:
    """A rating of 1 to 5 on a scale of 0 to 1."""
    return (rating - LOWEST) / (HIGHEST - LOWEST)


def _column(samples: Sequence[Sample], name: str) -> _Column | None:
    """A heuristic's values, or None when it says nothing on these answers."""
    own = [one.value(name) for one in telling(samples)]
    measured = [value for value in own if value is not None]
    if len(measured) < FEWEST_VALUES:
        return None
    neutral = 1.0 if _FAULTS[name] else float(np.mean(measured))
    spread = float(np.std([neutral if value is None else value for value in own]))
    values = np.array([neutral if (value := one.value(name)) is None else value for one in samples])
    return _Column(name, values, neutral, spread) if spread > _FLAT else None


def _fit(
    scaled: Floats, samples: Sequence[Sample], penalty: float, made_weight: float
) -> tuple[Floats, float]:
    """Weights and base that minimise the cross-entropy with the ratings plus the penalty."""
    count = scaled.shape[1]
    targets = np.array([_fraction(one.rating) for one in samples])
    made = np.array([one.made for one in samples])
    judged_count, made_count = int((~made).sum()), int(made.sum())
    shares = np.ones(len(samples))
    if judged_count and made_count:
        shares[made] = made_weight * judged_count / made_count
    kinds = np.column_stack([~made, made]).astype(float)

    def loss(point: Floats) -> tuple[float, Floats]:
        weights, bases = point[:count], point[count:]
        odds = scaled @ weights + kinds @ bases
        misses = shares * (1.0 / (1.0 + np.exp(-odds)) - targets)
        value = shares * (np.logaddexp(0.0, odds) - targets * odds)
        slope = np.concatenate([scaled.T @ misses + penalty * weights, kinds.T @ misses])
        return float(value.sum() + penalty / 2 * (weights @ weights)), slope

    bounds = [(0.0, None)] * count + [(None, None)] * 2
    found = optimize.minimize(
        loss, np.append(np.full(count, 0.1), [0.0, 0.0]), jac=True, method="L-BFGS-B", bounds=bounds
    )
    return found.x[:count], float(found.x[count if judged_count else count + 1])
