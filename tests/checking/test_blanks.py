"""A case table of what has a key term and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.checking.blanks import locate, matches, matches_as_published
from klopt.reading.text import Span
from tests.tables import tables

CASES = tables("checking", "blanks")


@pytest.mark.parametrize("name", ["has", "lacks"])
def test_who_has_the_term(name: str):
    pairs = [(term, fill) for term, fills in CASES[name].items() for fill in fills]
    assert [pair for pair in pairs if matches(*pair) != (name == "has")] == []


@pytest.mark.parametrize(
    ("text", "answer", "span"),
    [
        ("save", "Press Save.", Span(6, 10)),
        ("save", "autosave, then save", Span(15, 19)),
        ("save", "autosave", Span(4, 8)),
        ("a  b", "x a\nb", Span(2, 5)),
        ("a.c", "abc a.c", Span(4, 7)),
        ("save", "nothing", None),
        (" ", "nothing", None),
        ("x" * 2001, "x" * 3000, None),
    ],
)
def test_locate(text: str, answer: str, span: Span | None):
    assert locate(text, answer) == span


# As published


@pytest.mark.parametrize(("term", "fill", "matched"), CASES["published"])
def test_published_rule(term: str, fill: str, matched: bool):
    assert matches_as_published(term, fill) is matched


@pytest.mark.parametrize("piece", [" ", ".", "_", "*a ", "(", "not 9.7 ", "/", "= ", "'", "a (B"])
def test_long_hostile_fills_are_answered(piece: str):
    fill = piece * (100_000 // len(piece)) + "x"
    assert not matches("9.7", fill)
    assert not matches(fill, "9.7")
    assert matches_as_published("9.7", fill) is ("9.7" in fill)


@given(st.lists(st.sampled_from(["orl.ini", "/opt/orl", "9.7", "--all", "één", "x=1", "the"])))
def test_a_term_matches_itself_and_nothing_blank(words: list[str]):
    term = " ".join(words)
    for fill in (term, term.upper(), f"`{term}`", f" {term}. ", f"**{term}**", f'"{term}"'):
        assert matches(term, fill) is bool(words)
        assert matches_as_published(term, fill)
    assert not matches(term, " \n")


@given(st.text(max_size=40), st.text(max_size=60))
def test_what_is_located_is_there(text: str, answer: str):
    span = locate(text, answer)
    assert span is None or 0 <= span.start < span.end <= len(answer)
    assert span is not None or not text.strip() or text not in answer
