"""klopt reads the visible text of a page, with the offset of each character."""

from __future__ import annotations

import pytest
from hypothesis import given

from klopt.text.dialect_patterns import is_hidden
from klopt.text.dialects import visible
from klopt.text.markup import read_text
from klopt.types import PageFormat
from tests.growth.growing import Shape, assert_linear, shapes
from tests.tables import tables
from tests.text.drawn import texts

CASES = tables("text", "shown")


@pytest.mark.parametrize(("page_format", "source", "lines"), CASES["visible"])
def test_visible_text(page_format: PageFormat, source: str, lines: list[str]) -> None:
    plain = read_text(source, page_format)
    assert plain.text.split("\n") == lines


@pytest.mark.parametrize(("source", "lines"), CASES["tabs"])
def test_the_tab_of_each_line(source: str, lines: list[list[str]]) -> None:
    plain = read_text(source, "markdown")
    assert [
        [".".join(map(str, block.tab or ())), plain.text[block.start : block.end]]
        for block in plain.blocks
    ] == lines


@given(texts("shown"))
def test_every_character_keeps_its_offset(source: str) -> None:
    text = source.replace("\r\n", " \n")
    assert len(visible(text).text) == len(text)
    plain = read_text(source, "markdown")
    for place, character in enumerate(plain.text):
        if character.isalnum():
            assert source[plain.origins[place]] == character


@shapes("shown")
@pytest.mark.parametrize("page_format", ["markdown", "html"])
def test_time_is_linear(shape: Shape, page_format: PageFormat) -> None:
    assert_linear(shape.text, 60_000, read=lambda text: read_text(text, page_format))


@pytest.mark.parametrize(
    ("tag", "hides"),
    [
        ("<p hidden>", True),
        ('<p class="a" HIDDEN="">', True),
        ("<p style=visibility:hidden>", True),
        ("<p aria-hidden=false>", False),
        ('<p style="overflow: hidden">', False),
        ('<p style="--display: none-like">', False),
    ],
)
def test_a_tag_that_hides(tag: str, hides: bool) -> None:
    assert is_hidden(tag) == hides
