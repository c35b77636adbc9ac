"""A reference with blanks, and what models fill in for them, tolerated or not."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest

from klopt.checking.grading import Fill
from klopt.checking.llm_solver import cloze_test, read_fills
from klopt.checking.reference import read_reference
from klopt.errors import ReplyError
from tests.tables import tables

CASES = tables("checking", "llm_solver")


ANSWER = "Stop orl and copy orl.ini."


def reply(*pairs: Sequence[object]) -> str:
    return json.dumps({"answer": [{"blank": blank, "content": text} for blank, text in pairs]})


@pytest.mark.parametrize("pairs", CASES["fills"], ids=str)
def test_tolerated(pairs: list[list[object]], snapshot):
    assert str(read_fills(reply(*pairs), 2, ANSWER)) == snapshot


def test_what_the_answer_has_is_found_in_it():
    null = read_fills(reply((1, "orl"), (2, None)), 2, ANSWER)
    assert null.value == (Fill(1, "orl", "filled", None, 5, 8), Fill(2, None, "unanswerable"))


LIST = 'an object with a list as its "answer"'
PAIR = 'an object with "blank", a number, and "content"'


@pytest.mark.parametrize(
    ("text", "met", "wanted"),
    [
        *((text, text, LIST) for text in ("null", "{}", "[1]", '{"answer": "orl"}')),
        ('{"answer": {"1": "orl"}}', '{"answer": {"1": "orl"}}', LIST),
        ('{"answer": ["orl"]}', '"orl"', PAIR),
        *(
            (f'{{"answer": [{item}]}}', item, PAIR)
            for item in (
                '{"blank": 1}',
                '{"blank": true, "content": "orl"}',
                '{"blank": "1", "content": "orl"}',
                '{"blank": 1.5, "content": "orl"}',
                '{"blank": 1, "content": ["orl"]}',
                '{"blank": 1, "content": true}',
            )
        ),
    ],
)
def test_not_tolerated(text: str, met: str, wanted: str):
    with pytest.raises(ReplyError) as caught:
        read_fills(text, 2, ANSWER)
    assert caught.value.reason_code == "bad_shape"
    assert str(caught.value) == f"the reply has {met} where {wanted} belongs"


def test_many_notes_are_counted():
    read = read_fills(reply((1, "orl"), *((number, "x") for number in range(3, 53))), 1, ANSWER)
    assert len(read.notes) == 21
    assert read.notes[-1] == "and 30 more"


@pytest.mark.parametrize(("text", "cloze"), CASES["cloze"])
def test_cloze(text: str, cloze: str):
    reference = read_reference(text)
    test = cloze_test(reference)
    assert test == cloze
    assert [f"<BLANK {n}>" for n in range(1, len(reference.terms) + 1)] == re.findall(
        r"<BLANK \d+>", test
    )


@pytest.mark.parametrize(("text", "cloze", "terms"), CASES["published_cloze"])
def test_bold_as_the_released_code_reads_it(text: str, cloze: str, terms: list[str]):
    reference = read_reference(text, key_terms="bold", as_published=True)
    assert cloze_test(reference) == cloze
    assert [term.text for term in reference.terms] == terms
