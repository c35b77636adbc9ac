"""The language of a turn, and pages in another one."""

import pytest

from klopt import Page, Scorer, Turn
from klopt.errors import UnknownLanguageError


@pytest.mark.parametrize(
    ("question", "answer", "page", "language"),
    [
        ("PIN?", "PIN: F8.", "PIN: F8.", "nl"),  # nothing tells
        ("can kan", "F8", "F8", "nl"),  # a draw
        ("PIN?", "Press F8 and enter your code.", "Press F8.", "en"),  # the vote decides
        ("can kan", "F8", "You can change it in the settings.", "en"),  # the pages do
        ("Wie kann ich das ändern?", "F8", "F8", None),  # another language
        ("Как изменить пароль?", "F8", "F8", None),  # another script
    ],
)
def test_default_language_where_nothing_decides(question, answer, page, language):
    turn = Turn(question, answer, [page], message_type="binary")
    assert Scorer.load(language="nl").score(turn).language == language
    without = Scorer.load().score(turn)
    if language == "nl":
        assert (without.language, without.reason_code) == (None, "language_unknown")
    else:
        assert without.language == language


def test_a_default_that_the_profile_lacks():
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
ASKED = {"nl": "Hoe meld ik me aan?", "en": "How do I sign in?"}


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
    turn = Turn(ASKED[language], answer, [NL, EN], language=language)
    scored = scorer.score(turn, measure_all=True)
    names = scored.measurements["components_defined"].evidence
    assert [one.text for one in names if one.kind == "unsupported"] == unknown
    assert scored.languages is not None
    assert scored.languages.pages == ("nl", "en")
    own, other = (NL, EN) if language == "nl" else (EN, NL)
    places = {one.passage.page for one in scored.claims if one.passage is not None}
    assert places <= {own.id}
    assert scorer.score(Turn(ASKED[language], answer, [other])).reason_code == "context_language"


@pytest.mark.parametrize("minutes", ["45", "55"])
def test_a_page_in_another_language_supports_and_contradicts_nothing(scorer, minutes):
    answer = f"Klik op **Aanmelden**. De code is {minutes} minuten geldig."
    alone = scorer.score(Turn(ASKED["nl"], answer, [NL])).claims
    both = scorer.score(Turn(ASKED["nl"], answer, [NL, EN])).claims
    assert [one.relation for one in both] == [one.relation for one in alone]
    assert (both[-1].truth > alone[-1].truth) == (minutes == "45")
