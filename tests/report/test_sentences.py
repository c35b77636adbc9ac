"""An answer by sentences: complete, with its marks and the passages of the pages."""

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
CLAIMS = st.lists(
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
    """Return a claim of the answer; ``ours`` and ``theirs`` are the words that differ."""
    start, is_fault = ANSWER.index(text), relation != "supported"
    found = (start, start + len(text), relation, is_fault, 0.5, passage, ())
    return CheckedClaim(text, *found, spans(theirs, PAGE.text), spans(ours, text))


NAME = Evidence("unsupported", "Nieuw", ANSWER.index("Nieuw"), ANSWER.index("Nieuw") + 5)
DAYS = claim("U heeft 60 dagen.", "contradicted", PAGE, "60", "90")


def shown(*claims, names=(), is_sent=False) -> tuple[Sentence, ...]:
    measured = {UNKNOWN_NAMES: Measurement(0.5, evidence=tuple(names))}
    return sentences(read_text(ANSWER), claims, measured, "", "nl", is_sent=is_sent)


def text(one: Sentence) -> str:
    return "".join(piece.text for piece in one.words)


def marked(pieces) -> list[str]:
    return [piece.text for piece in pieces if piece.kind == DIFFERS]


def test_each_sentence_has_its_number_or_bullet():
    assert [(one.lead, one.is_heading, text(one)) for one in shown()] == [
        ("", True, "Verlof"),
        ("", False, "Ja."),
        ("1.", False, "Open Verlof."),
        ("2.", False, "Klik op Nieuw."),
        ("", False, "U heeft 60 dagen."),
        ("•", False, "Bel de balie."),
        ("", False, "Of mail."),
    ]


def test_a_contradicted_claim_shows_the_passage():
    (found,) = (one for one in shown(DAYS) if one.kind)
    assert (found.kind, found.note) == ("fault", "de pagina zegt iets anders")
    assert found.where == "verlof.md, regel 4"
    assert (marked(found.words), marked(found.passage)) == (["60"], ["90"])


def test_a_claim_that_is_not_stated_is_a_fault_only_with_an_unknown_name():
    step = claim("Klik op **Nieuw**.", "not_stated", PAGE)
    for names, kind in (((), "unconfirmed"), ((NAME,), "fault")):
        (found,) = (one for one in shown(step, names=names) if one.kind)
        assert (found.kind, marked(found.words)) == (kind, ["Nieuw"] if names else [])


def test_an_answer_that_is_sent_has_no_faults():
    found = shown(DAYS, names=[NAME], is_sent=True)
    assert {one.kind for one in found} == {"", "unconfirmed"}
    assert marked(piece for one in found for piece in (*one.words, *one.passage)) == []


@pytest.mark.parametrize("claims", [(), (claim("Klik op **Nieuw**."),)])
def test_an_unknown_name_is_a_fault_with_and_without_claims(claims):
    found = [one for one in shown(*claims, names=[NAME, NAME]) if one.kind == "fault"]
    assert [(one.note, marked(one.words)) for one in found] == [
        ("geen pagina noemt “Nieuw”", ["Nieuw"])
    ]


@given(CLAIMS, st.booleans())
def test_the_sentences_are_the_answer_for_any_offsets(claims, is_sent):
    found = shown(*claims, is_sent=is_sent)
    letters = "".join(filter(str.isalnum, read_text(ANSWER).text))
    assert "".join(filter(str.isalnum, "".join(map(text, found)))) == letters
    assert all(one.note for one in found if one.kind == "fault")
    # Only a sentence without a claim has no kind, and so the sign "·".
    assert all(bool(one.kind) == (one.claim is not None) for one in found)


def beside(text: str, differs: str) -> tuple[Piece, ...]:
    """Return the part of a page that is shown with a claim."""
    place, at = PagePlace("p", text, 0, len(text), 1), text.index(differs)
    span = at, at + len(differs)
    return around(CheckedClaim("x", 0, 1, "contradicted", True, 0.1, place, (), (span,)))


@given(st.text("ab. ", max_size=500), st.text("ab. ", max_size=500))
def test_an_excerpt_of_a_passage_contains_the_words_that_differ(before, after):
    text = f"{before} 90 {after}"
    found = beside(text, "90")
    excerpt = "".join(piece.text for piece in found)
    assert len(excerpt) <= 244
    assert excerpt.removeprefix("… ").removesuffix(" …") in text
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
