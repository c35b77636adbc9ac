"""The lemma rules with small tables."""

import pytest

from klopt.text.pipelines.lemma_rules import Tables
from tests.tables import tables

CASES = tables("text/pipelines", "lemma_rules")
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
def test_lemma(form, pos, guess, lemma):
    assert TABLES.lemma(form, pos, guess) == lemma


@pytest.mark.parametrize(("form", "guess", "lemma"), CASES["verbs"])
def test_verb(form, guess, lemma):
    assert TABLES.verb(form, "VERB", guess) == lemma
