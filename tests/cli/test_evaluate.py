"""``klopt evaluate``: numeric columns, rows of other files, and the language of the report."""

import pytest

from klopt.cli.fields import is_missing, number
from tests.cli.column_rows import columns, judged, rated


@pytest.fixture
def run(klopt, company, tmp_path, write):
    def start(*arguments, **settings):
        log = write(tmp_path / "rated.jsonl", *rated())
        return klopt(
            "evaluate", log, "--pages", company.pages, *arguments, terminal_err=False, **settings
        )

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
def test_numbers_and_missing_values_in_columns(value, read):
    assert number(value) == (None if read == "missing" else read)
    assert is_missing(value) == (read == "missing")


def test_rows_of_another_file_are_joined_by_id_in_any_order(run, tmp_path, write):
    scores = write(tmp_path / "judged.jsonl", *judged())
    found = columns(run("--column", "bleu", "--with", scores))
    assert list(found) == ["bleu", "text", "rouge_1"]  # bert_f1 has no number
    for name in ("text", "rouge_1"):
        assert found[name] | {"name": "bleu"} == found["bleu"]
    piped = run("--with", "-", stdin=scores.read_bytes())
    assert list(columns(piped)) == ["text", "rouge_1"]


def test_the_report_is_in_the_language_of_the_answers_or_of_the_option(run, tmp_path):
    page = tmp_path / "page.html"
    found = run("-o", page, terminal=True)
    assert '<html lang="nl">' in page.read_text("utf-8")
    assert "In plain words" in found.out
    run("-o", page, "--language", "en", "-o", tmp_path / "figures.csv")
    assert '<html lang="en">' in page.read_text("utf-8")
    assert (tmp_path / "figures.csv").read_text("utf-8").startswith("figure,value")
    assert "In gewone woorden" in run("--language", "nl", terminal=True).out


@pytest.mark.parametrize(
    ("fields", "option"),
    [
        ({"Datum": "2026-10-05", "Cijfer (1-5)": (5, "4,5", None)}, "'rating=Cijfer (1-5)'"),
        ({"Score": (0.2, 4, 5), "klopt": (1, 0, 1)}, "label=klopt"),
        ({"klopt": ("waar", "onwaar", None), "n": (None, None, None)}, "rating=FIELD"),
        ({"duur": (1, 7, 5)}, "rating=FIELD"),
    ],
)
def test_the_field_that_probably_has_the_ratings(klopt, company, tmp_path, write, fields, option):
    def value(own, place):
        return own[place] if isinstance(own, tuple) else own

    rows = [*rated(rating=lambda _: None)][:3]
    for place, row in enumerate(rows):
        row |= {name: value(own, place) for name, own in fields.items()}
    log = write(tmp_path / "log.jsonl", *rows)
    run = klopt("evaluate", log, "--pages", company.pages)
    assert run.code == 2
    assert f" --map {option} names the field" in run.err
