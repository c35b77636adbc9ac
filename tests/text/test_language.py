"""The vote on the language: the case table, and properties of any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import Page, lexicons
from klopt.text.language import READ_CHARS, settled, vote
from tests.tables import tables

CASES = [
    (text, None if language == "none" else language)
    for language, groups in tables("text", "language").items()
    for texts in groups.values()
    for text in texts
]

SHORT_DUTCH = ["Hoe lang is tegoed geldig?", "Tegoed is 2 jaar geldig."]


@pytest.mark.parametrize(("text", "language"), CASES)
def test_case(text, language):
    assert vote([text]).language == language


def test_all_texts_vote_together():
    assert vote(["Settings?", "Klik op Settings."]).language == "nl"


def test_only_the_beginning_of_a_text_votes():
    start = "Dit is hier te vinden. ".ljust(READ_CHARS, "x")
    assert vote([start + " the of and you with from" * 500]).language == "nl"


@given(texts=st.lists(st.text(max_size=100), max_size=4))
def test_any_text(texts):
    result = vote(texts)
    assert result == vote(texts)
    assert (result.language is None) == (result.reason is not None)
    assert result.language in (None, *lexicons.languages())
    assert all(0 < share <= 1 for _, share in result.shares)
    assert not result.shares or abs(sum(share for _, share in result.shares) - 1) < 1e-9
    assert [s for _, s in result.shares] == sorted((s for _, s in result.shares), reverse=True)


@pytest.mark.parametrize(
    ("texts", "page", "language"),
    [
        (["Was Plus?", "€ 0,39 per kWh."], "Met Plus laadt u het hele jaar.", "nl"),
        (["can kan"], "Op de paal zit 5 jaar.", "nl"),
        (["can kan"], "You can change it in the settings.", "en"),
        (["can kan"], "Puede cambiar la contraseña en el menú.", None),
        (["Wie kann ich das ändern?"], "U kunt het wijzigen in het menu.", None),
        (["1 + 1"], "U kunt het wijzigen in het menu.", None),
        (SHORT_DUTCH, "Tegoed (na een retour) is 2 jaar geldig, van ons.", "nl"),
        (SHORT_DUTCH, "Met de app betaal je overal.", None),
        (SHORT_DUTCH, "You can use it. Tegoed: geldig for a jaar, lang.", "en"),
        (["Printer?", "Printer."], "De printer staat aan.", "nl"),
        (["Jak długo ważny jest kod?", "10 minut."], "De kod is 10 minuten geldig.", None),
        (["Quanto dura?", "2 anni."], "Tegoed is 2 jaar geldig, van ons.", None),
    ],
)
def test_pages_decide_between_possible_languages(texts, page, language):
    voted = vote(texts)
    assert voted.language is None
    assert settled(voted, texts, [Page(page)]) == language
    html = f"<html><head><style>{'the of and you ' * 400}</style></head><p>{page}</p></html>"
    assert settled(voted, texts, [Page(html)]) == language
    assert settled(voted, texts, []) is None


@pytest.mark.parametrize("order", [1, -1])
def test_the_page_that_has_the_words_decides(order):
    pages = [Page("You can change it in the settings."), Page("Dan is tegoed 2 jaar geldig.")]
    assert settled(vote(SHORT_DUTCH), SHORT_DUTCH, pages[::order]) == "nl"
    both = [*pages, Page("You can use it. Tegoed is geldig for a jaar.")]
    assert settled(vote(SHORT_DUTCH), SHORT_DUTCH, both[::order]) is None


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        (["Wat kost Plus per jaar?", "Plus kost € 90 per jaar."], "nl"),
        (["What does Plus cost per year?", "Plus costs € 90 per year."], "en"),
        (["Quanto costa Plus per un anno?", "Plus costa € 90 per anno."], None),
    ],
)
def test_other_words_decide_if_a_word_has_several_languages(texts, language):
    assert vote(texts).language == language
