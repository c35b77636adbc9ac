"""Guides: the case table, and properties of any text."""

import pytest
from hypothesis import given

from klopt import lexicons
from klopt.text.components import find_components
from klopt.text.guides import FEWEST_STEPS, Guide, find_guides
from klopt.text.markup import read_text
from klopt.text.plain import PlainText
from klopt.text.reader import split_sentences
from tests.tables import flattened, tables
from tests.text.drawn import texts

CASES = flattened(tables("text", "guides"), "language", "group")


def guides_of(plain: PlainText, language: str) -> tuple[Guide, ...]:
    own = lexicons.load(language)
    sentences = split_sentences(plain.text, own["abbreviations"].words)
    components = find_components(plain, own["components"])
    return find_guides(plain, sentences, components, own["guides"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_case(case):
    guides = guides_of(read_text(case["text"], "markdown"), case["language"])
    found = [
        [[step.text, step.start, step.end, list(step.components)] for step in guide.steps]
        for guide in guides
    ]
    assert found == case["guides"]


@given(source=texts("guides"))
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
def test_half_of_the_items_of_a_guide_are_actions(actions, facts, is_guide):
    items = ["Klik op **Nieuw**."] * actions + ["Een kast heeft vier deuren."] * facts
    source = "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
    assert bool(guides_of(read_text(source, "markdown"), "nl")) == is_guide
