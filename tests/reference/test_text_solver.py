"""The solver without a model: words, terms, steps, values, language, markup and signs."""

from math import exp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Turn
from klopt.reference import check_answer
from klopt.reference.check import STRATEGIES, Checker
from klopt.reference.grading import Fill, Sign, Solution
from klopt.reference.reference import read_reference
from klopt.reference.term_places import find_steps, find_term
from klopt.reference.text_solver import DOUBTS, TextSolver, added, contradiction, doubt
from klopt.reference.words import language
from tests.tables import tables

CASES, WORDS = (tables("reference", name) for name in ("text_solver", "words"))
REFERENCE = "1. Open **Orlinde Portal**.\n2. Set **maxUsers** to **30**.\n3. Press **Save**."
ANSWER = "Open Orlinde Portal, set maxUsers to 30 and press Save."
QUESTION = "How do I allow more users?"
DUTCH: list[dict[str, Any]] = [
    {**turn, **answer}
    for turn in tables("reference", "dutch_answers")["turn"]
    for answer in turn["answers"]
]


def turn(answer: str = ANSWER, reference: str = REFERENCE, **more: Any) -> Turn:
    return Turn(QUESTION, answer, reference=reference, **more)


def solve(answer: str, reference: str = REFERENCE, code: str = "auto") -> Solution:
    return TextSolver(code).solve(turn(answer, reference), read_reference(reference))


def test_a_correct_answer():
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


@pytest.mark.parametrize(("code", "answer", "reference", "expected"), CASES["values"])
def test_values_are_compared_by_meaning(code, answer, reference, expected):
    own = Turn("?", answer, reference=reference)
    checks = [Checker(TextSolver(code), strategy=strategy).check(own) for strategy in STRATEGIES]
    kinds = {"value_mismatch", "key_term_mismatch"}
    found = [error for error in checks[0].errors if error.kind in kinds]
    assert [[error.expected, error.found] for error in found] == expected
    for error in found:
        assert reference[error.reference_start : error.reference_end] == error.expected
        assert answer[error.start : error.end] == error.found
    if expected:
        assert max(check.score or 0.0 for check in checks) < 0.5


def test_a_term_is_found_near_its_step():
    reference = "1. Open **Users** and press **Save**.\n2. Open **Roles** and press **Save**."
    answer = "Open Users and press Save. Open Roles and press Save."
    saves = [solve(answer, reference).fills[number].start for number in (1, 3)]
    assert saves == [21, 48]


@pytest.mark.parametrize("case", DUTCH, ids=lambda case: case["name"])
def test_dutch_answers(case):
    answer, reference = case["answer"].strip(), case["reference"].strip()
    found = check_answer(Turn(case["question"], answer, reference=reference)).errors
    assert [[error.kind, error.expected] for error in found] == case["errors"]


@pytest.mark.parametrize(
    ("code", "stated", "degree"),
    [("auto", "auto", 1.0), ("auto", "en", 0.5), ("nl", "auto", 1.0), ("en", "auto", 0.5),
     ("en", "nl", 0.5)],
)  # fmt: skip
def test_language(code, stated, degree):
    """Only in Dutch the two are forms of one verb."""
    given = Turn("Hoe schakel ik dat uit?", "Het geluid is uitgeschakeld.", language=stated)
    solution = TextSolver(code).solve(given, read_reference("1. Schakel het geluid uit."))
    assert solution.steps[0].degree == degree


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
def test_markup_does_not_matter(answer):
    solution = solve(answer, code="en")
    assert [fill.text for fill in solution.fills] == ["Orlinde Portal", "maxUsers", "30", "Save"]
    assert solution.order == (0, 1, 2)
    assert Checker(TextSolver("en")).check(turn(answer)).score == 1.0


def texts(sign: Sign) -> list[str]:
    return [place.text for place in sign.places]


@pytest.mark.parametrize(("code", "answer", "reference", "count", "found"), CASES["doubt"])
def test_doubt(code, answer, reference, count, found):
    tables = language(code)
    sign = doubt(tables.read(answer), reference, tables)
    assert sign.value == pytest.approx(1 - exp(-count / DOUBTS))
    assert texts(sign) == found
    assert all(answer[place.start : place.end] == place.text for place in sign.places)


@pytest.mark.parametrize(("code", "answer", "reference", "found"), CASES["contradiction"])
def test_contradiction(code, answer, reference, found):
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
def test_added(answer, question, reference, value):
    tables = language("en")
    sign = added(tables.read(answer), question, reference, tables)
    assert sign.value == pytest.approx(value)
    assert sign.places == ()


# Words and terms


@pytest.mark.parametrize(("text", "words"), [*WORDS["words"], ("\ud800Open \udfff", ["open"])])
def test_words(text, words):
    assert list(language("en").read(text).letters) == words


@pytest.mark.parametrize(
    ("code", "term", "text", "degree", "found", "at"),
    [(*case, None, None)[:6] for case in WORDS["terms"]],
)
def test_the_place_of_a_term(code, term, text, degree, found, at):
    own = language(code)
    answer = own.read(text)
    place = find_term(term, answer, own)[0]
    assert place.degree == degree
    if place.run is None or found is None:
        assert (place.run, found) == (None, None)
        return
    start, end = answer.span(place.run)
    assert answer.source[start:end] == found
    assert start == (answer.source.index(found) if at is None else at)


@given(st.lists(st.sampled_from(["Orl", "sync", "9.7", "max_users", "één", "a"]), min_size=1))
def test_a_text_contains_its_own_term(words):
    own, term = language("nl"), " ".join(words)
    assert find_term(term, own.read(f"Kies {term}."), own)[0].degree == 1.0


# Steps


@pytest.mark.parametrize(
    ("code", "step", "answer", "degree"), tables("reference", "step_places")["degrees"]
)
def test_degrees_of_a_step(code, step, answer, degree):
    own = language(code)
    (place,) = find_steps(read_reference(step).steps, own.read(answer), own)
    assert place.degree == pytest.approx(degree, abs=1e-6)


def test_several_steps_in_one_sentence():
    reference = "1. Open the invoice.\n2. Check the address.\n3. Press Send."
    answer = "First open the invoice, check the address and press Send."
    solution = solve(answer, reference, "en")
    assert [finding.degree for finding in solution.steps] == [1.0, 1.0, 1.0]
    assert solution.order == (0, 1, 2)
    spans = [answer[finding.start : finding.end] for finding in solution.steps]
    assert spans == ["open the invoice", "check the address", "press Send"]


def test_a_repeated_word_is_matched_near_the_rest_of_its_step():
    reference = "1. Click Save.\n2. Click Send."
    answer = "Click Send after you click Save."
    solution = solve(answer, reference, "en")
    assert [answer[one.start : one.end] for one in solution.steps] == ["click Save", "Click Send"]
    assert solution.order == (1, 0)


@given(st.permutations(range(4)))
def test_steps_have_the_order_of_their_sentences(order):
    titles = ["Open the invoice.", "Check the address.", "Press Send.", "Close a window."]
    reference = "\n".join(f"{number}. {title}" for number, title in enumerate(titles, 1))
    solution = solve(" ".join(titles[step] for step in order), reference, "en")
    assert solution.order == tuple(order)
    assert [finding.degree for finding in solution.steps] == [1.0] * 4
