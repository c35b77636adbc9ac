"""Guides: the case table, and what holds for any text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.text.components import find_components
from klopt.text.guides import FEWEST_STEPS, Guide, find_guides
from klopt.text.markup import read_text
from klopt.text.plain import PlainText
from klopt.text.reader import split_sentences
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("text", "guides")["case"]

TEXTS = st.lists(
    st.sampled_from(
        [
            *("1. ", "2. ", "- ", "   - ", "   1. ", "Klik op **Nieuw**.", "Feiten", "\n", "\n\n"),
            *("Stap 1: ", "Stap 2: ", "a. ", "> ", "```\n", "| a |\n", "# ", "Open het menu. "),
        ]
    ),
    max_size=40,
).map("".join)


def guides_of(plain: PlainText, language: str) -> tuple[Guide, ...]:
    tables = lexicons.load(language)
    sentences = split_sentences(plain.text, tables["abbreviations"].words)
    return find_guides(
        plain, sentences, find_components(plain, tables["components"]), tables["guides"]
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_case(case):
    guides = guides_of(read_text(case["text"], "markdown"), case["language"])
    found = [
        [[step.text, step.start, step.end, list(step.components)] for step in guide.steps]
        for guide in guides
    ]
    assert found == case["guides"]


@given(source=TEXTS)
def test_any_text(source):
    plain = read_text(source, "markdown")
    guides = guides_of(plain, "nl")
    assert guides == guides_of(plain, "nl")
    end = 0
    for guide in guides:
        assert len(guide.steps) >= FEWEST_STEPS
        assert end <= guide.start
        assert guide.end == guide.steps[-1].end <= len(plain.text)
        end = guide.start
        for step in guide.steps:
            assert end <= step.start <= step.end
            assert step.text == plain.text[step.start : step.end]
            end = step.end


@pytest.mark.parametrize(("actions", "facts", "is_guide"), [(2, 2, True), (2, 3, False)])
def test_half_of_a_numbered_list_tells_what_to_do(actions, facts, is_guide):
    items = ["Klik op **Nieuw**."] * actions + ["Een kast heeft vier deuren."] * facts
    source = "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    assert bool(guides_of(read_text(source, "markdown"), "nl")) == is_guide
