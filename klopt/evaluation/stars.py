"""How the scores of 1-star to 5-star answers lie: table 5 of the AFAS paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.agreement import accuracy_within
from klopt.evaluation.estimate import Estimate
from klopt.evaluation.rated import HIGHEST, LOWEST, Judged
from klopt.evaluation.shares import share

NEUTRAL: Final = 3.0
STARS: Final = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class StarRow:
    """The answers that people gave one number of stars.

    Attributes:
        rating: Stars; a rating between two is rounded, halves up.
        n: Answers.
        margin_1: The share whose score is at most 1 from the rating.
        score_1: The share with the lowest score.
        below_3: The share that scores below neutral.
        above_3: The share that scores above neutral.
        score_5: The share with the highest score.
    """

    rating: int
    n: int
    margin_1: Estimate
    score_1: Estimate
    below_3: Estimate
    above_3: Estimate
    score_5: Estimate


def star_rows(rows: Sequence[Judged]) -> tuple[StarRow, ...]:
    """Five rows, from 1 star to 5; shares without a value where no answer was rated so."""
    return tuple(_row(stars, rows) for stars in STARS)


def _row(stars: int, rows: Sequence[Judged]) -> StarRow:
    own = [
        (row.score, row.turn.rating)
        for row in rows
        if row.turn.rating is not None and math.floor(row.turn.rating + 0.5) == stars
    ]
    scores = [score for score, _ in own]

    def part(holds: Callable[[float], bool]) -> Estimate:
        return share(sum(map(holds, scores)), len(scores))

    return StarRow(
        rating=stars,
        n=len(own),
        margin_1=accuracy_within(scores, [rating for _, rating in own]),
        score_1=part(lambda score: score == LOWEST),
        below_3=part(lambda score: score < NEUTRAL),
        above_3=part(lambda score: score > NEUTRAL),
        score_5=part(lambda score: score == HIGHEST),
    )
