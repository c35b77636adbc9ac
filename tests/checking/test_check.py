"""One check from turn to row, every way in which there is no score, and every strategy."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Turn
from klopt.checking.check import Checker, Strategy, graded_score, score, weights
from klopt.checking.grading import Error, ErrorKind, Fill, Grading, Sign, Solution, StepFinding
from klopt.checking.reference import KeyTermMode, Reference, read_reference
from klopt.checking.text_solver import TextSolver
from klopt.errors import ConfigurationError, LlmError, PatternTimeoutError
from klopt.models.calls import CallError, Usage
from klopt.reading.key_terms import rules_digest
from klopt.version import VERSION

TEXT = "1. Stop **orl**.\n2. Copy **orl.ini**."


class Fixed:
    """Finds the first key term and the first step, or raises."""

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


def test_a_scored_row(snapshot):
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
        ("1. \n2.", "no_steps", "the reference answer has no step with a text"),
    ],
)
def test_nothing_to_compare(given: str | None, code: str, reason: str):
    solver = Fixed()
    check = Checker(solver).check(turn(given))
    assert (check.status, check.reason_code, check.reason) == ("not_scorable", code, reason)
    assert (check.score, check.errors, check.usage) == (None, (), Usage())
    assert solver.references == []


@pytest.mark.parametrize(
    ("grading", "mode", "terms", "told"),
    [
        ("strict", "auto", ["orl.ini"], "auto@"),
        ("strict", "rules", ["orl.ini"], "rules@"),
        ("strict", "bold", [], "bold"),
        ("strict", "none", [], "none"),
        ("published", "auto", [], "bold"),
        ("published", "rules", ["orl.ini"], "rules@"),
    ],
)
def test_key_terms(grading: Grading, mode: KeyTermMode, terms: list[str], told: str):
    solver = Fixed()
    checker = Checker(solver, grading, key_terms=mode)
    checker.check(turn(reference="1. Copy orl.ini."))
    assert [term.text for term in solver.references[0].terms] == terms
    assert checker.fingerprint.rpartition("key_terms:")[2].startswith(told)
    assert ("@" in told) == checker.fingerprint.endswith(rules_digest()[:8])


ARE = "they are strict, gate and graded"
WEIGHTS = "weights are no longer given; take gate, or graded with --solver text"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grading": "lax"}, 'grading "lax" is not one of strict, published'),
        ({"key_terms": "all"}, 'key_terms "all" is not one of auto, bold, rules, none'),
        ({"strategy": ""}, f'strategy "" is not known: {ARE}'),
        ({"strategy": "Strict"}, f'strategy "Strict" is not known: {ARE}'),
        ({"strategy": "weights:a=1"}, f'strategy "weights:a=1" is not known: {WEIGHTS}'),
    ],
)
def test_options_that_do_not_exist(options, message):
    with pytest.raises(ConfigurationError) as caught:
        Checker(Fixed(), **options)
    assert str(caught.value) == message


THREE_CALLS = Usage(calls=3)


@pytest.mark.parametrize(
    ("error", "code", "usage", "notes"),
    [
        (LlmError("server", "down"), "server", Usage(), ()),
        (CallError("cut", "down", THREE_CALLS, ("a", "b")), "cut", THREE_CALLS, ("a", "b")),
        (PatternTimeoutError("down"), "pattern_timeout", Usage(), ()),
    ],
)
def test_a_solver_that_fails(error: Exception, code: str, usage: Usage, notes: tuple[str, ...]):
    check = Checker(Fixed(error)).check(turn())
    assert (check.status, check.reason_code, check.reason) == ("error", code, "down")
    assert (check.score, check.usage, check.notes) == (None, usage, notes)


def test_a_solver_that_is_wrong_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        Checker(Fixed(ZeroDivisionError())).check(turn())


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
def test_score(errors: list[Error], strategy: Strategy, expected: float):
    assert score(REFERENCE, errors, strategy, NOTHING) == pytest.approx(expected)


def solution(
    terms: list[float | None], steps: list[float | None], signs: tuple[Sign, ...] = ()
) -> Solution:
    return Solution(
        tuple(Fill(number, "x", "filled", degree) for number, degree in enumerate(terms, 1)),
        (),
        tuple(StepFinding(number, degree) for number, degree in enumerate(steps)),
        signs=signs,
    )


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
    assert graded_score(errors, solution(terms, steps, signs), weights()) == pytest.approx(expected)


@pytest.mark.parametrize(("terms", "steps"), [([None], [1.0]), ([1.0], [None]), ([], [1.0, None])])
def test_a_solver_without_degrees(terms: list[float | None], steps: list[float | None]):
    with pytest.raises(ConfigurationError) as caught:
        graded_score([], solution(terms, steps), weights())
    assert str(caught.value) == (
        'the strategy "graded" needs a solver that gives degrees, such as text; strict and gate '
        "do not"
    )


SHARES = st.floats(0, 1)


NAMES = ("added", "contradiction", "doubt")
SIGNS = st.tuples(*(st.builds(Sign, st.just(name), SHARES) for name in NAMES))


@given(st.lists(SHARES, max_size=5), st.lists(SHARES, min_size=1, max_size=5), SIGNS, st.data())
def test_more_of_the_reference_never_lowers_the_score(terms, steps, signs, data):
    better = [[data.draw(st.floats(degree, 1)) for degree in each] for each in (terms, steps)]
    before, after = (
        graded_score([], solution(*degrees, signs), weights())
        for degrees in ((terms, steps), better)
    )
    assert 0.0 <= before <= after + 1e-12 <= 1.0 + 1e-9


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
def test_the_missing_step_in_its_place_never_lowers_the_score(kept: set[int], more: int):
    without = " ".join(STEPS[step] for step in sorted(kept - {more}))
    complete = " ".join(STEPS[step] for step in sorted(kept | {more}))
    assert text_score(without) < text_score(complete)
