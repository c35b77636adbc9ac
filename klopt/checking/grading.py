"""What a solver finds of a reference in an answer, and which errors that makes."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias, get_args

from klopt.checking.blanks import matches, matches_as_published
from klopt.checking.reference import Reference, ReferenceStep
from klopt.models.calls import Usage
from klopt.records import Turn
from klopt.scoring.assessment import Quote

FillStatus: TypeAlias = Literal["filled", "unanswerable", "omitted"]
"""``filled``: with a text; ``unanswerable``: the solver says that the answer does not have it;
``omitted``: the solver says nothing about the blank."""
TERM_FROM: Final = 0.75
"""An answer has a key term when its degree is at least this much."""
SignKind: TypeAlias = Literal["contradiction", "doubt", "added"]


@dataclass(frozen=True, slots=True)
class Fill:
    """What stands in one blank, from 1; the key terms in order.

    Attributes:
        text: What the answer has there; None when the blank is omitted, or unanswerable without
            a text.
        degree: How sure the solver is that the answer has the term, 0 to 1; None for a solver
            that does not say.
        start: First character in the answer as given, from 0; None when that is not known.
    """

    blank: int
    text: str | None
    status: FillStatus
    degree: float | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class StepFinding:
    """How much of a step the answer has, 0 to 1, and where; None for what a solver does not say."""

    step: int
    degree: float | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that speaks against an answer and is no error by itself; how strongly, 0 to 1.

    Its places are in the answer as given; without any it is a sign of the whole.
    """

    kind: SignKind
    value: float
    places: tuple[Quote, ...] = ()


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

        Raises:
            LlmError: A model gave no usable reply.
            UnknownLanguageError: The solver needs the language and cannot tell it.
            PatternTimeoutError: A pattern of the solver took too long.
        """


ErrorKind: TypeAlias = Literal["key_term_mismatch", "step_missing", "step_reversal"]
ERROR_KINDS: Final[tuple[ErrorKind, ...]] = get_args(ErrorKind)
Grading: TypeAlias = Literal["strict", "published"]
GRADINGS: Final[tuple[Grading, ...]] = get_args(Grading)
REACH: Final = 50
"""The n-th of steps that are the same is held against the n-th in the reference, and so many to
either side of it."""


@dataclass(frozen=True, slots=True)
class Error:
    """One error in an answer.

    Attributes:
        step: The number of the step that has it.
        term: The number of the key term, from 0; None for an error in a step.
        expected: The key term, or the title of the step, at these characters of the reference.
        found: What the answer has instead; None when it has nothing.
        severity: 0 to 1; 1 for solvers that give no degree, else 1 less the degree.
        start: First character in the answer as given; None when that is not known.
    """

    kind: ErrorKind
    step: int
    term: int | None
    expected: str
    found: str | None
    severity: float
    reference_start: int
    reference_end: int
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Steps that an order lacks, has outside its longest right run, or has once more, each time."""

    missing: tuple[int, ...]
    moved: tuple[int, ...]
    repeated: tuple[int, ...]


