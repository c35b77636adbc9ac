"""``klopt report`` on scores, on logs, and on the demo."""

import json
import re

import pytest

from tests.cli.conftest import TURNS, write_log
from tests.report.scored_log import QUESTION, logged, scored


def test_a_log_is_scored_and_reported_in_one_command(klopt, company, tmp_path):
    scores, page = tmp_path / "scores.jsonl", tmp_path / "report.html"
    klopt("score", company.log, "--pages", company.pages, "-o", scores)
    two = klopt("report", scores, "--log", company.log, "--format", "jsonl")
    one = klopt("report", company.log, "--pages", company.pages, "--format", "jsonl", "-o", page)
    assert (one.code, two.code) == (0, 0)
    assert {**one.rows[0], "file": ""} == {**two.rows[0], "file": ""}
    assert f"klopt company init --pages {company.pages}" in page.read_text("utf-8")


def test_the_commands_for_a_better_estimate_repeat_how_the_log_was_read(
    klopt, company, tmp_path, write
):
    log = write(tmp_path / "log.jsonl", *({"klant": QUESTION, "answer": "Nee."} for _ in range(3)))
    page, finding = tmp_path / "report.html", ("--pages", company.pages, "--retrieve", 3)
    klopt("report", log, *finding, "--map", "question=klant", "-o", page)
    init, review, report = re.findall(r"klopt (?:company|report) .*", page.read_text("utf-8"))[-3:]
    assert f"--pages {company.pages} --retrieve 3 -o company/" in init
    assert "--map question=klant --shuffle" in review
    assert f"--pages {company.pages} --retrieve 3 --map question=klant --ratings" in report


def test_a_log_without_pages_gets_a_hint(klopt, company, tmp_path, write):
    log = write(tmp_path / "log.jsonl", {"question": QUESTION, "answer": "Nee."})
    run = klopt("report", log, "--pages", company.pages, "-o", tmp_path / "report.html")
    assert "1 row without contexts: --retrieve 3 finds pages" in run.err


def test_unreadable_rows_are_omitted_from_the_report(klopt, company, tmp_path, write):
    log = write(tmp_path / "log.jsonl", logged("a"), {"id": "b", "question": ["Kan dat?"]})
    run = klopt("report", log, "--pages", company.pages, "--format", "jsonl")
    assert (run.code, run.rows[0]["answers"], run.rows[0]["unread"]) == (3, 1, 1)
    assert "row 2" in run.err


@pytest.mark.parametrize("more", [("--pages", "help"), ("--log", "log.jsonl", "--pages", "help")])
def test_scores_are_not_scored_again(klopt, tmp_path, write, monkeypatch, more):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "help").mkdir()
    write(tmp_path / "log.jsonl", logged("a"))
    scores = write(tmp_path / "scores.jsonl", scored("a"))
    run = klopt("report", scores, *more, "--format", "json")
    assert (run.code, "omit --pages" in run.err) == (2, True)


def test_ratings_make_the_estimate_more_precise(klopt, tmp_path, write):
    scores = write(tmp_path / "scores.jsonl", *(scored(f"a{n}") for n in range(40)))
    rated = write(tmp_path / "rated.jsonl", *(logged(f"a{n}", rating=5) for n in range(20)))
    (before,) = klopt("report", scores, "--format", "jsonl").rows
    (after,) = klopt("report", scores, "--ratings", rated, "--format", "jsonl").rows
    assert (before["untrue"]["rated_count"], after["untrue"]["rated_count"]) == (0, 20)
    assert after["untrue"]["high"] < before["untrue"]["count"]


def test_the_log_adds_questions_answers_and_times(klopt, tmp_path, write):
    """Also if it has more answers than the scores."""
    scores = write(tmp_path / "scores.jsonl", *(scored(f"a{n}") for n in (1, 3, 4)))
    times = {"timestamp": "2026-11-23T10:00:00Z"}
    log = write(tmp_path / "log.jsonl", *(logged(f"a{n}", **times) for n in range(1, 6)))
    page = tmp_path / "r.html"
    (found,) = klopt("report", scores, "--log", log, "-o", page, "--format", "jsonl").rows
    assert found["over_time"]["periods"] == [
        {"start": "2026-11-23", "send": 0, "review": 0, "block": 3, "unscored": 0}
    ]
    assert found["worst"][0]["count"] == 3
    assert QUESTION in page.read_text("utf-8")


