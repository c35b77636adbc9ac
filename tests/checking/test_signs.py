"""What else in an answer speaks against it, with figures worked by hand."""

from __future__ import annotations

from math import exp

import pytest

from klopt.checking.signs import DOUBTS, added, contradiction, doubt
from klopt.checking.solution import Sign
from klopt.checking.words import language


def texts(sign: Sign) -> list[str]:
    return [place.text for place in sign.places]


@pytest.mark.parametrize(
    ("code", "answer", "reference", "count", "found"),
    [
        ("en", "Press the yellow button.", "", 0, []),
        ("en", "Sadly, I don't know.", "", 2, ["Sadly", "I don't know"]),
        ("en", "Sadly, I don't know.", "Sadly, it is dark.", 1, ["Sadly", "I don't know"]),
        ("en", "Sadly, it is shut.", "Sadly, it is dark.", 0, []),
        ("en", "Perhaps you can try it.", "", 0, []),
        ("nl", "Misschien is de pas verlopen.", "", 0, []),
        ("nl", "Helaas weet ik daar niets van.", "", 2, ["Helaas", "weet ik"]),
        ("nl", "Druk op de gele knop.", "", 0, []),
        ("en", "", "", 0, []),
    ],
)
def test_doubt(code: str, answer: str, reference: str, count: int, found: list[str]):
    tables = language(code)
    sign = doubt(tables.read(answer), reference, tables)
    assert sign.value == pytest.approx(1 - exp(-count / DOUBTS))
    assert texts(sign) == found
    assert all(answer[place.start : place.end] == place.text for place in sign.places)


@pytest.mark.parametrize(
    ("code", "answer", "reference", "found"),
    [
        ("en", "Yes, you can.", "No, you cannot.", ["Yes"]),
        ("en", "No, that is final.", "1. Yes, in the portal.", ["No"]),
        ("nl", "**Ja**, dat kan alsnog.", "Nee, dat kan niet alsnog.", ["Ja"]),
        ("nl", "Nee, helaas.", "- Ja, via het portaal.", ["Nee"]),
        ("en", "Yes, you can.", "Yes, in the portal.", []),
        ("en", "You can.", "No, you cannot.", []),
        ("en", "Yes, you can.", "That is final.", []),
        ("en", "Yesterday it was open.", "No, it was shut.", []),
        ("nl", "Januari is dicht.", "Nee, open.", []),
        ("en", "Notes are shown. Yes.", "Yes.", []),
        ("en", "", "No.", []),
    ],
)
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
