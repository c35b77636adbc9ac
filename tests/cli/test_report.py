"""``klopt report`` on scores, on logs, and on the demo."""

import csv
import json
import re

import pytest

from tests.cli.conftest import TURNS, write_log
from tests.report.scored_log import ANSWER, QUESTION, logged, scored


def questions_on(page):
    """Return the questions of the answers on a page, the worst answer first."""
    return re.findall(r'<p class="question"[^>]*>(.*?)</p>', page.read_text("utf-8"))


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


@pytest.mark.parametrize("row", [{"question": ["Kan dat?"]}, {"contexts": ["weg.md"]}])
def test_an_unreadable_row_counts_the_same_in_a_log_and_in_its_scores(
    klopt, company, tmp_path, write, row
):
    log = write(tmp_path / "log.jsonl", logged("a", contexts=["p.md"]), {**logged("b"), **row})
    (tmp_path / "help").mkdir()
    (tmp_path / "help" / "p.md").write_text("Open Passen.", "utf-8")
    klopt("score", log, "--pages", tmp_path / "help", "-o", tmp_path / "scores.csv")
    one = klopt("report", log, "--pages", tmp_path / "help", "--format", "jsonl")
    two = klopt("report", tmp_path / "scores.csv", "--log", log, "--format", "jsonl")
    assert (one.code, one.rows[0]["answers"], one.rows[0]["unread"]) == (3, 1, 1)
    assert (two.code, {**two.rows[0], "file": ""}) == (3, {**one.rows[0], "file": ""})
    assert two.err == one.err


@pytest.mark.parametrize(
    ("kept", "shown"),
    [((0, 1, 2), ("A?", "B?", "C?")), ((1, 2), ("B?", "C?")), ((2,), ("C?",)), ((0,), ("A?",))],
)
def test_rows_of_the_log_match_by_answer_where_ids_occur_twice(klopt, tmp_path, write, kept, shown):
    """Ids of conversations, of which the scores have only some answers."""
    answers = ("A?", "Dat kan **niet**."), ("B?", "Open Passen.\n- Kies Ja."), ("C?", "Dat kan.")
    rows = (logged("7", question=question, answer=answer) for question, answer in answers)
    log, page = write(tmp_path / "log.jsonl", *rows), tmp_path / "report.html"
    parts = ([{"kind": "claim", "start": 0, "text": answers[place][1]}] for place in kept)
    scores = write(tmp_path / "scores.jsonl", *(scored("7", parts=each) for each in parts))
    assert klopt("report", scores, "--log", log, "-o", page).code == 0
    assert questions_on(page) == list(shown)


@pytest.mark.parametrize(("id", "answer"), [("a", "Nee."), ("b", ANSWER)])
def test_a_log_with_other_answers_is_refused(klopt, tmp_path, write, id, answer):
    parts = [{"kind": "claim", "text": ANSWER, "start": 0, "end": len(ANSWER)}]
    scores = write(tmp_path / "scores.jsonl", scored("a", parts=parts))
    same = write(tmp_path / "same.jsonl", logged("a"))
    other = write(tmp_path / "other.jsonl", logged(id, answer=answer))
    assert klopt("report", scores, "--log", same, "--format", "jsonl").code == 0
    run = klopt("report", scores, "--log", other, "--format", "jsonl")
    assert (run.code, "give the log that was scored" in run.err) == (3, True)


@pytest.mark.parametrize(
    ("ratings", "has_log", "used"),
    [
        ([(None, 1), (None, 5)], False, {"Ja.": 1, "Nee.": 5}),
        ([(None, ""), (None, 5)], False, {"Nee.": 5}),
        ([("Nee.", 1), ("Ja.", 5)], True, {"Ja.": 5, "Nee.": 1}),
        ([("Nee.", 1)], True, {"Nee.": 1}),
        ([("Ja.", 5)], False, {"Ja.": 5}),
        ([(None, 4)], False, {"Ja.": 4}),
    ],
)
def test_ratings_match_by_answer_or_in_order_where_ids_occur_twice(
    klopt, tmp_path, write, ratings, has_log, used
):
    scores = {"Ja.": 1.4, "Nee.": 2.4}
    made = (
        scored("7", score=score, parts=[{"kind": "claim", "text": answer, "start": 0}])
        for answer, score in scores.items()
    )
    log = write(tmp_path / "log.jsonl", *(logged("7", answer=answer) for answer in scores))
    rows = ({"id": "7", "answer": answer, "rating": rating} for answer, rating in ratings)
    rated = write(tmp_path / "rated.jsonl", *rows)
    more = ("--log", log) if has_log else ()
    file = write(tmp_path / "scores.jsonl", *made)
    run = klopt("report", file, *more, "--ratings", rated, "--format", "jsonl")
    found = {each["median"]: each["rating"] for each in run.rows[0]["beside_ratings"]["scores"]}
    assert found == {scores[answer]: rating for answer, rating in used.items()}
    assert run.err.count("Warning") == 1


def test_a_rating_is_also_for_the_same_answer_again(klopt, tmp_path, write):
    scores = write(tmp_path / "scores.jsonl", scored("7"), scored("7"))
    rated = write(tmp_path / "rated.jsonl", logged("7", rating=2))
    run = klopt("report", scores, "--ratings", rated, "--format", "jsonl")
    assert (run.rows[0]["beside_ratings"]["n"], run.err) == (2, "")


@pytest.mark.parametrize(
    "answer", ["Kies:\n- Passen\n- Blokkeer", "=Open Passen; -kies Blokkeer.", "Open Passen."]
)
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_table_of_scores_has_questions_and_answers(klopt, tmp_path, write, answer, ending):
    contexts = [{"id": "p.md", "text": "Kies op de pagina Passen. Dat kan niet."}]
    log = write(tmp_path / "log.jsonl", logged(answer=answer, contexts=contexts))
    scores, page = tmp_path / f"scores.{ending}", tmp_path / "report.html"
    klopt("score", log, "-o", scores)
    pages = []
    for more in ((), ("--log", log)):
        assert klopt("report", scores, *more, "-o", page).code == 0
        pages.append(page.read_text("utf-8").partition('id="answers"')[2])
    assert pages[0] == pages[1]
    assert questions_on(page) == [QUESTION]


def test_scores_are_read_with_a_decimal_comma(klopt, company, tmp_path):
    """As a Dutch spreadsheet saves CSV."""
    scores, excel = tmp_path / "scores.csv", tmp_path / "excel.csv"
    klopt("score", company.log, "--pages", company.pages, "-o", scores)
    with scores.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["score"] = row["score"].replace(".", ",")
    with excel.open("w", encoding="cp1252", errors="replace", newline="") as file:
        table = csv.DictWriter(file, rows[0], delimiter=";")
        table.writeheader()
        table.writerows(rows)
    one, two = (klopt("report", file, "--format", "jsonl") for file in (scores, excel))
    assert (two.code, two.rows[0]["verdicts"]) == (one.code, one.rows[0]["verdicts"])
    assert two.rows[0]["worst"][0]["score"] == one.rows[0]["worst"][0]["score"]


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
