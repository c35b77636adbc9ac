"""Passage and claim: what is said, what is refused, and what any text costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from klopt import KloptError
from klopt.comparing import LANGUAGES, Comparator
from klopt.errors import InputError
from tests.heuristics.materials import material, numbered
from tests.tables import tables

CASES = tables("comparing", "comparator")

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "klopt" / "comparing"
MEGABYTE = 1_000_000


@pytest.mark.parametrize("case", CASES["case"], ids=lambda case: case["claim"])
def test_what_a_passage_says_of_a_claim(case: dict[str, Any]):
    comparator = Comparator.load(case["language"])
    found = comparator.compare(case["passage"], case["claim"], case.get("question"))
    assert found.label == case["label"], found.probabilities


REFUSED = [
    ("", "Dat kan.", "the passage has no words, so there is nothing to compare"),
    ("Dat kan.", "", "the claim has no words, so there is nothing to compare"),
    ("Dat kan.", " ?! ", "the claim has no words, so there is nothing to compare"),
]


@pytest.mark.parametrize(("passage", "claim", "message"), REFUSED)
def test_a_text_without_words_is_refused(passage: str, claim: str, message: str):
    with pytest.raises(InputError) as error:
        Comparator.load("nl").compare(passage, claim)
    assert str(error.value) == message


def test_a_language_without_vectors_is_refused():
    with pytest.raises(KloptError) as error:
        Comparator.load("fr")
    assert str(error.value) == 'nothing compares statements in "fr": the languages are en, nl'


def test_order_of_pages_moves_no_statement(languages):
    pages = numbered(["Druk op Alt+F7.", "De kantine is op vrijdag dicht. Neem brood mee."])
    answer = "Druk op Alt+F8. Op vrijdag is de kantine open."
    found = []
    for some in (pages, pages[::-1]):
        statements = material(languages["nl"], "", answer, some).statements
        found.append([(one.truth, one.says, one.chances) for one in statements or ()])
    assert found[0] == found[1]
    assert len(found[0]) == 2


def test_weights_are_small():
    for language in LANGUAGES:
        assert (ROOM / language / "vectors.npz").stat().st_size <= 4.5 * MEGABYTE
    others = [one for one in ROOM.rglob("*.npz") if one.parent.name not in LANGUAGES]
    assert len(others) == 3
    assert sum(one.stat().st_size for one in others) <= 3 * MEGABYTE


@pytest.mark.parametrize(("language", "page", "answer", "is_turned"), CASES["turned"])
def test_a_sentence_of_the_page_but_for_its_negation_is_at_fault(
    languages, language, page, answer, is_turned
):
    found = material(languages[language], "", answer, numbered([page])).statements[0]
    turned = [one for one in found.findings if one.kind == "turned"]
    assert bool(turned) is is_turned
    assert found.truth <= 0.5 or not is_turned
    for one in turned:
        assert answer[slice(*one.claim)] == answer
        assert page[slice(*one.page)] == page


@pytest.mark.parametrize(("language", "page", "answer", "rivals"), CASES["figures"])
def test_a_number_that_the_page_has_of_something_else_is_at_fault(
    languages, language, page, answer, rivals
):
    page = CASES["pages"].get(page, page)
    found = material(languages[language], "", answer, numbered([page])).statements[0]
    figures = [one for one in found.findings if one.kind == "figure"]
    told = [[answer[slice(*one.claim)], page[slice(*one.page)]] for one in figures]
    assert told == ([rivals] if rivals else [])
    assert found.truth <= 0.5 or not rivals
