"""A reference with blanks, and what models fill in for them, tolerated or not."""

from __future__ import annotations

import json
import re

import pytest

from klopt.checking.grading import Fill
from klopt.checking.llm_solver import cloze_test, read_fills
from klopt.checking.reference import read_reference
from klopt.errors import ReplyError
from tests.tables import tables

CASES = tables("checking", "llm_solver")


ANSWER = "Stop orl and copy orl.ini."
ORL, INI = Fill(1, "orl", "filled", None, 5, 8), Fill(2, "orl.ini", "filled", None, 18, 25)


def reply(*pairs: tuple[object, object]) -> str:
    return json.dumps({"answer": [{"blank": blank, "content": text} for blank, text in pairs]})


@pytest.mark.parametrize(
    ("text", "fills", "notes"),
    [
        (reply((1, "orl"), (2, "orl.ini")), (ORL, INI), []),
        (reply((2, "orl.ini"), (1, "orl")), (ORL, INI), []),
        ("```json\n" + reply((1, "orl"), (2, "orl.ini")) + "\n```", (ORL, INI), []),
        (
            reply((1, "orl"), (2, "Unanswerable")),
            (ORL, Fill(2, "Unanswerable", "unanswerable")),
            [],
        ),
        (
            reply((1, "orl"), (2, '"unanswerable".')),
            (ORL, Fill(2, '"unanswerable".', "unanswerable")),
            [],
        ),
        (reply((1, "orl"), (2, "")), (ORL, Fill(2, "", "unanswerable")), []),
        (reply((1, "orl"), (2, None)), (ORL, Fill(2, None, "unanswerable")), []),
        (reply((1, "orl"), (2, 30)), (ORL, Fill(2, "30", "filled")), []),
        (
            reply((0, "x"), (1, "orl"), (2, "orl.ini"), (99, "y"), (-1, "z")),
            (ORL, INI),
            [
                "blank 0 does not exist; there are 2",
                "blank 99 does not exist; there are 2",
                "blank -1 does not exist; there are 2",
            ],
        ),
        (
            reply((1, "orl"), (1, "wad"), (2, "orl.ini")),
            (ORL, INI),
            ["blank 1 is filled twice; the first counts"],
        ),
        (reply((2, "orl.ini")), (Fill(1, None, "omitted"), INI), ["blank 1 is left out"]),
        (
            '{"answer": []}',
            (Fill(1, None, "omitted"), Fill(2, None, "omitted")),
            ["blank 1 is left out", "blank 2 is left out"],
        ),
    ],
)
def test_tolerated(text: str, fills: tuple[Fill, ...], notes: list[str]):
    read = read_fills(text, 2, ANSWER)
    assert read.value == fills
    assert list(read.notes) == notes


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
