"""The language of a turn, and pages in another language."""

import pytest

from klopt import Page, Scorer, Turn
from klopt.errors import UnknownLanguageError
from tests.scoring.turns import ENGLISH_PAGE, PAGE, turn


@pytest.mark.parametrize(
    ("question", "answer", "page", "language"),
    [
        ("PIN?", "PIN: F8.", "PIN: F8.", "nl"),  # no evidence
        ("can kan", "F8", "F8", "nl"),  # a tie
        ("PIN?", "Press F8 and enter your code.", "Press F8.", "en"),  # question and answer decide
        ("can kan", "F8", "You can change it in the settings.", "en"),  # the pages decide
        ("Wie kann ich das ändern?", "F8", "F8", None),  # another language
        ("Как изменить пароль?", "F8", "F8", None),  # another script
    ],
)
def test_the_default_language_counts_if_nothing_else_decides(question, answer, page, language):
    turn = Turn(question, answer, [page], message_type="binary")
    assert Scorer.load(language="nl").score(turn).language == language
    without = Scorer.load().score(turn)
    if language == "nl":
        assert (without.language, without.reason_code) == (None, "language_unknown")
    else:
        assert without.language == language


SHORT = ("Hoe lang is tegoed geldig?", "Tegoed is 2 jaar geldig.")


@pytest.mark.parametrize(
    ("texts", "page", "language"),
    [
        (SHORT, "Dan is je tegoed ook 2 jaar geldig.", "nl"),
        (SHORT, "Met deze app betaal je overal.", None),
        (("Quanto dura?", "2 anni."), "Dan is je tegoed ook 2 jaar geldig.", None),
    ],
)
def test_the_language_of_the_pages_counts_for_a_short_turn(scorer, texts, page, language):
    scored = scorer.score(Turn(*texts, [page]))
    assert scored.language == language
    assert (scored.reason_code == "language_unknown") == (language is None)


def test_a_default_language_that_the_profile_lacks():
    with pytest.raises(UnknownLanguageError, match='no language "pl"'):
        Scorer.load(language="pl")


NL = Page(
    "# Aanmelden\n\nJe meldt je aan met je e-mailadres. Klik op **Aanmelden** en vul je code in.",
    "nl",
)
EN = Page(
    "# Sign in\n\nClick **Sign in** and enter your code. The code is valid for 45 minutes. "
    "Call 020-5550123 for help. You can use the **Authenticator** app with this account.",
    "en",
)
QUESTIONS = {"nl": "Hoe meld ik me aan?", "en": "How do I sign in?"}


@pytest.mark.parametrize(
    ("language", "answer", "unknown"),
    [
        ("nl", "Klik op **Aanmelden** en open daarna **Authenticator**.", []),
        ("nl", "Klik op **Aanmelden** en open daarna **Sleutelbos**.", ["Sleutelbos"]),
        ("nl", "Klik op **Aanmelden**. Bel voor hulp met 020-5550123.", []),
        ("nl", "Klik op **Aanmelden**. Bel voor hulp met 020-5559999.", ["020-5559999"]),
        ("en", "Click **Sign in**. The Dutch button is **Aanmelden**.", []),
        ("en", "Click **Sign in**. The Dutch button is **Opslaan**.", ["Opslaan"]),
    ],
)
def test_names_and_numbers_of_pages_in_another_language(scorer, language, answer, unknown):
    turn = Turn(QUESTIONS[language], answer, [NL, EN], language=language)
    scored = scorer.score(turn, measure_all=True)
    names = scored.measurements["components_defined"].evidence
    assert [name.text for name in names if name.kind == "unsupported"] == unknown
    assert scored.languages is not None
    assert scored.languages.pages == ("nl", "en")
    own, other = (NL, EN) if language == "nl" else (EN, NL)
    places = {claim.passage.page for claim in scored.claims if claim.passage is not None}
    assert places <= {own.id}
    assert (
        scorer.score(Turn(QUESTIONS[language], answer, [other])).reason_code == "context_language"
    )


@pytest.mark.parametrize("minutes", ["45", "55"])
def test_a_page_in_another_language_changes_no_label(scorer, minutes):
    answer = f"Klik op **Aanmelden**. De code is {minutes} minuten geldig."
    alone = scorer.score(Turn(QUESTIONS["nl"], answer, [NL])).claims
    both = scorer.score(Turn(QUESTIONS["nl"], answer, [NL, EN])).claims
    assert [claim.relation for claim in both] == [claim.relation for claim in alone]
    assert (both[-1].truth > alone[-1].truth) == (minutes == "45")


def test_a_page_in_another_language_is_ignored(scorer):
    both = scorer.score(turn(contexts=[ENGLISH_PAGE, Page(PAGE, id="nl.md")]))
    assert both.status == "scored"
    assert both.score == scorer.score(turn()).score
    pages = {e.page for measured in both.measurements.values() for e in measured.evidence}
    assert pages <= {None, "nl.md"}


@pytest.mark.parametrize(
    ("question", "answer", "pages", "languages"),
    [
        ("Hoe lang geldt het?", "De code geldt 15 minuten.", ["De code geldt 15 minuten."], None),
        ("Hoe lang?", "15 minuten.", ["LN-2047", "De code geldt nog 15 minuten."], None),
        ("Hoe lang geldt de code dan?", "De code geldt 15 minuten.",
         ["De code geldt nog 15 minuten.", "The code is valid for 15 minutes.", "LN-2047"],
         {"question": "nl", "answer": "nl", "pages": ["nl", "en", None]}),
        ("Hoe lang geldt de code dan?",
         "Der Code ist nur für kurze Zeit gültig und wird nicht erneuert.",
         ["Der Code ist nur 15 Minuten gültig.", "De code geldt nog 15 minuten."],
         {"question": "nl", "answer": "de", "pages": ["de", "nl"]}),
    ],
)  # fmt: skip
def test_languages_are_listed_if_there_are_several(question, answer, pages, languages):
    turn = Turn(question, answer, [Page(text) for text in pages], language="nl")
    row = Scorer.load().score(turn).to_dict()
    assert row.get("languages") == languages
