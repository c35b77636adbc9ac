"""What else in an answer speaks against it, with figures worked by hand."""

from __future__ import annotations

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reference.solution import Sign
from klopt.reference.text_signs import DOUBTS, UNKNOWNS, added, doubt, unknown
from klopt.reference.text_words import MOST_PLACES, language


def texts(sign: Sign) -> list[str]:
    return [place.text for place in sign.places]


@pytest.mark.parametrize(
    ("code", "answer", "reference", "count", "found"),
    [
        ("en", "Press the yellow button.", "", 0, []),
        ("en", "Perhaps you can try it.", "", 2, ["Perhaps", "you can try"]),
        ("en", "Perhaps you can try it.", "Perhaps it is dark.", 1, ["Perhaps", "you can try"]),
        ("en", "Perhaps it works.", "Perhaps it is dark.", 0, []),
        ("nl", "Misschien is de pas verlopen.", "", 1, ["Misschien"]),
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
    ("answer", "given_texts", "found"),
    [
        ("Set maxHeap to 4096.", ["Raise maxHeap."], ["4096"]),
        ("Set maxHeap to 4096.", ["Raise the heap."], ["maxHeap", "4096"]),
        ("Set 4096, then 4096 again.", [], ["4096"]),
        ("Set it to 1000.", ["At most 1,000 of them."], []),
        ("Install v9.7.", ["Version 9.7 is new."], []),
        ("Install 9.8.", ["Version 9.7 is new."], ["9.8"]),
        ("1. Open it.\n2. Set it to 7.\n10. Wait.", [], []),
        ("Open Orlinde Portal.", [], []),
        ("", [], []),
    ],
)
def test_unknown(answer: str, given_texts: list[str], found: list[str]):
    sign = unknown(language("en").read(answer), given_texts)
    assert sign.value == pytest.approx(1 - exp(-len(found) / UNKNOWNS))
    assert texts(sign) == found
    assert all(answer[place.start : place.end] == place.text for place in sign.places)


def test_no_more_unknown_names_are_told_than_the_limit():
    answer = language("en").read(" ".join(f"orl{number}" for number in range(500)))
    sign = unknown(answer, [])
    assert len(sign.places) == MOST_PLACES
    assert sign.value == pytest.approx(1.0)


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


@given(st.text(max_size=60), st.text(max_size=60), st.sampled_from(["en", "nl"]))
def test_signs_are_shares(answer: str, reference: str, code: str):
    tables = language(code)
    words = tables.read(answer)
    for sign in (
        doubt(words, reference, tables),
        unknown(words, [reference]),
        added(words, "", reference, tables),
    ):
        assert 0.0 <= sign.value <= 1.0
        assert bool(sign.places) <= (sign.value > 0)
        assert all(answer[place.start : place.end] == place.text for place in sign.places)


@given(st.text(max_size=60))
def test_nothing_of_a_text_is_unknown_beside_itself(text: str):
    assert unknown(language("en").read(text), [text]).value == 0.0
