"""``klopt score`` on long logs: resuming, refusals, output formats."""

import csv
import gzip
import io
import json
import os
import re
from zipfile import ZipFile

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet
from python_calamine import CalamineWorkbook

from klopt.logs import resume, writing
from klopt.logs.resume import LogRun
from klopt.logs.rows import read_rows
from klopt.logs.writing import put_csv

QUICK = {
    "question": "Hoe sluit ik af?",
    "answer": "Sluit af met F7.",
    "contexts": ["Sluit af met F7."],
}
NOTE = b'{"checkpoint": '
OLD_PAGE, NEW_PAGE = "# Opslaan\n\nKlik op **Opslaan**.", "# Opslaan\n\nKlik op **Bewaren**."


@pytest.fixture(autouse=True)
def frequent_checkpoints(monkeypatch):
    monkeypatch.setattr(resume, "CHECKPOINT_ROWS", 10)


@pytest.fixture
def log(tmp_path, write):
    return write(tmp_path / "log.jsonl", *({"id": f"t{n}", **QUICK} for n in range(35)))


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.fixture
def score(klopt, log, out):
    return lambda *options: klopt("score", log, "-o", out, *options)


@pytest.fixture
def stopped(score, monkeypatch, tmp_path):
    """Stops a run at row 25 by Ctrl-C; gives the run and its file of saved rows."""

    def run(*options):
        add_row = LogRun.add

        def add(self, result):
            if self.count == 25:
                raise KeyboardInterrupt
            add_row(self, result)

        with monkeypatch.context() as patch:
            patch.setattr(LogRun, "add", add)
            ended = score(*options)
        return ended, next(tmp_path.glob(".out.jsonl.*.rows"))

    return run


@pytest.fixture
def whole(klopt, log):
    """The output of a run that was not stopped."""
    return klopt("score", log).out.encode()


def hidden(folder):
    return [one.name for one in folder.iterdir() if one.name.startswith(".")]


def test_the_same_command_resumes(stopped, score, out, tmp_path, whole):
    ended, _ = stopped()
    assert ended.code == 130
    assert "Saved up to row 20. Resume with: klopt " in ended.err
    assert not out.exists()
    run = score()
    assert run.code == 0
    assert "Resuming a stopped run after row 20." in run.err
    assert "35 answers: 35 send. 34 repeat an earlier answer" in run.err
    assert out.read_bytes() == whole
    assert hidden(tmp_path) == []


@pytest.mark.parametrize(
    ("changes", "is_counted"), [({}, True), ({"contexts": []}, False), ({"answer": ""}, False)]
)
def test_only_scored_rows_count_as_repeats(klopt, tmp_path, write, changes, is_counted):
    log = write(tmp_path / "log.jsonl", *({"id": f"t{n}", **QUICK, **changes} for n in range(2)))
    run = klopt("score", log, "-o", tmp_path / "scores.jsonl")
    assert ("1 repeats an earlier answer" in run.err) is is_counted
    assert ("repeat" in run.err) is is_counted


@pytest.mark.parametrize("changed", ["input", "setting", "profile", "pages", "klopt"])
def test_a_changed_run_does_not_resume(changed, stopped, score, log, out, tmp_path, monkeypatch):
    page = tmp_path / "pages" / "a.md"
    page.parent.mkdir()
    page.write_text(OLD_PAGE)
    options = ["--pages", page.parent]
    stopped(*options)
    match changed:
        case "input":
            log.write_text(log.read_text().replace("Hoe?", "Wat?"))
        case "setting":
            options += ["--all-types"]
        case "profile":
            options += ["--profile", "afas"]
        case "pages":
            page.write_text(NEW_PAGE)
        case "klopt":
            monkeypatch.setattr(resume, "VERSION", "0.0.1")
    before = sorted(hidden(tmp_path))
    run = score(*options)
    assert run.code == 3
    assert run.err.endswith(
        f"{out}: cannot resume: the run that stopped after 20 rows used another {changed}; use the "
        "same again, or start over with --restart\n"
    )
    assert sorted(hidden(tmp_path)) == before
    run = score(*options, "--restart")
    assert "Resuming" not in run.err
    assert len(out.read_text().splitlines()) == 35
    assert hidden(tmp_path) == []


