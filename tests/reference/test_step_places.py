"""Steps in answers: synonyms, word forms, several steps in a sentence, and order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Turn
from klopt.reference.grading import Solution
from klopt.reference.reference import read_reference
from klopt.reference.term_places import find_steps
from klopt.reference.text_solver import TextSolver
from klopt.reference.words import language
from tests.tables import tables


def degrees(code: str, reference: str, answer: str) -> list[float]:
    tables = language(code)
    places = find_steps(read_reference(reference).steps, tables.read(answer), tables)
    return [round(place.degree, 6) for place in places]


def solve(code: str, reference: str, answer: str) -> Solution:
    return TextSolver(code).solve(Turn("?", answer), read_reference(reference))


@pytest.mark.parametrize(
    ("code", "step", "answer", "degree"), tables("reference", "step_places")["degrees"]
)
def test_degrees_of_a_step(code, step, answer, degree):
    assert degrees(code, step, answer) == [pytest.approx(degree)]


def test_several_steps_in_one_sentence():
    reference = "1. Open the invoice.\n2. Check the address.\n3. Press Send."
    answer = "First open the invoice, check the address and press Send."
    solution = solve("en", reference, answer)
    assert [finding.degree for finding in solution.steps] == [1.0, 1.0, 1.0]
    assert solution.order == (0, 1, 2)
    spans = [answer[finding.start : finding.end] for finding in solution.steps]
    assert spans == ["open the invoice", "check the address", "press Send"]


def test_a_repeated_word_is_matched_near_the_rest_of_its_step():
    reference = "1. Click Save.\n2. Click Send."
    answer = "Click Send after you click Save."
    solution = solve("en", reference, answer)
    assert [answer[one.start : one.end] for one in solution.steps] == ["click Save", "Click Send"]
    assert solution.order == (1, 0)


@given(st.permutations(range(4)))
def test_steps_have_the_order_of_their_sentences(order):
    titles = ["Open the invoice.", "Check the address.", "Press Send.", "Close a window."]
    reference = "\n".join(f"{number}. {title}" for number, title in enumerate(titles, 1))
    solution = solve("en", reference, " ".join(titles[step] for step in order))
    assert solution.order == tuple(order)
    assert [finding.degree for finding in solution.steps] == [1.0] * 4
