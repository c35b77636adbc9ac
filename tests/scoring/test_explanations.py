"""The sentences for an answer whose evidence was weighed, in both languages."""

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


def said(language, pulls=None, claims=(), *, abstained=False):
    """What is said after the verdict, of heuristics with their pull and what no page supports."""
    pulls = pulls or {}
    found = {
        name: Measurement(
            0.2, evidence=tuple(Evidence("unsupported", text, 0, len(text)) for text in texts)
        )
        for name, (_, *texts) in pulls.items()
    }
    walk = Walk(2.4, "weighed", (), {name: pull for name, (pull, *_) in pulls.items()})
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
SAID = [
    pytest.param({}, [], ["Alles telt mee."], ["All counts."], id="nothing is known"),
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
        id="the two that pull most, the strongest first",
    ),
    pytest.param(
        {"guide_asked": (0.5, "Archief"), "complex_answer": (-1.0, "want")},
        [],
        ["Alles telt mee."],
        ["All counts."],
        id="neither what pulls up nor what has no words for a fault",
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
        id="in the page's own words, each once",
    ),
    pytest.param(
        {},
        [claim("Ga door.", 0.8), claim("Wacht even.", 0.7)],
        ["klopt vond geen fout. Controleer “Wacht even”; dat staat zo op geen pagina."],
        ["klopt found no mistake. Check “Wacht even”; no page states it."],
        id="without a fault, what is supported least",
    ),
]


@pytest.mark.parametrize(("pulls", "claims", "nl", "en"), SAID)
def test_what_is_said_of_an_answer_that_is_not_sent(pulls, claims, nl, en):
    assert said("nl", pulls, claims) == nl
    assert said("en", pulls, claims) == en


def test_that_it_does_not_know_is_said_unless_the_node_asks_for_that():
    assert said("en", abstained=True) == ["The answer leaves the question open, or a part of it."]
    assert said("nl", abstained=True) == ["Het antwoord laat de vraag open, of een deel ervan."]
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
def test_what_is_sent_is_said_to_be_supported_only_as_far_as_it_is(claims, nl, en):
    walk = Walk(4.5, "weighed", (), {})
    for language, start in (("nl", nl), ("en", en)):
        found = explain_walk(walk, NODE, {}, "send", language, abstained=False, claims=claims)
        assert found[1].startswith(start)


FIGURE = Slot("figure", "against", Quote("60", 0, 2), Quote("90", 0, 2))
CERTAINLY = claim("Wacht 60 dagen.", 0.45, "contradicted", "Wacht 90 dagen.", FIGURE)
LIKELY = claim("Dat kan.", 0.1, "contradicted", "Dat kan niet.")
WORST = [
    # claims, unknown names, what the first reason quotes, what it does not
    ([LIKELY, CERTAINLY], [], ["Wacht 60 dagen", "Wacht 90 dagen"], "Dat kan"),
    ([LIKELY, CERTAINLY], ["Kluis"], ["Wacht 60 dagen", "Wacht 90 dagen"], "Kluis"),
    ([LIKELY, claim("Sluit af.", 0.3)], [], ["Dat kan", "Dat kan niet"], "Sluit af"),
    ([LIKELY, claim("Sluit af.", 0.3)], ["Kluis"], ["Kluis"], "Sluit af"),
    ([HOLDS, OPEN], [], ["Wacht 60 dagen"], "Ga door"),
    ([HOLDS], [], ["Ga door"], "Ga door”;"),
]


@pytest.mark.parametrize(("claims", "names", "quoted", "other"), WORST)
@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_first_reason_is_the_worst_claim(language, claims, names, quoted, other):
    pulls = {"components_defined": (0.0, *names)} if names else {}
    first, *_ = said(language, pulls, claims)
    assert all(f"“{words}”" in first for words in quoted)
    assert other not in first


BESIDE = tables("scoring", "explanations")["beside"]


@pytest.mark.parametrize("case", BESIDE, ids=lambda case: case["expected"][:60])
def test_the_sentence_of_the_page_that_says_otherwise_stands_beside_the_statement(case):
    text, page, differs, kind = (case[name] for name in ("claim", "page", "differs", "kind"))
    at = page.find(differs)
    slots = (Slot(kind, "against", Quote("zes", 0, 3), Quote(differs, 0, 1)),) if kind else ()
    marks = ((at, at + len(differs)),) if differs else ()
    place = PagePlace("a", page, 0, len(page), 1)
    wrong = ((text.find("zes"), text.find("zes") + 3),) if kind and "zes" in text else ()
    fault = CheckedClaim(
        *(text, 0, 9, case["relation"], True, case["truth"], place, slots, marks, wrong)
    )
    assert said("nl", {}, [fault]) == [case["expected"]]
