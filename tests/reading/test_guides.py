"""Guides: the case table, and what holds for any text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt import lexicons
from klopt.reading.components import find_components
from klopt.reading.guides import FEWEST_STEPS, Guide, find_guides
from klopt.reading.markup import read_text
from klopt.reading.reader import split_sentences
from klopt.reading.text import PlainText
from tests.tables import tables

CASES: list[dict[str, Any]] = tables("reading", "guides")["case"]

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
def test_case(case: dict[str, Any]) -> None:
    guides = guides_of(read_text(case["text"], "markdown"), case["language"])
    found = [
        [[step.text, step.start, step.end, list(step.components)] for step in guide.steps]
        for guide in guides
    ]
    assert found == case["guides"]


def test_several_guides() -> None:
    plain = read_text(
        "1. Klik op **A1**.\n2. Klik op **B1**.\n\nOf zo:\n\n1. Kies **C1**.\n2. Kies **D1**.",
        "markdown",
    )
    guides = guides_of(plain, "nl")
    assert [[step.components for step in guide.steps] for guide in guides] == [
        [("a1",), ("b1",)],
        [("c1",), ("d1",)],
    ]


@given(source=TEXTS)
def test_any_text(source: str) -> None:
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
def test_half_of_a_numbered_list_tells_what_to_do(actions: int, facts: int, is_guide: bool) -> None:
    items = ["Klik op **Nieuw**."] * actions + ["Een kast heeft vier deuren."] * facts
    source = "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    assert bool(guides_of(read_text(source, "markdown"), "nl")) == is_guide
