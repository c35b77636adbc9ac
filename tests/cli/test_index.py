"""``klopt index``, and --index and --retrieve of the commands that score."""

from __future__ import annotations

import json

import pytest

from tests.conftest import DEMO, demo_rows

PAGES = DEMO / "pages" / "nl"
ROWS = [row for row in demo_rows() if row["language"] == "nl"][:6]


@pytest.fixture
def build(klopt):
    return lambda path: klopt("index", "build", "--pages", PAGES, "-o", path, "--processes", 1)


@pytest.fixture
def built(build, tmp_path):
    path = tmp_path / "help.klopt"
    run = build(path)
    assert (run.code, run.out, run.err) == (0, "", f"30 pages. Written to {path}.\n")
    return path


@pytest.mark.parametrize("kept_bytes", [0, 40])
def test_half_an_index_is_replaced(build, built, tmp_path, kept_bytes):
    half = tmp_path / "half.klopt"
    half.write_bytes(built.read_bytes()[:kept_bytes])
    assert build(half).code == 0
    assert half.read_bytes() == built.read_bytes()


def test_scores_are_those_with_the_pages(klopt, built, tmp_path, write):
    log = write(tmp_path / "log.jsonl", *ROWS)
    expected = klopt("score", log, "--pages", PAGES)
    assert expected.code == 0
    assert klopt("score", log, "--index", built).out == expected.out
    assert klopt("score", log, "--index", built, "--pages", PAGES).out == expected.out


def test_rows_without_pages_get_some(klopt, built, tmp_path, write):
    bare = write(tmp_path / "bare.jsonl", *({**row, "contexts": []} for row in ROWS))
    run = klopt("score", bare, "--index", built)
    hint = "6 rows without contexts: --retrieve 3 finds pages for them in the index."
    assert run.err == f"Warning: {hint}\n"
    assert {row["reason_code"] for row in run.rows} == {"no_contexts"}
    found = klopt("score", bare, "--index", built, "--retrieve", "3").rows
    assert {row["status"] for row in found} == {"scored"}
    assert all(len(row["retrieved"]) == 3 for row in found)
    run = klopt("explain", bare, "--id", ROWS[0]["id"], "--index", built, "--retrieve=2")
    assert json.loads(run.out)["retrieved"] == found[0]["retrieved"][:2]
    against = ("--against", "afas", "--json", "--resamples", "100")
    run = klopt("evaluate", bare, "--index", built, "--retrieve", "3", *against)
    assert run.code == 0
    for profile in json.loads(run.out)["profiles"]:
        assert all("|retrieved:3@" in mark for mark in profile["fingerprints"])
        assert profile["fingerprints"]
