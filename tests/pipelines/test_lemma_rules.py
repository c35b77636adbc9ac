"""The lemma rules on tables small enough to read."""

from __future__ import annotations

import pytest

from klopt.pipelines.lemma_rules import LemmaRules, Tables

TABLES = Tables(
    forms={
        "NOUN": {"kabels": "kabel", "instelling": "instelling"},
        "VERB": {"zet": "zetten", "gelachen": "lachen"},
        "PROPN": {"Wim": "Wim"},
    },
    doubtful={"NOUN": {"data": ("datum", "data")}, "VERB": {"was": ("wassen", "zijn")}},
    particles=("aan", "uit"),
    modifiers={"netwerk": "netwerk", "verbinding": "verbinding", "wets": "wet", "CAO": "CAO"},
    heads={"kabels": "kabel", "ontwerp": "ontwerp", "knop": "knop", "regeling": "regeling"},
    productive_heads=("knop",),
)


@pytest.mark.parametrize(
    ("form", "pos", "guess", "lemma"),
    [
        pytest.param("Kabels", "NOUN", "kabels", "kabel", id="settled, in any case"),
        pytest.param("netwerkkabels", "NOUN", "?", "netwerk_kabel", id="compound"),
        pytest.param("netwerk-kabels", "NOUN", "?", "netwerk_kabel", id="compound with a hyphen"),
        pytest.param("wetsontwerp", "NOUN", "?", "wet_ontwerp", id="linking s"),
        pytest.param("netwerkverbindingsknop", "NOUN", "?", "netwerk_verbinding_knop", id="three"),
        pytest.param("CAO-regeling", "NOUN", "?", "CAO_regeling", id="abbreviation"),
        pytest.param("frummelknop", "NOUN", "?", "frummel_knop", id="unknown first part"),
        pytest.param("instelling", "NOUN", "?", "instelling", id="seen whole"),
        pytest.param("aanknop", "NOUN", "aanknop", "aanknop", id="near miss: a particle first"),
        pytest.param("frummelregeling", "NOUN", "x", "x", id="near miss: head not productive"),
        pytest.param("netwerkkabels", "ADJ", "x", "x", id="near miss: not a noun"),
        pytest.param("data", "NOUN", "data", "data", id="doubtful: the guess decides"),
        pytest.param("data", "NOUN", "dat", "datum", id="doubtful: a guess never seen"),
        pytest.param("wim", "PROPN", "Willem", "Willem", id="near miss: names keep their case"),
    ],
)
def test_lemma(form: str, pos: str, guess: str, lemma: str) -> None:
    assert TABLES.lemma(form, pos, guess) == lemma


@pytest.mark.parametrize(
    ("form", "guess", "lemma"),
    [
        pytest.param("Zet", "x", "zetten", id="settled"),
        pytest.param("uitgelachen", "uitgelachen", "uit_lachen", id="particle in front"),
        pytest.param("werkt", "uit_werken", "werken", id="a particle that is not there"),
        pytest.param("uitpakt", "uit_pakken", "uit_pakken", id="near miss: it is there"),
        pytest.param("was", "zijn", "zijn", id="doubtful: the guess decides"),
    ],
)
def test_verb(form: str, guess: str, lemma: str) -> None:
    assert TABLES.verb(form, "VERB", guess) == lemma


def test_tables_survive_a_round_trip() -> None:
    rules = LemmaRules(TABLES)
    again = LemmaRules(Tables()).from_bytes(rules.to_bytes())
    assert again.to_bytes() == rules.to_bytes()
    assert again.tables.verb("uitgelachen", "VERB", "") == "uit_lachen"
