"""A check from turn to row, reasons for a missing score, and all strategies."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Turn
from klopt.errors import LlmError, PatternTimeoutError
from klopt.llm.calls import CallError, Usage
from klopt.reference.check import Checker, graded_score, score, weights
from klopt.reference.grading import Error, ErrorKind, Fill, Sign, Solution, StepFinding
from klopt.reference.reference import Reference, read_reference
from klopt.reference.text_solver import TextSolver
from klopt.text.key_terms import rules_digest
from klopt.version import VERSION

TEXT = "1. Stop **orl**.\n2. Copy **orl.ini**."


class Fixed:
    """A solver that finds the first key term and step, or raises an error."""

    name, signature = "fixed", "fixed@1"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.references: list[Reference] = []

    def solve(self, turn: Turn, reference: Reference) -> Solution:
        self.references.append(reference)
        if self.error is not None:
            raise self.error
        fills = (Fill(1, "orl", "filled", 1.0, 5, 8),)
        return Solution(fills, (0,), (), ("a note",), Usage(calls=2))


def turn(reference: str | None = TEXT, answer: str = "Stop orl.") -> Turn:
    return Turn("How?", answer, id="row-1", reference=reference)


def test_the_row_of_a_check(snapshot):
    check = Checker(Fixed(), strategy="gate").check(turn())
    row = check.to_dict()
    assert row.pop("fingerprint") == (
        f"klopt:{VERSION}|solver:fixed@1|grading:strict|strategy:gate|"
        f"key_terms:auto@{rules_digest()[:8]}"
    )
    assert json.dumps(row) == snapshot


@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        *((one, "no_reference", "the row has no reference answer") for one in (None, "", " \n\t")),
        ("1. \n2.", "no_steps", "the reference answer has no step"),
    ],
)
def test_a_turn_without_reference_or_steps(given, code, reason):
    solver = Fixed()
    check = Checker(solver).check(turn(given))
    assert (check.status, check.reason_code, check.reason) == ("not_scorable", code, reason)
    assert (check.score, check.errors, check.usage) == (None, (), Usage())
    assert solver.references == []


THREE_CALLS = Usage(calls=3)


@pytest.mark.parametrize(
    ("error", "code", "usage", "notes"),
    [
        (LlmError("server", "down"), "server", Usage(), ()),
        (CallError("cut", "down", THREE_CALLS, ("a", "b")), "cut", THREE_CALLS, ("a", "b")),
        (PatternTimeoutError("down"), "pattern_timeout", Usage(), ()),
    ],
)
def test_an_error_of_the_solver(error, code, usage, notes):
    check = Checker(Fixed(error)).check(turn())
    assert (check.status, check.reason_code, check.reason) == ("error", code, "down")
    assert (check.score, check.usage, check.notes) == (None, usage, notes)


NOTHING = Solution((), (), ())
REFERENCE = read_reference("1. Stop **a** and **b**.\n2. Copy **c** to **d**.")


def error(kind: ErrorKind, number: int, severity: float = 1.0) -> Error:
    term = number if kind == "key_term_mismatch" else None
    return Error(kind, 0, term, "x", None, severity, 0, 1)


TERM, TERM_2 = error("key_term_mismatch", 0), error("key_term_mismatch", 1, 0.5)
MISSING, REVERSED = error("step_missing", 0), error("step_reversal", 0)


@pytest.mark.parametrize(
    ("errors", "strategy", "expected"),
    [
        ([], "strict", 1.0),
        ([], "gate", 1.0),
        ([TERM], "strict", 0.0),
        ([MISSING], "strict", 0.0),
        ([REVERSED], "strict", 0.0),
        ([TERM], "gate", 0.75),
        ([TERM, TERM_2], "gate", 0.5),
        ([TERM, MISSING], "gate", 0.0),
        ([REVERSED], "gate", 0.0),
    ],
)
def test_scores_of_errors(errors, strategy, expected):
    assert score(REFERENCE, errors, strategy, NOTHING) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("terms", "steps", "errors", "signs", "expected"),
    [
        ([1.0], [1.0], [], (), 1.0),
        ([0.0], [0.0], [], (), 0.0),
        ([0.0, 1.0], [1.0, 1.0], [], (), 0.75),
        ([0.5], [1.0], [], (), 0.75),
        ([1.0], [1.0, 0.0], [], (), 0.7),
        ([1.0], [0.5, 0.5], [], (), 0.75),
        ([], [0.5, 1.0], [], (), 1 - 0.5 * 0.25 - 0.4 * 0.25 - 0.1 * 0.5),
        ([1.0], [1.0, 1.0, 1.0, 1.0], [REVERSED], (), 0.95),
        ([1.0], [1.0, 1.0], [MISSING], (), 1.0),
        ([1.0], [1.0], [], (Sign("added", 0.5),), 0.9),
        ([1.0], [1.0], [], (Sign("contradiction", 1.0), Sign("doubt", 1.0)), 0.25),
        ([0.0], [0.0], [], (Sign("added", 1.0),), 0.0),
        ([], [], [], (), 1.0),
    ],
)
def test_graded_score(terms, steps, errors, signs, expected):
    fills = tuple(Fill(number, "x", "filled", degree) for number, degree in enumerate(terms, 1))
    findings = tuple(StepFinding(number, degree) for number, degree in enumerate(steps))
    solution = Solution(fills, (), findings, signs=signs)
    assert graded_score(errors, solution, weights()) == pytest.approx(expected)


STEPS = (
    "Open the invoice in **Orlinde Portal**.",
    "Check the address at **Customer**.",
    "Set the due date to **30** days.",
    "Press **Send now**.",
    "Wait for the green light.",
)
SENDING = "\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, 1))


def text_score(answer: str) -> float:
    turn = Turn("How do I send it?", answer, reference=SENDING)
    return Checker(TextSolver("en"), strategy="graded").check(turn).score


@given(st.sets(st.integers(0, 4)), st.integers(0, 4))
def test_adding_a_missing_step_raises_the_score(kept, more):
    without = " ".join(STEPS[step] for step in sorted(kept - {more}))
    complete = " ".join(STEPS[step] for step in sorted(kept | {more}))
    assert text_score(without) < text_score(complete)
