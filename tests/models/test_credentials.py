from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.errors import ConfigurationError, CredentialsError
from klopt.models.credentials import HIDDEN, PART_CHARS, key_from, without_key
from tests.tables import tables

CASES = tables("models", "texts")
KEY = "sk-wadlinde-0123456789abcdefghij"


def test_a_key_from_the_environment():
    assert key_from({"ORLINDE_KEY": f"{KEY}\n"}, "ORLINDE_KEY", "Orlinde") == KEY


NO_WORD = (
    "does not hold a key: a key is one word of ASCII letters, digits and punctuation, without "
    "spaces or line breaks"
)


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "is not set; put the key of Orlinde in it"),
        ({"ORLINDE_KEY": " "}, "is empty; put the key of Orlinde in it"),
        *(({"ORLINDE_KEY": key}, NO_WORD) for key in ("sk 1", "sk-\n12", "sk-é", "sk-\0")),
    ],
)
def test_no_key(environment, message):
    with pytest.raises(CredentialsError) as caught:
        key_from(environment, "ORLINDE_KEY", "Orlinde")
    assert str(caught.value) == f"ORLINDE_KEY {message}"
    assert isinstance(caught.value, ConfigurationError)


@pytest.mark.parametrize(("text", "shown"), CASES["keys"])
def test_what_is_shown_of_a_text(text, shown):
    assert without_key(text.replace("KEY", KEY), KEY) == shown


def test_without_a_key_nothing_is_hidden():
    assert without_key("a**b", None) == "a**b"


KEYS = st.text(string.ascii_letters + string.digits + "-_", min_size=1, max_size=40)


@given(KEYS, st.text(max_size=20), st.text(max_size=20), st.data())
def test_no_part_of_a_key_is_shown(key, before, after, data):
    start = data.draw(st.integers(0, max(0, len(key) - PART_CHARS)))
    part = key[start:]
    shown = without_key(f"{before}{part}{after}", key)
    size = min(PART_CHARS, len(key))
    parts = {key[at : at + size] for at in range(len(key) - size + 1)}
    if len(part) >= size:
        assert HIDDEN in shown
    assert [part for part in parts if part in shown.replace(HIDDEN, "\0")] == []
