"""An answer sentence by sentence: all of it, its marks, and what the page says beside it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reading.markup import read_text
from klopt.records import Evidence, Measurement
from klopt.report.evidence import DIFFERS, Piece, Sentence, around, link, sentences
from klopt.scoring.assessment import CheckedStatement, PagePlace
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
SPANS = st.lists(st.tuples(OFFSETS, OFFSETS), max_size=2).map(tuple)
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
        slots=st.just(()),
        differing=SPANS,
        wrong=SPANS,
    ),
    max_size=4,
)


def spans(words: str, text: str) -> tuple[tuple[int, int], ...]:
    return ((text.index(words), text.index(words) + len(words)),) if words else ()


def statement(
    text: str, relation="supported", passage=None, ours="", theirs=""
) -> CheckedStatement:
    """A statement of the answer, with the words of it and of the page that differ."""
    start, is_fault = ANSWER.index(text), relation != "supported"
    differing = spans(theirs, PAGE.text)
    told = (start, start + len(text), relation, is_fault, 0.5, passage, ())
    return CheckedStatement(text, *told, differing, spans(ours, text))


NAME = Evidence("unsupported", "Nieuw", ANSWER.index("Nieuw"), ANSWER.index("Nieuw") + 5)
LATER = "de pagina komt later: “Nieuw”"
DAYS = statement("U heeft 60 dagen.", "contradicted", PAGE, "60", "90")


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
    (found,) = (one for one in told(DAYS) if one.kind)
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
        (None, "no page confirms this; nearest to it", "verlof.md, line 4"),
    ],
)
def test_it_is_told_in_the_language_of_the_answer(language, said, where):
    wrong = statement("U heeft 60 dagen.", "not_stated", PAGE)
    (found,) = (one for one in told(wrong, language=language) if one.kind)
    assert (found.kind, found.said, found.where) == ("unconfirmed", said, where)


def test_what_no_page_states_is_no_fault_unless_a_name_of_it_is_unknown():
    step = statement("Klik op **Nieuw**.", "not_stated", PAGE)
    for names, kind in (((), "unconfirmed"), ((NAME,), "fault")):
        (found,) = (one for one in told(step, names=names) if one.kind)
        assert (found.kind, marked(found.words)) == (kind, ["Nieuw"] if names else [])


def test_nothing_that_is_sent_is_called_a_fault():
    found = told(DAYS, names=[NAME], is_sent=True)
    assert {one.kind for one in found} == {""}
    assert marked(piece for one in found for piece in (*one.words, *one.passage)) == []


@pytest.mark.parametrize("statements", [(), (statement("Klik op **Nieuw**."),)])
def test_a_name_that_no_page_has_is_a_fault_with_and_without_statements(statements):
    found = [one for one in told(*statements, names=[NAME, NAME]) if one.kind == "fault"]
    assert [(one.said, marked(one.words)) for one in found] == [
        ("geen pagina noemt “Nieuw”", ["Nieuw"])
    ]


@pytest.mark.parametrize(
    ("heuristic", "why", "said"),
    [
        ("step_order", f"Op {LATER}.", f"op {LATER}; het dichtstbij"),
        ("step_order", "Geen pagina noemt “Nieuw”.", ""),
        ("company_specific_terms", f"Op {LATER}.", ""),
    ],
)
def test_what_the_reason_tells_stands_at_its_sentence_though_a_page_says_it(heuristic, why, said):
    step = statement("Klik op **Nieuw**.", "supported", PAGE)
    found = [one for one in told(step, names=[NAME], of=heuristic, why=why) if "Nieuw" in text(one)]
    assert [one.said for one in found] == [said]
    assert [one.kind for one in found] == ["fault" if said else "supported"]


@given(STATEMENTS, st.booleans())
def test_the_sentences_are_the_answer_whatever_the_offsets(statements, is_sent):
    found = told(*statements, is_sent=is_sent)
    letters = "".join(filter(str.isalnum, read_text(ANSWER).text))
    assert "".join(filter(str.isalnum, "".join(map(text, found)))) == letters
    assert all((one.kind in ("fault", "unconfirmed")) == bool(one.said) for one in found)


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
        ("hulp.md", ""),
        ("https://wad.example/\x00", ""),
        ("https://wad.example/\u202e", ""),
        ('https://wad.example/"onclick="x', ""),
        ("https://" + "a" * 3000, ""),
    ],
)
def test_only_a_web_address_is_a_link(page, address):
    assert link(PagePlace(page, 'Klik, e-mail & "x\nDaarna', 0, 9, 1)) == address
