"""``klopt evaluate --column``: numbers of the log beside klopt's score, and how they are shown."""

from __future__ import annotations

import csv
import json
import re

import pytest

from tests.cli.column_rows import BLEU, EVIL, columns, rated

ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("columns")


@pytest.fixture(scope="module")
def log(folder, write):
    return write(folder / "rated.jsonl", *rated())


@pytest.fixture(scope="module")
def run(klopt, company):
    def start(file, *arguments, **settings):
        options = ("--pages", company.pages, "--profile", "afas", "--resamples", 100)
        return klopt("evaluate", file, *options, *arguments, **settings)

    return start


def test_fields_of_the_log(run, log):
    found = run(log, "--column", "meta.rouge.l", "--column", "bleu")
    assert (found.code, found.err) == (0, "")
    own, other = columns(found).items()
    assert (own[0], other[0]) == ("meta.rouge.l", "bleu")
    assert own[1]["spearman"] == other[1]["spearman"]
    assert (other[1]["n"], other[1]["missing_count"]) == (12, 0)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (
            lambda index: -[5, 1, 4][index % 3],
            "on the same answers: ▲ klopt agrees better: x.",
        ),
        (
            lambda index: [5, 1, 4][index % 3],
            "on the same answers: = no difference: x.",
        ),
        (
            lambda _: 7,
            "on the same answers: ? cannot be told, all scores are the same: x.",
        ),
        (
            lambda index: BLEU[index] if index < 5 else None,
            "? cannot be told, no interval with fewer than 10 rows: x.",
        ),
    ],
)
def test_one_column_in_words(run, folder, write, values, says):
    file = write(folder / "one.jsonl", *rated(x=values))
    found = run(file, "--column", "x", terminal=True, terminal_err=False)
    words = " ".join(ANSI.sub("", found.out).partition("In plain words")[2].split())
    assert says in words


def test_without_columns_there_is_no_table(run, log):
    found = run(log, terminal=True, terminal_err=False)
    assert "score by score" not in found.out
    assert "columns" not in run(log).rows[0]


@pytest.mark.parametrize(
    ("value", "n"),
    [
        ("0.5", 12),
        (" 5e-1 ", 12),
        (True, 12),
        ("False", 12),
        ("nan", 11),
        (float("nan"), 11),
        ("", 11),
        (None, 11),
    ],
)
def test_what_is_a_number_and_what_is_missing(run, folder, write, value, n):
    rows = rated(x=lambda index: value if index == 4 else index % 5)
    found = run(write(folder / "odd.jsonl", *rows), "--column", "x")
    assert (found.code, found.err) == (0, "")
    assert columns(found)["x"]["n"] == n


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("timeout", '"timeout"'),
        ("0,45", '"0,45" (a decimal comma: write a point)'),
        ("1_000", '"1_000"'),
        ("٣", '"٣"'),
        (float("inf"), '"inf"'),
        ("-Infinity", '"-Infinity"'),
        ("1e999", '"1e999"'),
        (10**400, f'"1{"0" * 39}…"'),
        ([1], '"[1]"'),
        (EVIL, '"�[2J�[red]x<b>"'),
    ],
)
def test_what_is_not_a_number_is_told_and_missing(run, folder, write, value, shown):
    rows = rated(x=lambda index: value if index == 4 else index % 5)
    file = write(folder / "odd.jsonl", *rows)
    found = run(file, "--column", "x")
    assert found.code == 0
    assert found.err == (
        f'Warning: {file}, column "x": 1 value is not a number and counts as missing; in row 5: '
        f"{shown}\n"
    )
    assert columns(found)["x"]["missing_count"] == 1


def test_several_that_are_not_numbers(run, folder, write):
    file = write(folder / "odd.jsonl", *rated(x=lambda index: "none" if index > 8 else index))
    assert run(file, "--column", "x").err == (
        f'Warning: {file}, column "x": 3 values are not numbers and count as missing; the first, '
        'in row 10: "none"\n'
    )


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
        found = run(file, *options, "--column", "stars")
        assert '"stars" is what people said' in found.err
    both = write(folder / "both.jsonl", *(row | {"rating": row["stars"]} for row in rows))
    assert columns(run(both, "--column", "stars"))["stars"]["spearman"]["value"] == 1


def test_a_hostile_name_takes_over_neither_terminal_nor_page(run, folder, write, tmp_path):
    name = f"metric{EVIL}\n<script>alert(1)</script>"
    rows = rated(meta=lambda index: {name: index})
    file = write(folder / "evil.jsonl", *rows)
    page = tmp_path / "page.html"
    found = run(file, "--column", f"meta.{name}", "--html", page, terminal=True, terminal_err=False)
    assert found.code == 0
    assert "\x1b[2J" not in found.out
    assert "\u202e" not in found.out
    assert "meta.metric�[2J�[red]x<b>" in found.out
    text = page.read_text("utf-8")
    assert "meta.metric�[2J�[red]x&lt;b&gt; &lt;script&gt;alert(1)&lt;/sc" in text
    assert "<script" not in text
    assert "\u202e" not in text
    assert name in json.loads(run(file, "--column", f"meta.{name}").out)["columns"][0]["name"]
