"""Errors of a solution, strict and as published."""

from typing import Any

import pytest

from klopt.reference.grading import (
    Arrangement,
    Error,
    Fill,
    Grading,
    Solution,
    StepFinding,
    arrange,
    grade,
)
from klopt.reference.reference import Reference, read_reference
from tests.tables import tables

CASES = tables("reference", "grading")
TEXT = "1. Stop **orl**.\n2. Copy **orl.ini**.\n3. Start it."
REFERENCE = read_reference(TEXT)
RIGHT = (Fill(1, "orl", "filled"), Fill(2, "orl.ini", "filled"))


def kinds(solution: Solution, mode: Grading, reference: Reference = REFERENCE) -> list[list[Any]]:
    return [[error.kind, error.step, error.term] for error in grade(reference, solution, mode)]


@pytest.mark.parametrize(
    ("text", "status", "strict", "published"),
    [
        ("conf/orl.ini", "filled", True, True),
        ("orl", "filled", False, True),
        ("", "unanswerable", False, True),
        ("", "filled", False, True),
        (None, "omitted", False, True),
        ("Unanswerable", "unanswerable", False, False),
        ("orl.cfg", "filled", False, False),
    ],
)
def test_errors_of_a_key_term(text, status, strict, published):
    solution = Solution((RIGHT[0], Fill(2, text, status)), (0, 1, 2), ())
    mismatch = [["key_term_mismatch", 1, 1]]
    assert kinds(solution, "strict") == ([] if strict else mismatch)
    assert kinds(solution, "published") == ([] if published else mismatch)


@pytest.mark.parametrize(("order", "strict", "published"), CASES["steps"])
def test_errors_of_steps(order, strict, published):
    solution = Solution(RIGHT, tuple(order), ())
    assert [each[:2] for each in kinds(solution, "strict")] == strict
    assert [each[:2] for each in kinds(solution, "published")] == published


@pytest.mark.parametrize("mode", ["strict", "published"])
def test_steps_with_one_title_are_interchangeable(mode):
    reference = read_reference("1. Restart.\n2. Copy.\n3. Restart.")
    assert grade(reference, Solution((), (2, 1, 0), ()), mode) == ()
    missing = Solution((), (2, 0), ())
    assert kinds(missing, mode, reference) == [["step_missing", 1, None]]


def test_offsets_of_errors():
    fills = (Fill(1, "wad", "filled", 0.25, 5, 8), RIGHT[1])
    found = (StepFinding(0, 1.0, 0, 8), StepFinding(1, 0.9, 20, 30), StepFinding(2, 0.2, 9, 19))
    first, second, third = grade(REFERENCE, Solution(fills, (1, 0), found))
    assert first == Error("key_term_mismatch", 0, 0, "orl", "wad", 0.75, 10, 13, 5, 8)
    assert TEXT[first.reference_start : first.reference_end] == "orl"
    assert (second.kind, second.step, second.severity) == ("step_reversal", 1, 1.0)
    assert (second.start, second.end, second.found) == (20, 30, "Copy orl.ini.")
    assert third == Error("step_missing", 2, None, "Start it.", None, 0.8, 38, 50, 9, 19)
    assert TEXT[third.reference_start : third.reference_end] == "3. Start it."


@pytest.mark.parametrize(("right", "order", "missing", "moved", "repeated"), CASES["arrange"])
def test_missing_moved_and_repeated_steps(right, order, missing, moved, repeated):
    assert arrange(right, order) == Arrangement(tuple(missing), tuple(moved), tuple(repeated))
