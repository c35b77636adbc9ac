"""Rated rows without a scorer."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from klopt import Scorer, Turn
from klopt.evaluation.rated import Rated
from klopt.scoring.tree import printed
from klopt.types import Measurement

NOTHING = Scorer.load("afas").refuse("x", "")
"""An unscored assessment."""


def judged(
    score: float,
    rating: float | None = None,
    *,
    label: bool | None = None,
    values: Mapping[str, float | None] | None = None,
    **fields: Any,
) -> Rated:
    """A row with this score and judgement; ``values`` are measurements of heuristics."""
    measurements = {
        name: Measurement.missing("nothing to measure") if value is None else Measurement(value)
        for name, value in (values or {}).items()
    }
    verdict = "send" if score is not None and printed(score) >= 3 else "block"
    settings = {"status": "scored", "language": "nl", "message_type": "binary", "verdict": verdict}
    settings |= fields
    place = settings.pop("place", 0)
    assessment = dataclasses.replace(NOTHING, score=score, measurements=measurements, **settings)
    turn = Turn("Kan dat?", "Ja.", rating=rating, label=label, id=assessment.id)
    return Rated(place, turn, assessment, score)
