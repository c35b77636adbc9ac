"""Steps found in answers: other words, other forms, one sentence for one step, and order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Turn
from klopt.checking.grading import Solution
from klopt.checking.reference import read_reference
from klopt.checking.step_places import REUSED, find_steps
from klopt.checking.text_solver import STEP_FROM, TextSolver
from klopt.checking.words import language
from tests.tables import tables


def degrees(code: str, reference: str, answer: str) -> list[float]:
    tables = language(code)
    places = find_steps(read_reference(reference).steps, tables.read(answer), tables)
    return [round(place.degree, 6) for place in places]


def solve(code: str, reference: str, answer: str) -> Solution:
    return TextSolver(code).solve(Turn("?", answer), read_reference(reference))


@pytest.mark.parametrize(
    ("code", "step", "answer", "degree"), tables("checking", "step_places")["degrees"]
)
def test_degree(code: str, step: str, answer: str, degree: float):
    assert degrees(code, step, answer) == [pytest.approx(degree)]


def test_steps_in_one_sentence():
    reference = "1. Open the invoice.\n2. Check the address.\n3. Press Send."
    answer = "First open the invoice, check the address and press Send."
    solution = solve("en", reference, answer)
    assert [finding.degree for finding in solution.steps] == [1.0, 1.0, 1.0]
    assert solution.order == (0, 1, 2)
    spans = [answer[finding.start : finding.end] for finding in solution.steps]
    assert spans == ["open the invoice", "check the address", "press Send"]


@pytest.mark.parametrize("end", [". ", "\n", "\r\n", "\r"])
def test_words_all_over_an_answer_count_half_and_a_line_ends_a_sentence(end: str):
    far = "Restart it" + f"{end}Wait for a bit" * 9 + f"{end}The printer"
    (finding,) = solve("en", "Restart the printer.", far).steps
    assert finding.degree == pytest.approx(0.75)


def test_a_word_that_stands_twice_is_taken_where_the_rest_of_the_step_is():
    reference = "1. Click Save.\n2. Click Send."
    answer = "Click Send after you click Save."
    solution = solve("en", reference, answer)
    assert [answer[one.start : one.end] for one in solution.steps] == ["click Save", "Click Send"]
    assert solution.order == (1, 0)


def test_one_sentence_is_not_taken_for_two_steps():
    reference = "1. Restart the printer.\n2. Restart the printer driver."
    driver = "Restart the printer driver."
    again = pytest.approx((1 + (1 + 2 * REUSED) / 3) / 2, abs=1e-6)
    assert degrees("en", reference, driver) == [1.0, again]
    assert degrees("en", reference, f"Restart the printer. {driver}") == [1.0, 1.0]


def test_a_step_that_is_not_there_has_no_place():
    finding = solve("en", "Restart the old printer.", "The printer.").steps[0]
    assert 0.0 < finding.degree < STEP_FROM
    assert (finding.start, finding.end) == (None, None)


@given(st.permutations(range(4)))
def test_the_order_of_the_sentences_is_the_order_of_the_steps(order: list[int]):
    titles = ["Open the invoice.", "Check the address.", "Press Send.", "Close a window."]
    reference = "\n".join(f"{number}. {title}" for number, title in enumerate(titles, 1))
    solution = solve("en", reference, " ".join(titles[step] for step in order))
    assert solution.order == tuple(order)
    assert [finding.degree for finding in solution.steps] == [1.0] * 4
