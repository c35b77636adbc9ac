"""The figures that several benchmarks print of judged answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from klopt.evaluation import Estimate, Resampling, counted
from klopt.evaluation.agreement import auc, spearman
from klopt.evaluation.estimate import Floats, share, with_interval
from klopt.evaluation.rated import Rated, decided, graded
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST

RESAMPLING: Final = Resampling()
LINE: Final = Profile.load("afas").send_from
"""All ways are held against one line, that of the paper."""
Rows = Sequence[Rated]


def by_system(rows: Rows) -> dict[str, list[Rated]]:
    """The rows of each answering system, by its name; empty when the turns name none."""
    found: dict[str, list[Rated]] = {}
    for row in rows:
        if "system" in row.turn.meta:
            found.setdefault(str(row.turn.meta["system"]), []).append(row)
    return dict(sorted(found.items()))


def mean_auc(rows: Rows) -> Estimate:
    """The mean of the AUC of each system.

    Each system's answers are drawn anew; systems that answer the same questions in the same
    order are drawn by question, as the draws depend on the number of rows only.
    """
    systems = by_system(rows)
    if not systems:
        return Estimate.missing(len(rows), "no systems")
    points, draws = [], []
    for some in systems.values():
        judged, is_true = decided(some)
        scores, truth = np.array([row.score for row in judged]), np.array(is_true)
        one_auc = _auc_of(scores, truth)
        points.append(float(one_auc(np.ones((1, len(scores))))[0]))
        draws.append(RESAMPLING.values(one_auc, len(scores)))
    return with_interval(float(np.mean(points)), len(rows), np.mean(draws, axis=0))


def _auc_of(scores: Floats, truth: np.typing.NDArray[np.bool_]) -> Callable[[Floats], Floats]:
    return lambda counts: counted.auc(counts, scores, truth)


def _spearman(rows: Rows) -> Estimate:
    judged, ratings = graded(rows)
    return spearman([row.score for row in judged], ratings, RESAMPLING)


def _auc(rows: Rows) -> Estimate:
    judged, is_true = decided(rows)
    return auc([row.score for row in judged], is_true, RESAMPLING)


def _rated_below(rating: float) -> Callable[[Rows], Estimate]:
    def figure(rows: Rows) -> Estimate:
        scores = [row.score for row in rows if row.turn.rating == rating]
        return share(sum(score < LINE for score in scores), len(scores))

    return figure


RATED: Final[Mapping[str, Callable[[Rows], Estimate]]] = {
    "Spearman's rho": _spearman,
    "AUC, true over untrue": _auc,
    "rated 1 and below 3": _rated_below(LOWEST),
    "rated 5 and below 3": _rated_below(HIGHEST),
}
