"""klopt reads reStructuredText as docutils and Sphinx render it."""

from __future__ import annotations

import pytest

from klopt import lexicons
from klopt.errors import ExtraMissingError, RecordError
from klopt.text import rst
from klopt.text.markup import read_text
from klopt.text.reader import Reader
from tests.growth.growing import Shape, assert_linear, shapes
from tests.tables import tables
from tests.text.test_dialects import shown

PAGES = tables("text", "rst")["page"]
FILE_OPTIONS = [f"{name}\n   :file: geheim.txt" for name in ("raw:: html", "csv-table::")]
READER = Reader(lexicons.load("nl"))


@pytest.mark.parametrize("page", PAGES, ids=[page["name"] for page in PAGES])
def test_a_page_is_read_as_it_is_rendered(page: dict[str, object]) -> None:
    reading = READER.read(str(page["source"]), "rst")
    assert [shown(reading.plain, block) for block in reading.plain.blocks] == page["blocks"]
    steps = [[step.text for step in guide.steps] for guide in reading.guides]
    assert steps == page["guides"]
    assert list(dict.fromkeys(one.key for one in reading.components)) == page["components"]


@pytest.mark.parametrize("page", PAGES, ids=[page["name"] for page in PAGES])
def test_offsets_lead_to_the_source(page: dict[str, str]) -> None:
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


@pytest.mark.parametrize("source", ["- " * 5_000, "a" * (rst.MOST_CHARS + 1)])
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
def test_time_is_linear(shape: Shape) -> None:
    assert_linear(shape.text, 30_000, read=lambda source: read_text(source, "rst"))
