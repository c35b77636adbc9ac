"""Second opinions on the command line: recorded ones, an LLM on loopback, budgets, profiles."""

import json

import pytest

from tests.llm.opinions.onnx_models import write as write_model
from tests.llm.server import KEY, Server, says

GOOD = says('{"explanation": "The page says so.", "score": 5}')
COUNT = 4
"""Rows of the log that get a score; the one without pages gets none."""


@pytest.fixture
def said(company, tmp_path, write):
    """Opinions on two rows of the log."""
    return write(tmp_path / "said.jsonl", {"id": "sum", "rating": 5}, {"id": "steps", "truth": 0.5})


@pytest.fixture
def score(klopt, company, monkeypatch, tmp_path):
    """Scores the log with opinions on every answer."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def run(*options, command="score", more=""):
        profile = tmp_path / "always.toml"
        table = f'[opinion]\nwho = "llm"\nwhen = "always"\n{more}'
        profile.write_text(f'[profile]\nname = "always"\nextends = "default"\n{table}', "utf-8")
        where = (command, company.log, "--pages", company.pages, "--all-types")
        return klopt(*where, *options, "--profile", profile)

    return run


def asking(server, *options):
    return ("--opinion", "llm", "--model", "tiny", "--base-url", server.base_url, *options)


def test_recorded_opinions(score, said):
    run = score("--opinion", f"recorded:{said}")
    assert (run.code, run.err) == (0, "2 second opinions requested from said.jsonl.\n")
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
        live = score(*asking(server, "--transcripts", record), more="prices = [1, 2]")
    assert len(server.received) == COUNT
    assert {one.headers["authorization"] for one in server.received} == {f"Bearer {KEY}"}
    assert live.err.splitlines() == [
        f"Questions, answers and pages are sent to {server.base_url} (tiny).",
        f"{COUNT} second opinions requested from tiny.",
        f"{COUNT} replies of tiny, 100 tokens, 0.0001 USD.",
    ]
    assert KEY not in live.out + live.err
    replay = score("--opinion", "llm", "--transcripts", record)
    without = [{**row, "fingerprint": ""} for row in live.rows]
    assert [{**row, "fingerprint": ""} for row in replay.rows] == without
    assert replay.err.startswith(f"{COUNT} second opinions requested from ")
    assert {row["score"] for row in replay.rows} == {5.0, None}


def test_an_evaluation_shows_what_they_bring(score, said, company, tmp_path):
    html = tmp_path / "report.html"
    run = score("--opinion", f"recorded:{said}", "-o", html, command="evaluate")
    profile = json.loads(run.out)["profiles"][0]
    assert profile["name"] == "always + said.jsonl"
    assert "always + said.jsonl" in html.read_text("utf-8")


def test_a_model_in_a_folder_is_asked(klopt, company, tmp_path):
    folder = write_model(tmp_path / "nli-klein", words=("niet", "not", "klik", "op", "bestand"))
    table = f'[opinion]\nwho = "encoder:{folder.name}"\nwhen = "always"\n'
    profile = tmp_path / "always.toml"
    profile.write_text(f'[profile]\nname = "always"\nextends = "default"\n{table}', "utf-8")
    run = klopt("score", company.log, "--pages", company.pages, "--profile", profile)
    (note,) = run.rows[0]["opinions"]
    assert (note["who"], note["status"], note["cost_usd"]) == ("encoder nli-klein", "given", 0.0)
    assert "|opinion:encoder:" in run.rows[0]["fingerprint"]
