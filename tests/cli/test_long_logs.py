"""``klopt score`` over long logs: going on, what it refuses, forms, several files."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import os
import re

import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from klopt.batch import going_on
from klopt.batch.formats import put_csv
from klopt.batch.going_on import LogRun

QUICK = {"question": "Hoe?", "answer": "?"}
OLD_PAGE, NEW_PAGE = "# Opslaan\n\nKlik op **Opslaan**.", "# Opslaan\n\nKlik op **Bewaren**."


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(going_on, "KEEP_ROWS", 10)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps({"id": f"t{n}", **QUICK}) + "\n" for n in range(35)))
    return path


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.fixture
def score(klopt, log, out):
    return lambda *options: klopt("score", log, "-o", out, *options)


@pytest.fixture
def stopped(score, monkeypatch, tmp_path):
    """Stops a run at row 25, as a kill would but for the files that Ctrl-C closes.

    Gives what it said, and what it kept.
    """

    def run(*options):
        honest = LogRun.add

        def add(self, result):
            if self.count == 25:
                raise KeyboardInterrupt
            honest(self, result)

        with monkeypatch.context() as patch:
            patch.setattr(LogRun, "add", add)
            ended = score(*options)
        return ended, next(tmp_path.glob(".out.jsonl.*.rows"))

    return run


@pytest.fixture
def whole(klopt, log):
    """What a run gives that nothing befell."""
    return klopt("score", log).out.encode()


def hidden(folder):
    return [one.name for one in folder.iterdir() if one.name.startswith(".")]


def test_the_same_command_goes_on(stopped, score, out, tmp_path, whole):
    ended, _ = stopped()
    assert ended.code == 130
    assert "20 rows are kept. This goes on: klopt " in ended.err
    assert not out.exists()
    run = score()
    assert run.code == 0
    assert "Going on after row 20 of a run that was stopped." in run.err
    assert "35 answers: 35 unscored." in run.err
    assert out.read_bytes() == whole
    assert hidden(tmp_path) == []


@pytest.mark.parametrize("changed", ["input", "setting", "profile", "pages", "klopt"])
def test_what_changed_is_told_with_the_cure(
    changed, stopped, score, log, out, tmp_path, monkeypatch
):
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
            monkeypatch.setattr(going_on, "VERSION", "0.0.1")
    before = sorted(hidden(tmp_path))
    run = score(*options)
    assert run.code == 3
    assert run.err.endswith(
        f"{out}: a run that was stopped after 20 rows was made with another {changed}; give what "
        "it had, or --restart to begin anew\n"
    )
    assert sorted(hidden(tmp_path)) == before
    run = score(*options, "--restart")
    assert "Going on" not in run.err
    assert len(out.read_text().splitlines()) == 35
    assert hidden(tmp_path) == []


def test_other_rows_of_a_pipe_are_told(stopped, score):
    _, kept = stopped()
    kept.write_text(re.sub('"rolled": "[0-9a-f]+"', '"rolled": "00"', kept.read_text()))
    assert "was made over other rows; give what it had" in score().err


@pytest.mark.parametrize(
    ("note", "side", "further", "count"),
    [(0, "start", 5, 0), (1, "start", 5, 10), *((1, "end", n, 20) for n in (0, 1, 700))],
)
def test_what_is_cut_off_anywhere_leaves_what_was_kept_before(
    stopped, score, out, tmp_path, whole, note, side, further, count
):
    """As after a power cut on a disk that does not keep its promises."""
    _, kept = stopped()
    notes = [*re.finditer(rb'{"kept": .*\n', kept.read_bytes())]
    os.truncate(kept, getattr(notes[note], side)() + further)
    run = score()
    assert (run.code, hidden(tmp_path)) == (0, [])
    assert re.findall(r"Going on after row (\d+) ", run.err) == [f"{count}"] * bool(count)
    assert out.read_bytes() == whole


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[data.index(b'{"kept": ') :],
        lambda data: data.partition(b"\n")[2],
        lambda data: data.replace(b'"score": ', b'"score": 1', 1),
        lambda data: data[: data.rindex(b'{"kept": ')] + b'{"kept": {}}\n',
        lambda data: data[: data.rindex(b'{"kept": ')] + b'{"kept": [1]}\n',
        lambda data: data[: data.rindex(b'{"kept": ')] + b'{"kept": ' + b"[" * 100_000 + b"\n",
        lambda data: data.replace(b'"verdicts": {', b'"verdict": {'),
    ],
    ids=["only the note", "a row less", "another score", "empty", "a list", "deep", "other counts"],
)
def test_what_is_damaged_begins_anew(stopped, score, out, tmp_path, whole, damage):
    _, kept = stopped()
    kept.write_bytes(damage(kept.read_bytes()))
    run = score()
    assert (run.code, hidden(tmp_path), "Going on" in run.err) == (0, [], False)
    assert "cannot be gone on with; this begins anew" in run.err
    assert out.read_bytes() == whole


def test_where_there_are_no_locks_it_begins_anew(stopped, score, out, monkeypatch):
    """What looks left behind may be that of a run that goes on."""

    def unknown(*_args):
        raise OSError(errno.ENOLCK, "No locks available")

    stopped()
    monkeypatch.setattr("klopt.file_lock.flock", unknown)
    run = score()
    assert (run.code, "Going on" in run.err) == (0, False)
    assert "this begins anew: the file system knows no locks" in run.err
    assert len(out.read_text().splitlines()) == 35


def test_too_many_errors_stop_it(score, log, out):
    log.write_text("no\n" * 50)
    run = score("--max-errors", "12")
    assert run.code == 3
    assert "stopped at row 13: 13 rows could not be read, and --max-errors is 12" in run.err
    run = score("--max-errors", "50")
    assert "Going on after row 13" in run.err
    assert len(out.read_text().splitlines()) == 50


def test_the_summary_as_json(score, tmp_path):
    score("--summary", tmp_path / "sum.json")
    found = json.loads((tmp_path / "sum.json").read_text())
    assert (found["rows"], found["repeated"], found["errors"]) == (35, 34, 0)
    assert found["verdicts"] == {"send": 0, "review": 0, "block": 0, "unscored": 35}
    assert found["reasons"] == {"empty_answer": 35}


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
def test_forms_by_the_ending(klopt, log, tmp_path, name):
    out = tmp_path / f"out.{name}"
    for _ in range(2):
        run = klopt("score", log, "-o", out)
        assert (run.code, hidden(tmp_path)) == (0, [])
        assert read_ids(out) == [f"t{n}" for n in range(35)]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_gets_no_control_characters_of_csv(is_terminal):
    sink = io.BytesIO()
    sink.isatty = lambda: is_terminal  # type: ignore[method-assign]
    put_csv(["id"], [{"id": "a\x1b[2J\u202eb"}], sink)
    shown = "a\\u001b[2J\\u202eb" if is_terminal else "a\x1b[2J\u202eb"
    assert sink.getvalue().decode() == f"id\r\n{shown}\r\n"


def test_cells_that_a_spreadsheet_would_run(klopt, tmp_path):
    log, out = tmp_path / "log.jsonl", tmp_path / "out.csv"
    ids = ["=1+1", "+a", "-a", "@a", "\ta", "\na", "\uff1da", "\uff20a", "a=1", "a; =1"]
    log.write_text("".join(json.dumps({"id": one, **QUICK}) + "\n" for one in ids))
    klopt("score", log, "-o", out)
    assert read_ids(out) == [f"'{one}" for one in ids[:-2]] + ids[-2:]


@pytest.mark.parametrize("part", [";", "\t", "\n", "\r", ';"'])
def test_cells_that_a_spreadsheet_set_to_dutch_would_run(part):
    """It parts fields at semicolons, and a quote that does not begin one is none to it."""
    put_csv(["id", "why"], [{"id": 1, "why": f"a{part}=cmd|' /C calc'!A0;b"}], sink := io.BytesIO())
    delimiter = "\t" if part == "\t" else ";"
    rows = csv.reader(io.StringIO(sink.getvalue().decode(), newline=""), delimiter=delimiter)
    cells = [cell for row in rows for cell in row]
    assert [cell for cell in cells if cell.lstrip('"').startswith("=")] == []
    assert "=cmd" in "".join(cells)
