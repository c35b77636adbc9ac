"""Passage and claim: what is said, what is refused, and what any text costs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from klopt import KloptError
from klopt.comparing import LANGUAGES, Comparator
from klopt.comparing.learnt import LABELS
from klopt.errors import InputError
from tests.heuristics.materials import material, numbered

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "klopt" / "comparing"
CASES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("comparisons.toml").read_text("utf-8")
)["case"]
MEGABYTE = 1_000_000


@pytest.mark.parametrize("case", CASES, ids=[f"{one['language']}-{one['claim']}" for one in CASES])
def test_what_a_passage_says_of_a_claim(case: dict[str, Any]):
    comparator = Comparator.load(case["language"])
    found = comparator.compare(case["passage"], case["claim"], case.get("question"))
    assert found.label == case["label"], found.probabilities


@pytest.mark.parametrize(
    ("language", "passage", "claim", "label"),
    [
        ("nl", "De loonrun sluit op de 25e.", "De loonrun sluit op de 10e.", "contradicted"),
        ("nl", "De loonrun sluit op de 25e.", "De loonrun sluit op de 25ste.", "supported"),
        ("nl", "De balie opent om 9.30 uur.", "De balie opent om 09:30 uur.", "supported"),
        ("nl", "De balie opent om 9.30 uur.", "De balie opent om 10:30 uur.", "contradicted"),
        ("en", "The run closes on the 25th.", "The run closes on the 10th.", "contradicted"),
        ("en", "The desk opens at 9:30.", "The desk opens at 09.30.", "supported"),
    ],
)
def test_numbers_in_other_spellings(language: str, passage: str, claim: str, label: str):
    assert Comparator.load(language).compare(passage, claim).label == label


def test_the_table_has_both_languages_and_all_labels():
    for language in LANGUAGES:
        own = [case["label"] for case in CASES if case["language"] == language]
        assert min(own.count(label) for label in LABELS) >= 2


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


@pytest.mark.parametrize(
    ("language", "page", "answer", "is_turned"),
    [
        ("nl", "De garantie geldt niet voor accu's.", "De garantie geldt voor accu's.", True),
        ("nl", "De garantie geldt voor accu's.", "De garantie geldt niet voor accu's.", True),
        (
            "nl",
            "De garantie geldt niet voor accu's.",
            "Nee, de garantie geldt niet voor accu's.",
            False,
        ),
        ("nl", "De garantie geldt voor accu's.", "Nee, de garantie geldt voor accu's.", False),
        ("nl", "De monteur komt nooit op zaterdag.", "De monteur komt op zaterdag.", True),
        ("nl", "De monteur komt nooit op zaterdag.", "De monteur komt op maandag.", False),
        (
            "nl",
            "De monteur komt nooit op zaterdag. De monteur komt op zaterdag.",
            "De monteur komt op zaterdag.",
            False,
        ),
        ("nl", "Hij komt niet.", "Hij komt.", False),
        ("en", "Cards do not work after midnight.", "Cards work after midnight.", True),
        ("en", "Cards do not work after midnight.", "Cards don't work after midnight.", False),
        (
            "en",
            "You must enter a reason code to post the entry.",
            "Unless you enter a reason code you can't post the entry.",
            False,
        ),
    ],
)
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


KEY = "Een sleutel is 12 maanden geldig. De beheerder krijgt 30 dagen vooraf een signaal. "
KEY += "Daarna blijft de oude sleutel nog 7 dagen werken."
PASS = "Een nieuwe pas kost € 10. Een spoedzending kost € 25."
ROUTER = (
    "Hold the button for 10 seconds to restart it. After 45 seconds it is wiped. Wait 5 minutes."
)


@pytest.mark.parametrize(
    ("language", "page", "answer", "rivals"),
    [
        ("nl", KEY, "De beheerder krijgt 7 dagen vooraf een signaal.", ("7 dagen", "30 dagen")),
        ("nl", KEY, "De beheerder krijgt een week vooraf een signaal.", ("een week", "30 dagen")),
        ("nl", KEY, "De beheerder krijgt 30 dagen vooraf een signaal.", None),
        ("nl", KEY, "De oude sleutel blijft nog 7 dagen werken.", None),
        ("nl", KEY, "De oude sleutel blijft nog 30 dagen werken.", ("30 dagen", "7 dagen")),
        ("nl", KEY, "De sleutel is een jaar geldig.", None),
        ("nl", KEY, "Na 30 dagen signaal heeft de beheerder nog 7 dagen.", None),
        ("nl", KEY, "Dat duurt 7 dagen.", None),
        (
            "en",
            ROUTER,
            "Hold the button for 45 seconds to restart it.",
            ("45 seconds", "10 seconds"),
        ),
        ("en", ROUTER, "Hold the button for ten seconds to restart it.", None),
        (
            "en",
            ROUTER,
            "To restart it, hold the button for 5 seconds.",
            ("5 seconds", "10 seconds"),
        ),
        ("en", ROUTER, "Hold the button for 5 minutes to restart it.", None),
        ("nl", PASS, "Een nieuwe pas kost € 25.", ("€ 25", "€ 10")),
        ("nl", PASS, "Een nieuwe pas kost 25 euro.", ("25 euro", "€ 10")),
        ("nl", PASS, "Een nieuwe pas kost € 10.", None),
        ("nl", PASS, "Een spoedzending kost € 25.", None),
        ("en", "The 2026 release ends support for 3 printers.", "Of the 2024 release 3 end.", None),
    ],
)
def test_a_number_that_the_page_has_of_something_else_is_at_fault(
    languages, language, page, answer, rivals
):
    found = material(languages[language], "", answer, numbered([page])).statements[0]
    figures = [one for one in found.findings if one.kind == "figure"]
    told = [(answer[slice(*one.claim)], page[slice(*one.page)]) for one in figures]
    assert told == ([rivals] if rivals else [])
    assert found.truth <= 0.5 or not rivals
