"""An answer sentence by sentence: all of it, its marks, and what the page says beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.measurement import Evidence, Measurement
from klopt.reading.markup import read_text
from klopt.report.evidence import DIFFERS, around, link, sentences
from klopt.report.view import Piece, Sentence
from klopt.scoring.assessment import CheckedStatement, PagePlace, Quote, Slot
from klopt.scoring.explanation import TELLING

ANSWER = (
    "# Verlof\n\nJa.\n\n1. Open **Verlof**.\n2. Klik op **Nieuw**. U heeft 60 dagen.\n\n"
    "- Bel de _balie_.\n\n  Of mail."
)
PAGE = PagePlace(
    "verlof.md", "U heeft daarvoor 90 dagen, en 190 dagen in het buitenland.", 5, 70, 4
)
RELATIONS = st.sampled_from(["supported", "contradicted", "not_stated"])
OFFSETS = st.integers(-20, 120) | st.integers()
WORDS = st.none() | st.builds(Quote, st.sampled_from(["60", "90", ""]), OFFSETS, OFFSETS)
SLOTS = st.builds(Slot, st.sampled_from(["value", "negation"]), st.just("against"), WORDS, WORDS)
STATEMENTS = st.lists(
    st.builds(
        CheckedStatement,
        text=st.just("x"),
        start=OFFSETS,
        end=OFFSETS,
        relation=RELATIONS,
        fault=st.booleans(),
        truth=st.just(0.5),
        passage=st.none() | st.just(PAGE),
        slots=st.tuples(SLOTS),
    ),
    max_size=4,
)


def statement(text: str, relation: str = "supported", passage=None, *slots) -> CheckedStatement:
    start = ANSWER.index(text)
    is_fault = relation != "supported"
    span = (start, start + len(text))
    against = (one.page for one in slots if one.side == "against" and one.page is not None)
    differing = tuple((one.start, one.end) for one in against)
    mine = [one for one in slots if one.side == "against"] or slots
    claims = (one.claim for one in mine if one.claim is not None)
    wrong = tuple((one.start - start, one.end - start) for one in claims)
    return CheckedStatement(text, *span, relation, is_fault, 0.5, passage, slots, differing, wrong)


def slot(kind: str, side: str, claim: str | None, page: str | None) -> Slot:
    def words(text: str | None, source: str) -> Quote | None:
        if text is None:
            return None
        return Quote(text, source.index(text), source.index(text) + len(text))

    return Slot(kind, side, words(claim, ANSWER), words(page, PAGE.text))


def told(
    *statements, names=(), of=TELLING, why="", language="nl", is_sent=False
) -> tuple[Sentence, ...]:
    measured = {of: Measurement(0.5, evidence=tuple(names))}
    return sentences(read_text(ANSWER), statements, measured, why, language, is_sent=is_sent)


def text(one: Sentence) -> str:
    return "".join(piece.text for piece in one.words)


def marked(pieces) -> list[str]:
    return [piece.text for piece in pieces if piece.kind == DIFFERS]


def test_each_sentence_stands_on_its_own_with_its_number():
    assert [(one.lead, one.is_heading, text(one)) for one in told()] == [
        ("", True, "Verlof"),
        ("", False, "Ja."),
        ("1.", False, "Open Verlof."),
        ("2.", False, "Klik op Nieuw."),
        ("", False, "U heeft 60 dagen."),
        ("•", False, "Bel de balie."),
        ("", False, "Of mail."),
    ]


@pytest.mark.parametrize(
    ("answer", "leads"),
    [
        ("3. Drie\n\nTussendoor\n\n4. Vier", ["3.", "", "4."]),
        ("1) Een\n1) Nog een", ["1)", "1)"]),
        ("<ol><li>Een</li><li>Twee</li></ol>", ["1.", "2."]),
        ("1. **Een**\n   - Half\n\n   Meer", ["1.", "•", ""]),
        ("Geen lijst van 2. stappen", [""]),
    ],
)
def test_numbers_are_as_they_were_written(answer, leads):
    found = sentences(read_text(answer), (), {}, "", "nl", is_sent=False)
    assert [one.lead for one in found][: len(leads)] == leads


def test_a_fault_stands_beside_what_the_page_says():
    days = slot("value", "against", "60", "90")
    wrong = statement("U heeft 60 dagen.", "contradicted", PAGE, days)
    (found,) = (one for one in told(wrong) if one.kind)
    assert (found.kind, found.said) == ("fault", "de pagina zegt het anders")
    assert found.where == "verlof.md, regel 4"
    assert (marked(found.words), marked(found.passage)) == (["60"], ["90"])


@pytest.mark.parametrize(
    ("language", "said", "where"),
    [
        ("nl", "geen pagina bevestigt dit; het dichtstbij", "verlof.md, regel 4"),
        ("en", "no page confirms this; nearest to it", "verlof.md, line 4"),
        ("es", "no page confirms this; nearest to it", "verlof.md, line 4"),
        ("../nl", "no page confirms this; nearest to it", "verlof.md, line 4"),
        ("n\0l", "no page confirms this; nearest to it", "verlof.md, line 4"),
        (None, "no page confirms this; nearest to it", "verlof.md, line 4"),
    ],
)
def test_it_is_told_in_the_language_of_the_answer(language, said, where):
    wrong = statement("U heeft 60 dagen.", "not_stated", PAGE)
    (found,) = (one for one in told(wrong, language=language) if one.kind)
    assert (found.said, found.where) == (said, where)


def test_what_differs_is_marked_and_what_is_only_in_the_answer_where_nothing_does():
    open_one = slot("value", "open", "dagen", None)
    both = statement(
        "U heeft 60 dagen.", "contradicted", PAGE, open_one, slot("value", "against", "60", "90")
    )
    alone = statement("U heeft 60 dagen.", "contradicted", PAGE, open_one)
    denied = slot("negation", "against", None, "90")
    page_only = statement("U heeft 60 dagen.", "contradicted", PAGE, open_one, denied)
    every = (both, alone, page_only)
    assert [marked(found.words) for one in every for found in told(one) if found.kind] == [
        ["60"],
        ["dagen"],
        [],
    ]


def test_nothing_that_is_sent_is_called_a_fault():
    wrong = statement(
        "U heeft 60 dagen.", "contradicted", PAGE, slot("value", "against", "60", "90")
    )
    name = Evidence("unsupported", "Nieuw", ANSWER.index("Nieuw"), ANSWER.index("Nieuw") + 5)
    found = told(wrong, names=[name], is_sent=True)
    assert {one.kind for one in found} == {""}
    assert marked(piece for one in found for piece in (*one.words, *one.passage)) == []


@pytest.mark.parametrize("statements", [(), (statement("Klik op **Nieuw**."),)])
def test_a_name_that_no_page_has_is_a_fault_with_and_without_statements(statements):
    start = ANSWER.index("Nieuw")
    name = Evidence("unsupported", "Nieuw", start, start + 5)
    found = [one for one in told(*statements, names=[name, name]) if one.kind == "fault"]
    assert [(one.said, marked(one.words)) for one in found] == [
        ("geen pagina noemt “Nieuw”", ["Nieuw"])
    ]


@pytest.mark.parametrize(
    ("heuristic", "why", "said"),
    [
        (
            "components_together",
            "Van een andere pagina dan de rest: “Nieuw”.",
            "van een andere pagina dan de rest: “Nieuw”; het dichtstbij",
        ),
        (
            "step_order",
            "Op de pagina komt later: “Nieuw”.",
            "op de pagina komt later: “Nieuw”; het dichtstbij",
        ),
        ("step_order", "Geen pagina noemt “Nieuw”.", ""),
        ("company_specific_terms", "Op de pagina komt later: “Nieuw”.", ""),
    ],
)
def test_what_the_reason_tells_stands_at_its_sentence_though_a_page_says_it(heuristic, why, said):
    start = ANSWER.index("Nieuw")
    name = Evidence("unsupported", "Nieuw", start, start + 5)
    step = statement("Klik op **Nieuw**.", "supported", PAGE)
    found = [one for one in told(step, names=[name], of=heuristic, why=why) if "Nieuw" in text(one)]
    assert [one.said for one in found] == [said]
    assert [one.kind for one in found] == ["fault" if said else "supported"]


@given(STATEMENTS, st.booleans())
def test_the_sentences_are_the_answer_whatever_the_offsets(statements, is_sent):
    found = told(*statements, is_sent=is_sent)
    letters = "".join(filter(str.isalnum, read_text(ANSWER).text))
    assert "".join(filter(str.isalnum, "".join(map(text, found)))) == letters
    assert all((one.kind == "fault") == bool(one.said) for one in found)


def beside(text: str, differs: str) -> tuple[Piece, ...]:
    """What is shown of a page's text beside a statement."""
    place, at = PagePlace("p", text, 0, len(text), 1), text.index(differs)
    span = at, at + len(differs)
    return around(CheckedStatement("x", 0, 1, "contradicted", True, 0.1, place, (), (span,)))


