"""Shuffled steps under letters, recorded shuffles read back, and the letters that models give."""

from __future__ import annotations

import json

import pytest

from klopt.checking.grading import Grading
from klopt.checking.llm_solver import letters, ordering_test, read_order, read_task
from klopt.checking.reference import read_reference
from klopt.errors import LlmError, ReplyError
from tests.tables import tables

CASES = tables("checking", "llm_solver")
THREE = read_reference("1. Stop it.\n2. Copy **orl.ini**.\n3. Start it.")


def test_the_shuffle_is_the_same_on_every_machine():
    shuffled = ordering_test(THREE, "0\nrow-1")
    assert shuffled.options == (("A", 1), ("B", 2), ("C", 0))
    assert shuffled.text == "A. Copy orl.ini.\nB. Start it.\nC. Stop it."


def test_seeds_differ():
    assert len({ordering_test(THREE, str(seed)).options for seed in range(40)}) == 5


@pytest.mark.parametrize("count", [2, 3, 4])
def test_never_the_right_order(count: int):
    reference = read_reference("\n".join(f"{n}. Press {n}." for n in range(1, count + 1)))
    for seed in range(200):
        steps = [step for _, step in ordering_test(reference, str(seed)).options]
        assert sorted(steps) == list(range(count))
        assert steps != list(range(count))


def test_one_step_and_none():
    assert ordering_test(read_reference("1. Stop."), "0").text == "A. Stop."
    assert ordering_test(read_reference(" "), "0").options == ()


def test_letters_go_on_behind_z():
    names = letters(703)
    assert names[:2] == ("A", "B")
    assert names[25:28] == ("Z", "AA", "AB")
    assert names[701:] == ("ZZ", "AAA")
    assert len(set(names)) == 703


@pytest.mark.parametrize(
    "task",
    [
        "A. Start it.\nB. Stop it.\nC. Copy orl.ini.",
        "A. start it.\r\nB.  Stop  it.\n\nC. Copy **orl.ini**.\n",
    ],
)
def test_read_task(task: str):
    assert read_task(task, THREE).options == (("A", 2), ("B", 0), ("C", 1))


@pytest.mark.parametrize(("task", "problem"), CASES["misfits"])
def test_a_task_that_does_not_fit(task: str, problem: str):
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
def test_strictly(answer: object, steps: list[int], notes: list[str]):
    assert order(answer) == (steps, notes)


@pytest.mark.parametrize(
    ("answer", "steps", "notes"),
    [*CASES["published"], (["B", None], [0], ["null is no option"])],
)
def test_as_published(answer: object, steps: list[int], notes: list[str]):
    assert order(answer, "published") == (steps, notes)


@pytest.mark.parametrize("answer", [None, 7, "B", {"B": 1}, [{"step": "B"}], [True], [["B"]]])
def test_not_tolerated(answer: object):
    with pytest.raises(ReplyError, match=r"^the reply has ") as caught:
        order(answer)
    assert caught.value.reason_code == "bad_shape"


def test_steps_of_one_title_share_their_letters():
    reference = read_reference("1. Restart.\n2. Copy.\n3. Restart.")
    test = read_task("A. Restart.\nB. Restart.\nC. Copy.", reference)
    assert test.options == (("A", 0), ("B", 2), ("C", 1))
    read = read_order('{"answer": ["A", "C", "A", "B"]}', test, reference)
    assert read.value == (0, 1, 0)
    assert read.notes == ('"Restart." is there again; the first place counts',)


@pytest.mark.parametrize("reading", ["strict", "published"])
def test_more_than_26_options(reading: Grading):
    reference = read_reference("\n".join(f"{n}. Press {n}." for n in range(1, 31)))
    test = ordering_test(reference, "0")
    read = read_order(json.dumps({"answer": list(letters(30))}), test, reference, reading)
    assert read.value == tuple(step for _, step in test.options)
    assert read.notes == ()


@pytest.mark.parametrize("piece", ["(", " ", "A ", "A, ", "*"])
def test_long_hostile_items_are_answered(piece: str):
    item = "A" + piece * (100_000 // len(piece)) + "!"
    assert order([item])[0] == []
