"""Rows of files, standard input and products: their fields, problems and warnings."""

import gzip
import io
import json
import shlex
import sys
import tomllib
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from klopt._internal.files import MAX_NESTING
from klopt.errors import InputError
from klopt.logs import csv_rows, formats, json_rows
from klopt.logs.csv_rows import _Lines
from klopt.logs.rows import Row, read_rows, with_warnings
from klopt.types import Page

FILES, PRODUCTS = (
    tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))
    for name in ("files.toml", "products.toml")
)


def rows_of(path: Path, data: str) -> list[Row]:
    path.write_bytes(data.encode())
    return list(read_rows(str(path)))


def field_of(row: Row, name: str, path: Path) -> Any:
    """Return a field of a row or its turn."""
    if name == "warning":
        return "; ".join(row.warnings)
    if name == "pages":
        return [page.text for page in row.turn.pages]
    value = getattr(row if hasattr(row, name) else row.turn, name)
    return value.replace(str(path), "{path}") if isinstance(value, str) else value or ""


@pytest.mark.parametrize("name", FILES)
def test_rows_of_a_file(tmp_path, name):
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
        found = [
            {field: field_of(row, field, path) for field in expected} for row, expected in pairs
        ]
        assert found == file["rows"]


def test_rows_are_read_one_by_one(monkeypatch):
    """A log need not fit in memory, and a pipe gives rows as they arrive."""
    endless = SimpleNamespace(readline=lambda _: b'{"id": "a"}\n')
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=endless))
    assert next(read_rows("-")).id == "a"


def test_the_first_row_of_csv_needs_no_more_than_the_head():
    def lines():
        yield "id,answer\n"
        yield from (f"{number},Ja.\n" for number in range(csv_rows._HEAD_LINES - 1))
        raise AssertionError("a line after the head is read")

    assert next(csv_rows._rows(lines(), "", None))[1]["id"] == "0"


def test_standard_input(monkeypatch):
    data = b'\xef\xbb\xbf{"id": "a"}\r\n\r\nno\r\n{"id": "b"}'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    rows = list(read_rows("-"))
    assert [row.id for row in rows] == ["a", "row-3", "b"]
    assert rows[1].problem.startswith("standard input, line 3: not JSON: ")


@pytest.mark.parametrize(("ending", "form"), [(".jsonl", "{}\n{}\n"), (".json", "[{},{}]")])
@pytest.mark.parametrize(("levels", "is_read"), [(MAX_NESTING, True), (MAX_NESTING + 1, False)])
def test_json_has_a_limit_of_levels(tmp_path, ending, form, levels, is_read):
    lists = levels - 1  # within the object
    row = f'{{"id": "a", "question": "Kan dat?", "meta": {"[" * lists + "]" * lists}}}'
    found = rows_of(tmp_path / f"log{ending}", form.format(row, '{"id": "b"}'))
    assert [one.turn is not None for one in found] == [is_read, True]
    assert is_read or "nested too deeply" in found[0].problem


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
def test_an_invalid_line_is_a_row_with_a_problem(tmp_path, line, problem):
    path = tmp_path / "log.jsonl"
    rows = rows_of(path, f'{{"id": "before"}}\n{line}\n{{"id": "after"}}\n')
    assert [row.id for row in rows] == ["before", "row-2", "after"]
    assert rows[1].turn is None
    assert rows[1].problem.startswith(f"{path}, line 2: {problem}")
    assert len(rows[1].problem) < 500


@pytest.mark.parametrize(
    "fields",
    [
        *(f'"answer": {"[" * depth}{"]" * depth}' for depth in (100, 900, 990)),
        *(f'"answer": "", "{name}": "{"x" * 1_000_000}"' for name in ("message_type", "rating")),
    ],
    ids=lambda fields: f"{fields[:20]} and so on, {len(fields)} characters",
)
def test_deep_or_long_values_affect_only_their_row_and_are_not_quoted(tmp_path, fields):
    """A value that can be read may be too deep for a message."""
    bad, good = rows_of(tmp_path / "log.jsonl", f'{{"id": "a", {fields}}}\n{{"id": "b"}}\n')
    assert len(bad.problem or "".join(bad.warnings)) in range(20, 1_000)
    assert good.turn is not None


