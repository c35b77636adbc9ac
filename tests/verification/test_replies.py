"""An answer that is only a yes or no repeats the question as its claim."""

import pytest

from klopt import Scorer

DUTCH = "# Retour\n\nJe kunt sieraden niet retourneren. Je hoeft geen bon mee te sturen."
ENGLISH = "# Returns\n\nYou can't return earrings. You don't need to include the receipt."


@pytest.fixture(scope="module")
def scorer():
    return Scorer.load()


@pytest.mark.parametrize(
    ("page", "question", "right", "wrong"),
    [
        (DUTCH, "Kan ik sieraden retourneren?", "Nee, dat kan niet.", "Ja, dat kan."),
        (DUTCH, "Kan ik sieraden retourneren?", "Nee.", "Ja hoor, dat kan!"),
        (DUTCH, "Moet ik de bon meesturen?", "Nee, dat hoeft niet.", "Ja."),
        (DUTCH, "Hoi, ik kocht iets. Kan ik sieraden retourneren? Bedankt!", "Nee.", "Ja."),
        (ENGLISH, "Can I return earrings?", "No.", "Yes, you can."),
        (ENGLISH, "Do I need to include the receipt?", "No, you don't.", "Yes."),
    ],
)
def test_a_bare_reply_is_compared_with_the_question(scorer, page, question, right, wrong):
    true, untrue = (scorer.score(question, answer, [page]) for answer in (right, wrong))
    assert len(true.claims) == len(untrue.claims) == 1
    assert true.score > untrue.score
    assert untrue.verdict != "send"
    assert untrue.claims[0].relation == "contradicted"


@pytest.mark.parametrize(
    "answer", ["Ja, dat kan. Sieraden zijn van goud.", "Ja, sieraden van goud."]
)
def test_a_yes_with_a_sentence_is_its_own_claim(scorer, answer):
    found = scorer.score("Kan ik sieraden retourneren?", answer, [DUTCH])
    assert "goud" in found.claims[-1].text


def test_a_closing_is_no_reply(scorer):
    found = scorer.score("Kan ik sieraden retourneren?", "Graag gedaan!", [DUTCH])
    assert (found.verdict, found.reason_code) == ("unscored", "nothing_checked")
