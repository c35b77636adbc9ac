"""A solver's findings of a reference in an answer, and the errors they amount to."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeAlias, get_args

from klopt.llm.calls import Usage
from klopt.reference.reference import KeyTerm, Reference, ReferenceStep
from klopt.reference.words import matches, matches_as_published
from klopt.scoring.assessment import Quote
from klopt.types import Turn

FillStatus: TypeAlias = Literal["filled", "unanswerable", "omitted"]  # omitted by the solver
TERM_FROM: Final = 0.75  # An answer has a key term from this degree on
SignKind: TypeAlias = Literal["contradiction", "doubt", "added"]


@dataclass(frozen=True, slots=True)
class Fill:
    """The content of one blank, counted from 1; without text it was omitted or has no answer."""

    blank: int
    text: str | None
    status: FillStatus
    degree: float | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class StepFinding:
    """The share of a step that the answer has, 0 to 1, and its span; None where not given."""

    step: int
    degree: float | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """Evidence against an answer that is no error by itself, with its strength, 0 to 1."""

    kind: SignKind
    value: float
    places: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueMismatch:
    """A value of a step (``expected``) and the value that the answer has instead (``found``)."""

    step: int
    expected: str
    found: str
    start: int
    end: int

    def is_in(self, term: KeyTerm) -> bool:
        """Return whether the value is part of a key term, which is then the error."""
        return term.step == self.step and self.expected in term.text


@dataclass(frozen=True, slots=True)
class Solution:
    """The findings of a solver: a fill for each key term, steps, and the answer's order of steps.

    ``values`` differ outside key terms; ``notes`` are problems that the solver ignored; ``usage``
    is the cost of calls.
    """

    fills: tuple[Fill, ...]
    order: tuple[int, ...]
    steps: tuple[StepFinding, ...]
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    signs: tuple[Sign, ...] = ()
    values: tuple[ValueMismatch, ...] = ()


class Solver(Protocol):
    """Finds a reference's key terms and steps in an answer; thread-safe."""

    @property
    def name(self) -> str:
        """For people and column names: ``text``, ``gpt-4o-mini-2024-07-18``."""

    @property
    def signature(self) -> str:
        """For fingerprints: all settings that decide the findings, with hashes of tables."""

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        """Find the reference in the answer, or raise LlmError or UnknownLanguageError."""


ErrorKind: TypeAlias = Literal[
    "key_term_mismatch", "step_missing", "step_reversal", "value_mismatch"
]
ERROR_KINDS: Final[tuple[ErrorKind, ...]] = get_args(ErrorKind)
Grading: TypeAlias = Literal["strict", "published"]
GRADINGS: Final[tuple[Grading, ...]] = get_args(Grading)
REACH: Final = 50  # the n-th of equal steps is compared with the n-th, give or take this


@dataclass(frozen=True, slots=True)
class Error:
    """One error in an answer; steps and key terms count from 0; severity is 0 to 1."""

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
    """Steps missing from an order, outside its longest ordered run, and repeated."""

    missing: tuple[int, ...]
    moved: tuple[int, ...]
    repeated: tuple[int, ...]


def grade(
    reference: Reference, solution: Solution, grading: Grading = "strict"
) -> tuple[Error, ...]:
    """The errors of an answer: key terms first, then steps and values, in the reference's order.

    Strict: a term matches by its degree (from `TERM_FROM` on) or `klopt.reference.words.matches`;
    a step outside the longest ordered run is reversed; repetitions are ignored. Published
    (TechSupportEval's released code): an omitted blank matches, steps are missing only when the
    solver has fewer than the reference, and a repeated step is out of order.
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
    terms: list[Error] = []
    for at, term in enumerate(reference.terms):
        fill = fills.get(at + 1, Fill(at + 1, None, "omitted"))
        if not has_term(term.text, fill):
            found = fill.text if fill.status == "filled" else None
            spans, severity = (term.start, term.end, fill.start, fill.end), _severity(fill.degree)
            own = Error("key_term_mismatch", term.step, at, term.text, found, severity, *spans)
            terms.append(own)
    steps = (
        _step_error(step, findings.get(step.number, StepFinding(step.number)), missing)
        for step in reference.steps
        if step.number in missing | moved
    )
    values = (_value_error(reference, value) for value in solution.values)
    return (*terms, *steps, *values)


def arrange(right: Sequence[int], order: Iterable[int]) -> Arrangement:
    """Compare the steps of an answer with the right ones, `Reference.same_steps`.

    Equal steps stand for one another; extra occurrences are repetitions; ValueError for unknown
    ones.

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
    """The longest ordered run: item of the order → place (Hunt and Szymanski)."""
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
    is_given = fill.text is not None or fill.degree is None
    return is_given and matches_as_published(term, fill.text or "")


def _step_error(step: ReferenceStep, found: StepFinding, missing: Container[int]) -> Error:
    is_missing, at = step.number in missing, (step.start, step.end, found.start, found.end)
    if is_missing:
        severity = _severity(found.degree)
        return Error("step_missing", step.number, None, step.title, None, severity, *at)
    return Error("step_reversal", step.number, None, step.title, step.title, 1.0, *at)


def _value_error(reference: Reference, value: ValueMismatch) -> Error:
    step = reference.steps[value.step]
    at = reference.text.find(value.expected, step.start, step.end)
    start, end = (at, at + len(value.expected)) if at >= 0 else (step.start, step.end)
    span = value.start, value.end
    return Error(
        "value_mismatch", value.step, None, value.expected, value.found, 1.0, start, end, *span
    )


def _severity(degree: float | None) -> float:
    return 1.0 if degree is None else min(1.0, max(0.0, 1.0 - degree))
