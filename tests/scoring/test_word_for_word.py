"""Answers that are read word for word: what is found, what is quoted, and that none is sent."""

import re
from itertools import pairwise

import pytest

from klopt import Page, Scorer, Turn
from klopt.translation.word_for_word import word_for_word

GERMAN = Page(
    "# Passwort zurücksetzen\n\nKlicken Sie auf **Zurücksetzen**. Der Code ist 15 Minuten gültig "
    "und gilt nur für Sie. Nur ein Administrator kann die Sperre früher aufheben.",
    "passwort.md",
)
DUTCH = Page(
    "# Wachtwoord herstellen\n\nKlik op **Herstellen**. De code is 15 minuten geldig en geldt "
    "alleen voor u. Alleen een beheerder kan de blokkade eerder opheffen.",
    "wachtwoord.md",
)
ENGLISH = Page(
    "# Reset your password\n\nClick **Reset**. The code is valid for 15 minutes and is only for "
    "you. Only an administrator can lift the block earlier.",
    "password.md",
)
QUOTED = re.compile("[“„«]\\s?([^”“»]*?)\\s?[”“»]")
ASKED = {
    "de": "Wie setze ich mein Passwort zurück?",
    "fr": "Comment réinitialiser mon mot de passe ?",
    "nl": "Hoe herstel ik mijn wachtwoord?",
    "en": "How do I reset my password?",
}
TRUE = {
    "de": "Klicken Sie auf **Zurücksetzen**. Der Code ist 15 Minuten gültig.",
    "fr": "Le code est valable 15 minutes. Seul un administrateur peut lever le blocage avant.",
    "nl": "Klik op **Herstellen**. De code is 15 minuten geldig.",
    "en": "Click **Reset**. The code is valid for 15 minutes.",
}


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer.load(translate=word_for_word())


@pytest.mark.parametrize("page", [GERMAN, DUTCH, ENGLISH], ids=lambda one: one.id)
@pytest.mark.parametrize("language", ["de", "fr"])
def test_another_number_is_found_and_both_are_quoted(scorer, language, page):
    true = Turn(ASKED[language], TRUE[language], [page], language=language)
    untrue = Turn(ASKED[language], TRUE[language].replace("15", "30"), [page], language=language)
    right, wrong = scorer.score(true), scorer.score(untrue)
    assert (right.score or 0) > (wrong.score or 0)
    assert right.verdict == "review"
    quoted = QUOTED.findall(wrong.why)
    assert any("30" in own and "15" in other for own, other in pairwise(quoted))
    told = f"{untrue.answer}\n{page.text}".replace("*", "")
    assert all(words.strip(" …") in told for words in quoted)
    for one in wrong.statements:
        assert all(one.text[start:end] in untrue.answer for start, end in one.wrong)


@pytest.mark.parametrize(
    ("language", "headline", "fault"),
    [("de", " von 5: ", "Die Antwort sagt „"), ("fr", " sur 5 : ", "La réponse dit « ")],
)
def test_reasons_are_in_the_language_of_the_question(scorer, language, headline, fault):
    answer = TRUE[language].replace("15", "30")
    found = scorer.score(Turn(ASKED[language], answer, [ENGLISH], language=language))
    assert headline in found.sentences[0]
    assert "," in found.sentences[0].partition(headline)[0]
    assert found.why.startswith(fault)
    assert "15 minutes" in found.why


@pytest.mark.parametrize(("language", "page"), [("nl", ENGLISH), ("en", DUTCH), ("nl", GERMAN)])
def test_pages_in_another_language_than_the_answer(scorer, language, page):
    found = scorer.score(Turn(ASKED[language], TRUE[language], [page], language=language))
    assert (found.status, found.verdict) == ("scored", "review")
    assert "No page names" not in found.explanation
    assert "Geen pagina noemt" not in found.explanation


@pytest.mark.parametrize(("language", "page"), [("nl", DUTCH), ("en", ENGLISH)])
def test_what_is_read_as_it_is_stays_the_same(scorer, language, page):
    turn = Turn(ASKED[language], TRUE[language], [page, GERMAN])
    plain, read = Scorer.load().score(turn), scorer.score(turn)
    assert read.translation is None
    assert read.to_dict() == plain.to_dict()


def test_pages_in_a_language_that_the_turn_has_no_words_for_are_declared(scorer):
    found = scorer.score(Turn("Jak zmienić hasło?", "Kliknij Zapisz.", [DUTCH], language="pl"))
    assert (found.status, found.verdict) == ("not_scorable", "unscored")
    assert found.reason_code == "context_language"
