"""Component names in one spelling, and looking them up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.reading.components import component_key, fold
from klopt.reading.text import Span


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Opslaan", "opslaan"),
        ("Opslaan als…", "opslaan als"),
        ("Opslaan als...", "opslaan als"),
        ("  Regio   en\u00a0taal: ", "regio & taal"),
        ("Region and Language", "region & language"),
        ("&Bestand", "bestand"),
        ("_File", "file"),
        ("R&D", "r&d"),
        ("“Foto’s”", "foto's"),
        ("Wi\u2011Fi", "wi-fi"),
        ("cafe\u0301", "café"),
        ("En dan", "en dan"),
        ("+", "+"),
        ("…", "…"),
    ],
)
def test_key(name: str, key: str) -> None:
    assert component_key(name) == key


@pytest.mark.parametrize(
    ("name", "key"),
    [("Ctrl + S", "ctrl+s"), ("Shift+Control+T", "ctrl+shift+t"), ("Alt-F4", "alt+f4")],
)
def test_key_of_keys(name: str, key: str) -> None:
    assert component_key(name, is_key=True) == key


@pytest.mark.parametrize(
    ("text", "key", "span"),
    [
        ("Klik op OPSLAAN.", "opslaan", (8, 15)),
        ("De opslaanknop en Opslaan", "opslaan", (18, 25)),
        ("Het Opslaan-venster", "opslaan", (4, 11)),
        ("Open Regio & taal", "regio & taal", (5, 17)),
        ("Open Regio en taal", "regio & taal", (5, 18)),
        ("Druk op Shift + Ctrl + T", "ctrl+shift+t", (8, 24)),
        ("Druk op Alt-F4", "alt+f4", (8, 14)),
        ("Opslaanknop", "opslaan", None),
        ("Regio of taal", "regio & taal", None),
        ("Druk op Ctrl+Tab", "ctrl+t", None),
        ("iets", "", None),
    ],
)
def test_find(text: str, key: str, span: tuple[int, int] | None) -> None:
    assert fold(text).find(key) == (None if span is None else Span(*span))


@given(before=st.text(max_size=20), name=st.text(max_size=20), after=st.text(max_size=20))
def test_any_text(before: str, name: str, after: str) -> None:
    text = f"{before} {name} {after}"
    folded = fold(text)
    assert len(folded.text) == len(text)
    span = folded.find(component_key(name))
    if span is not None:
        assert 0 <= span.start < span.end <= len(text)


@given(name=st.from_regex(r"[A-Za-zé]{2,8}(?: [a-z]{2,8}){0,2}", fullmatch=True))
def test_a_name_finds_itself(name: str) -> None:
    assert fold(f"Kies “{name.upper()}”…").find(component_key(name)) is not None
