"""Which errors an answer has, by what a solver found in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from klopt.checking.arrangement import arrange
from klopt.checking.matching import matches, published_matches
from klopt.checking.ordering import same_steps
from klopt.checking.reference import Reference, Step
from klopt.checking.solution import TERM_FROM, Fill, Solution, StepFinding

__all__ = ["ERROR_KINDS", "GRADINGS", "Error", "ErrorKind", "Grading", "grade"]

ErrorKind: TypeAlias = Literal["key_term_mismatch", "step_missing", "step_reversal"]
ERROR_KINDS: Final[tuple[ErrorKind, ...]] = get_args(ErrorKind)
Grading: TypeAlias = Literal["strict", "published"]
GRADINGS: Final[tuple[Grading, ...]] = get_args(Grading)


@dataclass(frozen=True, slots=True)
class Error:
    """One error in an answer.

    Attributes:
        kind: ``key_term_mismatch``, ``step_missing`` or ``step_reversal``.
        step: The number of the step that has it.
        term: The number of the key term, from 0; None for an error in a step.
        expected: The key term, or the title of the step.
        found: What the answer has instead; None when it has nothing.
        severity: 0 to 1; 1 for solvers that give no degree, else 1 less the degree.
        reference_start: First character in the reference, from 0.
        reference_end: Character after the last one.
        start: First character in the answer as given; None when that is not known.
        end: Character after the last one, or None.
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


def grade(reference: Reference, solution: Solution, mode: Grading = "strict") -> tuple[Error, ...]:
    r"""The errors of an answer: key terms first, then steps, each in the reference's order.

    Args:
        reference: What the answer should say.
        solution: What a solver found of it.
        mode: ``strict``: a blank without a text is a mismatch, a text is compared by
            `klopt.checking.matching.matches` unless the solver gives a degree, which must be
            `TERM_FROM` or more, every step that the solver does not have is missing, and every
            step outside the longest run in the right order is reversed; a step that the solver
            has again is read once. ``published``: the rules of the paper's
            released code: an omitted blank matches (not of a solver that gives degrees, which
            omits none), either text may contain the other, steps are
            missing only when the solver has fewer than there are, and a step that it has twice
            is out of order.

    Returns:
        At most one error for a key term, and one for a step. Steps with one title count for one
        another.

    Source:
        TechSupportEval, section III-B and III-C.

    >>> from klopt.checking.reference import read_reference
    >>> from klopt.checking.solution import Fill
    >>> reference = read_reference("1. Open **httpd.conf**.\n2. Save it.")
    >>> solution = Solution((Fill(1, "httpd.cfg", "filled"),), (0,), ())
    >>> [(error.kind, error.expected) for error in grade(reference, solution)]
    [('key_term_mismatch', 'httpd.conf'), ('step_missing', 'Save it.')]
    """
    fills = {fill.blank: fill for fill in reversed(solution.fills)}
    return (
        *_term_errors(reference, fills, mode),
        *sorted(_step_errors(reference, solution, mode), key=lambda error: error.step),
    )


def _term_errors(reference: Reference, fills: dict[int, Fill], mode: Grading) -> Iterator[Error]:
    for number, term in enumerate(reference.terms):
        fill = fills.get(number + 1) or Fill(number + 1, None, "omitted")
        if mode == "published":
            told = fill.text is not None or fill.degree is None
            right = told and published_matches(term.text, fill.text or "")
        elif fill.degree is not None:
            right = fill.degree >= TERM_FROM
        else:
            right = fill.status == "filled" and matches(term.text, fill.text or "")
        if not right:
            yield Error(
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


def _step_errors(reference: Reference, solution: Solution, mode: Grading) -> Iterator[Error]:
    same = same_steps(reference)
    arranged = arrange(same, [same[step] for step in solution.order])
    findings = {finding.step: finding for finding in solution.steps}
    if mode == "strict" or len(solution.order) < len(same):
        for step in arranged.missing:
            found = findings.get(step, StepFinding(step))
            yield _step_error("step_missing", reference.steps[step], found)
    moved = arranged.moved
    if mode == "published" and not moved:
        moved = arranged.repeated[:1]
    for step in moved:
        found = findings.get(step, StepFinding(step))
        yield _step_error("step_reversal", reference.steps[step], found)


def _step_error(kind: ErrorKind, step: Step, found: StepFinding) -> Error:
    missing = kind == "step_missing"
    return Error(
        kind,
        step.number,
        None,
        step.title,
        None if missing else step.title,
        _severity(found.degree) if missing else 1.0,
        step.start,
        step.end,
        found.start,
        found.end,
    )


def _severity(degree: float | None) -> float:
    return 1.0 if degree is None else min(1.0, max(0.0, 1.0 - degree))
