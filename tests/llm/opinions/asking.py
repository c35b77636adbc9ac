"""An answer on which klopt is not sure, and opinions that say or do what a test wants."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from klopt import Assessment, Profile, Scorer, Turn
from klopt.llm.opinions import Adviser, Budget, ClaimOpinion, OpinionRequest, OpinionResult

PAGE = (
    "# Een schip aanmelden\n\nMeld een schip uiterlijk drie dagen voor aankomst aan bij de "
    "havendienst. Zonder aanmelding betaalt u dubbel liggeld."
)
NL = Turn(
    "Hoe meld ik een schip aan?",
    "Meld het schip **drie dagen** voor aankomst aan. Zonder aanmelding betaalt u dubbel liggeld.",
    [PAGE],
    id="nl",
    language="nl",
)
EN = Turn(
    "How do I register a ship?",
    "Register the ship **three days** before arrival. Without it you pay double dues.",
    ["Register a ship three days before arrival. Without registration you pay double dues."],
    id="en",
    language="en",
)
PROFILE = Profile.load()
"""Sends from 4.1 and blocks below 2.8, or thereabouts: the tests stay far from the lines."""


SCORER = Scorer(PROFILE, all_types=True)


def scored(turn: Turn) -> Assessment:
    return SCORER.score(turn, measure_all=True)


def before(turn: Turn = NL, verdict: str = "review", **fields: Any) -> Assessment:
    """What klopt made of a turn, as if it had come to a verdict with nothing at fault."""
    score = {"send": 4.8, "review": 3.5, "block": 1.5}[verdict]
    found = scored(turn)
    assert len(found.claims) == 2
    claims = tuple(replace(one, fault=False, truth=0.95) for one in found.claims)
    measurements = {
        name: replace(one, evidence=()) if name in PROFILE.review_on else one
        for name, one in found.measurements.items()
    }
    given = {"claims": claims, "measurements": measurements, **fields}
    return replace(found, score=score, stars=round(score), verdict=verdict, **given)


class Says:
    """An opinion that says the same each time, or what a function makes of what is asked."""

    name, signature = "Wim", "wim:1"

    def __init__(self, said: OpinionResult | Callable[[OpinionRequest], OpinionResult]) -> None:
        self.said, self.asked = said, list[OpinionRequest]()

    def ask(self, asked: OpinionRequest) -> OpinionResult:
        self.asked.append(asked)
        return self.said(asked) if callable(self.said) else self.said


def on_claims(*said: tuple[str, float] | None) -> OpinionResult:
    return OpinionResult(claims=tuple(one and ClaimOpinion(*one) for one in said))


def advised(
    said: OpinionResult | Callable[[OpinionRequest], OpinionResult],
    first: Assessment | None = None,
    turn: Turn = NL,
    budget: Budget | None = None,
) -> Assessment:
    """What comes of asking about one answer, whatever its verdict."""
    return Adviser(Says(said), "always", budget).advise(turn, first or before(turn), PROFILE)
