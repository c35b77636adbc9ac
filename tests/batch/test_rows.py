"""Rows of JSONL, CSV, Parquet and standard input: what is understood, and what is told."""

from __future__ import annotations

import io
import json
import sys

import pytest

from klopt.batch import formats
from klopt.batch import rows as batch_rows
from klopt.batch.rows import read_rows
from klopt.errors import InputError
from tests.batch.log_rows import PLAIN, only, rows_of


@pytest.mark.parametrize("ending", [".jsonl", ".ndjson", ".JSONL"])
def test_jsonl_endings(tmp_path, ending):
    row = only(rows_of(tmp_path / f"log{ending}", json.dumps(PLAIN)))
    assert (row.number, row.id, row.problem, row.warning) == (1, "a", None, None)
    assert (row.turn.question, row.turn.answer) == ("Kan dat?", "Ja.")
    assert [page.text for page in row.turn.pages] == ["Dat kan."]


def test_an_id_by_an_alias_stays_with_a_row_that_cannot_be_read(tmp_path):
    row = only(rows_of(tmp_path / "log.jsonl", '{"turn_id": "t-7", "rating": 9}'))
    assert (row.id, row.turn) == ("t-7", None)


def test_a_mapped_field_that_a_row_lacks_is_that_rows_problem(tmp_path):
    data = '{"id": "a", "bot_text": "Ja."}\n{"id": "b", "answer": "Nee."}\n'
    rows = rows_of(tmp_path / "log.jsonl", data, names={"answer": "bot_text"})
    assert [row.problem for row in rows] == [
        None,
        'row 2: there is no field "bot_text" to read as answer',
    ]


def test_order_is_kept_and_numbers_are_lines(tmp_path):
    lines = [json.dumps({"id": f"r{number}"}) for number in range(500)]
    rows = rows_of(tmp_path / "log.jsonl", "\n".join(lines))
    assert [row.id for row in rows] == [f"r{number}" for number in range(500)]
    assert [row.number for row in rows] == list(range(1, 501))


def test_blank_lines_are_no_rows_but_count_as_lines(tmp_path):
    rows = rows_of(tmp_path / "log.jsonl", '\n{"id": "a"}\n   \n\t\n{"id": "b"}\n\n')
    assert [(row.number, row.id) for row in rows] == [(2, "a"), (5, "b")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_either_line_ending(tmp_path, end):
    data = b"\xef\xbb\xbf" + f'{{"id": "a"}}{end}{{"id": "b"}}{end}'.encode()
    rows = rows_of(tmp_path / "log.jsonl", data)
    assert [(row.id, row.problem, row.warning) for row in rows] == [
        ("a", None, None),
        ("b", None, None),
    ]


def test_rows_are_read_one_by_one(tmp_path, monkeypatch):
    """A chat log of years does not have to fit in memory, and a pipe gives rows as they come."""

    class Endless:
        def readline(self, _: int) -> bytes:
            return b'{"id": "a"}\n'

    class Input:
        buffer = Endless()

    monkeypatch.setattr(sys, "stdin", Input())
    assert next(read_rows("-")).id == "a"


def test_standard_input(monkeypatch):
    data = b'\xef\xbb\xbf{"id": "a"}\r\n\r\nno\r\n{"id": "b"}'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    rows = list(read_rows("-"))
    assert [row.id for row in rows] == ["a", "row-3", "b"]
    assert rows[1].problem.startswith("standard input, line 3: not JSON: ")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON: "),
        ("id=1", "not JSON: "),
        ("{'id': 1}", "not JSON: "),
        ('{"id": 1} {"id": 2}', "not JSON: "),
        ('{"id": ' + "9" * 5_000 + "}", "not JSON: "),
        ("[" * 100_000, "not JSON: "),
        ('{"meta": ' + "[" * 100_000 + "]" * 100_000 + "}", "not JSON: "),
        ('[{"id": "a"}]', "not a JSON object but [{"),
        ('"text"', 'not a JSON object but "text"'),
        ("null", "not a JSON object but null"),
        ("12", "not a JSON object but 12"),
        ("NaN", "not a JSON object but NaN"),
    ],
)
def test_a_line_that_is_no_row_is_kept_with_its_place(tmp_path, line, problem):
    path = tmp_path / "log.jsonl"
    rows = rows_of(path, f'{{"id": "before"}}\n{line}\n{{"id": "after"}}\n')
    assert [row.id for row in rows] == ["before", "row-2", "after"]
    assert rows[1].turn is None
    assert rows[1].problem.startswith(f"{path}, line 2: {problem}")
    assert len(rows[1].problem) < 500


