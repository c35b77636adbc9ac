"""``python -m benchmarks.learning``: how much a few rated answers of a company improve scores.

Fitting starts from `default` with models trained without the company. Its rated answers are split
by page; for each part, a few of the other answers are drawn, weights are fitted to them, and the
part is scored. `docs/figures.py` prints the figures, Spearman's correlations.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from klopt import Scorer, Turn
from klopt.evaluation.fitting.evidence_weights import Sample, samples, splits
from klopt.evaluation.fitting.fitting import (
    FitSettings,
    FittedWeights,
    fit,
    held_out_scores,
    measuring,
)
from klopt.scoring.profile import Profile
from training.answers import ranking_scores
from training.claims import rho
from training.command import given, store
from training.rated_turns import CENTRES, techqa_turns
from training.support import scorer_without

COUNTS: Final = (25, 50, 100, 200)
DRAWS: Final = 10
PARTS: Final = 8
FOLDS: Final = 5
"""Folds of the drawn answers, to compare the fit with the start on held-out answers."""
NEARLY: Final = 0.9
"""A count is measured if at least this share of it remains outside a part."""
START: Final = Profile.load()
BEFORE: Final = FittedWeights(START.tree, START.evidence)


def places(data: Path) -> dict[str, list[Sample]]:
    """Measure three Dutch help centres, by models trained without each, and TechQA."""
    found = {}
    for centre in CENTRES[1:4]:
        with scorer_without(centre.company):
            found[centre.name] = measured(centre.load(data))
    return {**found, "techqa en": measured(techqa_turns(data))}


def measured(turns: Iterable[Turn]) -> list[Sample]:
    """Return turns as samples to fit to."""
    scorer = Scorer(measuring(START), all_types=True)
    return samples([(turn, scorer.score(turn, measure_all=True)) for turn in turns])


def scores_of(fitted: FittedWeights, some: Sequence[Sample]) -> list[float]:
    """Return the scores of samples; `UNSCORED` for those without."""
    return ranking_scores(fitted.walk(sample).score for sample in some)


def parts(own: Sequence[Sample], seed: int) -> Iterator[tuple[list[Sample], list[Sample]]]:
    """Yield each part, and the other answers in random order."""
    for inside, outside in splits(own, count=PARTS, seed=seed):
        order = np.random.Generator(np.random.PCG64(seed)).permutation(inside)
        yield [own[at] for at in outside], [own[at] for at in order]


def fits(some: Sequence[Sample]) -> dict[str, FittedWeights]:
    """Return method → the weights fitted to some answers."""
    fitted = fit(some, START, FitSettings())
    held_out = ranking_scores(held_out_scores(some, START, FitSettings(folds=FOLDS)))
    ratings = [sample.rating for sample in some]
    is_better = (rho(held_out, ratings) or 0.0) >= (rho(scores_of(BEFORE, some), ratings) or 0.0)
    return {
        "from_scratch": fit(some, START, FitSettings(weights="anew")),
        "from_default": fitted,
        "where_better": fitted if is_better else BEFORE,
    }


def curve(own: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """Return method → number of ratings → mean correlation over draws of the mean over parts."""
    draws: dict[tuple[str, int], list[float]] = defaultdict(list)
    for seed in range(DRAWS):
        found: dict[tuple[str, int], list[float]] = defaultdict(list)
        for part, others in parts(own, seed):
            ratings = [sample.rating for sample in part]
            for count in (0, *(count for count in COUNTS if len(others) >= NEARLY * count)):
                fitted = fits(others[:count]) if count else {"default": BEFORE}
                for method, weights in fitted.items():
                    spearman = rho(scores_of(weights, part), ratings)
                    found[method, count] += [] if spearman is None else [spearman]
        for key, own_rho in found.items():
            draws[key].append(float(np.mean(own_rho)))
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for (method, count), means in draws.items():
        table[method][str(count)] = round(float(np.mean(means)), 3)
    return table


def main() -> None:
    """Store the figures."""
    options = given(__doc__, Path(__file__).with_suffix(".json"))
    store({name: curve(own) for name, own in places(options.data).items()}, options.output)


if __name__ == "__main__":
    main()
