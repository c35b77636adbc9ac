"""The solver without a model: language, markup, signs, hostile texts, threads and processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from math import exp
from typing import Any

import pytest

from klopt import Turn
from klopt.checking import check_answer
from klopt.checking.check import STRATEGIES, Checker, Strategy
from klopt.checking.grading import GRADINGS, Fill, Grading, Sign, Solution
from klopt.checking.reference import KEY_TERM_MODES, KeyTermMode, read_reference
from klopt.checking.text_solver import DOUBTS, TextSolver, added, contradiction, doubt
from klopt.checking.words import language
from tests.tables import tables

CASES = tables("checking", "text_solver")
REFERENCE = "1. Open **Orlinde Portal**.\n2. Set **maxUsers** to **30**.\n3. Press **Save**."
ANSWER = "Open Orlinde Portal, set maxUsers to 30 and press Save."
QUESTION = "How do I allow more users?"
DUTCH: list[dict[str, Any]] = [
    {**asked, **answer}
    for asked in tables("checking", "dutch_answers")["asked"]
    for answer in asked["answers"]
]
DUTCH_TURNS = [
    Turn(item["question"], item["answer"].strip(), reference=item["reference"].strip())
    for item in DUTCH
]


def turn(answer: str = ANSWER, reference: str = REFERENCE, **more: Any) -> Turn:
    return Turn(QUESTION, answer, reference=reference, **more)


def solve(answer: str, reference: str = REFERENCE, code: str = "auto") -> Solution:
    return TextSolver(code).solve(turn(answer, reference), read_reference(reference))


def test_a_right_answer():
    solution = solve(ANSWER)
    assert solution.fills == (
        Fill(1, "Orlinde Portal", "filled", 1.0, 5, 19),
        Fill(2, "maxUsers", "filled", 1.0, 25, 33),
        Fill(3, "30", "filled", 1.0, 37, 39),
        Fill(4, "Save", "filled", 1.0, 50, 54),
    )
    assert [finding.degree for finding in solution.steps] == [1.0, 1.0, 1.0]
    assert [sign.value for sign in solution.signs] == [0.0, 0.0, 0.0]
    assert (solution.order, solution.notes) == ((0, 1, 2), ())


def test_a_term_is_looked_for_near_its_step():
    reference = "1. Open **Users** and press **Save**.\n2. Open **Roles** and press **Save**."
    answer = "Open Users and press Save. Open Roles and press Save."
    saves = [solve(answer, reference).fills[number].start for number in (1, 3)]
    assert saves == [21, 48]


@pytest.mark.parametrize(
    ("item", "asked"),
    list(zip(DUTCH, DUTCH_TURNS, strict=True)),
    ids=[item["name"] for item in DUTCH],
)
def test_dutch_answers(item: dict[str, Any], asked: Turn):
    found = check_answer(asked).errors
    assert [[error.kind, error.expected] for error in found] == item["errors"]


def test_right_dutch_answers_score_above_wrong_ones():
    """But for one with its steps in another order, which graded hardly minds."""
    scores: dict[str, dict[bool, float]] = {}
    for item, asked in zip(DUTCH, DUTCH_TURNS, strict=True):
        score = check_answer(asked).score
        assert score is not None
        scores.setdefault(item["question"], {})[not item["errors"]] = score
    above = {question for question, both in scores.items() if both[True] > both[False]}
    assert len(scores) * 2 == len(DUTCH)
    assert scores.keys() - above <= {"Hoe lees ik een bankafschrift in?"}


@pytest.mark.parametrize(
    ("code", "stated", "degree"),
    [("auto", "auto", 1.0), ("auto", "en", 0.5), ("nl", "auto", 1.0), ("en", "auto", 0.5),
     ("en", "nl", 0.5)],
)  # fmt: skip
def test_language(code: str, stated: str, degree: float):
    """Only Dutch knows that the two are one verb."""
    asked = Turn("Hoe schakel ik dat uit?", "Het geluid is uitgeschakeld.", language=stated)
    solution = TextSolver(code).solve(asked, read_reference("1. Schakel het geluid uit."))
    assert solution.steps[0].degree == degree


UNDECIDED = (
    "the vote on the language of question, answer and reference does not decide; state one of en, "
    "nl"
)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (Turn("重启?", "重启 服务", reference="1. 打开 **文件**。"), UNDECIDED),
        (Turn("Hoe?", "Zo.", reference="1. Open het.", language="fr"), '"fr"'),
    ],
)
def test_an_unknown_language_is_a_declared_status(asked: Turn, reason: str):
    check = check_answer(asked)
    declared = "not_scorable", "language_unknown", None
    assert (check.status, check.reason_code, check.score) == declared
    assert reason in (check.reason or "")


HTML = (
    '<p class="main">That is how:</p><ol><li>Open <b>Orlinde</b> <i>Portal</i>.</li>'
    "<li>Set <code>maxUsers</code> to&nbsp;30.</li><li>Press <b>Save</b>.</li></ol>"
)
MARKDOWN = """## That is how

