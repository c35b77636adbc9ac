"""Component names in a uniform spelling, and their search in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.text.components import component_key, fold
from klopt.text.plain import Span
from tests.tables import tables

CASES = tables("text", "folding")


@pytest.mark.parametrize(("name", "key"), CASES["keys"])
def test_key(name, key):
    assert component_key(name) == key


@pytest.mark.parametrize(
    ("name", "key"),
    [("Ctrl + S", "ctrl+s"), ("Shift+Control+T", "ctrl+shift+t"), ("Alt-F4", "alt+f4")],
)
def test_key_of_keys(name, key):
    assert component_key(name, is_key=True) == key


@pytest.mark.parametrize(("text", "key", "span"), CASES["places"])
def test_find(text, key, span):
    assert fold(text).find(key) == (Span(*span) if span else None)


@given(before=st.text(max_size=20), name=st.text(max_size=20), after=st.text(max_size=20))
def test_any_text(before, name, after):
    text = f"{before} {name} {after}"
    folded = fold(text)
    assert len(folded.text) == len(text)
    span = folded.find(component_key(name))
    if span is not None:
        assert 0 <= span.start < span.end <= len(text)


@given(name=st.from_regex(r"[A-Za-zé]{2,8}(?: [a-z]{2,8}){0,2}", fullmatch=True))
def test_a_name_finds_itself(name):
    assert fold(f"Kies “{name.upper()}”…").find(component_key(name)) is not None
