"""The graded strategy, worked by hand, and what can never lower a score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Turn
from klopt.checking.check import Checker
from klopt.checking.grading import Error
from klopt.checking.reference import read_reference
from klopt.checking.solution import Fill, Sign, Solution, StepFinding
from klopt.checking.strategies import Graded, graded, read_strategy, score
from klopt.checking.text_solver import TextSolver
from klopt.errors import ConfigurationError

WEIGHTS = Graded(0.5, 0.4, 0.1, 0.2, 0.5, 0.2, 0.25)
REVERSED = Error("step_reversal", 0, None, "x", "x", 1.0, 0, 1)
MISSING = Error("step_missing", 0, None, "x", None, 1.0, 0, 1)


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
def test_score(
    terms: list[float | None],
    steps: list[float | None],
    errors: list[Error],
    signs: tuple[Sign, ...],
    expected: float,
):
    assert WEIGHTS.score(errors, solution(terms, steps, signs)) == pytest.approx(expected)


def test_the_weights_of_the_file():
    assert graded() == WEIGHTS
    assert read_strategy("graded") is graded()
    assert str(graded()) == "graded"


@pytest.mark.parametrize(("terms", "steps"), [([None], [1.0]), ([1.0], [None]), ([], [1.0, None])])
def test_a_solver_without_degrees(terms: list[float | None], steps: list[float | None]):
    with pytest.raises(ConfigurationError) as caught:
        WEIGHTS.score([], solution(terms, steps))
    assert str(caught.value) == (
        'the strategy "graded" needs a solver that gives degrees, such as text; strict, gate and '
        "weights do not"
    )


def test_a_score_needs_what_a_solver_found():
    with pytest.raises(ConfigurationError) as caught:
        score(read_reference("1. Open it."), [], graded())
    assert str(caught.value) == 'the strategy "graded" needs what a solver found'


SHARES = st.floats(0, 1)


@given(
    st.lists(SHARES, max_size=5),
    st.lists(SHARES, min_size=1, max_size=5),
    st.lists(SHARES, min_size=3, max_size=3),
    st.data(),
)
def test_more_of_the_reference_never_lowers_the_score(
    terms: list[float], steps: list[float], signs: list[float], data: st.DataObject
):
    told = (Sign("added", signs[0]), Sign("contradiction", signs[1]), Sign("doubt", signs[2]))
    before = solution(list(terms), list(steps), told)
    better_terms = [data.draw(st.floats(degree, 1)) for degree in terms]
    better_steps = [data.draw(st.floats(degree, 1)) for degree in steps]
    after = solution(list(better_terms), list(better_steps), told)
    assert 0.0 <= WEIGHTS.score([], before) <= WEIGHTS.score([], after) + 1e-12 <= 1.0 + 1e-9


STEPS = (
    "Open the invoice in **Orlinde Portal**.",
    "Check the address at **Customer**.",
    "Set the due date to **30** days.",
    "Press **Send now**.",
    "Wait for the green light.",
)
REFERENCE = "\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, 1))


def text_score(answer: str) -> float:
    turn = Turn("How do I send it?", answer, reference=REFERENCE)
    found = Checker(TextSolver("en"), strategy=graded()).check(turn).score
    assert found is not None
    return found


@given(st.sets(st.integers(0, 4)), st.integers(0, 4))
def test_the_missing_step_in_its_place_never_lowers_the_score(kept: set[int], more: int):
    without = " ".join(STEPS[step] for step in sorted(kept - {more}))
    complete = " ".join(STEPS[step] for step in sorted(kept | {more}))
    assert text_score(without) < text_score(complete)


def test_all_of_the_reference_scores_1():
    assert text_score(REFERENCE) == 1.0
