"""A reference with blanks, and what models fill in for them, tolerated or not."""

from __future__ import annotations

import json
import re

import pytest

from klopt.checking.published.cloze_fact import cloze_test, read_fills
from klopt.checking.reference import read_reference
from klopt.checking.solution import Fill
from klopt.errors import ReplyError

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
            reply(("1", "orl"), ("<BLANK 2>", "orl.ini")),
            (ORL, INI),
            ['blank "1" is read as 1', 'blank "<BLANK 2>" is read as 2'],
        ),
        (
            reply((1.0, "orl"), ("Blank 2", "orl.ini")),
            (ORL, INI),
            ["blank 1.0 is read as 1", 'blank "Blank 2" is read as 2'],
        ),
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
        (
            reply((1, "orl"), (2, None)),
            (ORL, Fill(2, None, "unanswerable")),
            ["blank 2 is null, which counts as unanswerable"],
        ),
        (
            reply((1, "orl"), (2, 30)),
            (ORL, Fill(2, "30", "filled")),
            ["blank 2 is a number, read as text"],
        ),
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
        (
            '{"answer": ["orl", "orl.ini"]}',
            (ORL, INI),
            ["the answer is a list of texts, read as the blanks in order"],
        ),
        (
            '{"answer": {"1": "orl", "2": "orl.ini"}}',
            (ORL, INI),
            [
                "the answer is an object of blanks, not a list",
                'blank "1" is read as 1',
                'blank "2" is read as 2',
            ],
        ),
        (
            '[{"blank": 1, "content": "orl"}, {"blank": 2, "content": "orl.ini"}]',
            (ORL, INI),
            ['the reply is a list without an object around it, read as its "answer"'],
        ),
    ],
)
def test_tolerated(text: str, fills: tuple[Fill, ...], notes: list[str]):
    read = read_fills(text, 2, ANSWER)
    assert read.value == fills
    assert list(read.notes) == notes


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "bad_json", "the reply is empty; it must be JSON"),
        ("orl", "bad_json", "the reply is not JSON: Expecting value at character 0"),
        ("null", "bad_shape", 'the reply has null where an object with an "answer" belongs'),
        ("{}", "bad_shape", 'the reply has {} where an object with an "answer" belongs'),
        ('{"answer": null}', "bad_shape", "the reply has null where a list of blanks belongs"),
        ('{"answer": "orl"}', "bad_shape", 'the reply has "orl" where a list of blanks belongs'),
        (
            '{"answer": ["orl"]}',
            "bad_shape",
            'the reply has "orl" where an object with "blank" and "content" belongs',
        ),
        (
            '{"answer": [{"blank": 1}]}',
            "bad_shape",
            'the reply has {"blank": 1} where an object with "blank" and "content" belongs',
        ),
        (
            reply((True, "orl")),
            "bad_shape",
            "the reply has true where the number of a blank belongs",
        ),
        (
            reply(("first", "orl")),
            "bad_shape",
            'the reply has "first" where the number of a blank belongs',
        ),
        (
            reply((1.5, "orl")),
            "bad_shape",
            "the reply has 1.5 where the number of a blank belongs",
        ),
        (
            reply((1, ["orl"])),
            "bad_shape",
            'the reply has ["orl"] where the text for blank 1 belongs',
        ),
        (reply((1, True)), "bad_shape", "the reply has true where the text for blank 1 belongs"),
    ],
)
def test_not_tolerated(text: str, code: str, message: str):
    with pytest.raises(ReplyError) as caught:
        read_fills(text, 2, ANSWER)
    assert (caught.value.reason_code, str(caught.value)) == (code, message)


def test_many_notes_are_counted():
    read = read_fills(reply((1, "orl"), *((number, "x") for number in range(3, 53))), 1, ANSWER)
    assert len(read.notes) == 21
    assert read.notes[-1] == "and 30 more"


@pytest.mark.parametrize("piece", [" ", "<", "1 ", "blank "])
def test_long_hostile_numbers_are_refused(piece: str):
    with pytest.raises(ReplyError):
        read_fills(reply(("1" + piece * 20_000 + "x", "orl")), 1, ANSWER)


@pytest.mark.parametrize(
    ("text", "cloze"),
    [
        ("1. Open **a** and **b**.", "1. Open <BLANK 1> and <BLANK 2>."),
        ("1. Open ***a***.", "1. Open <BLANK 1>."),
        ("1. **a****b**", "1. <BLANK 1><BLANK 2>"),
        ("1. Open 'orl.ini'.", "1. Open '<BLANK 1>'."),
        ("1. Klik op *Netwerk*.", "1. Klik op *<BLANK 1>*."),
        ("1. Run `a b`.\r\n2. Save.", "1. Run `<BLANK 1>`.\r\n2. Save."),
        ("**1. Open**", "1. <BLANK 1>"),
        ("1. **a** then **b", "1. <BLANK 1> then **b"),
        ("1. Contact support.", "1. Contact support."),
        ("", ""),
    ],
)
def test_cloze(text: str, cloze: str):
    reference = read_reference(text)
    test = cloze_test(reference)
    assert test == cloze
    assert [f"<BLANK {n}>" for n in range(1, len(reference.terms) + 1)] == re.findall(
        r"<BLANK \d+>", test
    )


def test_a_term_that_stands_twice_has_two_blanks():
    test = cloze_test(read_reference("1. Stop **orl**.\n2. Start **orl**."))
    assert test == "1. Stop <BLANK 1>.\n2. Start <BLANK 2>."


@pytest.mark.parametrize(
    ("text", "cloze", "terms"),
    [
        ("1. Open **a** and **b**.", "1. Open <BLANK 1> and <BLANK 2>.", ["a", "b"]),
        ("1. Klik **op\nOpslaan**.", "1. Klik **op\nOpslaan**.", []),
        ("1. Klik **op\nOpslaan** of **a**.", "1. Klik **op\nOpslaan<BLANK 1>a**.", [" of "]),
        (r"1. Typ **\* \* **.", "1. Typ <BLANK 1>.", [r"\* \* "]),
        (r"1. Typ **a \* ** en **b**.", "1. Typ <BLANK 1> en <BLANK 2>.", [r"a \* ", "b"]),
        ("1. Kies ** a **.", "1. Kies <BLANK 1>.", [" a "]),
        ("1. Kies **/**.", "1. Kies <BLANK 1>.", ["/"]),
        ("1. Kies ****.", "1. Kies <BLANK 1>.", [""]),
        ("**1. Open**", "<BLANK 1>", ["1. Open"]),
    ],
)
def test_bold_as_the_released_code_reads_it(text: str, cloze: str, terms: list[str]):
    reference = read_reference(text, key_terms="bold", as_published=True)
    assert cloze_test(reference) == cloze
    assert [term.text for term in reference.terms] == terms
