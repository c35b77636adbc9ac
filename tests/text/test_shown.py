"""What is read of a page is what its reader sees, each character in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.text.dialect_patterns import is_hidden
from klopt.text.dialects import visible
from klopt.text.markup import read_text
from klopt.types import PageFormat
from tests.growth.growing import Shape, assert_linear
from tests.tables import tables

CASES = tables("text", "shown")
HOSTILE = {
    "comments that never end": "{/* <!-- {{/* {% comment %} ",
    "tabs in one another": "<Tab title='a'>",
    "tabs without content": '=== "a"\n',
    "struck out and never closed": "~~a ",
    "elements that never end": "<s><div hidden>",
    "fences": "~~~\n",
    "front matter": "---\na: b\n",
    "main content in itself": "<main><article>",
}
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                '=== "A b"',
                "    ",
                "\n",
                "\n\n",
                "<Tab title='c'>",
                "</Tab>",
                "<Tabs>",
                "{/*",
                "*/}",
            ),
            *("~~", "d **e** ", "<!--", "-->", "<del>", "</del>", "```\n", "1. ", "!!! note\n"),
            *("---\n", "title: g\n", "<p hidden>", ":::tip ", "{% tab title='h' %}", "é", "\r\n"),
        ]
    ),
    max_size=40,
).map("".join)


@pytest.mark.parametrize(("page_format", "source", "lines"), CASES["seen"])
def test_what_is_seen(page_format: PageFormat, source: str, lines: list[str]) -> None:
    plain = read_text(source, page_format)
    assert plain.text.split("\n") == lines


@pytest.mark.parametrize(("source", "lines"), CASES["tabs"])
def test_the_tab_of_each_line(source: str, lines: list[list[str]]) -> None:
    plain = read_text(source, "markdown")
    assert [
        [".".join(map(str, block.tab or ())), plain.text[block.start : block.end]]
        for block in plain.blocks
    ] == lines


@given(PIECES)
def test_every_character_keeps_its_place(source: str) -> None:
    text = source.replace("\r\n", " \n")
    assert len(visible(text).text) == len(text)
    plain = read_text(source, "markdown")
    for place, character in enumerate(plain.text):
        if character.isalnum():
            assert source[plain.origins[place]] == character


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("page_format", ["markdown", "html"])
def test_time_is_linear(name: str, page_format: PageFormat) -> None:
    assert_linear(Shape(HOSTILE[name]).text, 60_000, read=lambda text: read_text(text, page_format))


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