def test_scores_in_every_format_give_the_same_report(klopt, company, tmp_path):
    reports = []
    for ending in ("jsonl", "csv", "parquet", "arrow.zst"):
        scores, page = tmp_path / f"scores.{ending}", tmp_path / f"{ending}.html"
        klopt("score", company.log, "--pages", company.pages, "-o", scores)
        run = klopt("report", scores, "--log", company.log, "--format", "jsonl", "-o", page)
        assert run.code == 0
        text = page.read_text("utf-8").replace(scores.name, "")
        reports.append((text, {**run.rows[0], "file": ""}))
    figures = reports[0][1]
    assert figures["verdicts"]["unscored"] >= 1
    assert figures["unanswered"]["questions"][-1]["question"].endswith("?")
    assert "Bewaren als" in {one["name"] for one in figures["names_of_no_page"]}
    assert reports == [reports[0]] * 4


def test_an_id_escaped_in_csv_is_found_in_the_log(klopt, tmp_path, write):
    log = write(tmp_path / "log.jsonl", logged("=1+1"), logged("-7"))
    klopt("score", log, "-o", tmp_path / "scores.csv")
    run = klopt("report", tmp_path / "scores.csv", "--log", log, "--format", "jsonl")
    assert (run.code, run.rows[0]["answers"]) == (0, 2)


def test_the_report_of_the_demo_shows_a_trend(klopt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert klopt("report", "--demo", terminal=True).code == 0
    page = (tmp_path / "klopt-demo.html").read_text("utf-8")
    assert 'class="over-time"' in page
    (found,) = klopt("report", "--demo", "--format", "jsonl").rows
    assert (found["answers"], found["over_time"]["undated"]) == (70, 0)
    assert len(found["over_time"]["periods"]) == 26
    assert klopt("report", "--demo", "--log", "klopt-demo.html").code == 2


def test_a_log_in_a_stated_encoding(klopt, company, tmp_path):
    log, page = tmp_path / "log.csv", tmp_path / "report.html"
    log.write_bytes("question;answer\nHoe één?;Ga naar café **Élan**.\n".encode("cp850"))
    run = klopt(
        "report", log, "--pages", company.pages, "--retrieve", 1, "--encoding", "cp850", "-o", page
    )
    assert run.code == 0
    assert "cp1252" not in run.err
    found = klopt(
        "report", log, "--pages", company.pages, "--encoding", "cp850", "--format", "jsonl"
    )
    assert found.rows[0]["unanswered"]["questions"][0]["question"] == "Hoe één?"


def test_conversations_without_an_answer_of_a_bot_are_not_called_unreadable(
    klopt, company, tmp_path
):
    comments = [{"author_id": who, "body": f"Tekst {who}", "public": True} for who in (11, 99)]
    ticket = {"id": 1, "subject": "Vraag", "requester_id": 11, "comments": comments}
    log = tmp_path / "zendesk.json"
    log.write_text(json.dumps({"tickets": [ticket]}), "utf-8")
    run = klopt("report", log, "--pages", company.pages, "-o", tmp_path / "report.html")
    assert run.code == 3
    assert '--map "bot=99"' in run.err
    assert run.err.splitlines()[-1] == f"Error: {log}: no answer of a bot was found"


def test_an_estimate_of_rated_answers_is_their_count(klopt, company, tmp_path):
    scores = tmp_path / "scores.jsonl"
    rows = [{**TURNS[0], "id": str(number), "rating": 1 + 4 * (number % 2)} for number in range(20)]
    log = write_log(tmp_path / "log.jsonl", *rows)
    klopt("score", log, "--pages", company.pages, "-o", scores)
    page = tmp_path / "report.html"
    run = klopt("report", scores, "--ratings", log, "-o", page)
    assert "20 scored, 10 of them untrue by your ratings." in run.err
    assert "kloppen 10 van de 20 gescoorde antwoorden niet" in page.read_text("utf-8")