@given(st.text("ab. ", max_size=500), st.text("ab. ", max_size=500))
def test_a_long_passage_keeps_the_words_that_differ(before, after):
    text = f"{before} 90 {after}"
    found = beside(text, "90")
    shown = "".join(piece.text for piece in found)
    assert len(shown) <= 244
    assert shown.removeprefix("… ").removesuffix(" …") in text
    assert marked(found) == ["90"]


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("https://wad.example/a", "https://wad.example/a#:~:text=Klik%2C%20e%2Dmail%20%26%20%22x"),
        ("http://wad.example/a#b", "http://wad.example/a#b:~:text=Klik%2C%20e%2Dmail%20%26%20%22x"),
        *(
            (page, "")
            for page in (
                "hulp.md",
                "javascript:alert(1)",
                "data:text/html,x",
                "//wad.example",
                " https://wad.example",
                "https://wad.example/\x00",
                "https://wad.example/\u202e",
                'https://wad.example/"onclick="x',
                "https://" + "a" * 3000,
                "HTTPS:",
                "",
            )
        ),
    ],
)
def test_only_a_web_address_is_a_link(page, address):
    assert link(PagePlace(page, 'Klik, e-mail & "x\nDaarna', 0, 9, 1)) == address


def test_a_link_names_no_lone_surrogate():
    assert link(PagePlace("https://a.example", "\ud800", 0, 1, 1)).endswith("text=%3F")
