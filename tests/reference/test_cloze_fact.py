"""A reference with blanks, and what models fill in for them, tolerated or not."""

import json
import re
from collections.abc import Sequence

import pytest

from klopt.reference.llm_solver import cloze_test, read_fills
from klopt.reference.reference import read_reference
from tests.tables import tables

CASES = tables("reference", "llm_solver")


ANSWER = "Stop orl and copy orl.ini."


def reply(*pairs: Sequence[object]) -> str:
    return json.dumps({"answer": [{"blank": blank, "content": text} for blank, text in pairs]})


@pytest.mark.parametrize("pairs", CASES["fills"], ids=str)
def test_tolerated(pairs, snapshot):
    assert str(read_fills(reply(*pairs), 2, ANSWER)) == snapshot


@pytest.mark.parametrize(("text", "cloze"), CASES["cloze"])
def test_cloze(text, cloze):
    reference = read_reference(text)
    test = cloze_test(reference)
    assert test == cloze
    assert [f"<BLANK {n}>" for n in range(1, len(reference.terms) + 1)] == re.findall(
        r"<BLANK \d+>", test
    )


@pytest.mark.parametrize(("text", "cloze", "terms"), CASES["published_cloze"])
def test_bold_as_the_released_code_reads_it(text, cloze, terms):
    reference = read_reference(text, key_terms="bold", as_published=True)
    assert cloze_test(reference) == cloze
    assert [term.text for term in reference.terms] == terms
