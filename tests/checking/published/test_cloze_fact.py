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


PAIR = 'an object with "blank" and "content"'


@pytest.mark.parametrize(
    ("text", "met", "wanted"),
    [
        ("null", "null", 'an object with an "answer"'),
        ("{}", "{}", 'an object with an "answer"'),
        ('{"answer": null}', "null", "a list of blanks"),
        ('{"answer": "orl"}', '"orl"', "a list of blanks"),
        ('{"answer": ["orl"]}', '"orl"', PAIR),
        ('{"answer": [{"blank": 1}]}', '{"blank": 1}', PAIR),
        (reply((True, "orl")), "true", "the number of a blank"),
        (reply(("first", "orl")), '"first"', "the number of a blank"),
        (reply((1.5, "orl")), "1.5", "the number of a blank"),
        (reply((1, ["orl"])), '["orl"]', "the text for blank 1"),
        (reply((1, True)), "true", "the text for blank 1"),
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


@pytest.mark.parametrize("piece", [" ", "<", "1 ", "blank "])
def test_long_hostile_numbers_are_refused(piece: str):
    with pytest.raises(ReplyError):
        read_fills(reply(("1" + piece * 20_000 + "x", "orl")), 1, ANSWER)


@pytest.mark.parametrize(
    ("text", "cloze"),
    [
        ("1. Open **a** and **b**.", "1. Open <BLANK 1> and <BLANK 2>."),
        ("1. Open ***a***.", "1. Open <BLANK 1>."),
        ("1. Stop **a**.\n2. Start **a**.", "1. Stop <BLANK 1>.\n2. Start <BLANK 2>."),
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
