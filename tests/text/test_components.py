"""Components and the keys of their names: case tables, and properties of any text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.text.building import read_plain
from klopt.text.components import component_key, find_components, fold
from klopt.text.markup import read_text
from klopt.text.plain import Span
from tests.tables import flattened, tables
from tests.text.drawn import texts

CASES = flattened(tables("text", "components"), "language", "group")
FOLDING = tables("text", "folding")
TEXTS = st.text(max_size=200) | texts("components")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_case(case):
    plain = read_text(case["text"], "markdown")
    found = find_components(plain, lexicons.load(case["language"])["components"])
    assert [[c.text, c.start, c.end] for c in found] == case["found"]


def test_kinds():
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


@pytest.mark.parametrize("language", lexicons.languages())
@given(source=TEXTS)
def test_any_text(language, source):
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


def test_a_profile_can_omit_plain_names():
    plain = read_plain("Open de tegel Verlof en het tabblad Saldo.")
    found = find_components(plain, lexicons.load("nl")["components"], plain_names=False)
    assert [component.text for component in found] == ["Saldo"]


@pytest.mark.parametrize(("name", "key"), FOLDING["keys"])
def test_the_key_of_a_name(name, key):
    assert component_key(name) == key


@pytest.mark.parametrize(
    ("name", "key"),
    [("Ctrl + S", "ctrl+s"), ("Shift+Control+T", "ctrl+shift+t"), ("Alt-F4", "alt+f4")],
)
def test_the_key_of_a_key_combination(name, key):
    assert component_key(name, is_key=True) == key


@pytest.mark.parametrize(("text", "key", "span"), FOLDING["places"])
def test_a_name_is_found_in_a_text(text, key, span):
    assert fold(text).find(key) == (Span(*span) if span else None)


@given(before=st.text(max_size=20), name=st.text(max_size=20), after=st.text(max_size=20))
def test_names_in_any_text(before, name, after):
    text = f"{before} {name} {after}"
    folded = fold(text)
    assert len(folded.text) == len(text)
    span = folded.find(component_key(name))
    if span is not None:
        assert 0 <= span.start < span.end <= len(text)


@given(name=st.from_regex(r"[A-Za-zé]{2,8}(?: [a-z]{2,8}){0,2}", fullmatch=True))
def test_a_name_finds_itself(name):
    assert fold(f"Kies “{name.upper()}”…").find(component_key(name)) is not None
