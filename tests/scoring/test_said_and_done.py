"""What is said and what is done agree: turns as a new user would try them, through `default`.

The scores are learnt, and are no promise; the rule that decides and the faults are.
"""

from __future__ import annotations

import dataclasses

import pytest

from klopt import Assessment, Profile, Scorer, Turn

WIFI = {
    "nl": """# Wifi

## Wifi aanzetten

1. Open **Instellingen**.
2. Kies **Verbindingen**.
3. Zet **Wifi** aan.

## Wifi uitzetten

1. Open **Instellingen**.
2. Kies **Verbindingen**.
3. Zet **Wifi** uit.

Ververs de lijst met <kbd>Ctrl</kbd>+<kbd>F5</kbd>. Verbinden duurt 10 seconden.""",
    "en": """# Wifi

## Turn on wifi

1. Open **Settings**.
2. Choose **Connections**.
3. Turn **Wifi** on.

## Turn off wifi

1. Open **Settings**.
2. Choose **Connections**.
3. Turn **Wifi** off.

Refresh the list with <kbd>Ctrl</kbd>+<kbd>F5</kbd>. Connecting takes 10 seconds.""",
}
STEPS = {
    "nl": "1. Open **Instellingen**.\n2. Kies **Verbindingen**.\n3. Zet **Wifi** {}.",
    "en": "1. Open **Settings**.\n2. Choose **Connections**.\n3. Turn **Wifi** {}.",
}


@pytest.fixture(scope="module")
def sends_all() -> Scorer:
    """The default profile, which would send whatever it scores."""
    return Scorer(dataclasses.replace(Profile.load(), send_from=1.0, block_below=1.0))


def assess(scorer: Scorer, language: str, question: str, answer: str) -> Assessment:
    return scorer.score(Turn(question, answer, [WIFI[language]], language=language))


@pytest.mark.parametrize(
    ("language", "question", "answer", "rule"),
    [
        ("nl", "Hoe zet ik wifi uit?", STEPS["nl"].format("uit"), "verbatim_guide"),
        ("nl", "Hoe zet ik wifi aan?", STEPS["nl"].format("aan"), "verbatim_guide"),
        ("nl", "Hoe zet ik wifi uit?", STEPS["nl"].format("aan"), "weighed_evidence"),
        ("nl", "Hoe koppel ik een muis?", "Daar kan ik u niet mee helpen.", "rightly_abstains"),
        ("nl", "Hoe koppel ik een muis?", "Neem contact op met de helpdesk.", "rightly_abstains"),
        ("nl", "Hoe zet ik wifi aan?", "Neem contact op met de helpdesk.", "abstains_too_soon"),
        ("nl", "Hoe koppel ik een muis?", "Geen idee. Dat duurt 50 seconden.", "weighed_evidence"),
        ("en", "How do I turn off wifi?", STEPS["en"].format("off"), "verbatim_guide"),
        ("en", "How do I turn on wifi?", STEPS["en"].format("on"), "verbatim_guide"),
        ("en", "How do I turn off wifi?", STEPS["en"].format("on"), "weighed_evidence"),
        ("en", "How do I pair a mouse?", "I can't help you with that.", "rightly_abstains"),
        ("en", "How do I pair a mouse?", "Please contact the helpdesk.", "rightly_abstains"),
        ("en", "How do I turn on wifi?", "Please contact the helpdesk.", "abstains_too_soon"),
        ("en", "How do I pair a mouse?", "I don't know. It takes 50 seconds.", "weighed_evidence"),
    ],
)
def test_rule(sends_all: Scorer, language: str, question: str, answer: str, rule: str):
    assert assess(sends_all, language, question, answer).rule == rule


@pytest.mark.parametrize(
    ("language", "question", "answer", "fault"),
    [
        ("nl", "Hoe zet ik wifi uit?", STEPS["nl"].format("aan"),
         "Dit zijn de stappen voor iets anders dan gevraagd: “Open Instellingen”, “Kies "
         "Verbindingen”, “Zet Wifi aan”."),
        ("nl", "Hoe zet ik wifi aan?", "Open de tegel Wificentrum.",
         "Geen pagina noemt “Wificentrum”."),
        ("nl", "Hoe ververs ik de lijst?", "Druk op `Ctrl`+`F6`.", "Geen pagina noemt “Ctrl+F6”."),
        ("en", "How do I turn off wifi?", STEPS["en"].format("on"),
         "These are the steps for something else than was asked: “Open Settings”, “Choose "
         "Connections”, “Turn Wifi on”."),
        ("en", "How do I turn on wifi?", "Open the Wifi Centre tile.",
         "No page names “Wifi Centre”."),
        ("en", "How do I refresh the list?", "Press `Ctrl`+`F6`.", "No page names “Ctrl+F6”."),
    ],
)  # fmt: skip
def test_a_fault_is_told_and_not_sent(
    sends_all: Scorer, language: str, question: str, answer: str, fault: str
):
    found = assess(sends_all, language, question, answer)
    assert found.verdict == "review"
    assert found.sentences[1] == fault


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("nl", "Hoe ververs ik de lijst?", "Druk op Ctrl+F5."),
        ("nl", "Hoe ververs ik de lijst?", "Druk op **Ctrl** + **F5**."),
        ("nl", "Hoe zet ik wifi aan?", "Open Instellingen en kies de pagina Verbindingen."),
        ("en", "How do I refresh the list?", "Press Ctrl+F5."),
        ("en", "How do I refresh the list?", "Press **Ctrl** + **F5**."),
        ("en", "How do I turn on wifi?", "Open Settings and choose the page Connections."),
    ],
)
def test_a_true_answer_has_no_fault(sends_all: Scorer, language: str, question: str, answer: str):
    found = assess(sends_all, language, question, answer)
    assert found.verdict == "send", found.explanation


@pytest.mark.parametrize(
    ("language", "question", "answers"),
    [
        ("nl", "Kan ik wifi uitzetten?", ["x", "Ja.", "Doe maar.", "OK", "Prima, succes!"]),
        ("en", "Can I turn off wifi?", ["x", "Yes.", "Go ahead.", "OK", "Great, good luck!"]),
    ],
)
def test_nothing_checked(sends_all: Scorer, language: str, question: str, answers: list[str]):
    for answer in answers:
        found = assess(sends_all, language, question, answer)
        assert (found.verdict, found.reason_code) == ("unscored", "nothing_checked"), answer
