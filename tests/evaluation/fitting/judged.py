"""Rated answers for fitting, without a scorer, and a small profile that weighs evidence."""

import random
from pathlib import Path

from klopt import Profile
from klopt.evaluation.fitting.evidence_weights import Sample
from klopt.types import Measurement

PROFILE = Path(__file__).with_name("small.toml").read_text("utf-8")


def profile(text: str = PROFILE) -> Profile:
    return Profile.read(text, where="small.toml", folder=None)


def judged(rating: float, *, page: str = "a", language: str = "nl", **values: float) -> Sample:
    """An answer with this rating and these measurements."""
    measurements = {name: Measurement(value) for name, value in values.items()}
    return Sample(measurements, rating, language, page)


def many(count: int, *, seed: int = 1, language: str = "nl", pages: int = 12) -> list[Sample]:
    """Answers of which `statements_hold` follows the ratings and `complex_answer` opposes them."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        rating = float((1, 5, 2, 4, 5, 1)[number % 6])
        truth = (rating - 1) / 4
        found.append(
            judged(
                rating,
                page=f"page-{number % pages}",
                language=language,
                statements_hold=_share(0.2 + 0.5 * truth + rng.gauss(0, 0.15)),
                components_defined=_share(rng.random()),
                complex_answer=_share(0.8 - 0.5 * truth + rng.gauss(0, 0.15)),
            )
        )
    return found


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))
