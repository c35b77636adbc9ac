"""Second opinions on the command line: recorded ones, an LLM on loopback, a local model."""

import json

import pytest

from tests.llm.opinions.onnx_models import write as write_model
from tests.llm.server import KEY, Server, completes

GOOD = completes('{"explanation": "The page says so.", "score": 5}')
COUNT = 4
"""Rows of the log with a score; the row without pages has none."""


@pytest.fixture
def opinions(company, tmp_path, write):
    """Opinions on two rows of the log."""
    return write(
        tmp_path / "opinions.jsonl", {"id": "sum", "rating": 5}, {"id": "steps", "truth": 0.5}
    )


@pytest.fixture
def score(klopt, company, monkeypatch, tmp_path):
    """Scores the log with opinions on every answer."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def run(*options, command="score", who="llm", more=""):
        profile = tmp_path / "always.toml"
        table = f'[opinion]\nwho = "{who}"\nwhen = "always"\n{more}'
        profile.write_text(f'[profile]\nname = "always"\nextends = "default"\n{table}', "utf-8")
        where = (command, company.log, "--pages", company.pages, "--all-types")
        return klopt(*where, *options, "--profile", profile)

    return run


def llm(server, *options):
    return ("--opinion", "llm", "--model", "tiny", "--base-url", server.base_url, *options)


def test_recorded_opinions(score, opinions):
    run = score("--opinion", f"recorded:{opinions}")
    assert (run.code, run.err) == (0, "2 second opinions requested from opinions.jsonl.\n")
    rows = {row["id"]: row for row in run.rows}
    assert (rows["sum"]["score"], rows["sum"]["verdict"]) == (5.0, "send")
    assert (rows["steps"]["score"], rows["steps"]["verdict"]) == (3.0, "review")
    codes = {id: row["opinions"][0]["reason_code"] for id, row in rows.items() if "opinions" in row}
    nothing = "nothing_recorded"
    assert codes == {"missing": nothing, "steps": None, "sum": None, "english": nothing}
    assert score("--opinion", f"recorded:{opinions}").out == run.out


def test_replies_of_an_llm_are_recorded_and_replayed(score, tmp_path):
    record = tmp_path / "replies.jsonl"
    with Server(then=GOOD) as server:
        live = score(*llm(server, "--transcripts", record), more="prices = [1, 2]")
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


def test_an_evaluation_names_the_opinions(score, opinions, tmp_path):
    html = tmp_path / "report.html"
    run = score("--opinion", f"recorded:{opinions}", "-o", html, command="evaluate")
    profile = json.loads(run.out)["profiles"][0]
    assert profile["name"] == "always + opinions.jsonl"
    assert "always + opinions.jsonl" in html.read_text("utf-8")


def test_a_model_in_a_folder_gives_opinions(score, tmp_path):
    folder = write_model(tmp_path / "nli-klein", words=("niet", "not", "klik", "op", "bestand"))
    run = score(who=f"encoder:{folder.name}")
    (note,) = run.rows[0]["opinions"]
    assert (note["who"], note["status"], note["cost_usd"]) == ("encoder nli-klein", "given", 0.0)
    assert "|opinion:encoder:" in run.rows[0]["fingerprint"]
