"""Words of texts, and key terms in them: hits, near misses and replacements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reference.term_places import find_term
from klopt.reference.words import language
from tests.tables import tables

CASES = tables("reference", "words")


@pytest.mark.parametrize(("text", "words"), [*CASES["words"], ("\ud800Open \udfff", ["open"])])
def test_words(text, words):
    assert list(language("en").read(text).letters) == words


@pytest.mark.parametrize(
    ("code", "term", "text", "degree", "found", "at"),
    [(*case, None, None)[:6] for case in CASES["terms"]],
)
def test_the_place_of_a_term(code, term, text, degree, found, at):
    tables = language(code)
    answer = tables.read(text)
    place = find_term(term, answer, tables)[0]
    assert place.degree == degree
    if place.run is None or found is None:
        assert (place.run, found) == (None, None)
        return
    start, end = answer.span(place.run)
    assert answer.source[start:end] == found
    assert start == (answer.source.index(found) if at is None else at)


@given(st.lists(st.sampled_from(["Orl", "sync", "9.7", "max_users", "één", "a"]), min_size=1))
def test_a_text_contains_its_own_term(words):
    tables = language("nl")
    term = " ".join(words)
    assert find_term(term, tables.read(f"Kies {term}."), tables)[0].degree == 1.0
