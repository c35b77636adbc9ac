"""Explanations of weighed answers, in both languages."""

import pytest

from klopt.scoring.assessment import CheckedClaim, PagePlace, Quote, Slot
from klopt.scoring.explanation import explain_walk
from klopt.scoring.tree import Cut, Walk, Weigh
from klopt.types import Evidence, Measurement
from tests.tables import tables

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


def claim(
    text: str, truth: float, relation: str = "not_stated", page: str = "", *slots: Slot
) -> CheckedClaim:
    place = PagePlace("a", page, 0, len(page), 1) if page else None
    rivals = ((text.rstrip("."), page.rstrip(".")),) if slots else ()
    return CheckedClaim(text, 0, 9, relation, truth < 0.5, truth, place, slots, rivals=rivals)


VALUE = Slot("value", "against", Quote("60", 0, 2), Quote("90", 0, 2))
CASES = [
    pytest.param({}, [], ["Alles telt mee."], ["All counts."], id="no contribution"),
    pytest.param(
        {
            "guide_asked": (-1.0, "Archief"),
            "step_order": (-2.0, "Kies A", "Kies B", "Kies A", "Kies C", "Kies D"),
            "weakest_statement": (-0.5, "Ctrl+S"),
        },
        [],
        [
            "Op de pagina komt later: “Kies A”, “Kies B”, “Kies C”, …",
            "Dit zijn de stappen voor iets anders dan gevraagd: “Archief”.",
        ],
        [
            "Later on the page: “Kies A”, “Kies B”, “Kies C”, …",
            "These are the steps for something else than was asked: “Archief”.",
        ],
        id="two strongest contributions",
    ),
    pytest.param(
        {"guide_asked": (0.5, "Archief"), "complex_answer": (-1.0, "want")},
        [],
        ["Alles telt mee."],
        ["All counts."],
        id="positive, or without a sentence for faults",
    ),
    pytest.param(
        {"components_defined": (0.0, "Kluis")},
        [claim("Open Kluis.", 0.1), claim("Wacht.", 0.3), claim("Ga door.", 0.8)],
        ["Geen pagina noemt “Kluis”.", "Niet bevestigd: “Open Kluis”, “Wacht”."],
        ["No page names “Kluis”.", "Not confirmed: “Open Kluis”, “Wacht”."],
        id="names, then claims, the worst first",
    ),
    pytest.param(
        {},
        [
            claim("Wacht 60 dagen.", 0.2, "contradicted", "Wacht 90 dagen.", VALUE),
            claim("Wacht 60 dagen.", 0.2, "contradicted", "Wacht 90 dagen.", VALUE),
            claim("Dat kan.", 0.1, "contradicted", "Dat kan niet."),
            claim("Sluit af.", 0.3),
        ],
        [
            "Klopt waarschijnlijk niet: “Dat kan”. De pagina zegt “Dat kan niet”.",
            "Het antwoord zegt “Wacht 60 dagen”; de pagina zegt “Wacht 90 dagen”.",
            "Niet bevestigd: “Sluit af”.",
        ],
        [
            "Probably not right: “Dat kan”. The page says “Dat kan niet”.",
            "The answer says “Wacht 60 dagen”; the page says “Wacht 90 dagen”.",
            "Not confirmed: “Sluit af”.",
        ],
        id="contradictions quote the page once",
    ),
    pytest.param(
        {},
        [claim("Ga door.", 0.8), claim("Wacht even.", 0.7)],
        ["klopt vond geen fout. Controleer “Wacht even”; dat staat zo op geen pagina."],
        ["klopt found no mistake. Check “Wacht even”; no page states it."],
        id="least supported claim",
    ),
]


@pytest.mark.parametrize(("contributions", "claims", "nl", "en"), CASES)
def test_reasons_of_an_answer_that_is_not_sent(contributions, claims, nl, en):
    assert reasons("nl", contributions, claims) == nl
    assert reasons("en", contributions, claims) == en


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


FIGURE = Slot("figure", "against", Quote("60", 0, 2), Quote("90", 0, 2))
CERTAIN = claim("Wacht 60 dagen.", 0.45, "contradicted", "Wacht 90 dagen.", FIGURE)
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


CONTRADICTED = tables("scoring", "explanations")


@pytest.mark.parametrize(
    "case", CONTRADICTED["contradicted"], ids=lambda case: case["expected"][:60]
)
def test_a_contradicted_claim_is_quoted_with_the_sentence_of_the_page(case):
    text, page = case["claim"], case.get("page", CONTRADICTED["page"])
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
