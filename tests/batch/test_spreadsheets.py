"""Rows of Excel workbooks: as those of CSV, and nothing in them runs or fills the memory."""

from __future__ import annotations

import sys
import time
from datetime import datetime
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook

from klopt.batch import spreadsheets
from klopt.batch.rows import read_rows
from klopt.bilingual import xml_file
from klopt.errors import ExtraMissingError, InputError

HEADER = ("id", "question", "answer", "contexts", "rating", None, "datum")
SHEET = "xl/worksheets/sheet1.xml"


@pytest.fixture
def saved(tmp_path):
    """Writes rows as the first of two sheets."""

    def save(*rows, header=HEADER):
        book = Workbook()
        for row in (header, *rows):
            book.active.append(row)
        book.create_sheet("Toelichting").append(["answer", "question"])
        path = tmp_path / "log.xlsx"
        book.save(path)
        return path

    return save


def changed(path, name, change):
    """The workbook with one of its parts changed."""
    with ZipFile(path) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    parts[name] = change(parts.get(name, b""))
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for one, data in parts.items():
            archive.writestr(one, data)
    return path


def test_cells_of_every_kind(saved):
    path = saved(
        (7, "Kan dat?", "Ja.\r\nDat kan.", '["Dat kan."]', 4, "los", datetime(2026, 3, 1, 9, 30)),
        (),
        (7.5, 42, True, "Een tekst.", None, None, "maart"),
        ("c", None, "#N/A"),
    )
    first, second, third = read_rows(str(path))
    assert [one.number for one in (first, second, third)] == [2, 4, 5]
    assert [one.problem for one in (first, second, third)] == [None] * 3
    assert (first.turn.id, first.turn.question, first.turn.rating) == ("7", "Kan dat?", 4.0)
    assert first.turn.answer.splitlines() == ["Ja.", "Dat kan."]
    assert [page.text for page in first.turn.pages] == ["Dat kan."]
    assert first.fields["datum"] == "2026-03-01T09:30:00"
    assert set(first.fields) == set(filter(None, HEADER))
    assert (second.turn.id, second.turn.question, second.turn.answer) == ("7.5", "42", "true")
    assert (third.turn.question, third.turn.answer) == ("", "#N/A")


def test_a_formula_is_what_it_came_to(saved):
    path = saved(("a", "Hoe?", '=HYPERLINK("http://x.example","Klik")'))
    assert next(read_rows(str(path))).turn.answer == ""
    kept = b'<f>HYPERLINK("http://x.example","Klik")</f><v>Klik</v>'
    changed(path, SHEET, lambda data: data.replace(b"</f><v/>", b"</f><v></v>"))
    changed(path, SHEET, lambda data: _with_value(data, kept))
    assert next(read_rows(str(path))).turn.answer == "Klik"


def _with_value(data: bytes, kept: bytes) -> bytes:
    before, _, rest = data.partition(b'<c r="C2">')
    return before + b'<c r="C2" t="str">' + kept + rest[rest.index(b"</c>") :]


def test_strings_that_cells_share(saved):
    path = saved(("a", "Hoe?", "Zo."))
    set_in_two = b"<si><r><t>Zo</t></r><r><t>, ja.</t></r><rPh><t>x</t></rPh></si>"
    shared = b"<sst><si><t>Nee.</t></si>" + set_in_two + b"</sst>"
    changed(path, "xl/sharedStrings.xml", lambda _: shared)
    last, more = b"</row></sheetData>", b'<c r="D2" t="s"><v>1</v></c>'
    changed(path, SHEET, lambda data: data.replace(last, more + last))
    assert next(read_rows(str(path))).turn.pages[0].text == "Zo, ja."


def test_two_cells_far_apart_cost_nothing(saved):
    path = saved(("a", "Hoe?", "Zo."))
    far = b'<row r="1048576"><c r="XFD1048576" t="str"><v>x</v></c></row></sheetData>'
    changed(path, SHEET, lambda data: data.replace(b"</sheetData>", far))
    found = [(row.number, row.id) for row in read_rows(str(path))]
    assert found == [(2, "a"), (1048576, "row-1048576")]


def test_a_workbook_that_is_huge_unpacked(saved, monkeypatch):
    path = changed(saved(("a",)), SHEET, lambda data: data + b" " * 3_000_000)
    assert path.stat().st_size < 20_000
    monkeypatch.setattr(spreadsheets, "WORKBOOK_LIMIT_BYTES", 2_000_000)
    with pytest.raises(InputError, match=r"more than 2,000,000 bytes; save the sheet as CSV"):
        list(read_rows(str(path)))


def test_a_name_of_many_folders_is_not_taken_apart(saved):
    """Each of them, with all above it, would be listed: gigabytes for a name of 64 kB."""
    path = changed(saved(("a", "Hoe?", "Zo.")), "a/" * 20_000, lambda _: b"")
    began = time.process_time()
    with pytest.raises(InputError, match="not an Excel workbook"):
        list(read_rows(str(path)))
    assert time.process_time() - began < 2


ENTITIES = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
BOMB = f'<!DOCTYPE a [<!ENTITY a0 "aaaaaaaaaa">{ENTITIES}]><worksheet>&a9;</worksheet>'.encode()


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        (SHEET, lambda data: data[: len(data) // 2], "not XML"),
        (SHEET, lambda _: BOMB, "defines entities"),
        (SHEET, lambda data: data.replace(b't="inlineStr"', b't="s"'), "not an Excel workbook"),
        (SHEET, lambda data: data.replace(b"Zo.", b"Zo." * 100_000), "one element"),
        (SHEET, lambda data: data.replace(b"</row>", b"<c/>" * 80_000 + b"</row>"), "one elem"),
        ("xl/workbook.xml", lambda data: data.replace(b"<sheet ", b"<sheat "), "there is no sheet"),
        ("xl/styles.xml", lambda data: data.replace(b'numFmtId="0"', b'numFmtId="x"'), "damaged"),
    ],
)  # fmt: skip
def test_a_damaged_workbook_is_told(saved, name, change, told, monkeypatch):
    monkeypatch.setattr(xml_file, "LONGEST_ELEMENT_BYTES", 100_000)
    path = changed(saved(("a", "Hoe?", "Zo.")), name, change)
    with pytest.raises(InputError, match=rf"log\.xlsx.*: .*{told}"):
        list(read_rows(str(path)))


@pytest.mark.parametrize("data", [b"", b"id,answer\na,Ja.\n", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_what_is_no_workbook(tmp_path, data):
    path = tmp_path / "log.xlsx"
    path.write_bytes(data)
    with pytest.raises(InputError, match="not an Excel workbook"):
        list(read_rows(str(path)))


def test_without_defusedxml_it_names_the_extra(saved, monkeypatch):
    path = saved()
    monkeypatch.setitem(sys.modules, "defusedxml.ElementTree", None)
    with pytest.raises(ExtraMissingError, match=r"pip install 'klopt\[excel\]'"):
        list(read_rows(str(path)))


def test_two_columns_for_one_field_and_a_pipe_are_refused(saved):
    path = saved(("a", "b", "c"), header=("id", "answer", "answer"))
    with pytest.raises(InputError, match=r'there are 2 columns "answer"; rename all but one'):
        list(read_rows(str(path)))
    with pytest.raises(InputError, match="Excel cannot be read from a pipe; give the file"):
        list(read_rows("-", stated="excel"))