@pytest.mark.parametrize(
    ("ending", "long", "problem"),
    [
        ("jsonl", json.dumps("x" * 1000), "line 2: a line of more than 100 bytes; is a line end"),
        ("csv", f"b,{'x' * 1000}", "row 2: not CSV: a row of more than 100 characters; "),
        ("csv", f'b,"{"x" * 1000}"', "row 2: not CSV: a row of more than 100 characters; "),
        ("csv", f'b,"{"x, " * 1000}",c', "row 2: not CSV: a row of more than 100 characters; "),
        ("csv", '"b' + "x\n" * 60 + '",c', "row 2: not CSV: a row of more than 100 characters; "),
    ],
)
def test_a_row_beyond_the_limit_keeps_the_other_rows(tmp_path, monkeypatch, ending, long, problem):
    for module in (formats, csv_rows, json_rows):
        monkeypatch.setattr(module, "ROW_LIMIT_CHARS", 100)
    path = tmp_path / f"log.{ending}"
    around = ('{"id": "a"}', '{"id": "c"}') if ending == "jsonl" else ("id,answer\na,Ja.", "c,Nee.")
    rows = rows_of(path, f"{around[0]}\n{long}\n{around[1]}\n")
    assert [rows[0].id, rows[-1].id] == ["a", "c"]
    assert rows[1].problem.startswith(f"{path}, {problem}")


def test_a_line_beyond_the_limit_is_truncated(monkeypatch):
    monkeypatch.setattr(formats, "ROW_LIMIT_CHARS", 10)
    file = io.BytesIO(b"a\n" + b"x" * 25 + b"\nb\n" + b"y" * 11 + b"\n" + b"z" * 22)
    assert list(formats.lines_of(file)) == [b"a\n", b"x" * 11, b"b\n", b"y" * 11, b"z" * 11]


@pytest.mark.parametrize("name", ["log.jsonl.gz", "log.csv.gz"])
def test_a_compressed_line_without_end_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "LINE_LIMIT_CHARS", 3 * formats.ROW_LIMIT_CHARS)
    path = tmp_path / name
    with gzip.open(path, "wb", 1) as file:
        file.write(b"question,answer\n")
        for _ in range(5):
            file.write(b" " * formats.ROW_LIMIT_CHARS)
    with pytest.raises(InputError, match=r"log\.\w+\.gz: no line end in 30,000,000"):
        list(read_rows(str(path)))


@pytest.mark.parametrize("name", ["weg.jsonl", "weg.csv", "weg.parquet", "weg", ""])
def test_a_missing_file_or_a_folder_is_refused(tmp_path, name):
    message = f"{name}: there is no such file" if name else "is not a file"
    with pytest.raises(InputError, match=message):
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
def test_an_unclosed_quote_affects_only_its_row(tmp_path, line, place):
    path = tmp_path / "log.csv"
    rows = rows_of(path, "\n".join(["id,question,answer", *AROUND[:place], line, *AROUND[place:]]))
    bad = rows.pop(place)
    assert bad.turn is None
    assert bad.problem.startswith(f"{path}, row {place + 1}: not CSV: ")
    assert bad.problem.endswith("; is a quote not closed, or a quote within a text not doubled?")
    expected = {"a": "Zo.", "c": "Dit.", "d": "Hier.\nEn daar.", "e": "U."}
    assert {row.id: row.turn.answer for row in rows} == expected


@pytest.mark.parametrize("line", ['a,"b', '"""', 'a,"', 'a,b,"c""', '"a","'])
def test_csv_is_read_in_linear_time_with_any_quotes(tmp_path, monkeypatch, line):
    """Measured by the number of lines that are read."""
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


