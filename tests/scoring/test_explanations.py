"""The sentences for an answer whose evidence was weighed, in both languages."""

from __future__ import annotations

import pytest

from klopt.records import Evidence, Measurement
from klopt.scoring.assessment import CheckedStatement, PagePlace, Quote, Slot
from klopt.scoring.explanation import explain_walk
from klopt.scoring.tree import Cut, Walk, Weigh

SAYS = {"nl": "Alles telt mee.", "en": "All counts."}
NODE = Weigh("weighed", ("components_defined", "step_order", "complex_answer"), SAYS)
HEAD = {
    "nl": "Score 2,4 van 5: laat er eerst iemand naar kijken.",
    "en": "Score 2.4 of 5: let a person look at it first.",
}


def said(language, pulls=None, statements=(), *, abstained=False):
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
        *(walk, NODE, found, "review", language), abstained=abstained, statements=statements
    )
    assert first == HEAD[language]
    return more


def statement(
    text: str, truth: float, relation: str = "not_stated", page: str = "", *slots: Slot
) -> CheckedStatement:
    place = PagePlace("a", page, 0, len(page), 1) if page else None
    rivals = ((text.rstrip("."), page.rstrip(".")),) if slots else ()
    return CheckedStatement(text, 0, 9, relation, truth < 0.5, truth, place, slots, rivals=rivals)


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
        [statement("Open Kluis.", 0.1), statement("Wacht.", 0.3), statement("Ga door.", 0.8)],
        ["Geen pagina noemt “Kluis”.", "Niet bevestigd: “Open Kluis”, “Wacht”."],
        ["No page names “Kluis”.", "Not confirmed: “Open Kluis”, “Wacht”."],
        id="names, then statements, the worst first",
    ),
    pytest.param(
        {},
        [
            statement("Wacht 60 dagen.", 0.2, "contradicted", "Wacht 90 dagen.", VALUE),
            statement("Wacht 60 dagen.", 0.2, "contradicted", "Wacht 90 dagen.", VALUE),
            statement("Dat kan.", 0.1, "contradicted", "Dat kan niet."),
            statement("Sluit af.", 0.3),
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
        [statement("Ga door.", 0.8), statement("Wacht even.", 0.7)],
        ["Geen fout gevonden. Het minst zeker is “Wacht even”; zo staat het op geen pagina."],
        ["No fault was found. Least certain is “Wacht even”; no page says so in so many words."],
        id="without a fault, what is supported least",
    ),
]


@pytest.mark.parametrize(("pulls", "statements", "nl", "en"), SAID)
def test_what_is_said_of_an_answer_that_is_not_sent(pulls, statements, nl, en):
    assert said("nl", pulls, statements) == nl
    assert said("en", pulls, statements) == en


def test_a_long_stretch_is_named_by_its_first_words():
    long = f"Kies in het menu Bestand {'en dan ' * 12}Opslaan."
    (found,) = said("nl", {"step_order": (-1.0, long)})
    assert found.startswith("Op de pagina komt later: “Kies in het menu Bestand en dan")
    assert found.endswith(" …”.")
    assert len(found) < 140


def test_that_it_does_not_know_is_said_unless_the_node_asks_for_that():
    assert said("en", abstained=True) == ["Leaves the question open, or a part of it."]
    assert said("nl", abstained=True) == ["Laat de vraag open, of een deel ervan."]
    node = Cut("abstains", "abstention", None, 0.5, 5.0, {"en": "Rightly so."})
    found = explain_walk(Walk(5.0, "abstains", ()), node, {}, "send", "en", abstained=True)
    assert found == ("Score 5.0 of 5: send.", "Rightly so.")


def test_what_is_sent_is_said_to_be_supported_only_where_that_was_looked_at():
    walk = Walk(4.5, "weighed", (), {})
    one = [statement("Ga door.", 0.8, "supported")]
    open_ones = [*one, statement("Wacht 60 dagen.", 0.8, "not_stated")]
    supported = "The pages support what the answer says."
    denied_not = (
        "The pages do not contradict the answer, but not all of it stands there in so many words."
    )
    for statements, sentence in ((one, supported), (open_ones, denied_not), ([], "All counts.")):
        found = explain_walk(walk, NODE, {}, "send", "en", abstained=False, statements=statements)
        assert found == ("Score 4.5 of 5: send.", sentence)


LONG = f"Het hoofdkantoor {'met alle vestigingen en afdelingen ' * 4}sluit om zes uur."
PLACE = "Wacht af. De balie sluit om vijf uur. Een pas is geldig tot hij verloopt."
BESIDE = [
    # statement, chance, page, the words that differ there, relation and kind of slot, what is said
    ("De balie sluit om zes uur.", 0.2, PLACE, "vijf", "contradicted", "value",
     "Het antwoord zegt “De balie sluit om zes uur”; de pagina zegt “De balie sluit om vijf uur”."),
    ("De balie sluit om zes uur.", 0.2, PLACE, "", "contradicted", "",
     "Klopt waarschijnlijk niet: “De balie sluit om zes uur”. De pagina zegt “De balie sluit om "
     "vijf uur”."),
    ("De balie sluit om zes uur.", 0.6, PLACE, "", "contradicted", "",
     "Niet zeker: “De balie sluit om zes uur”. De pagina zegt “De balie sluit om vijf uur”."),
    ("De balie sluit om zes uur.", 0.5, PLACE, "vijf", "contradicted", "replaced",
     "Klopt waarschijnlijk niet: “De balie sluit om zes uur”. De pagina zegt “De balie sluit om "
     "vijf uur”."),
    ("Een pas is nooit geldig, ook niet aan de balie.", 0.2, PLACE, "vijf", "not_stated", "value",
     "Het antwoord zegt “Een pas is nooit geldig, ook niet aan de balie”; de pagina zegt “De balie "
     "sluit om vijf uur”."),
    ("Een pas is nooit geldig.", 0.2, PLACE, "verloopt", "not_stated", "negation",
     "Niet bevestigd: “Een pas is nooit geldig”."),
    ("Pasjes vervallen.", 0.2, PLACE, "", "contradicted", "",
     "Klopt waarschijnlijk niet: “Pasjes vervallen”. De pagina zegt “Wacht af”."),
    (LONG, 0.2, LONG.replace("zes", "vijf"), "vijf", "contradicted", "value",
     "Het antwoord zegt “… en afdelingen met alle vestigingen en afdelingen met alle vestigingen "
     "en afdelingen met alle vestigingen en afdelingen sluit om zes uur”; de pagina zegt “… en "
     "afdelingen met alle vestigingen en afdelingen met alle vestigingen en afdelingen met alle "
     "vestigingen en afdelingen sluit om vijf uur”."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "truth", "page", "differs", "relation", "kind", "told"), BESIDE)
def test_the_sentence_of_the_page_that_says_otherwise_stands_beside_the_statement(
    text, truth, page, differs, relation, kind, told
):
    at = page.find(differs)
    slots = (Slot(kind, "against", Quote("zes", 0, 3), Quote(differs, 0, 1)),) if kind else ()
    marks = ((at, at + len(differs)),) if differs else ()
    place = PagePlace("a", page, 0, len(page), 1)
    wrong = ((text.find("zes"), text.find("zes") + 3),) if kind and "zes" in text else ()
    fault = CheckedStatement(text, 0, 9, relation, True, truth, place, slots, marks, wrong)
    assert said("nl", {}, [fault]) == [told]
