"""``klopt judge`` by words alone: rows, table, summary, and rows that are out of the ordinary."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.judged_log import (
    REFERENCE,
    RIGHT,
    ROWS,
    STEP_MISSING,
    TURNED,
    WRONG_TERM,
    row,
)

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
EVIL = "\x1b[2J\u202e[red]x"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("judge")


@pytest.fixture(scope="module")
def log(folder, write):
    return write(folder / "log.jsonl", *ROWS)


@pytest.fixture(scope="module")
def piped(klopt, log):
    return klopt("judge", log)


def table(run) -> list[str]:
    return ANSI.sub("", run.out).splitlines()


# Rows.


def test_rows_in_order_with_what_is_wrong(piped):
    assert piped.code == 0
    assert [one["id"] for one in piped.rows] == ["right", "term", "step", "turned"]
    assert [one["status"] for one in piped.rows] == ["scored"] * 4
    kinds = [[error["kind"] for error in one["errors"]] for one in piped.rows]
    assert kinds == [
        [],
        ["key_term_mismatch"],
        ["key_term_mismatch", "step_missing"],
        ["step_reversal", "step_reversal"],
    ]
    scores = [one["score"] for one in piped.rows]
    assert scores[0] == max(scores) > 0.9
    assert all(0 <= score < scores[0] for score in scores[1:])
    (error,) = piped.rows[1]["errors"]
    assert (error["expected"], error["step"]) == ("wadlinde.csv", 3)
    assert REFERENCE[error["reference_start"] : error["reference_end"]] == "wadlinde.csv"


def test_ratings_and_labels_are_not_mixed_in_a_correlation(klopt, folder, write):
    rated = [row(f"{n}", [RIGHT, STEP_MISSING, TURNED][n], rating=[5, 1, 2][n]) for n in range(3)]
    only = klopt("judge", write(folder / "rated.jsonl", *rated)).err.splitlines()[1]
    labelled = row("label", WRONG_TERM, label=1)
    both = klopt("judge", write(folder / "both.jsonl", *rated, labelled)).err.splitlines()[1]
    assert "judgement of 3" in only
    assert "judgement of 4" in both
    assert only.partition("Pearson")[2] == both.partition("Pearson")[2]


def test_figures_alone_have_no_score(klopt, log):
    run = klopt("judge", log, "--solver", "none", "--metrics", "bleu")
    assert list(run.rows[0]) == [
        *("id", "status", "reason_code", "reason", "metrics", "metric_settings"),
    ]
    assert (run.rows[0]["status"], run.rows[0]["reason"]) == ("measured", None)
    assert run.err.splitlines()[0] == "4 answers: read."


def test_figures_that_no_row_has_say_why(klopt, folder, write):
    log = write(
        folder / "short.jsonl", row("a", RIGHT, reference=...), row("b", RIGHT, reference="")
    )
    run = klopt("judge", log, "--metrics", "bleu,rouge_l,reference_check")
    assert run.err.splitlines()[-2:] == [
        "No bleu, rouge_l in any row; the first: there is no reference answer.",
        "No reference_check in any row; the first: the row has no reference answer.",
    ]


# Where rows come from and go to.


def test_output_file(klopt, log, piped, tmp_path):
    output = tmp_path / "out.jsonl"
    run = klopt("judge", log, "-o", output)
    assert (run.code, run.out) == (0, "")
    assert output.read_text("utf-8") == piped.out
    assert run.err == f"{piped.err}Written to {output}.\n"


def test_reference_field_inside_an_object_goes_before_the_usual_one(klopt, folder, write, piped):
    rows = [{**one, "reference": "Bel ons.", "meta": {"solution": REFERENCE}} for one in ROWS]
    run = klopt("judge", write(folder / "meta.jsonl", *rows), "--reference-field", "meta.solution")
    assert [one["errors"] for one in run.rows] == [one["errors"] for one in piped.rows]


def test_rows_without_the_reference_field_have_no_reference(klopt, folder, write):
    rows = [
        row("with", RIGHT, solution=REFERENCE),
        row("without", RIGHT),
        row("null", RIGHT, solution=None),
        row("list", RIGHT, solution=["Open Beheer."]),
    ]
    log = write(folder / "some.jsonl", *rows)
    run = klopt("judge", log, "--reference-field", "solution")
    assert run.code == 3
    assert [one["reason_code"] for one in run.rows] == [None, "no_reference", "no_reference", "row"]
    assert run.rows[3]["reason"] == "row 4: solution is not text but ['Open Beheer.']"
    assert run.err.splitlines()[1:] == [
        "2 without a score: the row has no reference answer (2).",
        "Failed: 1; the first: row 4: solution is not text but ['Open Beheer.']",
    ]


def test_no_reference_anywhere(klopt, folder, write):
    log = write(folder / "none.jsonl", *(row(f"{n}", RIGHT, reference=...) for n in range(3)))
    run = klopt("judge", log)
    assert run.code == 0
    assert run.err.splitlines() == [
        "3 answers: no score.",
        "3 without a score: the row has no reference answer (3).",
        "Is the reference answer in another field? --reference-field names it.",
    ]


def test_pages_need_not_be_there_when_nothing_reads_them(klopt, folder, write):
    log = write(folder / "named.jsonl", row("a", RIGHT, contexts=["weg.md"]))
    assert klopt("judge", log, "--solver", "none", "--metrics", "bleu").code == 0
    assert klopt("judge", log).code == 0
    run = klopt("judge", log, "--metrics", "retrieval")
    assert run.code == 3
    assert "--pages DIR names the folder" in run.rows[0]["reason"]


def test_the_demo_company(klopt):
    run = klopt("judge", "--demo")
    assert run.code == 0
    assert len(run.rows) == 31
    assert {one["status"] for one in run.rows} == {"scored"}
    assert "31 answers" in run.err


def test_an_empty_file(klopt, folder, tmp_path):
    file = folder / "empty.jsonl"
    file.touch()
    for options in ((), ("--reference-field", "x", "--by", "y"), ("-o", tmp_path / "out.jsonl")):
        run = klopt("judge", file, *options)
        assert (run.code, run.out) == (0, "")
        assert run.err.startswith("No rows.\n")
    assert klopt("judge", file, terminal=True, terminal_err=False).out.strip() == ""


# Rows that are out of the ordinary.


def test_bad_rows_cost_no_other(klopt, folder, write):
    log = write(folder / "bad.jsonl", *ROWS[:1], row("list", RIGHT, reference=[1]), *ROWS[1:2])
    with log.open("ab") as file:
        file.write(b"{\n[1]\n")
    run = klopt("judge", log)
    assert run.code == 3
    assert [one["id"] for one in run.rows] == ["right", "list", "term", "row-4", "row-5"]
    assert [one["status"] for one in run.rows] == ["scored", "error", "scored", "error", "error"]
    assert run.rows[1]["reason"] == "row 2: reference is a list, not text"
    assert list(run.rows[1])[:3] == ["id", "score", "errors"]
    assert "Failed: 3; the first: row 2: reference is a list, not text\n" in run.err


# What a person sees.


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
def test_the_table_fits_the_window_and_cuts_no_figure(klopt, log, columns):
    run = klopt(
        *("judge", log, "--metrics", "bleu,rouge,reference_check"),
        terminal=True,
        terminal_err=False,
        COLUMNS=str(columns),
    )
    lines = table(run)
    assert max(map(len, lines)) <= max(columns, 62)
    rows = [line for line in lines if re.match(r"(right|term|step|turned) +\d", line)]
    assert [len(re.findall(r"\d\.\d\d|\b1\b", line)) for line in rows] == [6] * 4
    assert 'not "wadlinde.csv"' in " ".join(" ".join(lines).split())


def test_hostile_text_takes_over_no_terminal(klopt, folder, write):
    rows = [
        row(f"id{EVIL}", f"1. Open Be{EVIL}heer en 12{EVIL}.", team=EVIL, label=1),
        row(f"other{EVIL}", RIGHT, reference=f"1. Open **{EVIL} knop**.", team=EVIL, label=0),
        row(f"list{EVIL}", RIGHT, reference={EVIL: 1}),
    ]
    log = write(folder / "evil.jsonl", *rows)
    for terminal in (True, False):
        run = klopt("judge", log, "--by", "team", terminal=terminal, terminal_err=terminal)
        assert run.code == 3
        assert "\x1b[2J" not in run.out + run.err
        assert "\u202e" not in run.out + run.err
    assert "[red]x" in run.err


def test_an_answer_under_another_name_is_not_scored(klopt, folder):
    log = folder / "named.jsonl"
    log.write_text('{"id": "a", "bot_text": "Klik op Wis.", "reference": "1. Klik op **Wis**."}\n')
    run = klopt("judge", log)
    assert run.code == 3
    (one,) = run.rows
    assert (one["status"], one["reason_code"]) == ("error", "row")
    assert "no field is read as answer: --map answer=bot_text?" in one["reason"]
    assert klopt("judge", log, "--map", "answer=bot_text").rows[0]["score"] == 1.0
