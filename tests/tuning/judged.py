"""Judged answers to learn from, without a scorer at work, and a small profile that weighs."""

from __future__ import annotations

import random

from klopt import Profile
from klopt.records import Measurement
from klopt.scoring.tree import Term
from klopt.tuning.samples import Sample

PROFILE = """\
# What this profile was
# learnt from.
[profile]
name = "small"
description = "A profile for a test."
source = "ours"
classifier = "scored"
message_types = ["binary"]

# Two languages.
[languages.nl]
pipeline = "klopt"

[languages.en]
pipeline = "klopt"

[heuristics.complex_answer]
# Said of the wording.

[heuristics.components_defined]

[heuristics.statements_hold]

[heuristics.step_order]

[heuristics.verbatim_guide_defined]

# First the guide.
[[tree]]
node = "guide"
heuristic = "verbatim_guide_defined"
at_least = 0.9
score = 5.0
nl = "De stappen."
en = "The steps."

# Then the order.
[[tree]]
node = "order"
heuristic = "step_order"
below = 0.5
score = 1.0
nl = "De volgorde."
en = "The order."

[[tree]]
node = "weighed"
weigh = ["complex_answer", "components_defined", "statements_hold"]
nl = "Alles."
en = "All."

[evidence.nl]
base = 0.5

[evidence.nl.components_defined]
weight = 1.5
neutral = 0.75

[evidence.en]
base = -0.25

[evidence.en.complex_answer]
weight = 3.0
neutral = 0.125

# What is sent.
[verdict]
block_below = 2.0
send_from = 3.0 # from here on
"""


def profile(text: str = PROFILE) -> Profile:
    return Profile.read(text, where="small.toml", folder=None)


def judged(rating: float, *, page: str = "a", language: str = "nl", **values: float) -> Sample:
    """An answer with this rating on which these heuristics were measured."""
    measurements = {name: Measurement(value) for name, value in values.items()}
    return Sample(measurements, rating, language, page)


def many(count: int, *, seed: int = 1, language: str = "nl", pages: int = 12) -> list[Sample]:
    """Answers, true and untrue in turn, which `statements_hold` tells apart and others do not.

    The wording runs against the ratings.
    """
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


def terms(**weights: float) -> dict[str, Term]:
    return {name: Term(weight, 0.5) for name, weight in weights.items()}


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))
