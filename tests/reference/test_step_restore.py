"""Shuffled steps under letters, recorded shuffles read back, and the letters that models give."""

import json

import pytest

from klopt.errors import LlmError, ReplyError
from klopt.reference.grading import Grading
from klopt.reference.llm_solver import ordering_test, read_order, read_task
from klopt.reference.reference import read_reference
from tests.tables import tables

CASES = tables("reference", "llm_solver")
THREE = read_reference("1. Stop it.\n2. Copy **orl.ini**.\n3. Start it.")


def test_the_shuffle_is_the_same_on_every_machine():
    shuffled = ordering_test(THREE, "0\nrow-1")
    assert shuffled.options == (("A", 1), ("B", 2), ("C", 0))
    assert shuffled.text == "A. Copy orl.ini.\nB. Start it.\nC. Stop it."


@pytest.mark.parametrize(("task", "problem"), CASES["misfits"])
def test_a_task_that_does_not_fit(task, problem):
    with pytest.raises(LlmError) as caught:
        read_task(task, THREE)
    assert caught.value.reason_code == "no_transcript"
    assert str(caught.value) == f"the recorded options do not fit: {problem}"


REFERENCE = read_reference("1. Stop orl.\n2. Copy **orl.ini**.\n3. Begin again.")
TEST = read_task("A. Begin again.\nB. Stop orl.\nC. Copy orl.ini.", REFERENCE)


def order(answer: object, reading: Grading = "strict") -> tuple[list[int], list[str]]:
    read = read_order(json.dumps({"answer": answer}), TEST, REFERENCE, reading)
    return list(read.value), list(read.notes)


@pytest.mark.parametrize(("answer", "steps", "notes"), CASES["strict"])
def test_strictly(answer, steps, notes):
    assert order(answer) == (steps, notes)


@pytest.mark.parametrize(
    ("answer", "steps", "notes"), [*CASES["published"], (["B", None], [0], ["null is no option"])]
)
def test_as_published(answer, steps, notes):
    assert order(answer, "published") == (steps, notes)


@pytest.mark.parametrize("answer", [None, 7, "B", {"B": 1}, [{"step": "B"}], [True], [["B"]]])
def test_not_tolerated(answer):
    with pytest.raises(ReplyError, match=r"^the reply has ") as caught:
        order(answer)
    assert caught.value.reason_code == "bad_shape"
