"""Rows of CSV and Parquet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from klopt.batch import formats, tables
from klopt.batch.rows import read_rows
from klopt.batch.tables import _Lines
from klopt.errors import ExtraMissingError, InputError
from tests.batch.log_rows import only, rows_of


def test_csv(tmp_path):
    data = (
        "\ufeffid,question,answer,contexts,rating\r\n"
        '1,"Kan dat, of niet?","Ja.\r\nDat kan.","[""Een tekst."", {""text"": ""Nog een.""}]",4\r\n'
        "\r\n"
        "2,Kan dat?,Nee.,Een enkele tekst.,\r\n"
    )
    first, second = rows_of(tmp_path / "log.csv", data)
    assert (first.id, first.turn.question) == ("1", "Kan dat, of niet?")
    assert first.turn.answer == "Ja.\r\nDat kan."
    assert [page.text for page in first.turn.pages] == ["Een tekst.", "Nog een."]
    assert first.turn.rating == 4.0
    assert [page.text for page in second.turn.pages] == ["Een enkele tekst."]
    assert second.turn.rating is None


@pytest.mark.parametrize("answer", ["[1]", '{"antwoord": "Ja."}', "[]"])
def test_csv_answers_that_look_like_json_stay_text(tmp_path, answer):
    quoted = '"' + answer.replace('"', '""') + '"'
    row = only(rows_of(tmp_path / "log.csv", f"id,answer\na,{quoted}\n"))
    assert row.problem is None
    assert row.turn.answer == answer


def test_csv_with_too_few_and_too_many_fields(tmp_path):
    path = tmp_path / "log.csv"
    rows = rows_of(path, "id,question,answer\na\nb,Kan dat?,Ja, dat kan\nc,Kan dat?,Ja.\n")
    assert [row.id for row in rows] == ["a", "row-2", "c"]
    assert (rows[0].turn.question, rows[0].turn.answer) == ("", "")
    assert rows[1].problem == f"{path}, row 2: more fields than the header has"
    assert rows[2].turn is not None


@pytest.mark.parametrize(
    "long",
    [f"b,{'x' * 1000}", f'b,"{"x" * 1000}"', f'b,"{"x, " * 1000}",c', '"b' + "x\n" * 60 + '",c'],
)
def test_a_row_beyond_the_limit_keeps_the_other_rows(tmp_path, monkeypatch, long):
    for module in (formats, tables):
        monkeypatch.setattr(module, "ROW_LIMIT_CHARS", 100)
    path = tmp_path / "log.csv"
    rows = rows_of(path, f"id,answer\na,Ja.\n{long}\nc,Nee.\n")
    assert [rows[0].id, rows[-1].id] == ["a", "c"]
    told = f"{path}, row 2: not CSV: a row of more than 100 characters; "
    assert rows[1].problem.startswith(told)


def test_a_line_beyond_the_limit_is_not_taken_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "ROW_LIMIT_CHARS", 10)
    with (tmp_path / "log").open("w+b") as file:
        file.write(b"a\n" + b"x" * 25 + b"\nb\n" + b"y" * 11 + b"\n" + b"z" * 22)
        file.seek(0)
        found = list(formats.lines_of(file))
    assert found == [b"a\n", b"x" * 11, b"b\n", b"y" * 11, b"z" * 11]


UNCLOSED = [
    'b,"Kan dat?,Ja.',
    'b,Kan dat?,"Ja.',
    '"b,Kan dat?,Ja.',
    'b,"Kan dat?,"Ja."',
    'b,"Zei hij "ja, hoor", of niet?",Ja.',
]
AROUND = ["a,Hoe?,Zo.", 'c,"Wat, dan?",Dit.', 'd,Waar?,"Hier.\nEn daar."', "e,Wie?,U."]


@pytest.mark.parametrize("line", UNCLOSED)
@pytest.mark.parametrize("place", range(5))
def test_a_quote_that_is_not_closed_costs_its_row_and_no_other(tmp_path, line, place):
    path = tmp_path / "log.csv"
    lines = [*AROUND[:place], line, *AROUND[place:]]
    rows = rows_of(path, "\n".join(["id,question,answer", *lines]))
    bad = rows.pop(place)
    assert bad.turn is None
    assert bad.problem.startswith(f"{path}, row {place + 1}: not CSV: ")
    assert bad.problem.endswith("; is a quote not closed, or one within a text not doubled?")
    assert [(row.id, row.turn and row.turn.answer) for row in rows] == [
        ("a", "Zo."),
        ("c", "Dit."),
        ("d", "Hier.\nEn daar."),
        ("e", "U."),
    ]


def test_csv_with_quotes_that_are_not_doubled_but_harm_nothing(tmp_path):
    data = 'id,question,answer\na,Is 5" breed?,Ja.\nb,"Kan "dat" zo?","Ja" zei hij.\n'
    first, second = rows_of(tmp_path / "log.csv", data)
    assert first.turn.question == 'Is 5" breed?'
    assert (second.turn.question, second.turn.answer) == ('Kan dat" zo?"', "Ja zei hij.")


def test_csv_with_a_header_that_cannot_be_read(tmp_path):
    path = tmp_path / "log.csv"
    with pytest.raises(InputError, match=r"log\.csv, the first line: not CSV: "):
        rows_of(path, 'id,"question,answer\na,Kan dat?,Ja.\n')


@pytest.mark.parametrize("line", ['a,"b', '"""', 'a,"', 'a,b,"c""', '"a","'])
def test_csv_is_read_in_one_pass_whatever_its_quotes(tmp_path, line):
    """By the lines that are taken from the file or read again."""
    taken = [0, 0]
    for run, count in enumerate((2_000, 4_000)):
        path = tmp_path / f"log-{count}.csv"
        path.write_text("id,question,answer\n" + f"{line}\nb,c,d\n" * count, "utf-8")
        real = _Lines.__next__

        def counted(lines: _Lines, run: int = run, real: Any = real) -> str:
            taken[run] += 1
            return real(lines)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_Lines, "__next__", counted)
            rows = list(read_rows(str(path)))
        assert 0 < len(rows) <= 2 * count
    assert taken[1] < 2.1 * taken[0]
    assert taken[1] <= 3 * 8_001


