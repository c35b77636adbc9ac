"""Which sentences can be held against a page, and what leaves a question open."""

from __future__ import annotations

import pytest

from klopt import Page
from klopt.matching import Language
from klopt.matching.match import refusal_in, statements_in

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


def read(language: Language, question: str, answer: str) -> tuple[list[str], str | None]:
    """The statements of an answer, and what leaves the question open."""
    asked, reading = (language.reader.read(text) for text in (question, answer))
    words = {asked.tokens.keys[number] for number in asked.tokens.running}
    pages = [language.page(Page(text)) for text in PAGES[language.code]]
    text, tables = reading.plain.text, language.lexicons
    found = refusal_in(reading, words, pages, tables)
    statements = statements_in(reading, words, pages, tables)
    return (
        [text[one.start : one.end] for one in statements],
        None if found is None else text[found.start : found.end],
    )


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        *(("nl", one) for one in ("x", "Ja.", "Nee.", "Doe maar.", "OK", "Prima, succes!")),
        *(("nl", one) for one in ("Ja, dat kan.", "Nee, dat kan niet.", "Nooit.", "Komt in orde!")),
        *(
            ("nl", one)
            for one in ("Bovendien, echter, daarom.", "Dank u wel, en succes.", "👍 top")
        ),
        *(("en", one) for one in ("x", "Yes.", "No.", "Go ahead.", "OK", "Great, good luck!")),
        *(("en", one) for one in ("Yes, you can.", "No, you cannot.", "Never.", "Sounds good!")),
        *(("en", one) for one in ("Moreover, however, therefore.", "Thanks, and good luck.")),
    ],
)
def test_nothing_is_said(languages: dict[str, Language], language: str, answer: str):
    assert read(languages[language], "", answer) == ([], None)


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        *(("nl", one) for one in ("25", "F5", "In het menu Netwerk.", "De maan is van kaas.")),
        *(("nl", one) for one in ("Ja, u kunt fietsen.", "Nee, de pas verloopt niet.", "Maandag.")),
        *(("en", one) for one in ("25", "F5", "In the Network menu.", "The moon is cheese.")),
        *(("en", one) for one in ("Yes, you can cycle.", "No, the badge stays valid.", "Monday.")),
    ],
)
def test_little_is_said(languages: dict[str, Language], language: str, answer: str):
    assert read(languages[language], "", answer) == ([answer], None)


@pytest.mark.parametrize(
    ("language", "question", "answer", "statements"),
    [
        ("nl", "", "Sorry, daar kan ik u niet mee helpen.", []),
        ("nl", "", "Neem contact op met de helpdesk.", []),
        ("nl", "", "Hiervoor kunt u het beste contact opnemen met uw leidinggevende.", []),
        ("nl", "", "Beste klant, vraag dit na bij uw systeembeheerder. Succes!", []),
        ("nl", "", "Dat weet ik niet. U hebt recht op een pas.", ["U hebt recht op een pas."]),
        (
            "nl",
            "",
            "Dat weet ik niet, maar u hebt 50 dagen.",
            ["Dat weet ik niet, maar u hebt 50 dagen."],
        ),
        ("nl", "Werkt het op versie 50?", "Ik weet niet of versie 50 kan.", []),
        ("nl", "", "Dat vind ik niet in de documentatie. Bel de helpdesk.", []),
        ("nl", "", "Dat weet ik niet. Misschien kan uw beheerder of partner u verder helpen.", []),
        ("nl", "Mag ik parkeren?", "Neem contact op met uw leidinggevende.", []),
        ("nl", "Waar zet ik mijn fiets?", "Raadpleeg de servicedesk.", []),
        ("nl", "Hoe vraag ik verlof aan?", "Neem contact op met de helpdesk.", []),
        ("en", "", "Sorry, I can't help you with that.", []),
        ("en", "", "Please contact the helpdesk.", []),
        ("en", "", "For this you had best contact your manager.", []),
        ("en", "", "Dear customer, check this with your supplier. Good luck!", []),
        ("en", "", "I don't know. You are entitled to a badge.", ["You are entitled to a badge."]),
        ("en", "", "I don't know, but you have 50 days.", ["I don't know, but you have 50 days."]),
        ("en", "Does it run on version 50?", "I don't know if version 50 will do.", []),
        ("en", "", "I can't find that in the pages. Call the helpdesk.", []),
        ("en", "", "I don't know. Perhaps your partner may be able to help you.", []),
        ("en", "May I park?", "Contact your manager.", []),
        ("en", "Where do I leave my bicycle?", "Consult the service desk.", []),
        ("en", "How do I request leave?", "Contact the helpdesk.", []),
    ],
)
def test_a_question_left_open(
    languages: dict[str, Language],
    language: str,
    question: str,
    answer: str,
    statements: list[str],
):
    found, refusal = read(languages[language], question, answer)
    assert found == statements
    assert refusal is not None


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("nl", "Hoe krijg ik een nieuwe pas?", "Neem contact op met de helpdesk."),
        ("nl", "", "Start de printer. Neem contact op met de helpdesk als hij niet werkt."),
        ("nl", "", "Bel de helpdesk op 1234."),
        ("nl", "", "Zet de printer uit en bel de helpdesk."),
        ("nl", "", "Bel de helpdesk via **Mijn contact**."),
        ("nl", "", "Als u niet weet waar de pas is, kijk dan in de lade."),
        ("en", "How do I get a new badge?", "Contact the helpdesk."),
        ("en", "", "Start the printer. Contact the helpdesk if it does not work."),
        ("en", "", "Call the helpdesk on 1234."),
        ("en", "", "Restart the printer and call the helpdesk."),
        ("en", "", "Buy a new scanner and call support."),
        ("en", "", "Call the helpdesk under **My contact**."),
        ("en", "", "If you don't know where the badge is, look in the drawer."),
    ],
)
def test_an_answer_after_all(
    languages: dict[str, Language], language: str, question: str, answer: str
):
    found, refusal = read(languages[language], question, answer)
    assert "".join(found) == answer.replace(". ", ".").replace("**", "")
    assert refusal is None