def test_invalid_types_and_ratings_give_one_warning_per_field(tmp_path):
    path, warnings = tmp_path / "log.csv", []
    ratings, types = ("n/a", "4,5,1", "0", "", "4,5"), ("1", "incoming", "", "error", "nee")
    lines = [
        f'{n},Hoe?,Zo.,"{r}",{t}' for n, (r, t) in enumerate(zip(ratings, types, strict=False))
    ]
    path.write_text("\n".join(["id,question,answer,rating,message_type", *lines]))
    rows = list(with_warnings(read_rows(str(path)), warnings.append))
    assert [row.turn.rating for row in rows] == [None, None, None, None, 4.5]
    assert [row.turn.message_type for row in rows] == [None, None, None, "error", None]
    found = [warning.partition(" is not ")[0] for warning in warnings]
    assert found == ['row 1: message_type "1"', 'row 1: rating "n/a"']
    assert all(warning.endswith("(and 2 more rows)") for warning in warnings)


NAMED = {
    "nl/wifi.md": Page("# Wifi instellen\n\nKlik.", "nl/wifi.md", url="https://h.example/nl/wifi/"),
    "en/wifi.md": Page("# Set up wifi\n\nClick.", "en/wifi.md"),
    "Retour.html": Page("<h1>Retourneren</h1>", "Retour.html"),
    "faq.md": Page("Vragen.", "faq.md", url="https://h.example/hc/nl/articles/36-faq-algemeen"),
}


@pytest.mark.parametrize(
    ("contexts", "pages", "warning_count"),
    [
        (["NL/Wifi"], ["nl/wifi.md"], 0),
        (["retour"], ["Retour.html"], 0),
        (["wifi instellen"], ["nl/wifi.md"], 0),
        (["https://H.example/nl/wifi?utm=1#top"], ["nl/wifi.md"], 0),
        (["https://other.example/help/retour.html"], ["Retour.html"], 0),
        (["https://h.example/hc/nl/articles/36-faq-algemeen"], ["faq.md"], 0),
        ([{"title": "x", "url": "https://h.example/nl/wifi"}], ["nl/wifi.md"], 0),
        ({"retour.html": 0.8, "faq.md": 0.2}, ["Retour.html", "faq.md"], 0),
        ({"a.md": "Een tekst."}, ["a.md"], 0),
        ("faq.md; Retour", ["faq.md", "Retour.html"], 0),
        (["faq.md", "weg.md", "retour"], ["faq.md", "Retour.html"], 1),
        (["https://other.example/wifi"], [], 1),
        (["wifi.md"], 'did you mean "nl/wifi.md" or "en/wifi.md"?', 0),
        (["retuor.md"], 'did you mean "Retour.html"?', 0),
        (["geheel-anders.md"], "is not a page (the folder has 4 pages)", 0),
    ],
)
def test_pages_by_their_names_in_logs(tmp_path, contexts, pages, warning_count):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"question": "Hoe?", "answer": "Zo.", "contexts": contexts}))
    [row] = read_rows(str(path), pages=NAMED)
    if isinstance(pages, str):
        assert pages in row.problem
    else:
        assert [page.id for page in row.turn.pages] == pages
    assert len(row.warnings) == warning_count


SUGGESTED = {
    "tekst_a;tekst_b;nr\nHoe kan dat?;Dat gaat zo.;1\nEn dit?;Dit kan zo niet.;2\n": [
        "--map question=tekst_a",
        "--map answer=tekst_b",
    ],
    "wanneer;Reactie van ons;Klant zegt\n2024-01-01;Dat gaat zo.;Hoe kan dat?\n": [
        "--map 'question=Klant zegt'",
        "--map 'answer=Reactie van ons'",
    ],
    '{"req": {"q": "Hoe kan dat?"}, "res": [{"t": "Dat gaat zo."}]}': [
        "--map question=req.q",
        "--map 'answer=res[0].t'",
    ],
    '{"x": {"log": [{"w": "K", "t": "Hoe kan dat?"}, {"w": "Z", "t": "Dat gaat zo."}]}}': [
        "--map messages=x.log --map role=w --map text=t --map user=K --map bot=Z",
    ],
    'w,t\nK,"Hoe kan dat?"\nZ,"Dat gaat zo."\nK,"En dit?"\n': [
        "--map role=w --map text=t --map user=K --map bot=Z",
    ],
    "Klant vroeg;Bot zei;Uit;Via\nHoe kan dat?;Dat gaat zo.;a.md;chat\n"
    "En dit dan?;Dit kan zo niet.;b.md;mail\nWat nu?;Dat is klaar.;a.md;chat\n": [
        "--map 'question=Klant vroeg' --map 'answer=Bot zei'",
    ],
    "Klant vroeg;Bot zei;Uit\nHoe kan dat?;Dat gaat zo.;a.md\n"
    "Ik heb een klacht.;Dit kan zo niet.;b.md\nMijn pas is op.;Dat is klaar.;a.md\n": [
        "--map 'question=Klant vroeg' --map 'answer=Bot zei'",
    ],
    '{"asked": "Hoe kan dat?", "tekst": "Dat gaat zo.", "kennis": [{"text": "'
    + "Op deze pagina staat hoe dat gaat. " * 9
    + '"}]}': ["--map question=asked --map answer=tekst"],
    "nummer;bedrag;dag\n1;2,50;maandag\n": ["--map question=FIELD --map answer=FIELD"],
}


