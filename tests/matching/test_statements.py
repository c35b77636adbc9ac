"""Which sentences can be held against a page, and what leaves a question open."""

from __future__ import annotations

import pytest

from klopt import Page
from klopt.matching import Language
from klopt.matching.match import refusal_in, statements_in
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
    ("language", "question", "answer", "statements", "is_open"),
    tables("matching", "statements")["statements"],
)
def test_statements_and_what_leaves_a_question_open(
    languages: dict[str, Language],
    language: str,
    question: str,
    answer: str,
    statements: list[str],
    is_open: bool,
):
    own = languages[language]
    asked, reading = (own.reader.read(text) for text in (question, answer))
    words = {asked.tokens.keys[number] for number in asked.tokens.running}
    pages = [own.page(Page(text)) for text in PAGES[language]]
    found = statements_in(reading, words, pages, own.lexicons)
    assert [reading.plain.text[one.start : one.end] for one in found] == statements
    assert (refusal_in(reading, words, pages, own.lexicons) is not None) == is_open
