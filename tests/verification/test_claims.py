"""Which sentences are claims, and which answers leave the question open."""

import pytest

from klopt import Page
from klopt.verification.match import claims_in, refusal_in
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
    ("language", "question", "answer", "claims", "is_open"),
    tables("verification", "claims")["claims"],
)
def test_claims_and_open_questions(languages, language, question, answer, claims, is_open):
    own = languages[language]
    query, reading = (own.reader.read(text) for text in (question, answer))
    words = {query.tokens.keys[number] for number in query.tokens.running}
    pages = [own.page(Page(text)) for text in PAGES[language]]
    refusal = refusal_in(reading, words, pages, own.lexicons)
    found = claims_in(reading, words, own.lexicons, is_open=refusal is not None)
    assert [reading.plain.text[claim.start : claim.end] for claim in found] == claims
    assert (refusal is not None) == is_open
