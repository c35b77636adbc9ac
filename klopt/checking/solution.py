"""What a solver found of a reference in an answer, before any of it is graded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias

from klopt.checking.reference import Reference
from klopt.models.calls import Usage
from klopt.records import Turn

FillStatus: TypeAlias = Literal["filled", "unanswerable", "omitted"]
"""``filled``: with a text; ``unanswerable``: the solver says that the answer does not have it;
``omitted``: the solver says nothing about the blank."""
TERM_FROM: Final = 0.75
"""An answer has a key term when its degree is at least this much."""
SignKind: TypeAlias = Literal["contradiction", "doubt", "added"]


@dataclass(frozen=True, slots=True)
class Fill:
    """What stands in one blank.

    Attributes:
        blank: The blank, from 1; the key terms in order.
        text: What the answer has there; None when the blank is omitted, or unanswerable without
            a text.
        status: Whether there is a text.
        degree: How sure the solver is that the answer has the term, 0 to 1; None for a solver
            that does not say.
        start: First character in the answer as given, from 0; None when that is not known.
        end: Character after the last one, or None.
    """

    blank: int
    text: str | None
    status: FillStatus
    degree: float | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class StepFinding:
    """Where the answer has one step.

    Attributes:
        step: The step's number.
        degree: How much of the step the answer has, 0 to 1; None for a solver that does not say.
        start: First character in the answer as given, from 0; None when that is not known.
        end: Character after the last one, or None.
    """

    step: int
    degree: float | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class SignPlace:
    """Where a sign shows.

    Attributes:
        text: What stands there.
        start: First character in the answer as given, from 0.
        end: Character after the last one.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that speaks against an answer and is no error by itself.

    Attributes:
        kind: ``contradiction``, ``doubt`` or ``added``; see `klopt.checking.signs`.
        value: How strong it is, 0 to 1.
        places: Where it shows; empty for a sign of the whole answer.
    """

    kind: SignKind
    value: float
    places: tuple[SignPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """What a solver found.

    Attributes:
        fills: One for each key term, in order.
        order: The steps that the answer has, as it orders them; a step may stand twice.
        steps: One for each step, in order.
        notes: What the solver met and overlooked: letters that are no option, blanks that do not
            exist, tries that failed.
        usage: What calls to a model cost; nothing for a solver without one.
        signs: What else speaks against the answer; a solver may not look for any.
    """

    fills: tuple[Fill, ...]
    order: tuple[int, ...]
    steps: tuple[StepFinding, ...]
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    signs: tuple[Sign, ...] = ()


class Solver(Protocol):
    """Whatever looks for a reference's key terms and steps in an answer; safe in threads."""

    @property
    def name(self) -> str:
        """For people and for columns: ``text``, ``gpt-4o-mini-2024-07-18``."""

    @property
    def signature(self) -> str:
        """For fingerprints: all that decides what is found, hashes of tables included."""

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        """Looks for the reference in the turn's answer.

        Args:
            turn: The answer, as given, with what else the solver may look at.
            reference: What the answer should say.

        Raises:
            LlmError: A model gave no usable reply.
            UnknownLanguageError: The solver needs the language and cannot tell it.
            PatternTimeoutError: A pattern of the solver took too long.
        """
