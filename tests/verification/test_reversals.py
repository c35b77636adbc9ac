"""Reversals of a claim, with near misses, and their running time."""

import pytest

from klopt.verification import Language
from klopt.verification.findings import CERTAIN
from tests.growth.growing import Shape, assert_linear
from tests.heuristics.materials import material, numbered
from tests.tables import flattened, tables

CASES = flattened(tables("verification", "reversals"), "language")
OTHER_KINDS = {"figure", "row"}
"""Certain contradictions that are not reversals."""
PREAMBLES = {
    "en": "My colleague never had this problem before, only I do. ",
    "nl": "Mijn collega had dit nooit eerder, alleen ik heb het. ",
}


def certain_in(language: Language, page: str, claim: str, question: str) -> list[list[str]]:
    """The certain contradictions: kind, words of the claim, words of the page."""
    given = material(language, question, claim, numbered([page]))
    texts = given.answer.plain.text, given.contexts[0].index.reading.plain.text
    return [
        [
            one.kind,
            *(
                text[slice(*span)]
                for text, span in zip(texts, (one.claim, one.page), strict=True)
                if span
            ),
        ]
        for found in given.claims
        for one in found.findings
        if one.side == "against" and one.kind in CERTAIN
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['claim']}")
def test_reversals_with_and_without_a_preamble(languages, case):
    language = languages[case["language"]]
    for preamble in ("", PREAMBLES[case["language"]]):
        question = preamble + case.get("question", "")
        found = certain_in(language, case["page"], case["claim"], question)
        assert {kind for kind, *_ in found} - OTHER_KINDS == set(case.get("kinds", ()))
        assert preamble or "words" not in case or case["words"] in [words for _, *words in found]


@pytest.mark.parametrize("language", sorted(PREAMBLES))
@pytest.mark.parametrize(
    "piece",
    ["niet not ", "alleen only voor before 1 ", "van 1 tot 2, ", "eerst then en and ", "< 1 ", "("],
)
def test_hostile_text_takes_linear_time(languages, language, piece):
    def read(text: str) -> None:
        certain_in(languages[language], f"# Kop\n\n{text}", f"Ja, {text}", f"{text}?")

    assert_linear(Shape(piece).text, 20_000, read=read)
