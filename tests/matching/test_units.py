"""Sentences as units: which words stay, what numbers, keys and code become."""

from __future__ import annotations

import pytest

from klopt.reading.reader import Reader
from tests.matching.texts import aligned, indexed


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("De huurder tekent het contract.", ("huurder", "tekenen", "contract")),
        ("Wacht 30 seconden.", ("wachten", "#30", "seconde")),
        ("Dat kost 2,5 euro.", ("kosten", "#2,5", "euro")),
        ("Wacht tot 10:30.", ("wachten", "#10:30")),
        ("Wacht tot 10.", ("wachten", "#10")),
        ("Wacht twintig seconden.", ("wachten", "twintig", "seconde")),
        ("Druk op **Shift + Ctrl + T**.", ("drukken", "@ctrl+shift+t")),
        ("Typ `dir /w` en wacht.", ("typen", "@dir /w", "wachten")),
        ("Zet de wifi uit.", ("uitzetten", "wifi")),
        ("Bellen, bellen en nog eens bellen.", ("bellen",)),
        ("Dat kan wel.", ()),
        ("!", ()),
    ],
)
def test_keys_of_a_sentence(dutch: Reader, text: str, keys: tuple[str, ...]):
    units = indexed(dutch, text).units
    assert [unit.keys for unit in units] == [keys]


def test_places_point_at_the_words(dutch: Reader):
    text = "Wacht 30 seconden. Druk op `Ctrl+P` en klik op **Insturen**."
    index = indexed(dutch, text)
    plain = index.reading.plain.text
    words = [[plain[t.start : t.end] for t in unit.tokens] for unit in index.units]
    assert words == [["Wacht", "30", "seconden"], ["Druk", "Ctrl+P", "klik", "Insturen"]]
    assert [unit.number for unit in index.units] == [0, 1]
    named = [[one.key for one in unit.components] for unit in index.units]
    assert named == [[], ["ctrl+p", "insturen"]]
    second = index.units[1]
    assert index.parse.words[index.parse.word_indices[second.first]] == "Druk"


def test_code_is_a_word_and_no_component(dutch: Reader):
    (unit,) = indexed(dutch, "Typ `dir /w` in.").units
    assert "@dir /w" in unit.keys
    assert unit.components == ()


def test_places_are_in_order(dutch: Reader):
    index = indexed(dutch, "Zoek de balie. De lamp brandt. Zoek de monteur.")
    assert index.places["zoeken"] == (0, 2)
    assert index.places["balie"] == (0,)


def test_title_and_headings(dutch: Reader):
    page = "# Sleutels\n\nZoek de balie. Zoek de monteur.\n\n## Kosten\n\nDat kost geld."
    index = indexed(dutch, page)
    assert index.title == {"sleutel"}
    assert index.headings == {"sleutel", "zoeken", "balie", "kost"}


def test_a_page_without_words_has_neither(dutch: Reader):
    index = indexed(dutch, "")
    assert (index.title, index.headings, index.places) == (frozenset(), frozenset(), {})


def test_greetings_and_sentences_without_words_are_left_out(dutch: Reader):
    answer = "Goedemorgen! Dat kan. Zoek de balie. Graag gedaan."
    units = aligned(dutch, answer, ["Bel ons."]).units
    assert [unit.keys for unit in units] == [("zoeken", "balie")]
