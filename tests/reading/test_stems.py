"""What words are compared by: forms of one word alike, other words apart."""

from __future__ import annotations

import pytest

from klopt.reading.tokens import LONGEST_CHARS, STEMMERS, stemmer


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", "restart restarts restarted restarting"),
        ("nl", "selecteer selecteert selecteren geselecteerd"),
        ("nl", "open opent openen"),
        ("nl", "klik klikt klikken geklikt"),
        ("nl", "maak maakt maken gemaakt"),
        ("nl", "verwijder verwijdert verwijderen verwijderd"),
        ("nl", "controleer controleert controleren gecontroleerd"),
        ("nl", "importeer importeert importeren geïmporteerd"),
        ("nl", "uitschakelen uitschakelt uitgeschakeld"),
        ("nl", "wachtwoord wachtwoorden"),
        ("nl", "document documenten"),
        ("nl", "klant klanten"),
        ("nl", "bestand bestanden"),
    ],
)
def test_forms_of_one_word_have_one_stem(code: str, forms: str):
    assert len(set(map(stemmer(code), forms.split()))) == 1


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("nl", "dienst dient"),
        ("nl", "bestand bestaan"),
        ("nl", "uitschakelen inschakelen"),
        ("nl", "op open"),
        ("nl", "kassa kast"),
        ("en", "user used"),
    ],
)
def test_other_words_have_other_stems(code: str, words: str):
    assert len(set(map(stemmer(code), words.split()))) == 2


@pytest.mark.parametrize("code", sorted(STEMMERS))
def test_a_word_that_is_too_long_is_its_own_stem(code: str):
    word = "klikken" + "s" * LONGEST_CHARS
    assert stemmer(code)(word) == word
