"""A fake opinion, and assessments on which it is requested."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from klopt import Assessment, Profile, Scorer, Turn
from klopt.llm.opinions import Adviser, ClaimOpinion, OpinionRequest, OpinionResult

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
"""Sends from about 4.1 and blocks below about 2.8; the tests stay far from these thresholds."""
SCORER = Scorer(PROFILE, all_types=True)


def scored(turn: Turn) -> Assessment:
    return SCORER.score(turn, measure_all=True)


def assessed(turn: Turn = NL, verdict: str = "review", **fields: Any) -> Assessment:
    """The assessment of a turn, changed to this verdict and without contradictions."""
    score = {"send": 4.8, "review": 3.5, "block": 1.5}[verdict]
    found = scored(turn)
    assert len(found.claims) == 2
    claims = tuple(replace(claim, fault=False, truth=0.95) for claim in found.claims)
    measurements = {
        name: replace(measured, evidence=()) if name in PROFILE.review_on else measured
        for name, measured in found.measurements.items()
    }
    changes = {"claims": claims, "measurements": measurements, **fields}
    return replace(found, score=score, stars=round(score), verdict=verdict, **changes)


class FakeOpinion:
    """An opinion with a fixed result, or the result of a function; it stores the requests."""

    name, signature = "Wim", "wim:1"

    def __init__(self, result: OpinionResult | Callable[[OpinionRequest], OpinionResult]) -> None:
        self.result, self.requests = result, list[OpinionRequest]()

    def ask(self, request: OpinionRequest) -> OpinionResult:
        self.requests.append(request)
        return self.result(request) if callable(self.result) else self.result


def claim_opinions(*opinions: tuple[str, float] | None) -> OpinionResult:
    return OpinionResult(claims=tuple(one and ClaimOpinion(*one) for one in opinions))


def advised(
    result: OpinionResult | Callable[[OpinionRequest], OpinionResult],
    first: Assessment | None = None,
    turn: Turn = NL,
) -> Assessment:
    """The assessment after a second opinion on it, whatever its verdict."""
    return Adviser(FakeOpinion(result), "always").advise(turn, first or assessed(turn), PROFILE)
