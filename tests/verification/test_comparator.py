"""Labels of claims against passages, and inputs that cannot be compared."""

import pytest

from klopt import KloptError
from klopt.errors import InputError
from klopt.verification import Comparator
from tests.heuristics.materials import material, numbered
from tests.tables import flattened, tables

CASES = tables("verification", "comparator")
LABELLED = flattened({code: CASES[code] for code in ("en", "nl")}, "language")


@pytest.mark.parametrize("case", LABELLED, ids=lambda case: case["claim"])
def test_the_label_of_a_claim(case):
    comparator = Comparator.load(case["language"])
    found = comparator.compare(case["passage"], case["claim"], case.get("question"))
    assert found.label == case["label"], found.probabilities


REFUSED = [
    ("", "Dat kan.", "the passage has no words, so there is nothing to compare"),
    ("Dat kan.", "", "the claim has no words, so there is nothing to compare"),
    ("Dat kan.", " ?! ", "the claim has no words, so there is nothing to compare"),
]


@pytest.mark.parametrize(("passage", "claim", "message"), REFUSED)
def test_a_text_without_words_is_refused(passage, claim, message):
    with pytest.raises(InputError) as error:
        Comparator.load("nl").compare(passage, claim)
    assert str(error.value) == message


def test_a_language_without_vectors_is_refused():
    with pytest.raises(KloptError) as error:
        Comparator.load("fr")
    assert str(error.value) == 'claims in "fr" cannot be compared: the languages are en, nl'


def test_the_order_of_pages_changes_no_claim(languages):
    pages = numbered(["Druk op Alt+F7.", "De kantine is op vrijdag dicht. Neem brood mee."])
    answer = "Druk op Alt+F8. Op vrijdag is de kantine open."
    first, second = (
        [
            (one.truth, one.label, one.chances)
            for one in material(languages["nl"], "", answer, some).claims
        ]
        for some in (pages, pages[::-1])
    )
    assert first == second
    assert len(first) == 2


@pytest.mark.parametrize(("language", "page", "answer", "is_denied"), CASES["denied"])
def test_a_sentence_that_only_differs_in_its_negation_is_contradicted(
    languages, language, page, answer, is_denied
):
    found = material(languages[language], "", answer, numbered([page])).claims[0]
    denied = [one for one in found.findings if one.kind == "polarity"]
    assert bool(denied) is is_denied
    assert found.truth <= 0.5 or not is_denied
    for one in denied:
        assert answer[slice(*one.claim)]
        assert page[slice(*one.page)]


@pytest.mark.parametrize(("language", "page", "answer", "rivals"), CASES["figures"])
def test_another_number_than_on_the_page_is_contradicted(languages, language, page, answer, rivals):
    page = CASES["pages"].get(page, page)
    found = material(languages[language], "", answer, numbered([page])).claims[0]
    figures = [one for one in found.findings if one.kind == "figure"]
    words = [[answer[slice(*one.claim)], page[slice(*one.page)]] for one in figures]
    assert words == ([rivals] if rivals else [])
    assert found.truth <= 0.5 or not rivals
