"""How like two words are, and which words exclude each other."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.lexicons import Lexicons
from klopt.matching import Language, Relations
from klopt.matching.index import COMPOUND, SAME, SYNONYM
from klopt.records import Page

LIKE = [
    ("nl", "contract", "contract", SAME, "the same"),
    ("nl", "contracten", "contract", SAME, "another form"),
    ("nl", "afdrukken", "printen", SYNONYM, "synonyms"),
    ("nl", "verbinding", "netwerkverbinding", COMPOUND, "the end of a compound"),
    ("nl", "netwerkverbinding", "verbinding", COMPOUND, "a compound and its end"),
    ("nl", "factuur", "factuurnummer", COMPOUND, "the start of a compound"),
    ("nl", "factuurnummer", "factuur", COMPOUND, "a compound and its start"),
    ("nl", "klant", "klantnummer", 0, "a start of which the stem has four letters"),
    ("nl", "20", "twintig", SAME, "a number in words"),
    ("nl", "twintig", "20", SAME, "a number in figures"),
    ("nl", "1.000", "1000", SAME, "a number with thousands"),
    ("nl", "deur", "voordeur", 0, "a part of four letters"),
    ("nl", "deur", "deurmat", 0, "a start of four letters"),
    ("nl", "computer", "compact", 0, "the same start, not enough of it"),
    ("nl", "20", "200", 0, "another number"),
    ("nl", "20", "20,5", 0, "a number with a fraction"),
    ("nl", "`Ctrl+P`", "`Ctrl+S`", 0, "another key"),
    ("nl", "`insturen`", "insturen", 0, "code and a word"),
    ("nl", "20", "tachtig", 0, "another number in words"),
    ("nl", "geldig", "ongeldig", 0, "the opposite, though its end is the word"),
    ("nl", "ongeldig", "geldig", 0, "the same the other way round"),
    ("nl", "inschakelen", "uitschakelen", 0, "opposites"),
    ("en", "deletes", "removes", SYNONYM, "synonyms"),
    ("en", "installation", "installer", SAME, "one stem"),
    ("en", "2", "two", SAME, "a number in words"),
    ("en", "install", "uninstall", 0, "opposites"),
    ("en", "form", "platform", 0, "a part of four letters"),
]


@pytest.mark.parametrize(
    ("language", "one", "other", "likeness", "why"), LIKE, ids=[f"{c[1]}-{c[2]}" for c in LIKE]
)
def test_likeness(
    languages: dict[str, Language], language: str, one: str, other: str, likeness: int, why: str
):
    own = languages[language]
    index = own.page(Page(other))
    (word,) = own.reader.read(one).tokens.keys
    assert index.like(word, own.relations) == ({0: likeness} if likeness else {}), why


def test_all_words_that_are_like_it_are_found(languages: dict[str, Language]):
    dutch = languages["nl"]
    index = dutch.page(Page("Printen, afdrukken, balie, 4."))
    found = index.like(dutch.reader.tokenizer.key("afdrukken"), dutch.relations)
    assert sorted(found.values()) == [SYNONYM, SAME]


def test_a_language_without_tables_has_likeness_of_form_only(languages: dict[str, Language]):
    dutch = languages["nl"]
    key = dutch.reader.tokenizer.key
    bare = Relations(Lexicons("nl", {}), dutch.reader.tokenizer)
    index = dutch.page(Page("Printen, netwerkverbinding, ongeldig."))
    assert list(index.like(key("verbinding"), bare).values()) == [COMPOUND]
    assert index.like(key("afdrukken"), bare) == {}
    assert not bare.exclude(key("geldig"), key("ongeldig"))


EXCLUDING = [
    ("nl", "20", "30", True),
    ("nl", "20", "20", False),
    ("nl", "20", "twintig", False),
    ("nl", "20", "dertig", True),
    ("nl", "drie", "twee", True),
    ("nl", "20", "balie", False),
    ("nl", "20", "`Ctrl+P`", False),
    ("nl", "`Ctrl+S`", "`Ctrl+P`", True),
    ("nl", "`Ctrl+S`", "`Ctrl+S`", False),
    ("nl", "links", "rechts", True),
    ("nl", "rood", "groen", True),
    ("nl", "rood", "dinsdag", False),
    ("nl", "inkoopfactuur", "verkoopfactuur", True),
    ("nl", "inkoopfactuur", "inkooporder", False),
    ("nl", "inkoopfactuur", "verkooporder", False),
    ("nl", "aanstaan", "uitstaan", True),
    ("nl", "aanzetten", "uitzetten", True),
    ("nl", "uitvoeren", "aanpassen", False),
    ("nl", "balie", "monteur", False),
    ("en", "monday", "tuesday", True),
    ("en", "upload", "download", True),
    ("en", "grey", "gray", False),
    ("en", "two", "3", True),
    ("en", "page", "desk", False),
]


@pytest.mark.parametrize(("language", "one", "other", "excludes"), EXCLUDING)
def test_rivals(
    languages: dict[str, Language], language: str, one: str, other: str, excludes: bool
):
    own = languages[language]
    first, second = (own.reader.read(text).tokens.keys[0] for text in (one, other))
    assert own.relations.exclude(first, second) is excludes
    assert own.relations.exclude(second, first) is excludes
    if excludes:
        assert own.relations.has_rival(first)
        assert own.relations.has_rival(second)


def test_verbs_with_opposite_particles_exclude_each_other(languages: dict[str, Language]):
    for language, one, other in (
        ("nl", "De lamp staat aan.", "De lamp staat uit."),
        ("nl", "Zet de lamp aan.", "Zet de lamp uit."),
        ("en", "Turn the lamp on.", "Turn the lamp off."),
    ):
        own = languages[language]
        words = [own.reader.read(text).tokens.keys for text in (one, other)]
        (first,), (second,) = (
            [key for key in keys if own.relations.has_rival(key)][:1] for keys in words
        )
        assert own.relations.exclude(first, second)


def test_a_word_without_rivals(languages: dict[str, Language]):
    assert not languages["nl"].relations.has_rival("balie")


@pytest.mark.parametrize("language", lexicons.languages())
def test_what_excludes_is_not_alike(languages: dict[str, Language], language: str):
    own = languages[language]
    key, tried = own.reader.tokenizer.key, 0
    for word in ("links", "geldig", "eerste", "boven", "install", "above", "valid"):
        for other in own.relations.opposites(key(word)):
            index = own.page(Page(f"balie {other}"))
            assert all(index.units.words[n] != other for n in index.like(key(word), own.relations))
            tried += 1
    assert tried
