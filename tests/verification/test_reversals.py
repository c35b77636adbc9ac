"""What reverses a claim, in a table with near misses, and how long it takes on any text."""

from __future__ import annotations

from typing import Any

import pytest

from klopt import Page, lexicons
from klopt.verification.claims import claims_of
from klopt.verification.comparator import Comparator
from klopt.verification.findings import CERTAIN
from klopt.verification.index import Context
from klopt.verification.language import Language
from klopt.verification.match import Match
from tests.growth.growing import Shape, assert_linear
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("verification", "reversals")["case"]
LANGUAGES = {code: Language(lexicons.load(code)) for code in ("en", "nl")}
ELSEWHERE = {"figure", "row"}
"""Kinds that settle a claim and are found by others."""
PREAMBLES = {
    "en": "My colleague never had this problem before, only I do. ",
    "nl": "Mijn collega had dit nooit eerder, alleen ik heb het. ",
}


def certain_in(language: str, page: str, claim: str, question: str = "") -> list[tuple[str, ...]]:
    own = LANGUAGES[language]
    there, answer, asked = own.page(Page(page)), own.reader.read(claim), own.reader.read(question)
    match = Match(asked, answer, [Context("", there)], own.relations, own.lexicons)
    claims = claims_of(Comparator.load(language), match, own)
    texts = answer.plain.text, there.reading.plain.text
    return [
        (
            one.kind,
            *(
                text[slice(*span)]
                for text, span in zip(texts, (one.claim, one.page), strict=True)
                if span
            ),
        )
        for claim in claims
        for one in claim.findings
        if one.side == "against" and one.kind in CERTAIN
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['claim']}")
def test_cases(case: dict[str, Any]) -> None:
    found = certain_in(case["language"], case["page"], case["claim"], case.get("question", ""))
    assert {kind for kind, *_ in found} - ELSEWHERE == set(case.get("kinds", ()))
    if "words" in case:
        assert case["words"] in [list(words) for _, *words in found]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['claim']}")
def test_a_preamble_in_the_question_changes_nothing(case: dict[str, Any]) -> None:
    question = PREAMBLES[case["language"]] + case.get("question", "")
    found = certain_in(case["language"], case["page"], case["claim"], question)
    assert {kind for kind, *_ in found} - ELSEWHERE == set(case.get("kinds", ()))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@pytest.mark.parametrize(
    "piece",
    ["niet not ", "alleen only voor before 1 ", "van 1 tot 2, ", "eerst then en and ", "< 1 ", "("],
)
def test_hostile_text_takes_linear_time(language: str, piece: str) -> None:
    def read(text: str) -> None:
        certain_in(language, f"# Kop\n\n{text}", f"Ja, {text}", f"{text}?")

    assert_linear(Shape(piece).text, 20_000, read=read)
