"""What to do with an answer: decided in one function, by all that it may depend on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from klopt.measurement import Measurement
from klopt.scoring.statements import WEAKEST
from klopt.scoring.tree import HIGHEST, LOWEST, printed

__all__ = ["DENIED", "Decision", "Grounds", "Lines", "Verdict"]

DENIED: Final = "denied_names"
"""Where the company's own list, and no page, says that something is wrong: it may still be true."""

_TENTH: Final = 0.1
_INSIDE: Final = 0.09
"""So far apart are scores that print alike."""

Verdict: TypeAlias = Literal["send", "review", "block", "unscored"]
"""What to do with an answer; what is not scored is never sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """All that the verdict on an answer may depend on, beside the profile.

    Attributes:
        score: By the tree, 1 to 5; where its time was up before there was one, the highest that it
            can still come to; None when it is not scored.
        faults: The heuristics, of those that forbid to send, that found a fault.
        is_unstated: Whether no page states one of its statements.
        is_weighed: Whether evidence for and against was added up to the score.
        is_open: Whether it was weighed and leaves a part of the question open.
        is_cut_off: Whether its time was up before all faults were looked for.
    """

    score: float | None
    faults: tuple[str, ...] = ()
    is_unstated: bool = False
    is_weighed: bool = False
    is_open: bool = False
    is_cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done with an answer.

    Attributes:
        verdict: ``send``, ``review``, ``block`` or ``unscored``.
        score: The one that goes with it.
        held: The heuristics whose faults hold back an answer that would be sent by its score.
    """

    verdict: Verdict
    score: float | None
    held: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lines:
    """By what a profile decides.

    Attributes:
        block_below: A score below this is blocked.
        send_from: A score of this or more is sent; in between a person reviews.
        review_on: The heuristics that name faults: beside one nothing is sent, and an answer whose
            evidence was weighed is not blocked without one; it goes to ``review``.
    """

    block_below: float
    send_from: float
    review_on: tuple[str, ...] = ()

    def decide(self, grounds: Grounds) -> Decision:
        """What to do with an answer.

        By the score as it is printed, with one decimal; but to ``review`` goes what would be sent
        beside a fault, with a part of the question open, or before all faults were looked for, and
        what would be blocked though evidence was weighed and nothing in it is known to be untrue.
        The score is then the nearest one that is reviewed; where not all faults were looked for,
        no higher than it was.

        >>> from klopt.scoring.profile import Profile
        >>> default = Profile.load()
        >>> default.decide(Grounds(score=4.5)).verdict
        'send'
        >>> default.decide(Grounds(score=4.5, faults=("components_defined",))).verdict
        'review'
        """
        score = grounds.score
        if score is None:
            return Decision("unscored", None)
        held: tuple[str, ...] = ()
        verdict = own = self.verdict(score)
        if own == "send":
            held = grounds.faults or ((WEAKEST,) if grounds.is_unstated else ())
            if held or grounds.is_open or grounds.is_cut_off:
                verdict = "review"
        elif own == "block" and grounds.is_weighed and self.review_on:
            verdict = "block" if any(name != DENIED for name in grounds.faults) else "review"
        moved = self.on_its_side(score, verdict)
        return Decision(verdict, min(score, moved) if grounds.is_cut_off else moved, held)

    def verdict(self, score: float) -> Verdict:
        """What goes with a score as it is printed, by the lines alone.

        >>> from klopt.scoring.profile import Profile
        >>> Profile.load("afas").verdict(1.0), Profile.load("afas").verdict(2.96)
        ('block', 'review')
        """
        told = printed(score)
        if told < self.block_below:
            return "block"
        return "send" if told >= self.send_from else "review"

    def on_its_side(self, score: float, verdict: Verdict) -> float:
        """A score as it is printed where the verdict is not by the lines alone; the order stays.

        So what is held back for a fault scores below the line, and two scores that print alike
        have one verdict. A profile whose two lines are one has no scores in between.

        Args:
            score: By the lines alone it would be sent or blocked.
            verdict: What is done with it.
        """
        lowest, highest = _from(self.block_below), round(_from(self.send_from) - _TENTH, 1)
        if verdict != "review" or self.verdict(score) == "review" or lowest > highest:
            return score
        ends = (LOWEST, self.block_below) if score < lowest else (self.send_from, HIGHEST)
        share = (score - ends[0]) / max(_TENTH, ends[1] - ends[0])
        end = lowest if score < lowest else highest
        return round(end + _INSIDE * min(1.0, max(0.0, share)), 6)

    def faulty(self, measurements: Mapping[str, Measurement]) -> list[str]:
        """The heuristics that found a fault beside which nothing is sent."""
        return [
            name
            for name in self.review_on
            if name in measurements
            and any(one.kind == "unsupported" for one in measurements[name].evidence)
        ]


def _from(line: float) -> float:
    """The lowest score that reaches a line, as scores are printed."""
    return round(math.ceil(round(line / _TENTH, 6)) * _TENTH, 1)
