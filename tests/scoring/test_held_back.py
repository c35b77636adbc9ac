"""Beside a named fault nothing is sent, whatever the score, and the explanation says why."""

from __future__ import annotations

import dataclasses

import pytest

from klopt import Assessment, Profile, Scorer, Turn

PAGE = {
    "nl": "# Pas\n\n1. Open **Mijn pas**.\n2. Kies **Nieuwe kaart**.\n3. Klik op **Versturen**.",
    "en": "# Request a pass\n\n1. Open **My pass**.\n2. Choose **New card**.\n3. Click **Submit**.",
}
QUESTION = {"nl": "Hoe vraag ik een pas aan?", "en": "How do I request a pass?"}


@pytest.fixture(scope="module")
def sends_all() -> Scorer:
    profile = Profile.load()
    return Scorer(dataclasses.replace(profile, send_from=1.0, block_below=1.0))


def assess(scorer: Scorer, language: str, answer: str) -> Assessment:
    return scorer.score(Turn(QUESTION[language], answer, [PAGE[language]], language=language))


HELD = [
    ("nl", "Open Mijn pas en klik op **Bestellen**.", "Geen pagina noemt “Bestellen”."),
    ("en", "Open My pass and click Order.", "No page names “Order”."),
    ("nl", "1. Klik op **Versturen**.\n2. Open **Mijn pas**.\n3. Kies **Nieuwe kaart**.",
     "Op de pagina komt later: “Klik op Versturen”."),
    ("en", "1. Click **Submit**.\n2. Open **My pass**.\n3. Choose **New card**.",
     "Later on the page: “Click Submit”."),
]  # fmt: skip
LOOK = {"nl": "laat er eerst iemand naar kijken.", "en": "let a person look at it first."}


@pytest.mark.parametrize(("language", "answer", "fault"), HELD)
def test_a_fault_holds_back(sends_all: Scorer, language: str, answer: str, fault: str):
    found = assess(sends_all, language, answer)
    assert found.verdict == "review"
    assert found.sentences[0].endswith(LOOK[language])
    assert found.sentences[1] == fault
    assert found.sentences.count(fault) == 1


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("nl", "Open **Mijn pas** en klik op **Versturen**."),
        ("nl", "Open Mijn pas, kies **nieuwe kaarten** en klik op de **knop Versturen**."),
        ("en", "Open **My pass** and click **Submit**."),
        ("en", "Open My pass, choose **New cards** and press the **Submit button**."),
    ],
)
def test_what_is_no_sure_fault_does_not(sends_all: Scorer, language: str, answer: str):
    found = assess(sends_all, language, answer)
    assert found.verdict == "send", found.explanation


@pytest.mark.parametrize(
    ("language", "answer", "told"),
    [
        ("nl", "Bel de koning van Spanje.", "Bel de koning van Spanje"),
        ("nl", "Open **Mijn pas**. Bel daarna de koning van Spanje.", "Bel daarna de koning van"),
        ("nl", "Vraag een pas aan bij Mijn pas. Typ daarna `pas --nieuw`.", "Typ daarna"),
        ("nl", "Dat kost 500 euro.", "Dat kost 500 euro"),
        ("en", "Call the king of Spain.", "Call the king of Spain"),
        ("en", "**Delete account**", "Delete account"),
        ("en", "Request a pass under My pass. Then type `pass --new`.", "Then type"),
    ],
)
def test_what_no_page_says_is_not_sent(sends_all: Scorer, language: str, answer: str, told: str):
    found = assess(sends_all, language, answer)
    assert found.verdict == "review"
    assert told in found.why
    assert any(one.fault and told.startswith(one.text[:9]) for one in found.statements)


def test_what_says_that_it_does_not_know_needs_no_page(sends_all: Scorer):
    answer = "Dat weet ik niet: daarover staat niets in de pagina's. Ik wil er niet naar raden."
    assert not any(one.fault for one in assess(sends_all, "nl", answer).statements)


def test_the_score_stays_and_a_lower_verdict_too(sends_all: Scorer):
    without = Scorer(dataclasses.replace(sends_all.profile, review_on=()))
    blocks = Scorer(dataclasses.replace(sends_all.profile, send_from=5.0, block_below=5.0))
    answer = HELD[0][1]
    held, sent, blocked = (assess(one, "nl", answer) for one in (sends_all, without, blocks))
    assert sent.score == blocked.score
    assert [one.verdict for one in (held, sent, blocked)] == ["review", "send", "block"]


def test_without_a_fault_nothing_is_blocked_by_weight_alone(sends_all: Scorer):
    blocks = Scorer(dataclasses.replace(sends_all.profile, send_from=5.0, block_below=5.0))
    for language, answer in (
        ("nl", "Open **Mijn pas** en klik op **Versturen**."),
        ("en", "Open **My pass** and click **Submit**."),
    ):
        found = assess(blocks, language, answer)
        assert (found.verdict, found.rule) == ("review", "weighed_evidence"), found.explanation


def test_a_fault_is_looked_for_where_the_tree_does_not_come_to_it(sends_all: Scorer):
    last = dataclasses.replace(sends_all.profile.tree[-1], heuristics=("statements_hold",))
    profile = dataclasses.replace(sends_all.profile, tree=(last,))
    assert assess(Scorer(profile), "nl", HELD[0][1]).verdict == "review"


def test_the_paper_holds_nothing_back_beside_its_score():
    assert Profile.load("afas").review_on == ()
