"""Claims, answers that leave the question open, and a bare yes or no."""

import pytest

from klopt import Page, Scorer, Turn
from klopt.verification.claims import UNKNOWN_NAME
from klopt.verification.match import claims_in, refusal_in
from tests.conftest import DEMO
from tests.tables import tables

PAGES = {
    "nl": [
        "# Pas kwijt\n\nIs uw pas weg? Bel de receptie. Neem daarna contact op met de helpdesk "
        "voor een nieuwe pas.",
        "# Parkeren\n\nNeem contact op met uw leidinggevende als de slagboom dicht blijft.",
        "# Fietsen\n\nKomt u er niet uit? Raadpleeg de servicedesk.",
    ],
    "en": [
        "# Lost badge\n\nIs your badge gone? Call reception. Then contact the helpdesk for a new "
        "badge.",
        "# Parking\n\nContact your manager if the barrier stays down.",
        "# Bicycles\n\nStill stuck? Consult the service desk.",
    ],
}


@pytest.mark.parametrize(
    ("language", "question", "answer", "claims", "is_open"),
    tables("verification", "claims")["claims"],
)
def test_claims_and_open_questions(languages, language, question, answer, claims, is_open):
    own = languages[language]
    query, reading = (own.reader.read(text) for text in (question, answer))
    words = {query.tokens.keys[number] for number in query.tokens.running}
    pages = [own.page(Page(text)) for text in PAGES[language]]
    refusal = refusal_in(reading, words, pages, own.lexicons)
    found = claims_in(reading, words, own.lexicons, is_open=refusal is not None)
    assert [reading.plain.text[claim.start : claim.end] for claim in found] == claims
    assert (refusal is not None) == is_open


# A bare yes or no repeats the question as its claim

SCORER = Scorer.load()
DUTCH = "# Retour\n\nJe kunt sieraden niet retourneren. Je hoeft geen bon mee te sturen."
ENGLISH = "# Returns\n\nYou can't return earrings. You don't need to include the receipt."


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
def test_a_bare_reply_is_compared_with_the_question(page, question, right, wrong):
    true, untrue = (SCORER.score(question, answer, [page]) for answer in (right, wrong))
    assert len(true.claims) == len(untrue.claims) == 1
    assert true.score > untrue.score
    assert untrue.verdict != "send"
    assert untrue.claims[0].relation == "contradicted"


def test_a_bare_reply_is_reviewed_whatever_its_score():
    scorer = Scorer.load(language="nl")
    page = "# Retourneren\n\nRetourneren kost € 3,95. Je kunt 30 dagen retourneren."
    found = scorer.score("Kan ik 30 dagen retourneren?", "Ja.", [page])
    assert (found.verdict, found.why) == (
        "review",
        "Alleen een ja of nee: laat de bot in een hele zin antwoorden.",
    )
    assert found.score < scorer.profile.send_from


@pytest.mark.parametrize(
    "answer", ["Ja, dat kan. Sieraden zijn van goud.", "Ja, sieraden van goud."]
)
def test_a_yes_with_a_sentence_is_its_own_claim(answer):
    found = SCORER.score("Kan ik sieraden retourneren?", answer, [DUTCH])
    assert "goud" in found.claims[-1].text


def test_a_closing_is_no_reply():
    found = SCORER.score("Kan ik sieraden retourneren?", "Graag gedaan!", [DUTCH])
    assert (found.verdict, found.reason_code) == ("unscored", "nothing_checked")


def test_the_sentence_that_settles_a_claim_is_shown():
    page = (DEMO / "pages" / "nl" / "workflow-vervanger.md").read_text("utf-8")
    question = "Kan ik als leidinggevende zelf een vervanger voor mijn teamlid instellen?"
    answer = (
        "De functioneel beheerder stelt de vervanger in. Een vervanging duurt maximaal 60 dagen; "
        "daarna moet de functioneel beheerder een nieuwe periode vastleggen."
    )
    claim = Scorer.load().score(Turn(question, answer, [page])).claims[-1]
    assert claim.passage.text == "Een periode duurt maximaal 90 dagen."
    assert claim.rivals == (("60 dagen", "90 dagen"),)
    assert [claim.passage.text[slice(*span)] for span in claim.differing] == ["90"]


# A name that no page has

PAYMENT = {
    "nl": "# Betalen\n\nJe kunt betalen met iDEAL of een creditcard. Achteraf betalen kan niet.",
    "en": "# Payment\n\nYou can pay with iDEAL or a credit card. You cannot pay afterwards.",
}


@pytest.mark.parametrize(
    ("language", "question", "answer", "is_bounded"),
    [
        ("nl", "Kan ik met PayPal betalen?", "Ja, je kunt met iDEAL of PayPal betalen.", True),
        ("nl", "Kan ik met PayPal betalen?", "Je kunt betalen met iDEAL of PayPal.", True),
        ("en", "Can I pay with PayPal?", "Yes, you can pay with iDEAL or PayPal.", True),
        # Near misses: a name that a page has, and a question that asks for something else.
        ("nl", "Kan ik met iDEAL betalen?", "Ja, je kunt betalen met iDEAL.", False),
        (
            "nl",
            "Hoe kan ik betalen op mijn Fairphone?",
            "Je kunt op je Fairphone betalen met iDEAL of een creditcard.",
            False,
        ),
        (
            "en",
            "How can I pay on my Fairphone?",
            "You can pay on your Fairphone with iDEAL or a credit card.",
            False,
        ),
    ],
)
def test_a_question_for_yes_or_no_does_not_make_a_name_known(
    language, question, answer, is_bounded
):
    found = SCORER.score(question, answer, [PAYMENT[language]])
    assert (found.claims[0].truth <= UNKNOWN_NAME) == is_bounded
    assert (found.verdict == "send") == (not is_bounded)
