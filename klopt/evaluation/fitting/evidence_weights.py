"""Rated answers as samples, and logistic regression on them without negative weights."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from klopt import heuristics
from klopt._internal.imports import needs
from klopt.evaluation.rated import rating_of
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import row_of
from klopt.scoring.tree import HIGHEST, LOWEST, Term, Weighing
from klopt.types import Measurement, Turn

FOLDS: Final = 10


@dataclass(frozen=True)
class Sample:
    """A rated answer: heuristic → measurement, and a rating from 1 to 5.

    ``group`` is a hash of the page behind it, which is never split over folds; ``row`` the hash by
    which the answer is recognised later; ``held``: a fault keeps it from being sent.
    """

    measurements: Mapping[str, Measurement]
    rating: float
    language: str
    group: str
    row: bytes = b""
    held: bool = False

    def value(self, name: str) -> float | None:
        """Return the value of a heuristic; None if it was not measurable."""
        found = self.measurements.get(name)
        return found.value if found is not None else None


def sample(turn: Turn, assessment: Assessment) -> Sample | None:
    """Return a turn as a sample; None without a rating or a score."""
    rating = rating_of(turn)
    if rating is None or assessment.score is None or assessment.read_as is None:
        return None
    return Sample(
        assessment.measurements,
        rating,
        assessment.read_as,
        group=page_behind(turn, assessment),
        row=row_of(turn.question, turn.answer),
        held=assessment.verdict != "send",
    )


def samples(judged: Iterable[tuple[Turn, Assessment]]) -> list[Sample]:
    """Return the samples of the turns that have a rating and a score."""
    found = (sample(turn, assessment) for turn, assessment in judged)
    return [sample for sample in found if sample is not None]


def splits(
    samples: Sequence[Sample], *, count: int = FOLDS, seed: int = 0
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield for each fold the indices inside and held out; a group is held out as a whole."""
    groups = sorted({sample.group for sample in samples})
    order = np.random.Generator(np.random.PCG64(seed)).permutation(len(groups))
    folds = {groups[place]: number % count for number, place in enumerate(order)}
    numbers = [folds[sample.group] for sample in samples]
    for fold in sorted(set(numbers)):
        inside = [place for place, number in enumerate(numbers) if number != fold]
        yield inside, [place for place, number in enumerate(numbers) if number == fold]


def page_behind(turn: Turn, assessment: Assessment) -> str:
    """Return a hash of the text of the page with most evidence; names like ``context-1`` recur."""
    named = Counter(
        evidence.page
        for measurement in assessment.measurements.values()
        for evidence in measurement.evidence
        if evidence.page is not None
    )
    texts = {page.id: page.text for page in turn.pages}
    ranked = sorted(named.keys() & texts, key=lambda page: (-named[page], page))
    first = turn.pages[0].text if turn.pages else turn.question
    text = texts[ranked[0]] if ranked else first
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


Floats = NDArray[np.float64]

PENALTY: Final = 6.0  # L2 penalty on a weight, for heuristics scaled to a standard deviation of 1
MIN_VALUES: Final = 5  # A heuristic measured on fewer answers gets no weight
MIN_WEIGHT: Final = 0.02  # A smaller weight, for a standard deviation of the heuristic, is left out
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
    """Fit the weights whose log-odds are closest to the ratings of one language.

    ``start`` are weights fitted to other answers, which the result stays near by the penalty
    ``nearness``; heuristics without a signal keep their weight. A neutral value is that of the
    start; otherwise 1 for a heuristic that looks for faults, and the mean for others. Source:
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