def grade(
    reference: Reference, solution: Solution, grading: Grading = "strict"
) -> tuple[Error, ...]:
    r"""The errors of an answer: key terms first, then steps, in the reference's order.

    Strictly, a blank without a text is a mismatch; a text is compared by
    `klopt.checking.blanks.matches` unless the solver gives a degree, which must be `TERM_FROM` or
    more. Every step that the solver does not have is missing, and every step outside the longest
    run in the right order is reversed; a step that the solver has again is read once.

    As published, by TechSupportEval's released code, an omitted blank matches (not of a solver
    that gives degrees, which omits none), and either text may contain the other. Steps are missing
    only when the solver has fewer than there are, and a step that it has twice is out of order.

    Source:
        TechSupportEval, section III-B and III-C.
    """
    is_published = grading == "published"
    arranged = arrange(reference.same_steps, solution.order)
    is_full = is_published and len(solution.order) >= len(reference.steps)
    missing = frozenset(() if is_full else arranged.missing)
    repeated = arranged.repeated[:1] if is_published else ()
    moved = frozenset(arranged.moved or repeated)
    has_term = _has_as_published if is_published else _has
    fills = {fill.blank: fill for fill in reversed(solution.fills)}
    findings = {finding.step: finding for finding in solution.steps}
    terms = (
        Error(
            "key_term_mismatch",
            term.step,
            number,
            term.text,
            fill.text if fill.status == "filled" else None,
            _severity(fill.degree),
            term.start,
            term.end,
            fill.start,
            fill.end,
        )
        for number, term in enumerate(reference.terms)
        if not has_term(term.text, fill := fills.get(number + 1, Fill(number + 1, None, "omitted")))
    )
    steps = (
        _step_error(step, findings.get(step.number, StepFinding(step.number)), missing)
        for step in reference.steps
        if step.number in missing | moved
    )
    return (*terms, *steps)


def arrange(right: Sequence[int], order: Iterable[int]) -> Arrangement:
    """Compares the steps of an answer with the right ones, `Reference.same_steps`.

    Steps that are the same count for one another, and one that is there more often than in
    ``right`` counts as often as there, from the left.

    Raises:
        ValueError: The order has a step that does not exist.

    >>> arrange((0, 1, 2, 3), (0, 3, 1))
    Arrangement(missing=(2,), moved=(3,), repeated=())
    """
    places: dict[int, list[int]] = {}
    for place, name in enumerate(right):
        places.setdefault(name, []).append(place)
    left = Counter(right)
    kept: list[int] = []
    repeated: list[int] = []
    for step in order:
        if not 0 <= step < len(right):
            raise ValueError(f"step {step} is not one of the {len(right)} steps")
        name = right[step]
        (kept if left[name] else repeated).append(name)
        left[name] = max(0, left[name] - 1)
    run = _longest_run(places, kept)
    taken = set(run.values())
    free = {name: deque(one for one in held if one not in taken) for name, held in places.items()}
    moved = sorted(free[name].popleft() for item, name in enumerate(kept) if item not in run)
    missing = sorted(place for held in free.values() for place in held)
    return Arrangement(tuple(missing), tuple(moved), tuple(places[name][0] for name in repeated))


def _longest_run(places: dict[int, list[int]], order: Sequence[int]) -> dict[int, int]:
    """The longest run in the right order: item of the order → place (Hunt and Szymanski)."""
    ends: list[int] = []
    chains: list[tuple[int, int, object]] = []
    met: Counter[int] = Counter()
    for item, name in enumerate(order):
        met[name] += 1
        near = places[name][max(0, met[name] - REACH) : met[name] + REACH]
        for place in reversed(near):
            length = bisect_left(ends, place)
            ends[length : length + 1] = [place]
            chains[length : length + 1] = [(item, place, chains[length - 1] if length else None)]
    run: dict[int, int] = {}
    chain: object = chains[-1] if chains else None
    while isinstance(chain, tuple):
        item, place, chain = chain
        run[item] = place
    return run


def _has(term: str, fill: Fill) -> bool:
    if fill.degree is not None:
        return fill.degree >= TERM_FROM
    return fill.status == "filled" and matches(term, fill.text or "")


def _has_as_published(term: str, fill: Fill) -> bool:
    told = fill.text is not None or fill.degree is None
    return told and matches_as_published(term, fill.text or "")


def _step_error(step: ReferenceStep, found: StepFinding, missing: Container[int]) -> Error:
    is_missing = step.number in missing
    return Error(
        "step_missing" if is_missing else "step_reversal",
        step.number,
        None,
        step.title,
        None if is_missing else step.title,
        _severity(found.degree) if is_missing else 1.0,
        step.start,
        step.end,
        found.start,
        found.end,
    )


def _severity(degree: float | None) -> float:
    return 1.0 if degree is None else min(1.0, max(0.0, 1.0 - degree))
