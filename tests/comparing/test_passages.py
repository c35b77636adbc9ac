"""Where the pages speak of a statement, and such a place as a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from klopt.matching.units import LONGEST
from tests.comparing.texts import paired, places, text_of

SIDES_NL = """# Afdrukken

## Enkelzijdig afdrukken

Open het venster Printen en kies Gewoon papier.

## Dubbelzijdig afdrukken

Open het venster Printen en kies Stevig papier.
"""
SIDES_EN = """# Printing

## Printing on one side

Open the print window and choose plain paper.

## Printing on two sides

Open the print window and choose sturdy paper.
"""
HEADING_NL = """# Tablet

## Accu opladen

Sluit de kabel aan.

## Scherm schoonmaken

Sluit de klep en pak een doek.
"""
HEADING_EN = """# Tablet

## Charging the battery

Connect the cable.

## Cleaning the screen

Close the lid and take a cloth.
"""
BEST = [
    ("nl", "the other one", "Hoe kan ik enkelzijdig afdrukken?",
     "Open het venster Printen en kies het papier.", [SIDES_NL],
     "Open het venster Printen en kies Gewoon papier."),
    ("nl", "what the heading says counts", "", "Om de accu op te laden sluit u het aan.",
     [HEADING_NL], "Sluit de kabel aan."),
    ("nl", "the page that says it", "", "De bakkerij opent om zeven uur.",
     ["De slager opent om acht uur.", "De bakkerij opent om zeven uur."],
     "De bakkerij opent om zeven uur."),
    ("nl", "two sentences say it together", "", "De koerier weegt het pakket en plakt een etiket.",
     ["Er is thee. De koerier weegt het pakket. Hij plakt een etiket. Er is koffie."],
     "De koerier weegt het pakket. Hij plakt een etiket."),
    ("en", "what the heading says counts", "", "For charging the battery, connect it.",
     [HEADING_EN], "Connect the cable."),
    ("en", "the page that says it", "", "The bakery opens at seven.",
     ["The butcher opens at eight.", "The bakery opens at seven."],
     "The bakery opens at seven."),
    ("en", "two sentences say it together", "", "The courier weighs the parcel and sticks a label.",
     ["There is tea. The courier weighs the parcel. He sticks a label. There is coffee."],
     "The courier weighs the parcel. He sticks a label."),
    ("nl", "the section that was asked for", "Hoe kan ik dubbelzijdig afdrukken?",
     "Open het venster Printen en kies Stevig papier.", [SIDES_NL],
     "Open het venster Printen en kies Stevig papier."),
    ("en", "the section that was asked for", "How do I print on two sides?",
     "Open the print window and choose sturdy paper.", [SIDES_EN],
     "Open the print window and choose sturdy paper."),
    ("nl", "of two sections alike the one asked for", "Hoe kan ik dubbelzijdig afdrukken?",
     "Open het venster Printen en kies het papier.", [SIDES_NL],
     "Open het venster Printen en kies Stevig papier."),
    ("en", "of two sections alike the one asked for", "How do I print on two sides?",
     "Open the print window and choose the paper.", [SIDES_EN],
     "Open the print window and choose sturdy paper."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "why", "question", "answer", "pages", "best"), BEST)
def test_the_best_place(languages, language, why, question, answer, pages, best):
    match, _ = paired(languages[language], answer, pages, question)
    assert best in text_of(match, places(match)[0]), why


def test_no_word_no_place(languages):
    match, _ = paired(languages["nl"], "De wasbeer danst.", ["Kies Opslaan.", "Sluit af."])
    assert places(match) == [None]


def test_no_statement_no_places(languages):
    match, _ = paired(languages["nl"], "", ["Kies Opslaan."])
    assert places(match) == []


CODES = """# Lampen

De klep van code LN-2047 gaat open.

| Code | Betekenis |
|---|---|
| LN-2041 | Sluit de klep |
| LN-2047 | Leg papier in de lade en sluit de klep |
"""
ROWS = [
    ("", "Bij LN-2041 legt u papier in de lade en sluit u de klep.", "LN-2041 | Sluit de klep"),
    ("Wat is LN-2041?", "Leg papier in de lade en sluit die.", "LN-2041 | Sluit de klep"),
    ("Wat is LN-2041?", "Het is als LN-2047: leg papier in de lade, sluit de klep.",
     "LN-2047 | Leg papier in de lade en sluit de klep"),
    ("", "Leg papier in de lade.", "LN-2047 | Leg papier in de lade en sluit de klep"),
    ("Wat is LN-2050?", "Leg papier in de lade.",
     "LN-2047 | Leg papier in de lade en sluit de klep"),
    ("Wat is de betekenis?", "Sluit de klep.", "LN-2041 | Sluit de klep"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "answer", "row"), ROWS)
def test_the_row_that_is_named(languages, question, answer, row):
    match, _ = paired(languages["nl"], answer, [CODES], question)
    assert text_of(match, places(match)[0]) == row


WORDS = st.sampled_from(
    ["kies", "map", "sluit", "open", "bestand.", "kabel.", "papier,", "#", "\n\n", "venster"]
)
TEXT = st.lists(WORDS, max_size=40).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(TEXT, st.lists(TEXT, max_size=3), TEXT)
def test_a_place_is_a_few_sentences_of_a_page(languages, answer, pages, question):
    match, _ = paired(languages["nl"], answer, pages, question)
    for one in places(match):
        if one is not None:
            assert 0 <= one.first <= one.last < len(match.contexts[one.page].index.units)
            assert one.last - one.first < LONGEST
            assert 0 < one.share <= 1


def test_long_answers_are_held_against_long_pages_in_blocks(
    languages, monkeypatch: pytest.MonkeyPatch
):
    answer = "Open Printen en kies Stevig papier. Sluit de kabel aan. Pak een doek."
    match, _ = paired(languages["nl"], answer, [SIDES_NL, HEADING_NL])
    whole = places(match)
    monkeypatch.setattr("klopt.comparing.passages.BLOCK_CELLS", 1)
    assert places(match) == whole
