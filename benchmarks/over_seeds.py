"""Held-out figures over several seeds of the folds, and what each part of the profile brings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.held_out import DUTCH, ENGLISH, LABELS, WHOLE, Scores, Variant, rescored
from klopt.evaluation import Estimate, Resampling, counted
from klopt.evaluation.agreement import (
    accuracy_margin_1,
    auc,
    kendall,
    pearson,
    quadratic_weighted_kappa,
    spearman,
)
from klopt.evaluation.estimate import Floats, share, with_interval
from klopt.evaluation.rated import Rated, decided, graded
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST

RESAMPLING: Final = Resampling()
LINE: Final = Profile.load("afas").send_from
"""All ways are held against one line, that of the paper."""
_ONCE: Final = Resampling(resamples=1)
Rows = Sequence[Rated]
Figure = Callable[[Rows, Resampling], Estimate]


def by_system(rows: Rows) -> dict[str, list[Rated]]:
    """The rows of each answering system, by its name; empty when the turns name none."""
    found: dict[str, list[Rated]] = {}
    for row in rows:
        if "system" in row.turn.meta:
            found.setdefault(str(row.turn.meta["system"]), []).append(row)
    return dict(sorted(found.items()))


def mean_auc(rows: Rows, resampling: Resampling = RESAMPLING) -> Estimate:
    """The mean of the AUC of each system.

    Each system's answers are drawn anew; systems that answer the same questions in the same
    order are drawn by question, as the draws depend on the number of rows only.
    """
    systems = by_system(rows)
    if not systems:
        return Estimate.missing(len(rows), "no systems")
    value, values = _mean_auc_draws(rows, resampling)
    return with_interval(value, sum(map(len, systems.values())), values)


def rated_below(rating: float) -> Figure:
    """The share of the answers with a rating that score below what the paper sends."""

    def figure(rows: Rows, _: Resampling) -> Estimate:
        scores = [row.score for row in rows if row.turn.rating == rating]
        return share(sum(score < LINE for score in scores), len(scores))

    return figure


def _graded(statistic: Callable[..., Estimate]) -> Figure:
    def figure(rows: Rows, resampling: Resampling) -> Estimate:
        judged, ratings = graded(rows)
        return statistic([row.score for row in judged], ratings, resampling)

    return figure


def _auc(rows: Rows, resampling: Resampling) -> Estimate:
    judged, is_true = decided(rows)
    return auc([row.score for row in judged], is_true, resampling)


def _within(rows: Rows, _: Resampling) -> Estimate:
    judged, ratings = graded(rows)
    return accuracy_margin_1([row.score for row in judged], ratings)


RATED: Final[Mapping[str, Figure]] = {
    "Spearman's rho": _graded(spearman),
    "Kendall's tau-b": _graded(kendall),
    "Pearson's r": _graded(pearson),
    "AUC, true over untrue": _auc,
    "quadratic kappa, stars": _graded(quadratic_weighted_kappa),
    "within 1 of the rating": _within,
    "rated 1 and below 3": rated_below(LOWEST),
    "rated 5 and below 3": rated_below(HIGHEST),
}
LABELLED: Final[Mapping[str, Figure]] = {
    "AUC, mean over systems": mean_auc,
    "AUC, true over untrue": _auc,
    "Spearman's rho": _graded(spearman),
}


@dataclass(frozen=True, slots=True)
class OverSeeds:
    """A held-out figure.

    Attributes:
        mean: Over the seeds of the folds.
        lowest: Of them.
        highest: Of them.
        first: With the first seed, with its bootstrap interval.
        seeds: How many seeds.
    """

    mean: float
    lowest: float
    highest: float
    first: Estimate
    seeds: int


@dataclass(frozen=True, slots=True)
class Brings:
    """What one part brings: with it less without it, both learnt anew and held out.

    Attributes:
        name: The heuristic, the cut or the made answers.
        spearman_nl: Of rho on the Dutch turns.
        spearman_en: Of rho on their translations.
        auc_techqa: Of the mean AUC over the systems of TechQA.
        each_seed: The differences of each seed, in the same order.
    """

    name: str
    spearman_nl: Estimate
    spearman_en: Estimate
    auc_techqa: Estimate
    each_seed: Mapping[str, tuple[float, ...]]


def over_seeds(
    judged: Mapping[str, Rows], scores: Sequence[Scores]
) -> dict[str, dict[str, OverSeeds]]:
    """Data set → figure → what it is over the seeds."""
    found: dict[str, dict[str, OverSeeds]] = {}
    for name in (DUTCH, ENGLISH, LABELS):
        rows = [rescored(judged[name], one[name]) for one in scores]
        figures = LABELLED if name == LABELS else RATED
        found[name] = {what: _over(figure, rows) for what, figure in figures.items()}
        for system in by_system(judged[name]):
            own = [by_system(some)[system] for some in rows]
            found[name][f"AUC, {system}"] = _over(_auc, own)
    return found


def _over(figure: Figure, rows: Sequence[Rows]) -> OverSeeds:
    values = [one for some in rows if (one := figure(some, _ONCE).value) is not None]
    return OverSeeds(
        float(np.mean(values)),
        min(values),
        max(values),
        figure(rows[0], RESAMPLING),
        len(values),
    )


def ablation(
    judged: Mapping[str, Rows], scores: Mapping[Variant, Sequence[Scores]]
) -> tuple[Brings, ...]:
    """What each part brings, the mean over the seeds with an interval of that mean."""
    whole = scores[WHOLE]
    found = []
    for variant, without in scores.items():
        if variant == WHOLE:
            continue
        figures: list[Estimate] = []
        seeds: dict[str, tuple[float, ...]] = {}
        for name, draws in (
            (DUTCH, _rho_draws),
            (ENGLISH, _rho_draws),
            (LABELS, _mean_auc_draws),
        ):
            pairs = [
                _same(rescored(judged[name], one[name]), rescored(judged[name], other[name]))
                for one, other in zip(whole, without, strict=True)
            ]
            figures.append(_mean_difference(pairs, draws))
            seeds[name] = tuple(
                draws(one, _ONCE)[0] - draws(other, _ONCE)[0] for one, other in pairs
            )
        found.append(Brings(variant.name, figures[0], figures[1], figures[2], seeds))
    return tuple(found)


def _same(first: Rows, second: Rows) -> tuple[Rows, Rows]:
    """The rows that both have."""
    places = {row.place for row in first} & {row.place for row in second}
    return (
        [row for row in first if row.place in places],
        [row for row in second if row.place in places],
    )


def _mean_difference(
    pairs: Sequence[tuple[Rows, Rows]],
    draws: Callable[[Rows, Resampling], tuple[float, Floats]],
) -> Estimate:
    found = [(draws(one, RESAMPLING), draws(other, RESAMPLING)) for one, other in pairs]
    value = float(np.mean([one[0] - other[0] for one, other in found]))
    values = np.mean([one[1] - other[1] for one, other in found], axis=0)
    return with_interval(value, len(pairs[0][0]), values)


def _rho_draws(rows: Rows, resampling: Resampling) -> tuple[float, Floats]:
    judged, ratings = graded(rows)
    scores, given = np.array([row.score for row in judged]), np.array(ratings)
    point = counted.spearman(np.ones((1, len(scores))), scores, given)
    values = resampling.values(lambda counts: counted.spearman(counts, scores, given), len(scores))
    return float(point[0]), values


def _mean_auc_draws(rows: Rows, resampling: Resampling) -> tuple[float, Floats]:
    points, values = [], []
    for some in by_system(rows).values():
        judged, is_true = decided(some)
        scores, truth = np.array([row.score for row in judged]), np.array(is_true)
        one_auc = _auc_of(scores, truth)
        points.append(float(one_auc(np.ones((1, len(scores))))[0]))
        values.append(resampling.values(one_auc, len(scores)))
    return float(np.mean(points)), np.mean(values, axis=0)


def _auc_of(scores: Floats, truth: np.typing.NDArray[np.bool_]) -> Callable[[Floats], Floats]:
    return lambda counts: counted.auc(counts, scores, truth)
