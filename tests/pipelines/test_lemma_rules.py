"""The lemma rules on tables small enough to read."""

from __future__ import annotations

import pytest

from klopt.pipelines.lemma_rules import LemmaRules, Tables
from tests.tables import tables

CASES = tables("pipelines", "lemma_rules")
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


@pytest.mark.parametrize(("form", "pos", "guess", "lemma"), CASES["lemmas"])
def test_lemma(form: str, pos: str, guess: str, lemma: str) -> None:
    assert TABLES.lemma(form, pos, guess) == lemma


@pytest.mark.parametrize(("form", "guess", "lemma"), CASES["verbs"])
def test_verb(form: str, guess: str, lemma: str) -> None:
    assert TABLES.verb(form, "VERB", guess) == lemma


def test_tables_survive_a_round_trip(tmp_path) -> None:
    rules = LemmaRules(TABLES)
    rules.to_disk(tmp_path / "rules")
    assert LemmaRules(Tables()).from_disk(tmp_path / "rules").to_bytes() == rules.to_bytes()
    again = LemmaRules(Tables()).from_bytes(rules.to_bytes())
    assert again.to_bytes() == rules.to_bytes()
    assert again.tables.verb("uitgelachen", "VERB", "") == "uit_lachen"
