"""The protocol of second opinions: what is asked, what is said, and who may say it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from klopt.models.calls import Usage
from klopt.records import Turn
from klopt.scoring.assessment import CheckedStatement
from klopt.scoring.second_opinion import SaidOfStatement

NotAsked: TypeAlias = Literal["nothing_recorded", "nothing_to_ask"]
"""Why somebody has no opinion who was not asked: none was recorded; nothing can be asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an opinion is asked about.

    Attributes:
        turn: With the question, the answer, the pages and the id.
        statements: Of the answer, in order, each with the place of the pages that comes closest;
            none where the profile, or the language, has nothing that tells statements apart.

    >>> from klopt import Scorer, Turn
    >>> turn = Turn("Kan dat?", "Ja. Klik op **Opslaan**.", ["Klik op **Opslaan**."])
    >>> asked = Asked(turn, Scorer.load().score(turn).statements)
    >>> [(one.text, one.passage.text) for one in asked.statements]
    [('Ja. Klik op Opslaan.', 'Klik op Opslaan.')]
    """

    turn: Turn
    statements: tuple[CheckedStatement, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What an opinion says: of the whole answer, or of its statements, or why neither.

    Attributes:
        truth: The chance that the whole answer is true, 0 to 1; None when that is not said.
        statements: One for each statement that was asked about, in order, None where it says
            nothing of it; empty when it speaks of the whole.
        who: Who said it, where that is more than the opinion's name tells; a model as its server
            names it.
        usage: What it cost.
        reason_code: Why nothing is said: one of `NotAsked`, or of `klopt.errors.LlmReason`, or
            ``internal`` for any other failure; None when something is said.
        reason: The same for people, in English and with what was met.
        problems: What was wrong with replies before the one that could be used.
    """

    truth: float | None = None
    statements: tuple[SaidOfStatement | None, ...] = ()
    who: str = ""
    usage: Usage = field(default_factory=Usage)
    reason_code: str | None = None
    reason: str | None = None
    problems: tuple[str, ...] = ()


class Opinion(Protocol):
    """Whoever has a second opinion; safe to use from several threads at once."""

    @property
    def name(self) -> str:
        """For people: ``gpt-4o-mini``, ``encoder nli-small``, ``recorded said.jsonl``."""
        ...

    @property
    def signature(self) -> str:
        """For fingerprints: what the opinion depends on, without ``|``."""
        ...

    def ask(self, asked: Asked) -> Said:
        """The opinion, or why there is none.

        Raises:
            KloptError: Nothing that comes of this answer: the run ends.
        """
        ...