@pytest.mark.parametrize(
    ("note", "side", "further", "count"),
    [(0, "start", 5, 0), (1, "start", 5, 10), *((1, "end", n, 20) for n in (0, 1, 700))],
)
def test_a_truncated_file_resumes_at_the_last_whole_checkpoint(
    stopped, score, out, tmp_path, whole, note, side, further, count
):
    """As after a power cut on a disk that writes late."""
    _, saved = stopped()
    notes = [*re.finditer(rb'{"checkpoint": .*\n', saved.read_bytes())]
    os.truncate(saved, getattr(notes[note], side)() + further)
    run = score()
    assert (run.code, hidden(tmp_path)) == (0, [])
    assert f"after row {count}." in run.err if count else "Resuming" not in run.err
    assert out.read_bytes() == whole


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[data.index(NOTE) :],
        lambda data: data.partition(b"\n")[2],
        lambda data: data.replace(b'"score": ', b'"score": 1', 1),
        lambda data: data[: data.rindex(NOTE)] + b'{"checkpoint": {}}\n',
        lambda data: data[: data.rindex(NOTE)] + b'{"checkpoint": [1]}\n',
        lambda data: data[: data.rindex(NOTE)] + NOTE + b"[" * 100_000 + b"\n",
        lambda data: data.replace(b'"verdicts": {', b'"verdict": {'),
    ],
    ids=["no rows", "a row less", "another score", "empty", "a list", "deep", "other counts"],
)
def test_a_damaged_file_starts_over(stopped, score, out, tmp_path, whole, damage):
    _, saved = stopped()
    saved.write_bytes(damage(saved.read_bytes()))
    run = score()
    assert (run.code, hidden(tmp_path), "Resuming" in run.err) == (0, [], False)
    assert "cannot resume a stopped run, so this one starts over" in run.err
    assert out.read_bytes() == whole


def read_ids(path):
    match path.name.removeprefix("out.").partition(".")[0]:
        case "csv":
            unpack = gzip.open if path.suffix == ".gz" else open
            with unpack(path, "rt", encoding="utf-8", newline="") as file:
                return [row["id"] for row in csv.DictReader(file)]
        case "parquet":
            return parquet.read_table(path)["id"].to_pylist()
        case "arrow":
            return ipc.open_file(path).read_all()["id"].to_pylist()
    with pa.input_stream(path) as file:
        return [json.loads(line)["id"] for line in file.read().splitlines()]


@pytest.mark.parametrize(
    "name", ["csv", "csv.gz", "parquet", "arrow", "jsonl.zst", "jsonl.gz", "jsonl", "txt"]
)
def test_the_ending_chooses_the_format(klopt, log, tmp_path, name):
    out = tmp_path / f"out.{name}"
    for _ in range(2):
        run = klopt("score", log, "-o", out)
        assert (run.code, hidden(tmp_path)) == (0, [])
        assert read_ids(out) == [f"t{n}" for n in range(35)]


def test_csv_escapes_cells_that_a_spreadsheet_would_run(klopt, tmp_path, write):
    formulas = ["=1+1", "+a", "-a", "@a", "\ta", "\na", "\uff1da", "\uff20a"]
    others = ["a=1", "a; =1", "-7", "+31,5"]
    log = write(tmp_path / "log.jsonl", *({"id": id, **QUICK} for id in formulas + others))
    out = tmp_path / "out.csv"
    klopt("score", log, "-o", out)
    assert read_ids(out) == [f"'{id}" for id in formulas] + others
    assert [row.id for row in read_rows(str(out))] == formulas + others


@pytest.mark.parametrize("part", [";", "\t", "\n", "\r", ';"'])
def test_csv_escapes_cells_that_a_dutch_spreadsheet_would_run(part):
    """It splits fields at semicolons, and ignores a quote within a field."""
    put_csv(["id", "why"], [{"id": 1, "why": f"a{part}=cmd|' /C calc'!A0;b"}], sink := io.BytesIO())
    delimiter = "\t" if part == "\t" else ";"
    rows = csv.reader(io.StringIO(sink.getvalue().decode(), newline=""), delimiter=delimiter)
    cells = [cell for row in rows for cell in row]
    assert [cell for cell in cells if cell.lstrip('"').startswith("=")] == []
    assert "=cmd" in "".join(cells)


def test_a_workbook_of_scores_has_no_formulas_or_links(klopt, tmp_path, write):
    ids = ["a", "=1+1", "http://x.example", "{=1}", "y" * 40_000]
    log = write(tmp_path / "log.jsonl", *({"id": id, **QUICK} for id in ids))
    out = tmp_path / "out.xlsx"
    assert klopt("score", log, "-o", out).code == 0
    first = out.read_bytes()
    header, *found = CalamineWorkbook.from_path(out).get_sheet_by_index(0).to_python()
    assert header[:5] == ["id", "score", "verdict", "question", "answer"]
    assert found[0][3:5] == [QUICK["question"], QUICK["answer"]]
    assert [row[0] for row in found] == [*ids[:-1], "y" * 32_766 + "…"]
    with ZipFile(out) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
        assert b"<f>" not in sheet
        assert b"hyperlink" not in sheet
    out.unlink()
    klopt("score", log, "-o", out)
    assert out.read_bytes() == first


def test_more_rows_than_a_sheet_can_have_are_refused(klopt, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "_MAX_ROWS", 3)
    log, out = tmp_path / "log.jsonl", tmp_path / "out.xlsx"
    log.write_text('{"question": "Hoe?", "answer": "?"}\n' * 3)
    run = klopt("score", log, "-o", out)
    assert run.code == 3
    assert "more than 2 rows do not fit in .xlsx" in run.err
    assert not out.exists()
