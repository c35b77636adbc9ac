"""Spreadsheets: read like CSV; invalid files are refused in bounded memory."""

from datetime import datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from xlsxwriter import Workbook

from klopt.errors import ConfigurationError, InputError
from klopt.logs import tables as spreadsheets
from klopt.logs.rows import read_rows
from klopt.logs.writing import kind_written, put_excel
from tests.growth.growing import assert_linear

HEADER = ("id", "question", "answer", "contexts", "rating", None, "datum")
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


@pytest.fixture
def saved(tmp_path):
    """Write rows as the first of two sheets of an .xlsx workbook."""

    def save(*rows, header=HEADER):
        path = tmp_path / "log.xlsx"
        with Workbook(path, {"default_date_format": "yyyy-mm-dd hh:mm"}) as book:
            sheet = book.add_worksheet()
            for number, row in enumerate((header, *rows)):
                sheet.write_row(number, 0, row)
            book.add_worksheet("Toelichting").write_row(0, 0, ["answer", "question"])
        return path

    return save


def changed(path, name, change):
    """Return the workbook with one part changed."""
    with ZipFile(path) as archive:
        parts = {one: archive.read(one) for one in archive.namelist()}
    parts[name] = change(parts.get(name, b""))
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for one, data in parts.items():
            archive.writestr(one, data)
    return path


def test_cells_of_every_type(saved):
    path = saved(
        (7, "Kan dat?", "Ja.\nDat kan.", '["Dat kan."]', 4, "los", datetime(2026, 3, 1, 9, 30)),
        (),
        (7.5, 42, True, "Een tekst.", None, None, "maart"),
    )
    first, second = read_rows(str(path))
    assert [one.number for one in (first, second)] == [2, 4]
    assert [one.problem for one in (first, second)] == [None] * 2
    assert (first.turn.id, first.turn.question, first.turn.rating) == ("7", "Kan dat?", 4.0)
    assert first.turn.answer.splitlines() == ["Ja.", "Dat kan."]
    assert [page.text for page in first.turn.pages] == ["Dat kan."]
    assert first.fields["datum"] == "2026-03-01T09:30:00"
    assert set(first.fields) == set(filter(None, HEADER))
    assert (second.turn.id, second.turn.question, second.turn.answer) == ("7.5", "42", "true")


def test_a_formula_is_read_as_its_saved_value(tmp_path):
    path = tmp_path / "log.xlsx"
    with Workbook(path) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ("id", "question", "answer"))
        sheet.write_row(1, 0, ("a", "Hoe?"))
        sheet.write_formula(1, 2, '=HYPERLINK("http://x.example","Klik")', value="Klik")
    assert next(read_rows(str(path))).turn.answer == "Klik"


ODS = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="a">{}</table:table></office:spreadsheet></office:body>
</office:document-content>"""


def ods(tmp_path, *rows, repeated=1):
    path, xml = tmp_path / "log.ods", ""
    for row in rows:
        cells = "".join(
            f'<table:table-cell office:value-type="string"><text:p>{one}</text:p>'
            "</table:table-cell>"
            for one in row
        )
        last = f'<table:table-cell table:number-columns-repeated="{repeated}"/>'
        xml += f'<table:table-row table:number-rows-repeated="{repeated}">{cells}{last}'
        xml += "</table:table-row>"
    with ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", ODS.format(xml))
    return path


def test_opendocument_is_read(tmp_path):
    path = ods(tmp_path, ("id", "question", "answer"), ("a", "Hoe?", "Zo."))
    [row] = read_rows(str(path))
    assert (row.id, row.turn.question, row.turn.answer) == ("a", "Hoe?", "Zo.")


def test_cells_far_apart_are_refused_in_bounded_memory(saved, tmp_path):
    path = saved(("a", "Hoe?", "Zo."))
    far = b'<row r="1048576"><c r="XFD1048576" t="str"><v>x</v></c></row></sheetData>'
    changed(path, SHEET, lambda data: data.replace(b"</sheetData>", far))
    for workbook in (path, ods(tmp_path, ("id",), repeated=100_000)):
        with pytest.raises(InputError, match=r"log\.\w+: a sheet spans more than 10,000,000 cells"):
            list(read_rows(str(workbook)))


def test_a_workbook_that_expands_beyond_the_limit_is_refused(saved, monkeypatch):
    path = changed(saved(("a",)), SHEET, lambda data: data + b" " * 3_000_000)
    assert path.stat().st_size < 20_000
    monkeypatch.setattr(spreadsheets, "WORKBOOK_LIMIT_BYTES", 2_000_000)
    with pytest.raises(InputError, match=r"more than 2,000,000 bytes, unpacked; save the sheet as"):
        list(read_rows(str(path)))


def test_a_name_with_many_folders_takes_linear_time(saved):
    def made(folders: int) -> Path:
        path = changed(saved(("a", "Hoe?", "Zo.")), "a/" * folders, lambda _: b"")
        return path.rename(path.with_stem(f"log-{folders}"))

    assert_linear(made, 20_000, rows=lambda path: list(read_rows(str(path))))


ENTITIES = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
BOMB = f'<!DOCTYPE a [<!ENTITY a0 "aaaaaaaaaa">{ENTITIES}]><sst><si><t>&a9;</t></si></sst>'


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (SHEET, lambda data: data[: len(data) // 2]),
        (SHEET, lambda data: data.replace(b"<v>1</v>", b"<v>99</v>")),
        (STRINGS, lambda _: BOMB.encode()),
        ("xl/workbook.xml", lambda data: data.replace(b"<sheet ", b"<sheat ")),
        ("xl/workbook.xml", lambda _: b""),
        ("xl/_rels/workbook.xml.rels", lambda _: b"<x/>"),
    ],
)
def test_a_damaged_workbook_is_refused_with_its_name(saved, name, change):
    path = changed(saved(("a", "Hoe?", "Zo.")), name, change)
    with pytest.raises(InputError, match=r"log\.xlsx: not a workbook .*, or damaged: "):
        list(read_rows(str(path)))


@pytest.mark.parametrize("ending", ["xlsx", "xls", "ods"])
@pytest.mark.parametrize("data", [b"", b"id,answer\na,Ja.\n", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_a_file_that_is_no_workbook_is_refused(tmp_path, data, ending):
    path = tmp_path / f"log.{ending}"
    path.write_bytes(data)
    with pytest.raises(InputError, match=rf"log\.{ending}: not a workbook"):
        list(read_rows(str(path)))


@pytest.mark.parametrize(("name", "part"), [("a.xls", "only read"), ("a.xlsx.gz", "leave out .gz")])
def test_unsupported_output_is_refused(tmp_path, name, part):
    with pytest.raises(ConfigurationError, match=part):
        kind_written(tmp_path / name, None)


def test_a_written_sheet_keeps_its_header_in_view_and_wraps_texts(tmp_path):
    path = tmp_path / "scores.xlsx"
    with path.open("wb") as file:
        put_excel(["id", "answer"], [{"id": "7", "answer": "Ja. " * 50}], file)
    with ZipFile(path) as archive:
        sheet, styles = (archive.read(name).decode() for name in (SHEET, "xl/styles.xml"))
    assert 'ySplit="1"' in sheet
    assert '<col min="2" max="2" width="60' in sheet
    assert 'wrapText="1"' in styles
