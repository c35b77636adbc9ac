"""``klopt index``, and --index and --retrieve of the commands that score."""

from __future__ import annotations

import json

import pytest

from tests.indexing.conftest import DEMO


@pytest.fixture(scope="module")
def pages():
    return str(DEMO / "pages" / "nl")


@pytest.fixture
def built(klopt, pages, tmp_path):
    path = tmp_path / "help.klopt"
    run = klopt("index", "build", "--pages", pages, "-o", str(path), "--processes", "1")
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


def rows(run):
    return [json.loads(line) for line in run.out.splitlines()]


def test_building_again_copies(klopt, pages, built):
    before = built.read_bytes()
    run = klopt("index", "build", "--pages", pages, "-o", str(built), "--processes", "1")
    assert run.err == f"30 pages, 30 of them copied. Written to {built}.\n"
    assert built.read_bytes() == before


def test_only_an_index_or_nothing_is_replaced(klopt, pages, built, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("# Lees mij", "utf-8")
    run = klopt("index", "build", "--pages", pages, "-o", str(readme), "--processes", "1")
    assert run.code == 2
    assert f"{readme} is there and is no index; choose another file for -o, or remove" in run.err
    assert readme.read_text("utf-8") == "# Lees mij"
    for content in (b"", built.read_bytes()[:40]):
        readme.write_bytes(content)
        run = klopt("index", "build", "--pages", pages, "-o", str(readme), "--processes", "1")
        assert run.code == 0
        assert readme.read_bytes() == built.read_bytes()


def test_show_tells_what_was_altered(klopt, built):
    content = bytearray(built.read_bytes())
    content[300] ^= 1
    built.write_bytes(content)
    assert klopt("index", "show", str(built)).code == 0
    run = klopt("index", "show", str(built), "--check")
    assert run.code == 3
    assert "is not as it was written" in run.err


def test_scores_are_those_with_the_pages(klopt, pages, built, log):
    expected = klopt("score", str(log), "--pages", pages)
    assert expected.code == 0
    assert klopt("score", str(log), "--index", str(built)).out == expected.out
    assert klopt("score", str(log), "--index", str(built), "--pages", pages).out == expected.out


def test_rows_without_pages_get_some(klopt, built, log, tmp_path):
    bare = tmp_path / "bare.jsonl"
    given = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    bare.write_text("\n".join(json.dumps({**row, "contexts": []}) for row in given), "utf-8")
    run = klopt("score", str(bare), "--index", str(built))
    hint = "6 rows without contexts: --retrieve 3 finds pages for them in the index."
    assert run.err == f"Warning: {hint}\n"
    refused = rows(run)
    assert {row["reason_code"] for row in refused} == {"no_contexts"}
    found = rows(klopt("score", str(bare), "--index", str(built), "--retrieve", "3"))
    assert {row["status"] for row in found} == {"scored"}
    assert all(len(row["retrieved"]) == 3 for row in found)
    run = klopt("explain", str(bare), "--id", given[0]["id"], "--index", str(built), "--retrieve=2")
    assert "klopt zocht er zelf deze bij: " + found[0]["retrieved"][0] in run.out
    against = ("--against", "afas", "--json", "--resamples", "100")
    run = klopt("evaluate", str(bare), "--index", str(built), "--retrieve", "3", *against)
    assert run.code == 0
    for profile in json.loads(run.out)["profiles"]:
        assert all("|retrieved:3@" in mark for mark in profile["fingerprints"])
        assert profile["fingerprints"]


def test_an_unknown_page_is_told(klopt, built, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('{"question": "Hoe?", "answer": "Zo.", "contexts": ["weg.md"]}', "utf-8")
    run = klopt("score", str(log), "--index", str(built))
    assert run.code == 3
    said = 'context "weg.md" is not a page (60 names; `klopt index show` has them)'
    assert said in rows(run)[0]["reason"]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_search_that_finds_nothing_says_why(klopt, built, terminal):
    asked = ("index", "search", str(built))
    run = klopt(*asked, "How do I change my password?", terminal=terminal)
    said = 'The question is in "en", and no page is; there are pages in nl.'
    assert said in " ".join((run.out + run.err).split())
    run = klopt(*asked, "Wie won de voetbalwedstrijd?", "--language", "nl", terminal=terminal)
    assert (run.code, run.out + run.err) == (0, "No page has a word of the question.\n")
