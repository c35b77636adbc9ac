"""The sentences for an answer whose evidence was weighed, in both languages."""

from __future__ import annotations

import pytest

from klopt.measurement import Evidence, Measurement
from klopt.scoring.explanation import explain_walk
from klopt.scoring.tree import Cut, Walk, Weigh

SAYS = {"nl": "Alles telt mee.", "en": "All counts."}
NODE = Weigh("weighed", ("components_together", "step_order", "complex_answer"), SAYS)
HEAD = {
    "nl": ("Score 2,4 van 5: laat er eerst iemand naar kijken.", "Alles telt mee."),
    "en": ("Score 2.4 of 5: let a person look at it first.", "All counts."),
}


def unsupported(*texts: str) -> Measurement:
    return Measurement(
        0.2, evidence=tuple(Evidence("unsupported", text, 0, len(text)) for text in texts)
    )


def said(
    language: str,
    contributions: dict[str, float],
    measurements: dict[str, Measurement] | None = None,
    *,
    abstained: bool = False,
) -> tuple[str, ...]:
    """What is said after the verdict and the node."""
    walk = Walk(2.4, "weighed", (), contributions)
    found = explain_walk(walk, NODE, measurements or {}, "review", language, abstained=abstained)
    assert found[:2] == HEAD[language]
    return found[2:]


@pytest.mark.parametrize(
    ("contributions", "dutch", "english"),
    [
        pytest.param(
            {
                "components_together": -1.0,
                "step_order": -2.0,
                "weakest_statement": -0.5,
                "complex_answer": 0.3,
            },
            (
                "Dat drukt de score: volgorde van de stappen, onderdelen van één pagina.",
                "Dat tilt haar op: signaalwoorden.",
            ),
            (
                "What lowers the score: order of the steps, components of one page.",
                "What raises it: signal words.",
            ),
            id="the two strongest, the strongest first",
        ),
        pytest.param(
            {"components_together": -0.11},
            ("Dat drukt de score: onderdelen van één pagina.",),
            ("What lowers the score: components of one page.",),
            id="only down",
        ),
        pytest.param(
            {"components_together": 0.2, "weakest_statement": 0.4, "step_order": 0.3},
            ("Dat tilt haar op: zwakste bewering, volgorde van de stappen.",),
            ("What raises it: weakest statement, order of the steps.",),
            id="only up",
        ),
        pytest.param(
            {"components_together": -0.1, "step_order": 0.1, "complex_answer": 0.0},
            (),
            (),
            id="nothing clear",
        ),
        pytest.param({}, (), (), id="nothing at all"),
    ],
)
def test_what_pulls_the_score(
    contributions: dict[str, float], dutch: tuple[str, ...], english: tuple[str, ...]
):
    assert said("nl", contributions) == dutch
    assert said("en", contributions) == english


def test_what_no_page_supports_is_named():
    measurements = {
        "components_together": unsupported("Archief"),
        "step_order": unsupported("Kies A", "Kies B", "Kies A", "Kies C", "Kies D"),
        "weakest_statement": unsupported("Ctrl+S"),
    }
    contributions = {"components_together": -1.0, "step_order": -2.0, "weakest_statement": -0.5}
    assert said("nl", contributions, measurements)[1:] == (
        "Eerder dan op de pagina: “Kies A”, “Kies B”, “Kies C”, ….",
        "Niet op de pagina die het antwoord het meest steunt: “Archief”.",
    )
    assert said("en", contributions, measurements)[1:] == (
        "Earlier than on the page: “Kies A”, “Kies B”, “Kies C”, ….",
        "Not on the page that supports the answer most: “Archief”.",
    )


def test_what_pulls_up_is_not_said_to_be_unsupported():
    measurements = {"components_together": unsupported("Archief")}
    assert said("en", {"components_together": 0.5}, measurements) == (
        "What raises it: components of one page.",
    )


def test_a_heuristic_without_a_sentence_of_its_own_names_no_spans():
    """A signal word that is missing is not wrong for that."""
    measurements = {"complex_answer": unsupported("iets anders")}
    assert said("en", {"complex_answer": -1.0}, measurements) == (
        "What lowers the score: signal words.",
    )


def test_a_long_stretch_is_named_by_its_ends():
    long = "Kies in het menu Bestand de opdracht Opslaan als en daarna de map."
    measurements = {"components_together": unsupported(long)}
    assert said("en", {"components_together": -1.0}, measurements)[1] == (
        "Not on the page that supports the answer most: “Kies … map.”."
    )


def test_that_it_does_not_know_is_said_unless_the_node_asks_for_that():
    assert said("en", {}, abstained=True) == (
        "The answer leaves the question open, or a part of it.",
    )
    assert said("nl", {}, abstained=True) == (
        "Het antwoord laat de vraag open, of een deel ervan.",
    )
    node = Cut("abstains", "abstention", None, 0.5, 5.0, {"en": "Rightly so."})
    found = explain_walk(Walk(5.0, "abstains", ()), node, {}, "send", "en", abstained=True)
    assert found == ("Score 5.0 of 5: send.", "Rightly so.")
