"""Second opinions on the command line: recorded ones, an LLM on loopback, budgets, profiles."""

from __future__ import annotations

import json

import pytest

from klopt.scoring.profile import profile_text
from tests.models.server import KEY, Server, says

GOOD = says('{"explanation": "The page says so.", "score": 5}')
COUNT = 4
"""Rows of the log that get a score; the one without pages gets none."""


@pytest.fixture
def said(company, tmp_path, write):
    """Opinions on two rows of the log."""
    return write(tmp_path / "said.jsonl", {"id": "sum", "rating": 5}, {"id": "steps", "truth": 0.5})


@pytest.fixture
def score(klopt, company, monkeypatch):
    """Scores the log with opinions on every answer."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def run(*options, command="score"):
        where = (command, company.log, "--pages", company.pages, "--all-types")
        return klopt(*where, *options, "--opinion-when", "always")

    return run


def asking(server, *options):
    return ("--opinion", "llm", "--model", "tiny", "--base-url", server.base_url, *options)


def test_recorded_opinions(score, said):
    run = score("--opinion", f"recorded:{said}")
    assert (run.code, run.err) == (0, "2 second opinions asked of said.jsonl.\n")
    rows = {row["id"]: row for row in run.rows}
    assert (rows["sum"]["score"], rows["sum"]["verdict"]) == (5.0, "send")
    assert (rows["steps"]["score"], rows["steps"]["verdict"]) == (3.0, "review")
    codes = {id: row["opinions"][0]["reason_code"] for id, row in rows.items() if "opinions" in row}
    nothing = "nothing_recorded"
    assert codes == {"missing": nothing, "steps": None, "sum": None, "english": nothing}
    assert score("--opinion", f"recorded:{said}").out == run.out


def test_an_llm_is_asked_recorded_and_replayed(score, tmp_path):
    record = tmp_path / "replies.jsonl"
    with Server(then=GOOD) as server:
        live = score(*asking(server, "--record", record, "--prices", "1,2"))
    assert len(server.received) == COUNT
    assert {one.headers["authorization"] for one in server.received} == {f"Bearer {KEY}"}
    assert live.err.splitlines() == [
        f"Questions, answers and pages are sent to {server.base_url} (tiny).",
        f"{COUNT} second opinions asked of tiny.",
        f"{COUNT} replies of tiny, 100 tokens, 0.0001 USD.",
    ]
    assert KEY not in live.out + live.err
    replay = score("--opinion", "llm", "--transcripts", record)
    without = [{**row, "fingerprint": ""} for row in live.rows]
    assert [{**row, "fingerprint": ""} for row in replay.rows] == without
    assert replay.err.startswith(f"{COUNT} second opinions asked of ")
    assert {row["score"] for row in replay.rows} == {5.0, None}


def test_an_evaluation_shows_what_they_bring(score, said, company, tmp_path):
    html = tmp_path / "report.html"
    run = score("--opinion", f"recorded:{said}", "--html", html, command="evaluate")
    profile = json.loads(run.out)["profiles"][0]
    assert profile["name"] == "default + said.jsonl"
    assert [one["asked"] for one in profile["asked"]] == [0, 1]
    assert "Wat een tweede mening brengt" in html.read_text("utf-8")


def test_a_profile_may_ask_for_them(klopt, company, said):
    table = f'\n[opinion]\nwho = "recorded:{said.name}"\nwhen = "always"\nquestions = 1\n'
    profile = said.with_name("own.toml")
    profile.write_text(profile_text("default") + table, encoding="utf-8")
    where = (company.log, "--pages", company.pages, "--all-types", "--profile", profile)
    notes = [row.get("opinions", [{}])[0] for row in klopt("score", *where).rows]
    assert [note.get("status") for note in notes[:4]] == ["not_asked", "given", *["not_asked"] * 2]
    more = klopt("score", *where, "--opinion-questions", "2").rows
    assert [row["opinions"][0]["status"] for row in more[1:3]] == ["given", "given"]
    alone = klopt("score", *where, "--opinion", "none")
    assert not any("opinions" in row for row in alone.rows)
    assert alone.err == ""
