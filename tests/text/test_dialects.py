"""klopt reads pages in dialects of Markdown as they are rendered."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.text.dialect_patterns import table
from klopt.text.dialects import visible
from klopt.text.markup import read_text
from klopt.text.plain import Block, PlainText
from klopt.text.reader import Reader
from tests.growth.growing import Shape, assert_linear, shapes
from tests.tables import tables

PAGES = tables("text", "dialects")["page"]
READER = Reader(lexicons.load("nl"))


def shown(plain: PlainText, block: Block) -> str:
    """Return a block as the case table writes it."""
    tab = f"[{block.tab[0]}.{block.tab[1]}] " if block.tab else ""
    signs = {"heading": "# ", "quote": "> ", "item": "1. " if block.ordered else "- "}
    return f"{tab}{signs.get(block.kind, '')}{plain.text[block.start : block.end]}"


@pytest.mark.parametrize("page", PAGES, ids=[page["name"] for page in PAGES])
def test_a_page_of_a_dialect(page: dict[str, object]) -> None:
    reading = READER.read(str(page["source"]), "markdown")
    assert [shown(reading.plain, block) for block in reading.plain.blocks] == page["blocks"]
    steps = [[step.text.partition("\n")[0] for step in guide.steps] for guide in reading.guides]
    assert steps == page["guides"]
    assert list(dict.fromkeys(one.key for one in reading.components)) == page["components"]


@pytest.mark.parametrize("page", PAGES, ids=[page["name"] for page in PAGES])
def test_offsets_of_a_page_lead_to_its_characters(page: dict[str, str]) -> None:
    source = page["source"]
    assert len(visible(source).text) == len(source)
    plain = read_text(source, "markdown")
    assert list(plain.origins) == sorted(plain.origins)
    if page["name"] != "Nextra":  # its labels are in the tag around the tabs
        assert all(
            source[origin] == character
            for character, origin in zip(plain.text, plain.origins, strict=False)
            if character.isalnum()
        )


@pytest.mark.parametrize("marker", table()["marker"], ids=lambda marker: str(marker["id"]))
def test_a_marker_and_its_near_misses(marker: dict[str, list[list[str]]]) -> None:
    for source, read in marker["hit"]:
        assert read_text(source, "markdown").text == read
    for source in marker["miss"]:
        assert visible(source).text == source


def test_steps_within_a_list_keep_the_outline() -> None:
    source = "1. A\n\n   <Steps>\n   <Step title='B'>\n   - C\n   </Step>\n   </Steps>\n\n2. D\n"
    plain = read_text(source, "markdown")
    assert [(plain.text[b.start : b.end], b.list_number, b.item_number) for b in plain.blocks] == [
        ("A", 0, 0),
        ("B", 1, 0),
        ("C", 2, 0),
        ("D", 0, 1),
    ]


@shapes("dialects")
def test_time_is_linear(shape: Shape) -> None:
    assert_linear(shape.text, 60_000, read=lambda source: read_text(source, "markdown"))
