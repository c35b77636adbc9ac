"""klopt reads pages in dialects of Markdown and in reStructuredText as they are rendered."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.errors import ExtraMissingError, RecordError
from klopt.text import rst
from klopt.text.dialect_patterns import table
from klopt.text.dialects import visible
from klopt.text.markup import read_text
from klopt.text.plain import Block, PlainText
from klopt.text.reader import Reader
from klopt.types import PageFormat
from tests.growth.growing import Shape, assert_linear, shapes
from tests.tables import tables

PAGES = tables("text", "dialects")["page"]
RST_PAGES = tables("text", "rst")["page"]
FILE_OPTIONS = [f"{name}\n   :file: geheim.txt" for name in ("raw:: html", "csv-table::")]
READER = Reader(lexicons.load("nl"))


def shown(plain: PlainText, block: Block) -> str:
    """Return a block as the case table writes it."""
    tab = f"[{block.tab[0]}.{block.tab[1]}] " if block.tab else ""
    signs = {"heading": "# ", "quote": "> ", "item": "1. " if block.ordered else "- "}
    return f"{tab}{signs.get(block.kind, '')}{plain.text[block.start : block.end]}"


@pytest.mark.parametrize(
    ("page", "page_format"),
    [
        pytest.param(page, page_format, id=page["name"])
        for pages, page_format in ((PAGES, "markdown"), (RST_PAGES, "rst"))
        for page in pages
    ],
)
def test_a_page_of_a_dialect(page: dict[str, object], page_format: PageFormat) -> None:
    reading = READER.read(str(page["source"]), page_format)
    assert [shown(reading.plain, block) for block in reading.plain.blocks] == page["blocks"]
    line_count = None if page_format == "rst" else 1
    steps = [
        ["\n".join(step.text.split("\n")[:line_count]) for step in guide.steps]
        for guide in reading.guides
    ]
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


@pytest.mark.parametrize("page", RST_PAGES, ids=[page["name"] for page in RST_PAGES])
def test_offsets_of_a_page_in_rst_lead_to_its_characters(page: dict[str, str]) -> None:
    plain = read_text(page["source"], "rst")
    assert list(plain.origins) == sorted(plain.origins)
    inserted = set(page.get("inserted", ""))
    differing = {
        character
        for character, origin in zip(plain.text, plain.origins, strict=False)
        if character.isalnum() and page["source"][origin] != character
    }
    assert differing <= inserted


def test_directives_include_no_file(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "geheim.txt").write_text("geheim")
    for directive in ("include:: geheim.txt", "literalinclude:: geheim.txt", *FILE_OPTIONS):
        assert read_text(f".. {directive}\n\nTekst", "rst").text == "Tekst"


@pytest.mark.parametrize("source", ["- " * 5_000, "a" * (rst.MAX_CHARS + 1)])
def test_text_that_docutils_cannot_read_is_refused(source: str) -> None:
    with pytest.raises(RecordError, match="reStructuredText"):
        read_text(source, "rst")


def test_without_docutils_the_error_names_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "docutils", None)
    rst._parser.cache_clear()
    try:
        with pytest.raises(ExtraMissingError, match=r"klopt\[rst\]"):
            read_text("Tekst", "rst")
    finally:
        rst._parser.cache_clear()


@shapes("rst")
def test_the_time_for_rst_is_linear(shape: Shape) -> None:
    assert_linear(shape.text, 30_000, read=lambda source: read_text(source, "rst"))
