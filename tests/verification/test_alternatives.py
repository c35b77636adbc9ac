"""Values of a claim and the alternatives that they belong to, with near misses."""

import pytest

from klopt import Scorer
from klopt.verification import Language
from klopt.verification.alternatives import Alternatives
from tests.growth.growing import assert_linear
from tests.tables import flattened, tables
from tests.verification.texts import paired, places

CASES = tables("verification", "alternatives")
ALTERNATIVES = flattened({code: CASES[code] for code in ("en", "nl")}, "language")
SCORER = Scorer.load()
PAGES: dict[str, str] = CASES["pages"]


def bound(language: Language, page: str, answer: str, question: str = "") -> list[list[list[str]]]:
    """The findings, with the words of answer and page, and the other values that are bound."""
    match, _ = paired(language, answer, [page], question)
    alternatives = Alternatives(match, language.lexicons)
    spoken, findings, confirmed = match.answer_reading.plain.text, [], []
    for unit, place in enumerate(places(match)):
        if place is None:
            continue
        there = match.contexts[place.page].index.reading.plain.text
        found = alternatives.of(unit, place)
        findings += [
            [one.kind, spoken[slice(*one.claim)], there[slice(*one.page)]] for one in found.findings
        ]
        wrong = {one.claim for one in found.findings}
        confirmed += [spoken[slice(*span)] for span in found.spans if span not in wrong]
    return [findings, confirmed]


@pytest.mark.parametrize("case", ALTERNATIVES, ids=lambda case: f"{case['page']}-{case['answer']}")
def test_alternatives(languages, case):
    found = bound(
        languages[case["language"]], PAGES[case["page"]], case["answer"], case.get("question", "")
    )
    assert found == [case.get("findings", []), case.get("confirmed", [])]


@pytest.mark.parametrize(
    ("page", "answer", "relation", "rivals"),
    [
        ("limits", "On Amber you collect 6 points per £1.", "supported", ()),
        ("limits", "On Amber you collect 20 points per £1.", "contradicted", (("20 points", "6"),)),
        (
            "limits",
            "In the mobile app you can transfer up to £2,500 per transfer and £6,000 per day.",
            "contradicted",
            (("£6,000", "£5,000"),),
        ),
        (
            "limits",
            "Amber has 6 points per £1 and Slate has 2 points per £1.",
            "supported",
            (),
        ),
        (
            "limits",
            "Amber has 2 points per £1 and Slate has 6 points per £1.",
            "contradicted",
            (("2 points", "6"), ("6 points", "2")),
        ),
        ("checks", "For Regular, boarding opens 48 hours before departure.", "supported", ()),
        (
            "checks",
            "For Regular, boarding opens 24 hours before departure.",
            "contradicted",
            (("24 hours", "48 hours"),),
        ),
    ],
)
def test_a_value_is_compared_with_its_own_alternative(page, answer, relation, rivals):
    (claim,) = SCORER.score("How does that work?", answer, [PAGES[page]]).claims
    assert (claim.relation, claim.rivals) == (relation, rivals)


@pytest.mark.parametrize(
    ("page", "answer"),
    [
        ("Open van 8.00 tot 9.00 uur, " * 400, "Open van 8.00 tot 9.00 uur, " * 400),
        ("| A | B |\n|---|---|\n" + "| pas zoveel | € 5 |\n" * 400, "Een pas A kost € 6. " * 400),
        ("| A | B |\n|---|---|\n| pas | € 5 |\n\nTekst.\n\n" * 200, "Een pas B kost € 6. " * 200),
    ],
)
def test_hostile_texts_take_linear_time(languages, page, answer):
    assert_linear(
        lambda chars: answer[:chars],
        len(answer),
        read=lambda text: bound(languages["nl"], page, text),
    )
