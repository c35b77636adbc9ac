from __future__ import annotations

from tests.report.scored_log import QUESTION, logged, scored


def test_the_log_adds_questions_answers_and_times(klopt, tmp_path, write):
    """Also where it has more answers than were scored."""
    scores = write(tmp_path / "scores.jsonl", *(scored(f"a{n}") for n in (1, 3, 4)))
    times = {"timestamp": "2026-11-23T10:00:00Z"}
    log = write(tmp_path / "log.jsonl", *(logged(f"a{n}", **times) for n in range(1, 6)))
    run = klopt("report", scores, "--log", log, "-o", tmp_path / "r.html", "--json")
    (found,) = run.rows
    assert found["over_time"]["periods"] == [
        {"start": "2026-11-23", "send": 0, "review": 0, "block": 3, "unscored": 0}
    ]
    assert found["worst"][0]["count"] == 3
    assert QUESTION in (tmp_path / "r.html").read_text("utf-8")


def test_what_klopt_score_wrote_is_read_in_any_form(klopt, company, tmp_path):
    told = []
    for ending in ("jsonl", "csv", "parquet", "arrow.zst"):
        scores, page = tmp_path / f"scores.{ending}", tmp_path / f"{ending}.html"
        klopt("score", company.log, "--pages", company.pages, "-o", scores)
        run = klopt("report", scores, "--log", company.log, "--json", "-o", page)
        assert run.code == 0
        text = page.read_text("utf-8").replace(scores.name, "")
        told.append((text, {**run.rows[0], "file": ""}))
    figures = told[0][1]
    assert figures["verdicts"]["unscored"] >= 1
    assert figures["unanswered"]["questions"][-1]["question"].endswith("?")
    assert "Bewaren als" in {one["name"] for one in figures["names_of_no_page"]}
    assert told == [told[0]] * 4


def test_an_id_that_got_a_quote_in_csv_is_found_in_the_log(klopt, tmp_path, write):
    log = write(tmp_path / "log.jsonl", logged("=1+1"), logged("-7"))
    klopt("score", log, "-o", tmp_path / "scores.csv")
    run = klopt("report", tmp_path / "scores.csv", "--log", log, "--json")
    assert (run.code, run.rows[0]["answers"]) == (0, 2)


def test_a_log_of_several_files(klopt, tmp_path, write):
    for month in (1, 2):
        rows = [{"question": f"Hoe {month}-{n}?", "answer": "Ja."} for n in range(2)]
        write(tmp_path / f"2026-0{month}.jsonl", *rows)
    logs, scores = tmp_path / "2026-*.jsonl", tmp_path / "scores.csv"
    klopt("score", logs, "-o", scores)
    (found,) = klopt("report", scores, "--log", logs, "--json").rows
    asked = [one["question"] for one in found["unanswered"]["questions"]]
    assert asked == ["Hoe 1-0?", "Hoe 1-1?", "Hoe 2-0?", "Hoe 2-1?"]


def test_at_a_terminal_the_page_needs_a_place(klopt, tmp_path):
    run = klopt("report", tmp_path / "scores.jsonl", terminal=True)
    assert (run.code, "Say where the page goes" in run.err) == (2, True)


def test_the_demo_shows_a_trend(klopt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert klopt("report", "--demo", terminal=True).code == 0
    page = (tmp_path / "klopt-demo.html").read_text("utf-8")
    assert 'class="over-time"' in page
    (found,) = klopt("report", "--demo", "--json").rows
    assert (found["answers"], found["over_time"]["undated"]) == (70, 0)
    assert len(found["over_time"]["periods"]) == 26
    assert klopt("report", "--demo", "--log", "klopt-demo.html").code == 2
