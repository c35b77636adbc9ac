"""``klopt judge`` by words alone: rows, agreement and table; what is told is in `test_lines`."""

from __future__ import annotations

import re

import pytest

from tests.cli.judged_log import REFERENCE, ROWS

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def judge(klopt, tmp_path, write):
    def run(rows, *options, **settings):
        return klopt("judge", write(tmp_path / "log.jsonl", *rows), *options, **settings)

    return run


def test_rows_in_order_with_what_is_wrong(judge):
    run = judge(ROWS)
    assert run.code == 0
    kinds = {one["id"]: [error["kind"] for error in one["errors"]] for one in run.rows}
    assert list(kinds.items()) == [
        ("right", []),
        ("term", ["key_term_mismatch"]),
        ("step", ["key_term_mismatch", "step_missing"]),
        ("turned", ["step_reversal", "step_reversal"]),
    ]
    scores = [one["score"] for one in run.rows]
    assert scores[0] == max(scores) > 0.9
    assert all(0 <= score < scores[0] for score in scores[1:])
    (error,) = run.rows[1]["errors"]
    assert (error["expected"], error["step"]) == ("wadlinde.csv", 3)
    assert REFERENCE[error["reference_start"] : error["reference_end"]] == "wadlinde.csv"


def test_the_demo_company(klopt):
    run = klopt("judge", "--demo")
    assert (run.code, len(run.rows)) == (0, 31)
    assert {one["status"] for one in run.rows} == {"scored"}


@pytest.mark.parametrize("columns", [60, 140])
def test_the_table_fits_the_window_and_cuts_no_figure(judge, columns):
    seen = {"terminal": True, "terminal_err": False, "COLUMNS": str(columns)}
    run = judge(ROWS, "--metrics", "bleu,rouge", **seen)
    lines = ANSI.sub("", run.out).splitlines()
    assert max(map(len, lines)) <= max(columns, 62)
    rows = [line for line in lines if re.match(r"(right|term|step|turned) +\d", line)]
    assert [len(re.findall(r"\d\.\d\d|\b1\b", line)) for line in rows] == [4] * 4
    assert 'not "wadlinde.csv"' in " ".join(" ".join(lines).split())