@pytest.mark.parametrize("data", SUGGESTED)
def test_the_suggested_options_work(tmp_path, data):
    path, warnings = tmp_path / f"log.{'jsonl' if data[0] == '{' else 'csv'}", []
    path.write_text(data)
    list(read_rows(str(path), warn=warnings.append))
    [warning] = warnings
    assert all(option in warning for option in SUGGESTED[data])
    words = shlex.split(warning.partition(": ")[2])
    given = [word for at, word in enumerate(words) if words[at - 1] == "--map"]
    names = dict(word.split("=", 1) for word in given)
    if "FIELD" not in names.values():
        row, *_ = list(read_rows(str(path), names=names))
        assert (row.turn.question, row.turn.answer) == ("Hoe kan dat?", "Dat gaat zo.")


def test_field_names_count_for_the_suggestion(tmp_path):
    path, warnings = tmp_path / "log.csv", []
    question = "Het lukt mij vandaag helaas niet meer om met mijn pas in te loggen."
    path.write_text(f"Reactie van ons;Klant zegt\nDat gaat zo niet.;{question}\n")
    list(read_rows(str(path), warn=warnings.append))
    assert "--map 'question=Klant zegt' --map 'answer=Reactie van ons'" in warnings[0]


def test_another_mapped_field_does_not_hide_the_suggestion(tmp_path):
    path, warnings = tmp_path / "log.csv", []
    path.write_text(next(iter(SUGGESTED)))
    list(read_rows(str(path), names={"id": "nr"}, warn=warnings.append))
    assert "--map question=tekst_a" in warnings[0]


@pytest.mark.parametrize(
    ("names", "is_warned"),
    [
        ({"question": "Vraag klant", "answer": "answer"}, True),
        ({"question": "question", "contexts": "Bron"}, True),
        ({"question": "question", "id": "nr"}, False),
        ({"question": "[0].question"}, True),
        ({"answer": "answer"}, False),
    ],
)
def test_a_mapped_field_that_a_file_lacks_is_named_once(tmp_path, names, is_warned):
    """As with files of which each has other columns."""
    path, warnings = tmp_path / "log.csv", []
    path.write_text("question;answer\n" + "Kan dat?;Ja, dat kan.\n" * 30)
    rows = list(read_rows(str(path), names=names, warn=warnings.append))
    assert (len(warnings), all(row.problem for row in rows)) == (is_warned, is_warned)
    assert all("fields are question, answer" in warning for warning in warnings)


@pytest.mark.parametrize("name", PRODUCTS)
def test_turns_of_a_product(tmp_path, name):
    case = PRODUCTS[name]
    path = tmp_path / f"log{case.get('ending', '.jsonl')}"
    path.write_text(case["data"].lstrip("\n"), "utf-8")
    warnings: list[str] = []
    known = {"wifi.md": Page("Dat kan.", "wifi.md", url="https://help.example/wifi")}
    rows = list(read_rows(str(path), pages=known, names=case.get("names"), warn=warnings.append))
    assert [row.problem for row in rows if row.problem] == []
    found = [
        " | ".join(
            (row.id, turn.question, turn.answer, "; ".join(page.text for page in turn.pages))
        )
        for row in rows
        if (turn := row.turn)
    ]
    assert found == case["turns"]
    if "warning" in case:
        assert warnings == [f"{path}: {case['warning']}"]
