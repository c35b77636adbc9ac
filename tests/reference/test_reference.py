"""Steps, bold parts and key terms of a reference, and fills of its blanks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reference.reference import find_bold, read_reference, without_markers
from klopt.reference.words import locate, matches, matches_as_published
from tests.tables import tables

CASES, BLANKS = (tables("reference", name) for name in ("reference", "blanks"))


@pytest.mark.parametrize(("text", "titles"), CASES["titles"])
def test_titles(text, titles):
    assert [step.title for step in read_reference(text).steps] == titles


def test_details_belong_to_their_step():
    text = "To begin:\n1. Open **orl.ini**.\n   In the map conf.\n\n2. Save.\n\nGood luck!\n"
    first, second = read_reference(text).steps
    assert first.text == "Open orl.ini.\n   In the map conf."
    assert text[first.start : first.end] == "1. Open **orl.ini**.\n   In the map conf."
    assert second.text == "Save.\n\nGood luck!"
    assert second.end == len(text) - 1


@pytest.mark.parametrize(("text", "texts"), CASES["bold"])
def test_bold(text, texts):
    assert [text[bold.text.start : bold.text.end] for bold in find_bold(text)] == texts


@pytest.mark.parametrize(("text", "start", "end", "shown"), CASES["markers"])
def test_without_markers(text, start, end, shown):
    assert without_markers(text, start, end, find_bold(text)) == shown


@pytest.mark.parametrize(("text", "mode", "terms"), CASES["terms"])
def test_terms(text, mode, terms):
    found = read_reference(text, key_terms=mode).terms
    assert [[term.text, term.step, term.kind] for term in found] == terms
    assert [text[term.start : term.end] for term in found] == [term.text for term in found]


@pytest.mark.parametrize("name", ["has", "lacks"])
def test_fills_with_and_without_the_term(name):
    pairs = [(term, fill) for term, fills in BLANKS[name].items() for fill in fills]
    assert [pair for pair in pairs if matches(*pair) != (name == "has")] == []


@pytest.mark.parametrize(("term", "fill", "matched"), BLANKS["published"])
def test_matches_as_published(term, fill, matched):
    assert matches_as_published(term, fill) is matched


@given(st.lists(st.sampled_from(["orl.ini", "/opt/orl", "9.7", "--all", "één", "x=1", "the"])))
def test_a_term_matches_itself_and_no_blank_text(words):
    term = " ".join(words)
    for fill in (term, term.upper(), f"`{term}`", f" {term}. ", f"**{term}**", f'"{term}"'):
        assert matches(term, fill) is bool(words)
        assert matches_as_published(term, fill)
    assert not matches(term, " \n")


@given(st.text(max_size=40), st.text(max_size=60))
def test_a_located_text_lies_in_the_answer(text, answer):
    span = locate(text, answer)
    assert span is None or 0 <= span.start < span.end <= len(answer)
    assert span is not None or not text.strip() or text not in answer
