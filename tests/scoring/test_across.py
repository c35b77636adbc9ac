"""A statement is held against the sentence that is nearest in meaning, in whatever language."""

from __future__ import annotations

import pytest

from klopt import Page, Scorer, Turn
from klopt.translation.word_for_word import word_for_word

PAGES = {
    "trial": "De proeftijd duurt 30 dagen. Daarna betaalt u voor het hele jaar.",
    "refund": "Een retour duurt soms langer. U krijgt uw geld na 14 dagen terug.",
    "access": "Na vijf foute pogingen zit de toegang 30 minuten dicht.",
}
QUESTION = "Wann bekomme ich mein Geld zurück?"


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer.load(translate=word_for_word(any_language=True))


def assessed(scorer: Scorer, answer: str, question: str = QUESTION):
    pages = [Page(text, name) for name, text in PAGES.items()]
    turn = Turn(question, answer, pages, language="de", message_type="general")
    return scorer.score(turn)


@pytest.mark.parametrize(
    ("answer", "page", "sentence"),
    [
        ("Das Geld ist nach 14 Tagen wieder bei Ihnen.", "refund", "U krijgt uw geld"),
        ("Die Probezeit läuft 30 Tage.", "trial", "De proeftijd"),
        ("Das Konto bleibt 30 Minuten gesperrt.", "access", "Na vijf foute pogingen"),
    ],
)
def test_it_is_held_against_the_nearest_sentence(scorer, answer, page, sentence):
    (statement,) = assessed(scorer, answer).statements
    assert statement.passage is not None
    assert (statement.passage.page, sentence in statement.passage.text) == (page, True)
    for quote in (slot.page for slot in statement.slots):
        assert quote is None or PAGES[page][quote.start : quote.end] == quote.text


def test_what_a_page_denies_by_its_words_is_not_outvoted(scorer):
    page = Page("Der Code ist 15 Minuten gültig.", id="code.md")
    turn = Turn("Wie lange gilt der Code?", "Der Code ist 30 Minuten gültig.", [page])
    by_words = Scorer.load(translate=word_for_word()).score(turn)
    by_meaning = scorer.score(turn)
    assert [one.verdict for one in (by_words, by_meaning)] == ["block", "block"]
    assert by_meaning.statements[0].truth <= by_words.statements[0].truth


def test_a_statement_about_something_else_is_less_likely(scorer):
    near, far = (
        assessed(scorer, answer).statements[0].truth
        for answer in (
            "Das Geld ist nach 14 Tagen wieder bei Ihnen.",
            "Eine Pizza mit Ananas kostet beim Bäcker sehr viel mehr.",
        )
    )
    assert far < near