def test_csv_with_a_column_twice(tmp_path):
    row = only(rows_of(tmp_path / "log.csv", "id,dag,dag\na,ma,di\n"))
    assert row.fields == {"id": "a", "dag": "di"}
    with pytest.raises(InputError, match=r'log\.csv: there are 2 columns "answer"; rename all but'):
        rows_of(tmp_path / "log.csv", "id,answer,answer\na,Ja.,Nee.\n")


# Parquet.


def test_parquet(tmp_path):
    path = tmp_path / "log.parquet"
    table = {
        "id": [1, 2, 3],
        "question": ["Kan dat?", None, "Hoe?"],
        "answer": ["Ja.", "Nee.", "Zo."],
        "contexts": [["Een tekst.", "Nog een."], None, []],
        "rating": [4, None, 2],
    }
    parquet.write_table(pa.table(table), path)
    rows = list(read_rows(str(path)))
    turns = [row.turn for row in rows if row.turn is not None]
    assert [row.id for row in rows] == ["1", "2", "3"]
    assert [turn.question for turn in turns] == ["Kan dat?", "", "Hoe?"]
    assert [len(turn.pages) for turn in turns] == [2, 0, 0]
    assert [turn.rating for turn in turns] == [4.0, None, 2.0]


@pytest.mark.parametrize("cut", [b"", b"no parquet", None], ids=["empty", "text", "cut off"])
def test_broken_parquet(tmp_path, cut):
    path = tmp_path / "log.parquet"
    parquet.write_table(pa.table({"id": ["a"]}), path)
    path.write_bytes(path.read_bytes()[:-20] if cut is None else cut)
    with pytest.raises(InputError, match=r"log\.parquet: not a Parquet file: "):
        list(read_rows(str(path)))


def test_a_damaged_part_of_a_parquet_file_costs_its_rows_and_no_other(tmp_path):
    path = tmp_path / "log.parquet"
    table = pa.table({"id": [f"r{number}" for number in range(600)], "answer": ["Ja."] * 600})
    parquet.write_table(table, path, row_group_size=200)
    damaged = parquet.ParquetFile(path).metadata.row_group(1).column(1)
    place = damaged.dictionary_page_offset or damaged.data_page_offset
    data = bytearray(path.read_bytes())
    data[place : place + 30] = b"\xff" * 30
    path.write_bytes(data)
    rows = list(read_rows(str(path)))
    assert [row.number for row in rows] == list(range(1, 601))
    assert [row.number for row in rows if row.turn is None] == list(range(201, 401))
    assert rows[200].problem.startswith(f"{path}, row 201: this part of the file is damaged: ")
    assert rows[400].id == "r400"


