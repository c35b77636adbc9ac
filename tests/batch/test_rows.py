"""Rows of JSONL, CSV and standard input: what is understood, and what is told."""

from __future__ import annotations

import io
import json
import sys
import tomllib
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from klopt.batch import formats, tables
from klopt.batch import rows as batch_rows
from klopt.batch.rows import Row, read_rows
from klopt.batch.tables import _Lines
from klopt.errors import InputError

FILES = tomllib.loads(Path(__file__).with_name("files.toml").read_text("utf-8"))


def rows_of(path: Path, data: str) -> list[Row]:
    path.write_bytes(data.encode())
    return list(read_rows(str(path)))


def seen(row: Row, name: str, path: Path) -> Any:
    """A field of a row or its turn."""
    if name == "pages":
        return [page.text for page in row.turn.pages]
    value = getattr(row if hasattr(row, name) else row.turn, name)
    return value.replace(str(path), "{path}") if isinstance(value, str) else value or ""


@pytest.mark.parametrize("name", FILES)
def test_a_file(tmp_path, name):
    file = FILES[name]
    endings = file.get("endings", [".csv" if name.startswith("CSV") else ".jsonl"])
    for ending, encoding in product(endings, file.get("encodings", ["utf-8"])):
        path = tmp_path / f"log{ending}"
        path.write_bytes(file["data"].encode(encoding))
        reading = read_rows(str(path), names=file.get("names"))
        if "error" in file:
            with pytest.raises(InputError) as caught:
                list(reading)
            assert file["error"] in str(caught.value).replace(str(path), "{path}")
            continue
        pairs = zip(reading, file["rows"], strict=True)
        found = [{field: seen(row, field, path) for field in expected} for row, expected in pairs]
        assert found == file["rows"]


def test_rows_are_read_one_by_one(monkeypatch):
    """A chat log of years does not have to fit in memory, and a pipe gives rows as they come."""
    endless = SimpleNamespace(readline=lambda _: b'{"id": "a"}\n')
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=endless))
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


@pytest.mark.parametrize(
    "fields",
    [
        *(f'"rating": {"[" * depth}{"]" * depth}' for depth in (100, 900, 990)),
        *(f'"{name}": "{"x" * 1_000_000}"' for name in ("message_type", "rating")),
    ],
    ids=lambda fields: f"{fields[:20]} and so on, {len(fields)} characters",
)
def test_what_is_deep_or_long_costs_no_other_row_and_is_not_repeated(tmp_path, fields):
    """What can just be read may be too deep to be written in a message."""
    bad, good = rows_of(tmp_path / "log.jsonl", f'{{"id": "a", {fields}}}\n{{"id": "b"}}\n')
    assert len(bad.problem) < 1_000
    assert good.turn is not None


@pytest.mark.parametrize(
    ("ending", "long", "told"),
    [
        ("jsonl", json.dumps("x" * 1000), "line 2: a line of more than 100 bytes; is a line end"),
        ("csv", f"b,{'x' * 1000}", "row 2: not CSV: a row of more than 100 characters; "),
        ("csv", f'b,"{"x" * 1000}"', "row 2: not CSV: a row of more than 100 characters; "),
        ("csv", f'b,"{"x, " * 1000}",c', "row 2: not CSV: a row of more than 100 characters; "),
        ("csv", '"b' + "x\n" * 60 + '",c', "row 2: not CSV: a row of more than 100 characters; "),
    ],
)
def test_a_row_beyond_the_limit_keeps_the_other_rows(tmp_path, monkeypatch, ending, long, told):
    for module in (formats, tables, batch_rows):
        monkeypatch.setattr(module, "ROW_LIMIT_CHARS", 100)
    path = tmp_path / f"log.{ending}"
    around = ('{"id": "a"}', '{"id": "c"}') if ending == "jsonl" else ("id,answer\na,Ja.", "c,Nee.")
    rows = rows_of(path, f"{around[0]}\n{long}\n{around[1]}\n")
    assert [rows[0].id, rows[-1].id] == ["a", "c"]
    assert rows[1].problem.startswith(f"{path}, {told}")


def test_a_line_beyond_the_limit_is_not_taken_whole(monkeypatch):
    monkeypatch.setattr(formats, "ROW_LIMIT_CHARS", 10)
    file = io.BytesIO(b"a\n" + b"x" * 25 + b"\nb\n" + b"y" * 11 + b"\n" + b"z" * 22)
    assert list(formats.lines_of(file)) == [b"a\n", b"x" * 11, b"b\n", b"y" * 11, b"z" * 11]


@pytest.mark.parametrize("name", ["weg.jsonl", "weg.csv", "weg.parquet", "weg"])
def test_a_missing_file(tmp_path, name):
    with pytest.raises(InputError, match=f"{name}: there is no such file"):
        list(read_rows(str(tmp_path / name)))


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
    rows = rows_of(path, "\n".join(["id,question,answer", *AROUND[:place], line, *AROUND[place:]]))
    bad = rows.pop(place)
    assert bad.turn is None
    assert bad.problem.startswith(f"{path}, row {place + 1}: not CSV: ")
    assert bad.problem.endswith("; is a quote not closed, or one within a text not doubled?")
    expected = {"a": "Zo.", "c": "Dit.", "d": "Hier.\nEn daar.", "e": "U."}
    assert {row.id: row.turn.answer for row in rows} == expected


@pytest.mark.parametrize("line", ['a,"b', '"""', 'a,"', 'a,b,"c""', '"a","'])
def test_csv_is_read_in_one_pass_whatever_its_quotes(tmp_path, monkeypatch, line):
    """By the lines that are taken from the file or read again."""
    taken = [0, 0]
    real = _Lines.__next__
    for run, count in enumerate((2_000, 4_000)):

        def counted(lines: _Lines, run: int = run) -> str:
            taken[run] += 1
            return real(lines)

        monkeypatch.setattr(_Lines, "__next__", counted)
        data = "id,question,answer\n" + f"{line}\nb,c,d\n" * count
        assert 0 < len(rows_of(tmp_path / "log.csv", data)) <= 2 * count
    assert taken[1] < 2.1 * taken[0]
    assert taken[1] <= 3 * 8_001
