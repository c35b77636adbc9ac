"""PO catalogues read as the pages that they translate."""

from __future__ import annotations

from pathlib import Path

import pytest

from klopt import lexicons
from klopt.batch.pages import read_pages
from klopt.bilingual.po_pages import PIECE_CHARS, read_po_pages
from klopt.errors import InputError
from klopt.reading.reader import Reader

CATALOGUE = r"""
msgid ""
msgstr "Language: nl\n"

#. (itstool) path: info/desc
#: C/leave.page:9
msgid "How to ask."
msgstr "Hoe u verlof vraagt."

#. (itstool) path: item/p
#: C/leave.page:31 C/sick.page:7
msgid "Click <gui>New</gui>."
msgstr "Klik op <gui>Nieuw</gui>."

#. (itstool) path: item/p
#: C/leave.page:30
msgid "Open <gui>Leave</gui>."
msgstr "Open <gui>Verlof</gui>."

#. (itstool) path: page/title
#: C/leave.page:20
msgid "Leave"
msgstr "Verlof"

#. (itstool) path: section/title
#: C/sick.page:5
msgid "Sick"
msgstr "Ziek"

#. (itstool) path: credit/name
#: C/leave.page:3
msgid "A. Writer"
msgstr "A. Writer"

#: C/sick.page:8
#, fuzzy
msgid "Old."
msgstr "Oud."

#: C/sick.page:9
msgid "Later."
msgstr ""

#~ msgid "Gone."
#~ msgstr "Weg."
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    path = tmp_path / "nl.po"
    path.write_text(CATALOGUE, "utf-8")
    return path


def test_pages_stand_in_the_order_of_their_files(catalogue: Path):
    assert read_po_pages(catalogue) == {
        "C/leave.page": "<p>Hoe u verlof vraagt.</p>\n<h1>Verlof</h1>\n<ol>\n"
        "<li>Open <b>Verlof</b>.</li>\n<li>Klik op <b>Nieuw</b>.</li>\n</ol>",
        "C/sick.page": "<h2>Ziek</h2>\n<ol>\n<li>Klik op <b>Nieuw</b>.</li>\n</ol>",
    }


def test_a_folder_has_the_pages_of_its_catalogues(catalogue: Path):
    (catalogue.parent / "a.md").write_text("# A", "utf-8")
    pages = read_pages(catalogue.parent)
    assert set(pages) == {
        "a", "a.md", "nl.po/C/leave", "nl.po/C/leave.page", "nl.po/C/sick", "nl.po/C/sick.page",
    }  # fmt: skip
    page = pages["nl.po/C/leave"]
    reading = Reader(lexicons.load("nl")).read(page.text, page.format)
    assert [step.components for step in reading.guides[0].steps] == [("verlof",), ("nieuw",)]


def test_messages_that_do_not_say_whence_they_come(tmp_path: Path):
    path = tmp_path / "app.po"
    text = "Tekst. " * 400
    path.write_text("\n".join(f'msgid "{n}"\nmsgstr "{n} {text}"\n' for n in range(20)), "utf-8")
    pages = read_po_pages(path)
    assert list(pages) == ["1", "2", "3"]
    assert all(len(one) < 2 * PIECE_CHARS for one in pages.values())
    assert pages["1"].startswith("<p>0 Tekst.")


def test_what_is_no_catalogue(tmp_path: Path):
    (tmp_path / "x.po").write_text("geen PO\n", "utf-8")
    with pytest.raises(InputError, match=r"x\.po, line 1: .*not PO"):
        read_pages(tmp_path)
