"""Fit weights of further heuristics beside those of a profile."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from klopt.evaluation.fitting.evidence_weights import MIN_WEIGHT, Sample, columns_of, minimised
from klopt.report import untrue
from klopt.scoring.tree import HIGHEST, Term, Weighing

MAX_WEIGHT: Final = 4.0
"""Upper bound of an added weight if the other weights have no signal on the same answers."""


def add_weights(
    samples: Sequence[Sample],
    names: Sequence[str],
    kept: Weighing,
    *,
    held_back_share: float,
    send_from: float,
) -> Weighing:
    """Fit weights of some heuristics; the profile's other terms keep their proportions.

    Args:
        samples: Rated answers of one language.
        names: The heuristics to weigh; the profile's terms for them are dropped.
        kept: The profile's weights.
        held_back_share: Share of the answers rated highest that may score below the threshold.
        send_from: The profile's threshold, between 1 and 5.

    Returns:
        The profile's terms with those of ``names``. The base stays, so that the threshold still
        holds where the new heuristics cannot be measured.
    """
    others = {name: term for name, term in kept.terms.items() if name not in names}
    columns = columns_of(samples, names)
    if not columns:
        return Weighing(kept.base, others)
    before = np.array([log_odds(sample, Weighing(0.0, others)) for sample in samples])
    spread = float(before.std()) or 1.0
    scaled = [(before - before.mean()) / spread, *(column.scaled for column in columns)]
    weights, _ = minimised(scaled, samples)
    unit = float(weights[0]) / spread
    added: dict[str, Term] = {}
    for column, weight in zip(columns, weights[1:], strict=True):
        if weight >= MIN_WEIGHT:
            own = float(weight / column.spread)
            relative = own / unit if unit * MAX_WEIGHT > own else MAX_WEIGHT
            added[column.name] = Term(relative, column.neutral)
    # The neutral values shift the threshold where the new heuristics are measured.
    whole = Weighing(kept.base - untrue.log_odds(send_from), {**others, **added})
    highest = [
        log_odds(sample, whole)
        for sample in samples
        if sample.rating == HIGHEST and any(sample.value(name) is not None for name in added)
    ]
    if highest:
        quantile = float(np.quantile(highest, held_back_share))
        shift = quantile / sum(term.weight for term in added.values())
        added = {
            name: Term(term.weight, min(1.0, max(0.0, term.neutral + shift)))
            for name, term in added.items()
        }
    return Weighing(kept.base, {**others, **added})


def log_odds(sample: Sample, weighing: Weighing) -> float:
    """Return the log-odds of a sample; a heuristic that was not measured adds nothing."""
    return weighing.base + sum(
        term.weight * (value - term.neutral)
        for name, term in weighing.terms.items()
        if (value := sample.value(name)) is not None
    )
