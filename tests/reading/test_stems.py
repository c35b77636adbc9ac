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
        ("nl", "venster vensters venstertje"),
        ("nl", "wissel wissels wisselt wisselen gewisseld wisseling"),
        ("nl", "order orders"),
        ("nl", "wijzig wijzigt wijzigen gewijzigd gewijzigde wijziging wijzigingen"),
        ("nl", "veilig veilige veiliger veiligheid"),
        ("nl", "toets toetsen"),
        ("nl", "verplaats verplaatst verplaatsen verplaatste verplaatsing"),
        ("nl", "adres adressen"),
        ("nl", "proces processen"),
        ("nl", "veld velden"),
        ("nl", "vermeld vermeldt vermelden vermelding"),
        ("nl", "grens grenzen"),
        ("nl", "advies adviezen"),
        ("nl", "account accounts"),
        ("nl", "tip tips"),
        ("nl", "app apps"),
        ("nl", "vult vullen"),
        ("nl", "categorie categorieën"),
        ("nl", "component componenten"),
        ("nl", "methode methodes methoden"),
        ("nl", "keuze keuzes keuzen"),
        ("nl", "extern externe"),
        ("nl", "half halve"),
        ("nl", "wit witte"),
        ("nl", "beschikbaar beschikbare"),
        ("nl", "optioneel optionele"),
        ("nl", "dagelijks dagelijkse"),
        ("nl", "voltooi voltooit voltooid voltooide voltooien"),
        ("nl", "ondersteun ondersteund ondersteunde ondersteunen"),
        ("nl", "vergelijk vergelijken vergelijking"),
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
        ("nl", "venster ven"),
        ("nl", "wissel wis"),
        ("nl", "wist wis"),
        ("nl", "register regisseur"),
        ("nl", "order oor"),
        ("nl", "wijzig wijs"),
        ("nl", "nodig nood"),
        ("nl", "geldig geld"),
        ("nl", "plaats plaat"),
        ("nl", "velden vellen"),
        ("nl", "beeld bel"),
        ("nl", "bestaande bestand"),
        ("nl", "begeleiding beleid"),
        ("nl", "zwart zwaar"),
        ("nl", "sport spoor"),
        ("nl", "zone zon"),
        ("nl", "de d"),
        ("en", "user used"),
    ],
)
def test_other_words_have_other_stems(code: str, words: str):
    assert len(set(map(stemmer(code), words.split()))) == 2


@pytest.mark.parametrize("code", sorted(STEMMERS))
def test_a_word_that_is_too_long_is_its_own_stem(code: str):
    word = "klikken" + "s" * LONGEST_CHARS
    assert stemmer(code)(word) == word
