"""``klopt evaluate --column`` and ``--with``: numbers that stand beside klopt's score."""

from __future__ import annotations

import csv
import json

import pytest

from klopt.cli.fields import is_missing, number
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


# Numbers.


@pytest.mark.parametrize(
    ("value", "read"),
    [
        *[("0.5", 0.5), (" 5e-1 ", 0.5), (True, 1), ("False", 0), (7, 7), (".5", 0.5)],
        *[("timeout", None), ("0,45", None), ("1_000", None), ("٣", None), ([1], None)],
        *[(float("inf"), None), ("-Infinity", None), ("1e999", None), (10**400, None)],
    ],
)
def test_what_is_a_number(value, read):
    assert number(value) == read
    assert not is_missing(value)


@pytest.mark.parametrize("value", ["nan", float("nan"), "", " ", None])
def test_what_is_missing(value):
    assert number(value) is None
    assert is_missing(value)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["0,45"], '1 value is not a number and counts as missing; in row 10: "0,45" (a decimal '
         "comma: write a point)"),
        ([10**400], f'1 value is not a number and counts as missing; in row 10: "1{"0" * 39}…"'),
        ([EVIL], '1 value is not a number and counts as missing; in row 10: "�[2J�[red]x<b>"'),
        (["none"] * 3, "3 values are not numbers and count as missing; the first, in row 10: "
         '"none"'),
    ],
)  # fmt: skip
def test_what_is_not_a_number_is_told_and_missing(run, folder, write, values, told):
    rows = rated(x=lambda index: [*range(9), *values, 1, 2, 3][index])
    file = write(folder / "odd.jsonl", *rows)
    ran = run(file, "--column", "x")
    assert (ran.code, ran.err) == (0, f'Warning: {file}, column "x": {told}\n')
    assert columns(ran)["x"]["missing_count"] == len(values)


# Fields of the log.


def test_fields_of_the_log(run, log):
    ran = run(log, "--column", "meta.rouge.l", "--column", "bleu")
    assert (ran.code, ran.err) == (0, "")
    own, other = columns(ran).items()
    assert (own[0], other[0]) == ("meta.rouge.l", "bleu")
    assert own[1]["spearman"] == other[1]["spearman"]
    assert (other[1]["n"], other[1]["missing_count"]) == (12, 0)
    assert "columns" not in run(log).rows[0]


