"""Explanations of weighed answers, in both languages."""

import pytest

from klopt.scoring.assessment import CheckedClaim, PagePlace, Quote, Slot
from klopt.scoring.explanation import explain_walk
from klopt.scoring.tree import Cut, Walk, Weigh
from klopt.types import Evidence, Measurement
from tests.tables import tables

CASES = tables("scoring", "explanations")
SAYS = {"nl": "Alles telt mee.", "en": "All counts."}
NODE = Weigh("weighed", ("components_defined", "step_order", "complex_answer"), SAYS)
HEAD = {
    "nl": "Score 2,4 van 5: laat er eerst iemand naar kijken.",
    "en": "Score 2.4 of 5: let a person look at it first.",
}


def reasons(language, contributions=None, claims=(), *, abstained=False):
    """The sentences after the verdict, given contributions of heuristics with their evidence."""
    contributions = contributions or {}
    found = {
        name: Measurement(
            0.2, evidence=tuple(Evidence("unsupported", text, 0, len(text)) for text in texts)
        )
        for name, (_, *texts) in contributions.items()
    }
    walk = Walk(2.4, "weighed", (), {name: one for name, (one, *_) in contributions.items()})
    first, *more = explain_walk(
        *(walk, NODE, found, "review", language), abstained=abstained, claims=claims
    )
    assert first == HEAD[language]
    return more


def claim(text: str, truth: float, relation: str = "not_stated", page: str = "", kind: str = ""):
    slots = (Slot(kind, "against", Quote("60", 0, 2), Quote("90", 0, 2)),) if kind else ()
    place = PagePlace("a", page, 0, len(page), 1) if page else None
    rivals = ((text.rstrip("."), page.rstrip(".")),) if slots else ()
    return CheckedClaim(text, 0, 9, relation, truth < 0.5, truth, place, slots, rivals=rivals)


@pytest.mark.parametrize("case", CASES["review"], ids=lambda case: case["why"])
@pytest.mark.parametrize("language", ["nl", "en"])
def test_reasons_of_an_answer_that_is_not_sent(language, case):
    claims = [claim(*row) for row in case.get("claims", ())]
    assert reasons(language, case.get("contributions"), claims) == case[language]


def test_an_open_question_is_mentioned_unless_the_node_is_about_abstention():
    english = ["The answer leaves the question open, or a part of it."]
    assert reasons("en", abstained=True) == english
    assert reasons("nl", abstained=True) == ["Het antwoord laat de vraag open, of een deel ervan."]
    node = Cut("abstains", "abstention", None, 0.5, 5.0, {"en": "Rightly so."})
    found = explain_walk(Walk(5.0, "abstains", ()), node, {}, "send", "en", abstained=True)
    assert found == ("Score 5.0 of 5: send.", "Rightly so.")


OPEN = claim("Wacht 60 dagen.", 0.8, "not_stated")
HOLDS = claim("Ga door.", 0.8, "supported", "Ga door.")
SENT = [
    ([HOLDS], "De pagina's ondersteunen alle", "The pages support every claim"),
    ([HOLDS, OPEN, HOLDS], "De pagina's ondersteunen 2 van de 3 ", "The pages support 2 of 3 "),
    ([OPEN], "De pagina's ondersteunen 0 van de 1 ", "The pages support 0 of 1 "),
    ([], "Alles telt mee.", "All counts."),
]


@pytest.mark.parametrize(("claims", "nl", "en"), SENT)
def test_the_explanation_of_a_sent_answer_counts_supported_claims(claims, nl, en):
    walk = Walk(4.5, "weighed", (), {})
    for language, start in (("nl", nl), ("en", en)):
        found = explain_walk(walk, NODE, {}, "send", language, abstained=False, claims=claims)
        assert found[1].startswith(start)


CERTAIN = claim("Wacht 60 dagen.", 0.45, "contradicted", "Wacht 90 dagen.", "figure")
LIKELY = claim("Dat kan.", 0.1, "contradicted", "Dat kan niet.")
WORST = [
    # claims, unknown names, quotes in the first reason, text that is not in it
    ([LIKELY, CERTAIN], [], ["Wacht 60 dagen", "Wacht 90 dagen"], "Dat kan"),
    ([LIKELY, CERTAIN], ["Kluis"], ["Wacht 60 dagen", "Wacht 90 dagen"], "Kluis"),
    ([LIKELY, claim("Sluit af.", 0.3)], [], ["Dat kan", "Dat kan niet"], "Sluit af"),
    ([LIKELY, claim("Sluit af.", 0.3)], ["Kluis"], ["Kluis"], "Sluit af"),
    ([HOLDS, OPEN], [], ["Wacht 60 dagen"], "Ga door"),
    ([HOLDS], [], ["Ga door"], "Ga door”;"),
]


@pytest.mark.parametrize(("claims", "names", "quoted", "other"), WORST)
@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_first_reason_is_about_the_worst_claim(language, claims, names, quoted, other):
    first, *_ = reasons(language, {"components_defined": (0.0, *names)} if names else {}, claims)
    assert all(f"“{words}”" in first for words in quoted)
    assert other not in first


@pytest.mark.parametrize("case", CASES["contradicted"], ids=lambda case: case["expected"][:60])
def test_a_contradicted_claim_is_quoted_with_the_sentence_of_the_page(case):
    text, page = case["claim"], case.get("page", CASES["page"])
    differs, kind = case.get("differs", ""), case.get("kind", "")
    at = page.find(differs)
    slots = (Slot(kind, "against", Quote("zes", 0, 3), Quote(differs, 0, 1)),) if kind else ()
    marks = ((at, at + len(differs)),) if differs else ()
    place = PagePlace("a", page, 0, len(page), 1)
    wrong = ((text.find("zes"), text.find("zes") + 3),) if kind and "zes" in text else ()
    fault = CheckedClaim(
        *(text, 0, 9, case["relation"], True, case["truth"], place, slots, marks, wrong)
    )
    assert reasons("nl", {}, [fault]) == [case["expected"]]
