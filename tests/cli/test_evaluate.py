"""``klopt evaluate``: tables, JSON and files; numbers that stand beside klopt's score."""

from __future__ import annotations

import json

import pytest

from klopt.cli.fields import is_missing, number
from tests.cli.column_rows import EVIL, columns, judged, rated


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rated")


@pytest.fixture(scope="module")
def log(folder, write):
    return write(folder / "rated.jsonl", *rated())


@pytest.fixture(scope="module")
def run(klopt, company):
    def start(file, *arguments, terminal=False, **settings):
        options = ("--pages", company.pages, "--resamples", 100)
        settings |= {"terminal": terminal, "terminal_err": False}
        return klopt("evaluate", file, *options, *arguments, **settings)

    return start


@pytest.mark.parametrize(
    ("value", "read"),
    [
        *[("0.5", 0.5), (" 5e-1 ", 0.5), (True, 1), ("False", 0), (7, 7), (".5", 0.5)],
        *[("timeout", None), ("0,45", None), ("1_000", None), ("٣", None), ([1], None)],
        *[(float("inf"), None), ("-Infinity", None), ("1e999", None), (10**400, None)],
        *[(value, "missing") for value in ("nan", float("nan"), "", " ", None)],
    ],
)
def test_what_is_a_number_and_what_is_missing(value, read):
    assert number(value) == (None if read == "missing" else read)
    assert is_missing(value) == (read == "missing")


def test_rows_of_another_file_are_joined_by_id_in_any_order(run, log, folder, write):
    scores = write(folder / "judged.jsonl", *judged())
    beside = columns(run(log, "--column", "bleu", "--with", scores))
    assert list(beside) == ["bleu", "text", "rouge_1"]  # bert_f1 has no number
    for name in ("text", "rouge_1"):
        assert beside[name] | {"name": "bleu"} == beside["bleu"]
    piped = run(log, "--with", "-", stdin=scores.read_bytes())
    assert list(columns(piped)) == ["text", "rouge_1"]


def test_a_hostile_name_takes_over_neither_terminal_nor_page(run, folder, write, tmp_path):
    name = f"metric{EVIL}\n<script>alert(1)</script>"
    file = write(folder / "evil.jsonl", *rated(meta=lambda index: {name: index}))
    page = tmp_path / "page.html"
    ran = run(file, "--column", f"meta.{name}", "--html", page, terminal=True)
    assert ran.code == 0
    assert "\x1b[2J" not in ran.out
    assert "\u202e" not in ran.out
    assert "meta.metric�[2J�[red]x<b>" in ran.out
    text = page.read_text("utf-8")
    assert "meta.metric�[2J�[red]x&lt;b&gt; &lt;script&gt;alert(1)&lt;/sc" in text
    assert "<script" not in text
    assert "\u202e" not in text
    assert name in json.loads(run(file, "--column", f"meta.{name}").out)["columns"][0]["name"]


def test_the_report_is_in_the_language_of_the_answers_or_as_told(run, log, tmp_path):
    page = tmp_path / "page.html"
    found = run(log, "--html", page, terminal=True)
    assert '<html lang="nl">' in page.read_text("utf-8")
    assert "In plain words" in found.out
    found = run(log, "--html", page, "--lang", "en", "--json")
    assert '<html lang="en">' in page.read_text("utf-8")
    assert "In gewone woorden" in run(log, "--lang", "nl", terminal=True).out
