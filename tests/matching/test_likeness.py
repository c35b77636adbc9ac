"""How like two words are, and which words exclude each other."""

from __future__ import annotations

import pytest
from klopt.matching.likeness import COMPOUND, SAME, STEM, SYNONYM, Synonyms, Vocabulary
from klopt.matching.rivals import Rivals, rivals_of

from klopt import lexicons
from klopt.lexicons import Lexicons

SYNONYMS = {language: Synonyms(lexicons.load(language)) for language in ("nl", "en")}
RIVALS = {language: Rivals(lexicons.load(language)) for language in ("nl", "en")}

LIKE = [
    ("nl", "contract", "contract", SAME, "the same"),
    ("nl", "afdrukken", "printen", SYNONYM, "synonyms"),
    ("nl", "verbinding", "netwerkverbinding", COMPOUND, "the end of a compound"),
    ("nl", "netwerkverbinding", "verbinding", COMPOUND, "a compound and its end"),
    ("nl", "klant", "klantnummer", COMPOUND, "the start of a compound"),
    ("nl", "klantnummer", "klant", COMPOUND, "a compound and its start"),
    ("nl", "verwijderen", "verwijdering", STEM, "one stem"),
    ("nl", "#20", "twintig", SAME, "a number in words"),
    ("nl", "twintig", "#20", SAME, "a number in figures"),
    ("nl", "deur", "voordeur", 0.0, "a part of four letters"),
    ("nl", "deur", "deurmat", 0.0, "a start of four letters"),
    ("nl", "klant", "klanten", COMPOUND, "two letters more"),
    ("nl", "klant", "klanta", STEM, "one letter more is no compound"),
    ("nl", "computer", "compact", 0.0, "the same start, not enough of it"),
    ("nl", "#20", "#200", 0.0, "another number"),
    ("nl", "#20", "#20,5", 0.0, "a number with a fraction"),
    ("nl", "#20", "@20", 0.0, "a number and a key"),
    ("nl", "@ctrl+p", "@ctrl+s", 0.0, "another key"),
    ("nl", "@insturen", "insturen", 0.0, "code and a word"),
    ("nl", "#20", "tachtig", 0.0, "another number in words"),
    ("nl", "geldig", "ongeldig", 0.0, "the opposite, though its end is the word"),
    ("nl", "ongeldig", "geldig", 0.0, "the same the other way round"),
    ("nl", "inschakelen", "uitschakelen", 0.0, "opposites"),
    ("en", "delete", "remove", SYNONYM, "synonyms"),
    ("en", "network", "networking", COMPOUND, "a longer form"),
    ("en", "installation", "installer", STEM, "one stem"),
    ("en", "#2", "two", SAME, "a number in words"),
    ("en", "install", "uninstall", 0.0, "opposites"),
    ("en", "form", "platform", 0.0, "a part of four letters"),
]


@pytest.mark.parametrize(
    ("language", "one", "other", "likeness", "why"), LIKE, ids=[f"{c[1]}-{c[2]}" for c in LIKE]
)
def test_likeness(language: str, one: str, other: str, likeness: float, why: str):
    found = Vocabulary((other, "balie")).like(one, SYNONYMS[language])
    assert found == ({other: likeness} if likeness else {}), why


def test_all_words_that_are_like_it_are_found():
    words = ("printen", "afdrukken", "printer", "afdrukwachtrij", "balie", "#4")
    assert Vocabulary(words).like("afdrukken", SYNONYMS["nl"]) == {
        "afdrukken": SAME,
        "printen": SYNONYM,
    }


def test_no_words():
    assert Vocabulary(()).like("balie", SYNONYMS["nl"]) == {}


def test_a_language_without_tables_has_likeness_of_form_only():
    synonyms = Synonyms(Lexicons("nl", {}))
    words = Vocabulary(("printen", "netwerkverbinding", "ongeldig", "twee"))
    assert words.like("verbinding", synonyms) == {"netwerkverbinding": COMPOUND}
    assert words.like("afdrukken", synonyms) == {}
    assert words.like("#2", synonyms) == {}
    assert words.like("geldig", synonyms) == {"ongeldig": COMPOUND}


EXCLUDING = [
    ("nl", "#20", "#30", True),
    ("nl", "#20", "#20", False),
    ("nl", "#20", "twintig", False),
    ("nl", "#20", "dertig", True),
    ("nl", "drie", "twee", True),
    ("nl", "#20", "balie", False),
    ("nl", "#20", "@ctrl+p", False),
    ("nl", "@ctrl+s", "@ctrl+p", True),
    ("nl", "@ctrl+s", "@ctrl+s", False),
    ("nl", "links", "rechts", True),
    ("nl", "rechter", "links", True),
    ("nl", "rood", "groen", True),
    ("nl", "rood", "dinsdag", False),
    ("nl", "eur", "euro", False),
    ("nl", "inkoopfactuur", "verkoopfactuur", True),
    ("nl", "inkoopfactuur", "inkooporder", False),
    ("nl", "inkoopfactuur", "verkooporder", False),
    ("nl", "aanstaan", "uitstaan", True),
    ("nl", "uitvoeren", "aanpassen", False),
    ("nl", "balie", "monteur", False),
    ("en", "on", "off", True),
    ("en", "monday", "tuesday", True),
    ("en", "upload", "download", True),
    ("en", "grey", "gray", False),
    ("en", "two", "#3", True),
    ("en", "page", "desk", False),
]


@pytest.mark.parametrize(("language", "one", "other", "excludes"), EXCLUDING)
def test_rivals(language: str, one: str, other: str, excludes: bool):
    rivals = RIVALS[language]
    assert rivals.exclude(one, other) is excludes
    assert rivals.exclude(other, one) is excludes
    if excludes:
        assert rivals.has(one)
        assert rivals.has(other)


def test_a_word_without_rivals():
    assert not RIVALS["nl"].has("balie")


def test_rivals_are_made_once_for_the_same_tables():
    assert rivals_of(lexicons.load("nl")) is rivals_of(lexicons.load("nl"))


@pytest.mark.parametrize("language", ["nl", "en"])
def test_no_synonym_and_no_likeness_excludes(language: str):
    """What is alike is not put in the place of the other."""
    for word in ("links", "geldig", "aan", "eerste", "maandag", "install", "above", "twee", "two"):
        for other in SYNONYMS[language].opposites(word):
            assert other not in Vocabulary((other,)).like(word, SYNONYMS[language])
