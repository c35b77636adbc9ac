"""How like two words are, and which words exclude each other."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.lexicons import Lexicons
from klopt.matching import Language, Relations
from klopt.matching.index import COMPOUND, SAME, SYNONYM
from klopt.records import Page
from tests.tables import tables

CASES = tables("matching", "relations")
LIKENESS = {"same": SAME, "synonym": SYNONYM, "compound": COMPOUND, "none": None}


@pytest.mark.parametrize(("language", "one", "other", "likeness", "why"), CASES["like"])
def test_likeness(
    languages: dict[str, Language], language: str, one: str, other: str, likeness: str, why: str
):
    own = languages[language]
    index = own.page(Page(other))
    (word,) = own.reader.read(one).tokens.keys
    assert index.like(word, own.relations).get(0) == LIKENESS[likeness], why


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


@pytest.mark.parametrize(("language", "one", "other", "excludes"), CASES["rivals"])
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