1. Open [Orlinde Portal](https://portal.orlinde.example).
2. Set *maxUsers* to `30`:

```
maxUsers = 30
```

3. Press **Save**."""


@pytest.mark.parametrize(
    "answer", [HTML, MARKDOWN, MARKDOWN.replace("\n", "\r\n"), MARKDOWN.replace("\n", "\r")]
)
def test_markup_does_not_matter(answer: str):
    solution = solve(answer, code="en")
    assert [fill.text for fill in solution.fills] == ["Orlinde Portal", "maxUsers", "30", "Save"]
    assert solution.order == (0, 1, 2)
    assert Checker(TextSolver("en")).check(turn(answer)).score == 1.0


def test_offsets_in_html_are_those_of_the_answer():
    solution = solve(HTML, code="en")
    spans = [HTML[fill.start : fill.end] for fill in solution.fills]
    assert spans == ["Orlinde</b> <i>Portal", "maxUsers", "30", "Save"]
    steps = [HTML[finding.start : finding.end] for finding in solution.steps]
    assert steps == [
        "Open <b>Orlinde</b> <i>Portal",
        "Set <code>maxUsers</code> to&nbsp;30",
        "Press <b>Save",
    ]


def test_offsets_of_accents_that_are_characters_of_their_own():
    answer = "Kies\u200b  e\u0301e\u0301n reu\u0308nie."
    fill = solve(answer, "1. Kies **één reünie**.", "nl").fills[0]
    assert (fill.text, fill.degree) == ("één reünie", 1.0)
    assert answer[fill.start : fill.end] == "e\u0301e\u0301n reu\u0308nie"


@pytest.mark.parametrize(
    ("answer", "reference", "degrees"),
    [
        ("", REFERENCE, [0.0] * 4),
        ("Stop the printer first.", "1. You **must** stop the printer first.", [1.0]),
        ("Add `<table>` to the page.", "1. Add the **<table>** tag.", [1.0]),
        (HTML, "1. Press **strong**.\n2. Open the **class** list.", [0.0, 0.0]),
        ("Run `orl sync --user fenna`.", "1. Run `orl sync --user <user>`.", [0.75]),
    ],
)
def test_degrees(answer: str, reference: str, degrees: list[float]):
    assert [fill.degree for fill in solve(answer, reference, "en").fills] == degrees


@pytest.mark.parametrize("grading", GRADINGS)
def test_what_stands_instead_is_told(grading: Grading):
    asked = turn("Wait for 60 minutes.", "1. Wait for **30 minutes**.")
    (error,) = Checker(TextSolver("en"), grading).check(asked).errors
    assert (error.expected, error.found) == ("30 minutes", "60 minutes")
    assert (error.start, error.end) == (9, 19)


@pytest.mark.parametrize("mode", KEY_TERM_MODES)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=str)
@pytest.mark.parametrize("grading", GRADINGS)
def test_all_gradings_and_strategies(grading: Grading, strategy: Strategy, mode: KeyTermMode):
    checker = Checker(TextSolver("en"), grading, strategy, mode)
    right, wrong, refusal = (
        checker.check(turn(answer)).score
        for answer in (ANSWER, ANSWER.replace("Save", "Cancel"), "I do not know.")
    )
    assert (right, refusal) == (1.0, 0.0)
    assert 0.0 <= wrong <= 1.0


def test_threads():
    checker = Checker(TextSolver(), strategy="graded")
    alone = [checker.check(asked) for asked in DUTCH_TURNS] * 2
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(checker.check, DUTCH_TURNS * 2)) == alone


SCRIPT = """
import json, sys
from klopt import Turn
from klopt.checking import check_answer
for item in json.load(sys.stdin):
    turn = Turn(item["question"], item["answer"], reference=item["reference"])
    print(json.dumps(check_answer(turn).to_dict()))
"""


def test_the_same_bytes_in_every_process():
    rows = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            input=json.dumps(DUTCH).encode(),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(rows) == 1
    assert len(next(iter(rows)).splitlines()) == len(DUTCH)


def texts(sign: Sign) -> list[str]:
    return [place.text for place in sign.places]


@pytest.mark.parametrize(("code", "answer", "reference", "count", "found"), CASES["doubt"])
def test_doubt(code: str, answer: str, reference: str, count: int, found: list[str]):
    tables = language(code)
    sign = doubt(tables.read(answer), reference, tables)
    assert sign.value == pytest.approx(1 - exp(-count / DOUBTS))
    assert texts(sign) == found
    assert all(answer[place.start : place.end] == place.text for place in sign.places)


@pytest.mark.parametrize(("code", "answer", "reference", "found"), CASES["contradiction"])
def test_contradiction(code: str, answer: str, reference: str, found: list[str]):
    tables = language(code)
    sign = contradiction(tables.read(answer), reference, tables)
    assert sign.value == float(bool(found))
    assert texts(sign) == found
    assert all(answer[place.start : place.end] == place.text for place in sign.places)


@pytest.mark.parametrize(
    ("answer", "question", "reference", "value"),
    [
        ("Restart the old printer", "", "Restart the printer", 1 / 3),
        ("Restart the old printer", "My old one?", "Restart the printer", 0.0),
        ("Restarting printers", "", "Restart the printer", 0.0),
        ("Open a window", "", "Restart the printer", 1.0),
        ("The button", "", "Restart the printer", 1.0),
        ("", "", "Restart the printer", 1.0),
    ],
)
def test_added(answer: str, question: str, reference: str, value: float):
    tables = language("en")
    sign = added(tables.read(answer), question, reference, tables)
    assert sign.value == pytest.approx(value)
    assert sign.places == ()
