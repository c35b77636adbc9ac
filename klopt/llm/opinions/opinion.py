"""The protocol of second opinions: request, result, and who can give one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from klopt.llm.calls import Usage
from klopt.scoring.assessment import CheckedClaim
from klopt.scoring.notes import ClaimOpinion
from klopt.types import Turn

NotRequested: TypeAlias = Literal["nothing_recorded", "nothing_to_ask"]
"""Why no request was made: no opinion is recorded, or the answer has nothing to give one on."""


@dataclass(frozen=True, slots=True)
class OpinionRequest:
    """A turn, and its claims in order, each with its closest passage.

    There are no claims where the profile or the language does not split an answer into claims.

    >>> from klopt import Scorer, Turn
    >>> turn = Turn("Kan dat?", "Ja. Klik op **Opslaan**.", ["Klik op **Opslaan**."])
    >>> request = OpinionRequest(turn, Scorer.load().score(turn).claims)
    >>> [(claim.text, claim.passage.text) for claim in request.claims]
    [('Ja. Klik op Opslaan.', 'Klik op Opslaan.')]
    """

    turn: Turn
    claims: tuple[CheckedClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class OpinionResult:
    """An opinion on the whole answer or on its claims, or why there is none.

    Attributes:
        truth: Probability that the whole answer is true, 0 to 1; None without an opinion on it.
        claims: One for each requested claim, in order, None where there is no opinion on it;
            empty for an opinion on the whole answer.
        who: Whose opinion it is, where that differs from the opinion's name.
        usage: Calls, tokens, cost and time.
        reason_code: Why there is no opinion: one of `NotRequested`, of `klopt.errors.LlmReason`,
            or ``internal`` for any other failure; None with an opinion.
        reason: The same for people, in English, with details.
        problems: Problems of replies before the one that could be used.
    """

    truth: float | None = None
    claims: tuple[ClaimOpinion | None, ...] = ()
    who: str = ""
    usage: Usage = field(default_factory=Usage)
    reason_code: str | None = None
    reason: str | None = None
    problems: tuple[str, ...] = ()


class Opinion(Protocol):
    """A source of second opinions; safe for several threads.

    ``name`` is for people (``gpt-4o-mini``, ``recorded opinions.jsonl``); ``signature`` is for
    fingerprints: what the opinion depends on, without ``|``.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def signature(self) -> str: ...  # noqa: D102

    def ask(self, request: OpinionRequest) -> OpinionResult:
        """Return the opinion, or why there is none, or raise `KloptError`."""
        ...
