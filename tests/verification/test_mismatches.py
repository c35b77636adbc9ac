"""Certain mismatches of values, and near misses."""

import pytest

from klopt.verification import Language
from klopt.verification.findings import CERTAIN
from klopt.verification.value_mismatch import ValueMismatches
from tests.growth.growing import assert_linear
from tests.tables import flattened, tables
from tests.verification.texts import paired, places

CASES = tables("verification", "mismatches")
MISMATCHES = flattened({code: CASES[code] for code in ("en", "nl")}, "language")
PAGES: dict[str, str] = CASES["pages"]
KINDS = {"amount", "column", "row"}


def found(language: Language, page: str, answer: str, question: str = "") -> list[list[str]]:
    """The kind of each mismatch, with the words of the answer and of the page."""
    match, _ = paired(language, answer, [page], question)
    values = ValueMismatches(match)
    spoken = match.answer_reading.plain.text
    return [
        [one.kind, spoken[slice(*one.claim)], page_text[slice(*one.page)] if one.page else ""]
        for unit, place in enumerate(places(match))
        if place
        for page_text in [match.contexts[place.page].index.reading.plain.text]
        for one in values.of(unit, place.page)
    ]


@pytest.mark.parametrize("case", MISMATCHES, ids=lambda case: f"{case['page']}-{case['answer']}")
def test_mismatches_of_values(languages, case):
    language = languages[case["language"]]
    page, question = PAGES[case["page"]], case.get("question", "")
    assert found(language, page, case["answer"], question) == case["expected"]


def test_mismatches_are_certain():
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
