"""``klopt evaluate --with``: the numbers of another file, joined to the log by id."""

from __future__ import annotations

import csv

import pytest

from tests.cli.column_rows import BLEU, EVIL, columns, judged, rated


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("columns")


@pytest.fixture(scope="module")
def log(folder, write):
    return write(folder / "rated.jsonl", *rated())


@pytest.fixture(scope="module")
def scores(folder, write):
    return write(folder / "judged.jsonl", *judged())


@pytest.fixture(scope="module")
def run(klopt, company):
    def start(file, *arguments, **settings):
        options = ("--pages", company.pages, "--profile", "afas", "--resamples", 100)
        return klopt("evaluate", file, *options, *arguments, **settings)

    return start


def test_rows_of_another_file_are_joined_by_id_in_any_order(run, log, scores):
    found = run(log, "--column", "bleu", "--with", scores)
    assert (found.code, found.err) == (0, "")
    beside = columns(found)
    assert list(beside) == ["bleu", "text", "rouge_1", "bert_f1"]
    for name in ("text", "rouge_1"):
        assert beside[name] | {"name": "bleu"} == beside["bleu"]
    nothing = beside["bert_f1"]
    assert (nothing["n"], nothing["missing_count"]) == (0, 12)
    assert nothing["spearman"]["reason"] == "fewer than 3 rows"


def test_ids_that_do_not_match_are_told(run, log, folder, write):
    rows = [*judged(11), {"id": f"other{EVIL}", "score": 1}]
    other = write(folder / "some.jsonl", *rows)
    found = run(log, "--with", other)
    assert found.code == 0
    assert found.err == (
        f"Warning: {other}: 1 of 12 rows has an id that {log} does not have; the first: "
        '"other�[2J�[red]x<b>"\n'
        f"Warning: {log}: 1 of 12 rows has an id that {other} does not have, and no number from "
        'it; the first: "row-11"\n'
    )
    assert columns(found)["text"]["missing_count"] == 1


def test_rows_without_an_id_go_by_their_number_as_klopt_judge_names_them(run, folder, write):
    file = write(folder / "no-ids.jsonl", *rated(id=lambda _: None))
    other = write(folder / "numbered.jsonl", *judged(id=lambda index: f"row-{index + 1}"))
    found = run(file, "--column", "bleu", "--with", other)
    assert found.err == ""
    assert columns(found)["text"]["spearman"] == columns(found)["bleu"]["spearman"]


def test_any_number_of_another_tool_is_a_column(run, log, folder):
    other = folder / "tool.csv"
    with other.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["", "id", "answer", "faithfulness", "passed", "comment", "rating"])
        writer.writerows(
            [index, f"row-{index}", "Ja.", value if index else "error", "True", "5" * index, 3]
            for index, value in enumerate(BLEU)
        )
    found = run(log, "--with", other)
    assert found.err == (
        f'Warning: {other}, column "faithfulness": 1 value is not a number and counts as missing; '
        'in row 1: "error"\n'
    )
    assert list(columns(found)) == ["faithfulness", "comment"]
    assert columns(found)["faithfulness"]["n"] == 11


def test_columns_by_one_name_are_told_apart_by_their_files(run, log, folder, write):
    (folder / "deep").mkdir()
    strict = write(folder / "strict.jsonl", *judged(metrics=lambda _: {"bleu": 1}))
    deep = write(folder / "deep" / "strict.jsonl", *judged(metrics=lambda _: None))
    found = run(log, "--column", "bleu", "--with", strict, "--with", deep)
    assert list(columns(found)) == [
        "bleu (rated.jsonl)",
        f"text ({strict})",
        "bleu (strict.jsonl)",
        f"text ({deep})",
    ]


def test_a_metric_by_the_name_of_a_field(run, log, folder, write):
    rows = judged(metrics=lambda index: {"bleu": index}, bleu=lambda index: index)
    other = write(folder / "same.jsonl", *rows)
    assert list(columns(run(log, "--with", other))) == ["text", "bleu", "metrics.bleu"]


def test_scores_of_two_solvers_are_one_score(run, log, folder, write):
    rows = judged(solver=lambda index: "ab"[index % 2], metrics=lambda _: None)
    assert list(columns(run(log, "--with", write(folder / "two.jsonl", *rows)))) == ["score"]


def test_from_standard_input(run, log, scores):
    found = run(log, "--with", "-", stdin=scores.read_bytes())
    assert (found.code, found.err) == (0, "")
    assert "rouge_1" in columns(found)


def test_rows_that_cannot_be_read_are_told_and_the_exit_code_says_so(run, log, folder, scores):
    other = folder / "broken.jsonl"
    other.write_bytes(b"{no\n" * 7 + scores.read_bytes())
    found = run(log, "--with", other)
    assert found.code == 3
    assert columns(found)["text"]["n"] == 12
    lines = found.err.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith(f"Warning: {other}, line 1: not JSON: ")
    assert lines[5] == f"Warning: 2 more rows of {other} could not be read"
