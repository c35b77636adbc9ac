"""Components: the case table, and what holds for any text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.reading.components import find_components
from klopt.reading.markup import read_text
from klopt.reading.text import read_plain
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("reading", "components")["case"]

TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        [
            *("Klik op ", "Click ", "**", "*", "`", "'", '"', " > ", " / ", "Opslaan", "knop "),
            *("Ctrl", "+", "-", ":", ".", "a", "B ", "1. ", "- ", "Ga naar ", "’", "\u200b", "\n"),
        ]
    ),
    max_size=40,
).map("".join)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_case(case: dict[str, Any]) -> None:
    plain = read_text(case["text"], "markdown")
    found = find_components(plain, lexicons.load(case["language"])["components"])
    assert [[c.text, c.start, c.end] for c in found] == case["found"]


def test_kinds() -> None:
    plain = read_text(
        "Klik op **Opslaan**, `Ctrl+S`, `ls -l`. Kies 'Klaar'. Open Bestand > Nieuw. "
        "Open het tabblad Contract. Kies Vorige.",
        "markdown",
    )
    found = find_components(plain, lexicons.load("nl")["components"])
    assert [(c.key, c.kind, c.entry) for c in found] == [
        ("opslaan", "emphasis", "strong"),
        ("ctrl+s", "key", "code"),
        ("ls -l", "code", "code"),
        ("klaar", "quote", "single_quotes"),
        ("bestand", "breadcrumb", "arrow_path"),
        ("nieuw", "breadcrumb", "arrow_path"),
        ("contract", "named_control", "noun_label"),
        ("vorige", "click_phrase", "choose"),
    ]


def test_keys_are_a_set() -> None:
    found = find_components(
        read_plain("Klik op Nieuw. Klik op NIEUW."), lexicons.load("nl")["components"]
    )
    assert len(found) == 2
    assert {component.key for component in found} == {"nieuw"}


def test_mark_goes_before_words() -> None:
    plain = read_text("Klik op **Nieuw** Contract", "markdown")
    assert [c.text for c in find_components(plain, lexicons.load("nl")["components"])] == ["Nieuw"]


@pytest.mark.parametrize("language", lexicons.languages())
@given(source=TEXTS)
def test_any_text(language: str, source: str) -> None:
    plain = read_text(source, "markdown")
    found = find_components(plain, lexicons.load(language)["components"])
    assert found == find_components(plain, lexicons.load(language)["components"])
    end = 0
    for component in found:
        assert end <= component.start < component.end <= len(plain.text)
        assert component.text == plain.text[component.start : component.end]
        assert component.text == component.text.strip()
        assert component.key
        end = component.end


@pytest.mark.parametrize(("between_chars", "is_component"), [(80, True), (81, False)])
def test_a_cue_stands_within_eighty_characters(between_chars: int, is_component: bool) -> None:
    """A bold word in small letters is a component only where something says so."""
    cue = f"Kies {'w' * 36} ".ljust(between_chars - 1, "w") + " "
    plain = read_text(f"{cue}**opslaan** voor nu.", "markdown")
    assert bool(find_components(plain, lexicons.load("nl")["components"])) == is_component


def test_plain_names_are_left_out_where_a_profile_says_so() -> None:
    plain = read_plain("Open de tegel Verlof en het tabblad Saldo.")
    found = find_components(plain, lexicons.load("nl")["components"], plain_names=False)
    assert [component.text for component in found] == ["Saldo"]
