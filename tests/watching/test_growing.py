"""Logs that grow are read on from where they were, and anew when they are others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from klopt.errors import InputError
from klopt.watching import growing
from klopt.watching.growing import Position, logs_in, read_on

HEAD = "id;question;answer\n"
CASES = {
    "whole lines": ("a.jsonl", '{"id":"1"}\n', '{"id":"2"}\n', ["1"], ["2"]),
    "a part of a line waits": ("a.jsonl", '{"id":"1"}\n{"id', '":"2"}\n', ["1"], ["2"]),
    "nothing but a part": ("a.jsonl", '{"id', '":"2"}\n', [], ["2"]),
    "windows": ("a.ndjson", '{"id":"1"}\r\n', '\r\n{"id":"2"}\r\n', ["1"], ["2"]),
    "a bad line": ("a.jsonl", '{"id":"1"}\n{\n', '{"id":"2"}\n', ["1", "line 2"], ["2"]),
    "rows": ("a.csv", f"{HEAD}1;a;b\n", "2;a;b\n", ["1"], ["2"]),
    "a head alone": ("a.csv", HEAD, "2;a;b\n", [], ["2"]),
    "a part of a row waits": ("a.csv", f"{HEAD}1;a;b\n2;a", ";b\n", ["1"], ["2"]),
    "a name on two lines": ("a.csv", f'{HEAD[:-1]};"x\ny"\n1;a;b\n', "2;a;b\n", ["1"], ["2"]),
    "a quote may be closed later": ("a.csv", f'{HEAD}1;a;"b\n', 'c"\n', [], ["1"]),
    "a quote that never is": ("a.csv", f'{HEAD}1;a;"b\n', "2;a;b\n" * 9, [], ["row 1"] + 9 * ["2"]),
}  # fmt: skip


def told(found: list[growing.Found]) -> list[str]:
    """The id of each row, or where it is that cannot be read."""
    return [
        fields["id"] if not isinstance(fields, str) else fields.split(": ")[0].split(", ")[1]
        for _, fields, _ in found
    ]


@pytest.mark.parametrize("name", CASES)
def test_a_log_is_read_on_from_where_it_was(tmp_path, monkeypatch, name):
    monkeypatch.setattr(growing, "_OPEN_BYTES", 50)
    file, first, more, before, after = CASES[name]
    log = tmp_path / file
    log.write_bytes(first.encode())
    position, found = read_on(log, [])
    assert told(found) == before
    with log.open("ab") as stream:
        stream.write(more.encode())
    now, found = read_on(log, [position])
    assert told(found) == after
    assert read_on(log, [now]) == (now, [])


def replaced(log: Path) -> Path:
    log.write_text('{"id":"9"}\n' * 3, "utf-8")
    return log


def truncated(log: Path) -> Path:
    log.write_text('{"id":"9"}\n', "utf-8")
    return log


def renamed(log: Path) -> Path:
    return log.rename(log.with_name("b.jsonl"))


def copied(log: Path) -> Path:
    new = log.with_suffix(".new")
    shutil.copyfile(log, new)
    with new.open("a") as stream:
        stream.write('{"id":"3"}\n')
    return new.replace(log)


@pytest.mark.parametrize(
    ("change", "ids"), [(replaced, "999"), (truncated, "9"), (renamed, ""), (copied, "3")]
)
def test_another_file_is_read_anew_and_the_same_one_is_not(tmp_path, change, ids):
    log = tmp_path / "a.jsonl"
    log.write_text('{"id":"1"}\n{"id":"2"}\n', "utf-8")
    position, _ = read_on(log, [])
    _, found = read_on(change(log), [position, Position("elsewhere.jsonl", 3, 1, 0, b"?")])
    assert told(found) == list(ids)


def test_a_line_beyond_all_bounds_does_not_stop_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(growing, "_READ_BYTES", 100)
    monkeypatch.setattr(growing, "ROW_LIMIT_CHARS", 1_000)
    log = tmp_path / "a.jsonl"
    log.write_text("x" * 2_500 + '\n{"id":"2"}\n', "utf-8")
    position, ids = Position(str(log)), []
    while (step := read_on(log, [position]))[1]:
        position, ids = step[0], ids + told(step[1])
    assert ids[-1] == "2"
    assert len(ids) == 4


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_utf_16_is_told_with_the_cure(tmp_path, name):
    log = tmp_path / name
    log.write_bytes("question\nHoe?\n".encode("utf-16"))
    with pytest.raises(InputError, match=f"{name}: UTF-16, and UTF-8 is read; save it as such"):
        read_on(log, [])


def test_only_logs_are_read_and_what_is_not_there_is_told(tmp_path):
    for name in ("b.csv", "a.jsonl", "c.jsonl.gz", "d.txt", "e.parquet"):
        (tmp_path / name).touch()
    (tmp_path / "f.csv").mkdir()
    assert [log.name for log in logs_in([tmp_path])] == ["a.jsonl", "b.csv"]
    with pytest.raises(InputError, match="no such file or folder of logs"):
        logs_in([tmp_path / "weg"])
