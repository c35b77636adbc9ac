"""``klopt index``, and --index and --retrieve of the commands that score."""

from __future__ import annotations

import json

import pytest

from tests.indexing.conftest import DEMO


@pytest.fixture(scope="module")
def pages():
    return DEMO / "pages" / "nl"


@pytest.fixture
def build(klopt, pages):
    return lambda path: klopt("index", "build", "--pages", pages, "-o", path, "--processes", 1)


@pytest.fixture
def built(build, tmp_path):
    path = tmp_path / "help.klopt"
    run = build(path)
    assert (run.code, run.out) == (0, "")
    assert run.err == f"30 pages. Written to {path}.\n"
    return path


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.jsonl"
    lines = (DEMO / "turns.jsonl").read_text("utf-8").splitlines()
    dutch = [line for line in lines if json.loads(line)["language"] == "nl"][:6]
    path.write_text("\n".join(dutch), "utf-8")
    return path


def test_only_an_index_or_nothing_is_replaced(build, built, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("# Lees mij", "utf-8")
    run = build(readme)
    assert run.code == 2
    assert f"{readme} is there and is no index; choose another file for -o, or remove" in run.err
    assert readme.read_text("utf-8") == "# Lees mij"
    for content in (b"", built.read_bytes()[:40]):
        readme.write_bytes(content)
        assert build(readme).code == 0
        assert readme.read_bytes() == built.read_bytes()


def test_scores_are_those_with_the_pages(klopt, pages, built, log):
    expected = klopt("score", log, "--pages", pages)
    assert expected.code == 0
    assert klopt("score", log, "--index", built).out == expected.out
    assert klopt("score", log, "--index", built, "--pages", pages).out == expected.out


def test_rows_without_pages_get_some(klopt, built, log, tmp_path):
    bare = tmp_path / "bare.jsonl"
    given = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    bare.write_text("\n".join(json.dumps({**row, "contexts": []}) for row in given), "utf-8")
    run = klopt("score", bare, "--index", built)
    hint = "6 rows without contexts: --retrieve 3 finds pages for them in the index."
    assert run.err == f"Warning: {hint}\n"
    refused = run.rows
    assert {row["reason_code"] for row in refused} == {"no_contexts"}
    found = klopt("score", bare, "--index", built, "--retrieve", "3").rows
    assert {row["status"] for row in found} == {"scored"}
    assert all(len(row["retrieved"]) == 3 for row in found)
    run = klopt("explain", bare, "--id", given[0]["id"], "--index", built, "--retrieve=2")
    assert json.loads(run.out)["retrieved"] == found[0]["retrieved"][:2]
    against = ("--against", "afas", "--json", "--resamples", "100")
    run = klopt("evaluate", bare, "--index", built, "--retrieve", "3", *against)
    assert run.code == 0
    for profile in json.loads(run.out)["profiles"]:
        assert all("|retrieved:3@" in mark for mark in profile["fingerprints"])
        assert profile["fingerprints"]
