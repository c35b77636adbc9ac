"""The letters that models give, tolerated or not."""

from __future__ import annotations

import json

import pytest

from klopt.checking.published.step_restore import letters, ordering_test, read_order, read_task
from klopt.checking.reference import read_reference
from klopt.errors import ReplyError

REFERENCE = read_reference("1. Stop orl.\n2. Copy **orl.ini**.\n3. Begin again.")
TEST = read_task("A. Begin again.\nB. Stop orl.\nC. Copy orl.ini.", REFERENCE)


def order(answer: object, reading: str = "strict") -> tuple[tuple[int, ...], list[str]]:
    text = json.dumps({"answer": answer})
    read = read_order(text, TEST, REFERENCE, "published" if reading == "published" else "strict")
    return read.value, list(read.notes)


@pytest.mark.parametrize(
    ("answer", "steps", "notes"),
    [
        (["B", "C", "A"], (0, 1, 2), []),
        (["C"], (1,), []),
        ([], (), []),
        (["b", " C "], (0, 1), ['"b" is read as B', '" C " is read as C']),
        (
            ["B.", "C)", "(A)"],
            (0, 1, 2),
            ['"B." is read as B', '"C)" is read as C', '"(A)" is read as A'],
        ),
        (["Step B", "Stap C:"], (0, 1), ['"Step B" is read as B', '"Stap C:" is read as C']),
        (["Option A"], (2,), ['"Option A" is read as A']),
        (
            ["B. Stop orl.", "**C**"],
            (0, 1),
            ['"B. Stop orl." is read as B', '"**C**" is read as C'],
        ),
        (
            ["Begin again.", "stop  orl."],
            (2, 0),
            ['"Begin again." is read as A', '"stop  orl." is read as B'],
        ),
        (["Copy **orl.ini**."], (1,), ['"Copy **orl.ini**." is read as C']),
        (["B, C -> A"], (0, 1, 2), ['"B, C -> A" is read as B, C, A']),
        ("B; C", (0, 1), ["the answer is a text, not a list", '"B; C" is read as B, C']),
        ([["B", "C"], "A"], (0, 1, 2), ['["B", "C"] is a list in the list']),
        (["B", "X", "A"], (0, 2), ['"X" is no option']),
        (
            ["B", 1, None, 2.5, ""],
            (0,),
            ["1 is no option", "null is no option", "2.5 is no option", '"" is no option'],
        ),
        (
            ["Restart everything", "Bye"],
            (),
            ['"Restart everything" is no option', '"Bye" is no option'],
        ),
        (["B", "C", "B"], (0, 1), ['"Stop orl." is there again; the first place counts']),
    ],
)
def test_strictly(answer: object, steps: tuple[int, ...], notes: list[str]):
    assert order(answer) == (steps, notes)


@pytest.mark.parametrize(
    ("answer", "steps", "notes"),
    [
        (["B", "C", "A"], (0, 1, 2), []),
        (["b", "C. Copy orl.ini.", " A"], (0, 1, 2), []),
        (["Begin again."], (0,), []),
        (["B", "B", "C"], (0, 0, 1), []),
        (
            ["B", "X", 1, None, ["A"]],
            (0,),
            ['"X" is no option', "1 is no option", "null is no option", '["A"] is no option'],
        ),
        ([], (), []),
    ],
)
def test_as_published(answer: object, steps: tuple[int, ...], notes: list[str]):
    assert order(answer, "published") == (steps, notes)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "the reply has null where a list of letters belongs"),
        (7, "the reply has 7 where a list of letters belongs"),
        ({"B": 1}, 'the reply has {"B": 1} where a list of letters belongs'),
        ([{"step": "B"}], 'the reply has {"step": "B"} where the letter of an option belongs'),
        ([True], "the reply has true where the letter of an option belongs"),
        ([[["B"]]], 'the reply has [["B"]] where a list of letters belongs'),
    ],
)
def test_not_tolerated(answer: object, message: str):
    with pytest.raises(ReplyError) as caught:
        order(answer)
    assert (caught.value.reason_code, str(caught.value)) == ("bad_shape", message)


def test_steps_of_one_title_share_their_letters():
    reference = read_reference("1. Restart.\n2. Copy.\n3. Restart.")
    test = read_task("A. Restart.\nB. Restart.\nC. Copy.", reference)
    read = read_order('{"answer": ["A", "C", "A", "B"]}', test, reference)
    assert read.value == (0, 1, 0)
    assert read.notes == ('"Restart." is there again; the first place counts',)


@pytest.mark.parametrize("reading", ["strict", "published"])
def test_more_than_26_options(reading: str):
    reference = read_reference("\n".join(f"{n}. Press {n}." for n in range(1, 31)))
    test = ordering_test(reference, "0")
    text = json.dumps({"answer": list(letters(30))})
    mode = "published" if reading == "published" else "strict"
    read = read_order(text, test, reference, mode)
    assert read.value == tuple(step for _, step in test.options)
    assert read.notes == ()


@pytest.mark.parametrize("piece", ["(", " ", "A ", "A, ", "*"])
def test_long_hostile_items_are_answered(piece: str):
    item = "A" + piece * (100_000 // len(piece)) + "!"
    assert order([item])[0] == ()
