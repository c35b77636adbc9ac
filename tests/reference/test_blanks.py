"""Fills of blanks that contain a key term, and near misses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reference.blanks import locate, matches, matches_as_published
from tests.tables import tables

CASES = tables("reference", "blanks")


@pytest.mark.parametrize("name", ["has", "lacks"])
def test_fills_with_and_without_the_term(name):
    pairs = [(term, fill) for term, fills in CASES[name].items() for fill in fills]
    assert [pair for pair in pairs if matches(*pair) != (name == "has")] == []


@pytest.mark.parametrize(("term", "fill", "matched"), CASES["published"])
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
