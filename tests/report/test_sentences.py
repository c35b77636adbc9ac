"""An answer sentence by sentence: all of it, its marks, and what the page says beside it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.report.evidence import DIFFERS, Piece, Sentence, around, link, sentences
from klopt.scoring.assessment import CheckedClaim, PagePlace
from klopt.scoring.explanation import UNKNOWN_NAMES
from klopt.text.markup import read_text
from klopt.types import Evidence, Measurement

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
        CheckedClaim,
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


def claim(text: str, relation="supported", passage=None, ours="", theirs="") -> CheckedClaim:
    """A claim of the answer, with the words of it and of the page that differ."""
    start, is_fault = ANSWER.index(text), relation != "supported"
    differing = spans(theirs, PAGE.text)
    told = (start, start + len(text), relation, is_fault, 0.5, passage, ())
    return CheckedClaim(text, *told, differing, spans(ours, text))


NAME = Evidence("unsupported", "Nieuw", ANSWER.index("Nieuw"), ANSWER.index("Nieuw") + 5)
DAYS = claim("U heeft 60 dagen.", "contradicted", PAGE, "60", "90")


def told(
    *claims, names=(), of=UNKNOWN_NAMES, why="", language="nl", is_sent=False
) -> tuple[Sentence, ...]:
    measured = {of: Measurement(0.5, evidence=tuple(names))}
    return sentences(read_text(ANSWER), claims, measured, why, language, is_sent=is_sent)


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


def test_a_fault_stands_beside_what_the_page_says():
    (found,) = (one for one in told(DAYS) if one.kind)
    assert (found.kind, found.note) == ("fault", "de pagina zegt het anders")
    assert found.where == "verlof.md, regel 4"
    assert (marked(found.words), marked(found.passage)) == (["60"], ["90"])


def test_what_no_page_states_is_no_fault_unless_a_name_of_it_is_unknown():
    step = claim("Klik op **Nieuw**.", "not_stated", PAGE)
    for names, kind in (((), "unconfirmed"), ((NAME,), "fault")):
        (found,) = (one for one in told(step, names=names) if one.kind)
        assert (found.kind, marked(found.words)) == (kind, ["Nieuw"] if names else [])


def test_nothing_that_is_sent_is_called_a_fault():
    found = told(DAYS, names=[NAME], is_sent=True)
    assert {one.kind for one in found} == {"", "unconfirmed"}
    assert marked(piece for one in found for piece in (*one.words, *one.passage)) == []


@pytest.mark.parametrize("claims", [(), (claim("Klik op **Nieuw**."),)])
def test_a_name_that_no_page_has_is_a_fault_with_and_without_statements(claims):
    found = [one for one in told(*claims, names=[NAME, NAME]) if one.kind == "fault"]
    assert [(one.note, marked(one.words)) for one in found] == [
        ("geen pagina noemt “Nieuw”", ["Nieuw"])
    ]


@given(STATEMENTS, st.booleans())
def test_the_sentences_are_the_answer_whatever_the_offsets(claims, is_sent):
    found = told(*claims, is_sent=is_sent)
    letters = "".join(filter(str.isalnum, read_text(ANSWER).text))
    assert "".join(filter(str.isalnum, "".join(map(text, found)))) == letters
    assert all(one.note for one in found if one.kind == "fault")
    # Nothing but what makes no claim is without a kind, and so has the sign "·".
    assert all(bool(one.kind) == (one.claim is not None) for one in found)


def beside(text: str, differs: str) -> tuple[Piece, ...]:
    """What is shown of a page's text beside a claim."""
    place, at = PagePlace("p", text, 0, len(text), 1), text.index(differs)
    span = at, at + len(differs)
    return around(CheckedClaim("x", 0, 1, "contradicted", True, 0.1, place, (), (span,)))


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