def test_csv_has_its_numbers_as_text(run, folder):
    file = folder / "rated.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        names = ("id", "question", "answer", "contexts", "rating", "bleu")
        writer = csv.DictWriter(stream, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows({**row, "contexts": '["opslaan"]'} for row in rated())
    assert columns(run(file, "--column", "bleu"))["bleu"]["n"] == 12


def test_the_field_of_the_ratings_by_any_name(run, folder, write):
    rows = list(rated(rating=lambda _: None, stars=lambda index: [5, 1, 4][index % 3]))
    file = write(folder / "stars.jsonl", *rows)
    for options in ((), ("--map", "rating=stars")):
        assert '"stars" is what people said' in run(file, *options, "--column", "stars").err
    both = write(folder / "both.jsonl", *(row | {"rating": row["stars"]} for row in rows))
    assert columns(run(both, "--column", "stars"))["stars"]["spearman"]["value"] == 1


def test_a_hostile_name_takes_over_neither_terminal_nor_page(run, folder, write, tmp_path):
    name = f"metric{EVIL}\n<script>alert(1)</script>"
    file = write(folder / "evil.jsonl", *rated(meta=lambda index: {name: index}))
    page = tmp_path / "page.html"
    ran = run(file, "--column", f"meta.{name}", "--html", page, terminal=True, terminal_err=False)
    assert ran.code == 0
    assert "\x1b[2J" not in ran.out
    assert "\u202e" not in ran.out
    assert "meta.metric�[2J�[red]x<b>" in ran.out
    text = page.read_text("utf-8")
    assert "meta.metric�[2J�[red]x&lt;b&gt; &lt;script&gt;alert(1)&lt;/sc" in text
    assert "<script" not in text
    assert "\u202e" not in text
    assert name in json.loads(run(file, "--column", f"meta.{name}").out)["columns"][0]["name"]


# Other files.


def test_rows_of_another_file_are_joined_by_id_in_any_order(run, log, scores):
    ran = run(log, "--column", "bleu", "--with", scores)
    assert (ran.code, ran.err) == (0, "")
    beside = columns(ran)
    assert list(beside) == ["bleu", "text", "rouge_1", "bert_f1"]
    for name in ("text", "rouge_1"):
        assert beside[name] | {"name": "bleu"} == beside["bleu"]
    assert (beside["bert_f1"]["n"], beside["bert_f1"]["missing_count"]) == (0, 12)
    assert beside["bert_f1"]["spearman"]["reason"] == "fewer than 3 rows"
    piped = run(log, "--with", "-", stdin=scores.read_bytes())
    assert list(columns(piped)) == ["text", "rouge_1", "bert_f1"]


def test_ids_that_do_not_match_are_told(run, log, folder, write):
    other = write(folder / "some.jsonl", *judged(11), {"id": f"other{EVIL}", "score": 1})
    ran = run(log, "--with", other)
    assert ran.code == 0
    assert ran.err == (
        f"Warning: {other}: 1 of 12 rows has an id that {log} does not have; the first: "
        '"other�[2J�[red]x<b>"\n'
        f"Warning: {log}: 1 of 12 rows has an id that {other} does not have; the first: "
        '"row-11"\n'
    )
    assert columns(ran)["text"]["missing_count"] == 1


def test_rows_without_an_id_go_by_their_number_as_klopt_judge_names_them(run, folder, write):
    file = write(folder / "no-ids.jsonl", *rated(id=lambda _: None))
    other = write(folder / "numbered.jsonl", *judged(id=lambda index: f"row-{index + 1}"))
    ran = run(file, "--column", "bleu", "--with", other)
    assert ran.err == ""
    assert columns(ran)["text"]["spearman"] == columns(ran)["bleu"]["spearman"]


def test_any_number_of_another_tool_is_a_column(run, log, folder):
    other = folder / "tool.csv"
    with other.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["", "id", "answer", "faithfulness", "passed", "comment", "rating"])
        writer.writerows(
            [index, f"row-{index}", "Ja.", value if index else "error", "True", "5" * index, 3]
            for index, value in enumerate(BLEU)
        )
    ran = run(log, "--with", other)
    assert '"faithfulness": 1 value is not a number and counts as missing; in row 1: ' in ran.err
    assert list(columns(ran)) == ["faithfulness", "comment"]
    assert columns(ran)["faithfulness"]["n"] == 11


def test_what_columns_are_called(run, log, folder, write):
    (folder / "deep").mkdir()
    strict = write(folder / "strict.jsonl", *judged(metrics=lambda _: {"bleu": 1}))
    deep = write(folder / "deep" / "strict.jsonl", *judged(metrics=lambda _: None))
    ran = run(log, "--column", "bleu", "--with", strict, "--with", deep)
    assert list(columns(ran)) == [
        *("bleu (rated.jsonl)", f"text ({strict})", "bleu (strict.jsonl)", f"text ({deep})")
    ]
    rows = judged(
        metrics=lambda index: {"bleu": index},
        bleu=lambda index: index,
        solver=lambda index: "ab"[index % 2],
    )
    two = write(folder / "two.jsonl", *rows)
    assert list(columns(run(log, "--with", two))) == ["score", "bleu", "metrics.bleu"]


def test_rows_that_cannot_be_read_are_told_and_the_exit_code_says_so(run, log, folder, scores):
    other = folder / "broken.jsonl"
    other.write_bytes(b"{no\n" * 7 + scores.read_bytes())
    ran = run(log, "--with", other)
    assert (ran.code, columns(ran)["text"]["n"]) == (3, 12)
    lines = ran.err.splitlines()
    assert len(lines) == 6
    assert lines[0].startswith(f"Warning: {other}, line 1: not JSON: ")
    assert lines[5] == f"Warning: 2 more rows of {other} could not be read"
