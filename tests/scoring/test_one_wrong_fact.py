"""Answers that are right, and the same with one wrong fact: the one is sent, the other is not."""

from __future__ import annotations

import pytest

from klopt import Page, Scorer, Turn

DUTCH = """# Account en betaling

Na vijf pogingen wordt het account geblokkeerd. Alleen een beheerder kan de blokkade opheffen.

De code is 15 minuten geldig. Een verzoek vervalt na 14 dagen.

De betaling volgt op de derde werkdag van de maand. Na indienen kunt u de aangifte niet meer
wijzigen, alleen nog bekijken.

| Code | Betekenis | Oplossing |
|---|---|---|
| LN-2041 | De klep staat open | Sluit de klep |
| LN-2047 | Het papier is op | Leg papier in de lade |
"""
ENGLISH = """# Orders

An order is cancelled after 14 days without a payment. Only an administrator can reopen it.

Refunds follow on the third working day.
"""


@pytest.mark.parametrize(
    ("page", "question", "true", "untrue"),
    [
        (DUTCH, "Wie kan de blokkade opheffen?", "Alleen een beheerder kan de blokkade opheffen.",
         "Iedere gebruiker kan de blokkade zelf opheffen."),
        (DUTCH, "Wanneer wordt er betaald?", "De betaling volgt op de derde werkdag van de maand.",
         "De betaling volgt op de tweede werkdag van de maand."),
        (DUTCH, "Kan ik de aangifte na indienen nog wijzigen?",
         "Nee, na indienen kunt u de aangifte alleen nog bekijken.",
         "Na indienen kunt u de aangifte nog gewoon bekijken en wijzigen."),
        (DUTCH, "Hoe lang blijft een verzoek staan?", "Een verzoek vervalt na twee weken.",
         "Een verzoek vervalt na drie weken."),
        (DUTCH, "Hoe lang is de code geldig?", "De code is een kwartier geldig.",
         "De code is een half uur geldig."),
        (DUTCH, "Wat betekent LN-2041?", "LN-2041 betekent dat de klep open staat.",
         "LN-2041 betekent dat het papier op is."),
        (ENGLISH, "When is an order cancelled?",
         "An order is cancelled after two weeks without a payment.",
         "An order is cancelled after three weeks without a payment."),
        (ENGLISH, "When do refunds follow?", "Refunds follow on working day 3.",
         "Refunds follow on working day 5."),
    ],
)  # fmt: skip
def test_one_wrong_fact_is_not_sent(page, question, true, untrue):
    scorer = Scorer.load()
    right, wrong = (
        scorer.score(Turn(question, answer, [Page(page, id="page.md")]))
        for answer in (true, untrue)
    )
    assert right.verdict == "send"
    assert wrong.verdict != "send"
    assert wrong.score < right.score - 0.5
    assert wrong.statements[-1].fault


BOOKED = """# Facturen

Een geboekte factuur kan niet worden teruggezet naar concept. Open de factuur en kies **Acties** om
haar te crediteren.

Een concept kunt u altijd verwijderen. Open het concept en kies **Verwijderen**.
"""
PAID = """# Orders

You cannot change an order after payment. Open the order and choose **Cancel** to start again.
"""


@pytest.mark.parametrize(
    ("page", "question", "true", "untrue", "then"),
    [
        (BOOKED, "Kan ik een geboekte factuur terugzetten naar concept?", "Nee, dat kan niet.",
         "Ja, dat kan.", "Open de geboekte factuur en kies **Acties**."),
        (BOOKED, "Kan ik een concept verwijderen?", "Ja.", "Nee.",
         "Open het concept en kies **Verwijderen**."),
        (PAID, "Can I change an order after payment?", "No, you can't.", "Yes, you can.",
         "Open the order and choose **Cancel** to start again."),
    ],
)  # fmt: skip
def test_a_bare_yes_or_no_belongs_to_what_follows(page, question, true, untrue, then):
    scorer = Scorer.load()
    right, wrong = (scorer.score(question, f"{one} {then}", [page]) for one in (true, untrue))
    assert (right.statements[0].start, wrong.statements[0].start) == (0, 0)
    assert right.statements[0].truth > wrong.statements[0].truth
    assert right.score > wrong.score
    later = scorer.score(question, f"{then} {untrue}", [page])
    assert [one.text for one in later.statements] == [then.replace("**", "")]
