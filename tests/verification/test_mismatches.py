"""Values that a page contradicts for certain, and near misses."""

import pytest

from klopt.verification import Language
from klopt.verification.findings import CERTAIN, Finding
from klopt.verification.value_mismatch import ValueMismatches
from tests.growth.growing import assert_linear
from tests.tables import tables
from tests.verification.texts import paired, places

CASES = tables("verification", "mismatches")
PAGES: dict[str, str] = CASES["pages"]
KINDS = {"amount", "column", "row"}


def found(language: Language, page: str, answer: str, question: str = "") -> list[list[str]]:
    """The kind of each mismatch, with the words of the answer and of the page."""
    match, _ = paired(language, answer, [page], question)
    values = ValueMismatches(match)
    spoken = match.answer_reading.plain.text
    told: list[list[str]] = []
    for unit, place in enumerate(places(match)):
        if place:
            text = match.contexts[place.page].index.reading.plain.text
            told += [_quoted(one, spoken, text) for one in values.of(unit, place.page)]
    return told


def _quoted(one: Finding, answer: str, page: str) -> list[str]:
    assert one.claim is not None
    assert one.side == "against"
    there = "" if one.page is None else page[slice(*one.page)]
    return [one.kind, answer[slice(*one.claim)], there]


@pytest.mark.parametrize("case", CASES["case"], ids=lambda case: f"{case['page']}-{case['answer']}")
def test_case(languages, case):
    language = languages[case.get("language", "nl")]
    page, question = PAGES[case["page"]], case.get("question", "")
    assert found(language, page, case["answer"], question) == case["expected"]


def test_mismatches_settle_a_claim():
    assert KINDS <= CERTAIN


@pytest.mark.parametrize(
    ("page", "answer"),
    [
        ("Een pas kost € 5. " * 400, "Een pas kost € 6. " * 400),
        ("Een pas kost € 5, " * 400, "Een pas kost € 6 en " * 1000),
        ("| A | B |\n|---|---|\n" + "| pas zoveel | € 5 |\n" * 400, "Een pas kost € 6. " * 400),
    ],
)
def test_hostile_texts_take_linear_time(languages, page, answer):
    assert_linear(
        lambda chars: answer[:chars],
        len(answer),
        read=lambda text: found(languages["nl"], page, text),
    )
