"""Two profiles on the answers that both score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from klopt.evaluation.difference import auc_difference, spearman_difference
from klopt.evaluation.estimate import Estimate
from klopt.evaluation.judged import Judged, decided, graded
from klopt.evaluation.resampling import Resampling


@dataclass(frozen=True, slots=True)
class Comparison:
    """The first profile less the second.

    Attributes:
        first: Its name.
        second: The other's.
        n: Judged answers that both score.
        spearman_difference: Rho of the first less rho of the second.
        auc_difference: AUC of the first less AUC of the second.
        p_first_better: The share of resamples in which the first has the higher rho, ties
            half; near 1 or 0 the difference is no chance, near 0.5 it may well be. None when
            there is no difference to speak of.
    """

    first: str
    second: str
    n: int
    spearman_difference: Estimate
    auc_difference: Estimate
    p_first_better: float | None


def compare(
    names: tuple[str, str],
    pairs: Sequence[tuple[Judged, Judged]],
    resampling: Resampling,
) -> Comparison:
    """Compares two profiles on the same turns.

    Args:
        names: Of the profiles.
        pairs: The same turn, scored by the first and by the second.
        resampling: The draws, the same for both.
    """
    other = {first.place: second.score for first, second in pairs}
    rows, ratings = graded([first for first, _ in pairs])
    by_rank = spearman_difference(
        [row.score for row in rows], [other[row.place] for row in rows], ratings, resampling
    )
    sorted_rows, is_true = decided([first for first, _ in pairs])
    by_class = auc_difference(
        [row.score for row in sorted_rows],
        [other[row.place] for row in sorted_rows],
        is_true,
        resampling,
    )
    return Comparison(*names, len(pairs), by_rank.estimate, by_class.estimate, by_rank.first_better)
