"""The score that an answer would have without one heuristic."""

from __future__ import annotations

from typing import Final

from klopt.measurement import Measurement
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.scoring.tree import walk

_LEFT_OUT: Final = Measurement.missing("left out")


def score_without(assessment: Assessment, scorer: Scorer, name: str) -> float | None:
    """The tree walked again with one heuristic as if it had nothing to measure.

    Args:
        assessment: A scored one, with everything measured.
        scorer: The one that made it.
        name: The heuristic that is left out.

    Returns:
        The score; None when nothing that is left can be measured.
    """
    profile = scorer.profile
    outcome = walk(
        profile.tree,
        profile.weights,
        lambda asked: _LEFT_OUT if asked == name else assessment.measurements[asked],
        profile.evidence.get(assessment.read_as or ""),
    )
    return outcome.score
