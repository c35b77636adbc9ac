"""Assessments of turns with pages in several languages, ratings and references."""

import pytest

from klopt import Page, Scorer, Turn
from tests.scoring.turns import ENGLISH_PAGE, PAGE, turn


def test_a_page_in_another_language_is_ignored(scorer):
    both = scorer.score(turn(contexts=[ENGLISH_PAGE, Page(PAGE, id="nl.md")]))
    assert both.status == "scored"
    assert both.score == scorer.score(turn()).score
    pages = {e.page for measured in both.measurements.values() for e in measured.evidence}
    assert pages <= {None, "nl.md"}


def test_rating_and_reference_are_never_read(scorer):
    rated = turn(rating=1.0, reference="Iets heel anders.")
    assert scorer.score(rated) == scorer.score(turn())


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
