"""Agreement of the scores with human ratings: a first look, not yet the paper's tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scipy.stats import spearmanr

from klopt import Scorer, Turn


def agreement(turns: list[Turn], profile: str) -> dict[str, Any]:
    """Spearman with the ratings, and how many 1-star and 5-star answers fall below 3.

    All message types are scored, so that both profiles are measured on the same answers.
    """
    scorer = Scorer.load(profile, all_types=True)
    pairs = [
        (one.score, turn.rating)
        for turn, one in zip(turns, scorer.score_many(turns), strict=True)
        if one.score is not None and turn.rating is not None
    ]
    scores, ratings = zip(*pairs, strict=True)
    rho, p_value = spearmanr(scores, ratings)
    return {
        "n": len(pairs),
        "spearman": round(float(rho), 3),
        "p": float(f"{p_value:.2g}"),
        "one_star_below_3": _share(pairs, 1, lambda score: score < 3),
        "five_star_below_3": _share(pairs, 5, lambda score: score < 3),
    }


def _share(
    pairs: list[tuple[float, float]], rating: int, holds: Callable[[float], bool]
) -> float | None:
    scores = [score for score, rated in pairs if rated == rating]
    return round(sum(map(holds, scores)) / len(scores), 3) if scores else None