def texts(*values: bytes) -> pa.Array:
    """A column of text, whatever bytes there are in it."""
    ends = [sum(map(len, values[:count])) for count in range(len(values) + 1)]
    offsets = pa.py_buffer(b"".join(end.to_bytes(4, "little") for end in ends))
    buffers = [None, offsets, pa.py_buffer(b"".join(values))]
    return pa.Array.from_buffers(pa.string(), len(values), buffers)


def test_parquet_with_text_that_is_not_utf8_is_mended_and_told(tmp_path):
    path = tmp_path / "log.parquet"
    ids = pa.array(["a", "b", "c"])
    parquet.write_table(pa.table({"id": ids, "answer": texts(b"Ja.", b"caf\xe9", b"Nee.")}), path)
    rows = list(read_rows(str(path)))
    assert [(row.id, row.turn and row.turn.answer) for row in rows] == [
        ("a", "Ja."),
        ("b", "caf\ufffd"),
        ("c", "Nee."),
    ]
    assert [row.warning for row in rows] == [None, "a byte is not UTF-8; read as U+FFFD", None]


def test_parquet_with_a_cell_that_cannot_be_read_costs_its_row_and_no_other(tmp_path):
    path = tmp_path / "log.parquet"
    pages = pa.ListArray.from_arrays([0, 1, 3, 4], texts(b"Een.", b"Twee.", b"caf\xe9", b"Drie."))
    parquet.write_table(pa.table({"id": ["a", "b", "c"], "contexts": pages}), path)
    first, bad, last = read_rows(str(path))
    assert [page.text for page in (*first.turn.pages, *last.turn.pages)] == ["Een.", "Drie."]
    assert bad.problem.startswith(
        f"{path}, row 2: column \"contexts\" cannot be read: 'utf-8' codec"
    )


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("us", "<value out of range: 4611686018427387904>"),
        ("ns", "2116-02-20 23:53:38.427387904"),
    ],
)
def test_parquet_with_a_time_that_python_does_not_have_is_read_all_the_same(tmp_path, unit, text):
    path = tmp_path / "log.parquet"
    when = pa.array([0, 2**62], pa.timestamp(unit))
    parquet.write_table(pa.table({"id": ["a", "b"], "answer": ["Ja.", "Nee."], "when": when}), path)
    rows = list(read_rows(str(path)))
    assert [(row.id, row.turn and row.turn.answer, row.warning) for row in rows][1:] == [
        ("b", "Nee.", None)
    ]
    assert rows[1].fields["when"] == text


def test_parquet_without_pyarrow_says_how_to_get_it(tmp_path, monkeypatch):
    path = tmp_path / "log.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExtraMissingError, match=r"pip install 'klopt\[parquet\]'"):
        list(read_rows(str(path)))


# Files that are not there.


def test_a_log_with_other_names_is_told_once_how_to_map_them(tmp_path: Path):
    file = tmp_path / "log.csv"
    file.write_text("id;vraag;antwoord\n1;Kan dat?;Ja.\n2;En dit?;Nee.\n", "utf-8")
    rows = list(read_rows(str(file)))
    assert [row.warning for row in rows] == [
        "no field is read as question or answer; there are also vraag, antwoord: "
        "--map question=vraag?",
        None,
    ]
    mapped = read_rows(str(file), names={"question": "vraag", "answer": "antwoord"})
    assert [(row.id, row.turn and row.turn.answer) for row in mapped] == [
        ("1", "Ja."),
        ("2", "Nee."),
    ]


def test_parquet_with_texts_of_bytes(tmp_path):
    path = tmp_path / "log.parquet"
    answers = [b"Zo \xc3\xa9\xc3\xa9n.", b"Zo \xff."]
    pages = [[b"Een tekst."]] * 2
    parquet.write_table(pa.table({"id": ["a", "b"], "answer": answers, "contexts": pages}), path)
    first, second = read_rows(str(path))
    assert (first.turn.answer, first.turn.pages[0].text, first.warning) == (
        "Zo één.",
        "Een tekst.",
        None,
    )
    assert second.turn.answer == "Zo \ufffd."
    assert second.warning.startswith("a byte is not UTF-8")


def test_parquet_with_a_column_twice(tmp_path):
    path = tmp_path / "log.parquet"
    columns = [pa.array([one]) for one in ("a", "Ja.", "Nee.")]
    parquet.write_table(pa.table(columns, names=["id", "answer", "answer"]), path)
    with pytest.raises(InputError, match='there are 2 columns "answer"; rename all but one'):
        list(read_rows(str(path)))
