"""What scoring knows of a second opinion: who gives one, and what came of it.

`klopt.opinions` has what fills this in; a scorer without it asks nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, get_args

from klopt.records import Turn
from klopt.scoring.profile import Profile, Verdict

if TYPE_CHECKING:
    from klopt.scoring.assessment import Assessment

Relation: TypeAlias = Literal["supported", "contradicted", "not_stated"]
"""What the pages say of a statement."""

RELATIONS: Final[tuple[Relation, ...]] = get_args(Relation)

_DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class SaidOfStatement:
    """What an opinion says of one statement.

    Attributes:
        relation: What the pages say of it.
        probability: The chance of that relation, 0 to 1.
    """

    relation: Relation
    probability: float

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
    truth: float | None
    statements: tuple[SaidOfStatement | None, ...]
    score_before: float
    verdict_before: Verdict
    calls: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    problems: tuple[str, ...] = ()

    def to_dict(self) -> Mapping[str, Any]:
        """A dictionary for JSON; figures to six decimals."""
        statements = [
            one and {"relation": one.relation, "probability": round(one.probability, _DECIMALS)}
            for one in self.statements
        ]
        rounded = {
            name: round(value, _DECIMALS) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }
        return {**rounded, "statements": statements, "problems": list(self.problems)}


class Adviser(Protocol):
    """Asks for a second opinion where that is wanted."""

    @property
    def name(self) -> str:
        """Whom it asks, for people."""
        ...

    @property
    def at_once(self) -> int:
        """About how many answers it may be asked at one time, from 1."""
        ...

    def advise(self, turn: Turn, assessment: Assessment, profile: Profile) -> Assessment:
        """The assessment of a scored turn, with what the opinion changes.

        The very same assessment when no opinion is wanted.
        """
        ...