def test_a_field_of_the_wrong_kind_is_told_with_its_row(tmp_path):
    row = only(rows_of(tmp_path / "log.jsonl", json.dumps({**PLAIN, "answer": ["Ja."]})))
    assert (row.id, row.turn, row.problem) == ("a", None, "row 1: answer is a list, not text")


@pytest.mark.parametrize("depth", [100, 900, 990])
def test_a_nested_rating_costs_no_other_row(tmp_path, depth):
    """What can just be read may be too deep to be written in a message."""
    line = f'{{"id": "a", "rating": {"[" * depth}{"]" * depth}}}'
    rows = rows_of(tmp_path / "log.jsonl", f'{line}\n{{"id": "b"}}\n')
    assert [row.turn is None for row in rows] == [True, False]


@pytest.mark.parametrize("field", ["message_type", "rating"])
def test_a_message_does_not_repeat_megabytes(tmp_path, field):
    row = only(rows_of(tmp_path / "log.jsonl", json.dumps({**PLAIN, field: "x" * 1_000_000})))
    assert len(row.problem) < 1_000


def test_invalid_utf8_in_jsonl_is_replaced_and_told(tmp_path):
    data = b'{"id": "a", "answer": "caf\xe9"}\n{"id": "b", "answer": "caf\xc3\xa9"}\n'
    first, second = rows_of(tmp_path / "log.jsonl", data)
    assert first.turn.answer == "caf\ufffd"
    assert first.warning == "byte 27 is not UTF-8; read as U+FFFD"
    assert (second.turn.answer, second.warning) == ("café", None)


def test_a_line_beyond_the_limit_costs_itself_alone(tmp_path, monkeypatch):
    for module in (formats, batch_rows):
        monkeypatch.setattr(module, "ROW_LIMIT_CHARS", 100)
    path = tmp_path / "log.jsonl"
    rows = rows_of(path, '{"id": "a"}\n{"id": "' + "x" * 1000 + '"}\n{"id": "c"}\n')
    assert [row.id for row in rows] == ["a", "row-2", "c"]
    told = f"{path}, line 2: a line of more than 100 bytes; is a line end missing?"
    assert rows[1].problem == told


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv"])
@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_told_with_the_cure(tmp_path, name, code):
    with pytest.raises(InputError, match="UTF-16, and UTF-8 is read; save it as such"):
        rows_of(tmp_path / name, "\ufeffid,answer\na,Ja.\n".encode(code))


@pytest.mark.parametrize("name", ["weg.jsonl", "weg.csv", "weg.parquet", "weg"])
def test_a_missing_file(tmp_path, name):
    with pytest.raises(InputError, match=f"{name}: there is no such file"):
        list(read_rows(str(tmp_path / name)))


@pytest.mark.parametrize("name", ["log.json", "log.xls", "log"])
def test_an_unknown_ending_names_those_that_are_read(tmp_path, name):
    path = tmp_path / name
    path.write_text("x")
    with pytest.raises(InputError) as caught:
        list(read_rows(str(path)))
    ending = path.suffix
    assert str(caught.value) == (
        f'{path}: "{ending}" is not one of .arrow, .csv, .feather, .jsonl, .ndjson, .parquet, '
        ".xlsx, or one with .gz or .zst"
    )
