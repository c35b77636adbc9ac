"""What scoring knows of a second opinion: what came of it. `klopt.opinions` has what gives one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from klopt.comparing import Says
from klopt.records import Figure
from klopt.scoring.tree import Verdict


@dataclass(frozen=True, slots=True)
class SaidOfStatement:
    """What an opinion says of one statement.

    Attributes:
        relation: What the pages say of it.
        probability: The chance of that relation, 0 to 1.
    """

    relation: Says
    probability: Figure

    @property
    def truth(self) -> float:
        """The chance that the statement is true.

        >>> SaidOfStatement("contradicted", 0.75).truth
        0.25
        """
        return self.probability if self.relation == "supported" else 1 - self.probability


@dataclass(frozen=True, slots=True)
class OpinionNote:
    """What came of a second opinion on one answer.

    Attributes:
        who: Whose opinion it is.
        status: ``given``; ``failed``: somebody was asked, and nothing came that can be used;
            ``not_asked``: the budget was used up, or there was nothing to ask.
        reason_code: Why nothing was given, in one word; None when something was.
        reason: The same for people.
        truth: The chance that the whole answer is true, 0 to 1; None when nothing was said of it.
        statements: What was said of each of the assessment's statements, in order, None where
            nothing was; empty when it was said of the whole.
        score_before: The score without the opinion.
        verdict_before: The verdict without it.
        calls: Replies of a model, those that could not be used included.
        cost_usd: What they cost, in US dollars; None when no price is known.
        seconds: How long they took; of a recorded opinion, when it was recorded.
        problems: What was wrong with replies before the one that could be used.
    """

    who: str
    status: Literal["given", "failed", "not_asked"]
    reason_code: str | None
    reason: str | None
    truth: Figure | None
    statements: tuple[SaidOfStatement | None, ...]
    score_before: Figure
    verdict_before: Verdict
    calls: int = 0
    cost_usd: Figure | None = None
    seconds: Figure = 0.0
    problems: tuple[str, ...] = ()
