"""``klopt score`` on exports of products."""

import csv
import json

import pytest

PAGE = "# Retourneren\n\nJe kunt een product binnen 14 dagen retourneren.\n"
QUESTION = "Hoe lang kan ik een product retourneren?"
TRUE, UNTRUE = (f"Je kunt een product binnen {days} dagen retourneren." for days in (14, 30))


@pytest.fixture
def pages(tmp_path):
    folder = tmp_path / "help"
    folder.mkdir()
    (folder / "retour.md").write_text(PAGE)
    return folder


def chat(*answers):
    messages = [{"role": "user", "content": QUESTION}]
    messages += [{"role": "assistant", "content": answer} for answer in answers]
    return {"id": "c", "messages": messages}


def test_conversations_without_documents_are_scored_with_the_option_of_the_warning(
    klopt, pages, tmp_path
):
    log = tmp_path / "chats.json"
    log.write_text(json.dumps({"chats": [chat(TRUE, UNTRUE)]}))
    first = klopt("score", log, "--pages", pages)
    assert (first.code, [row["reason_code"] for row in first.rows]) == (3, ["no_contexts"] * 2)
    assert "2 rows without contexts: --retrieve 3 finds" in first.err
    again = klopt("score", log, "--pages", pages, "--retrieve", "3")
    assert again.code == 0
    assert [(row["id"], row["verdict"]) for row in again.rows] == [("c", "send"), ("c:2", "block")]


def test_an_export_of_a_help_centre_replaces_a_folder_of_pages(klopt, tmp_path):
    articles, log = tmp_path / "articles.json", tmp_path / "log.jsonl"
    article = {"id": 36, "title": "Retourneren", "body": f"<p>{PAGE[15:]}</p>", "draft": False}
    article["html_url"] = "https://help.example/hc/nl/articles/36-Retourneren"
    draft = {"id": 37, "title": "Nieuw", "body": "Nog niet.", "draft": True, "html_url": "x"}
    articles.write_text(json.dumps({"count": 2, "articles": [article, draft]}))
    rows = [
        {"question": QUESTION, "answer": UNTRUE, "contexts": [name]}
        for name in ("Retourneren", "36", article["html_url"])
    ]
    log.write_text("\n".join(map(json.dumps, rows)))
    run = klopt("score", log, "--pages", articles)
    assert [row["verdict"] for row in run.rows] == ["block"] * 3
    mistaken = klopt("score", articles)
    assert mistaken.code == 3
    assert f"klopt score LOG --pages {articles}" in mistaken.err


def test_csv_has_question_and_answer_and_json_is_a_list(klopt, pages, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text(f"Nr;Vraag;Antwoord van de bot;Bron\n-7;{QUESTION};{TRUE};RETOUR\n")
    for ending in ("csv", "json"):
        assert klopt("score", log, "--pages", pages, "-o", tmp_path / f"out.{ending}").code == 0
    [row] = csv.DictReader((tmp_path / "out.csv").read_text("utf-8").splitlines())
    assert (row["id"], row["question"], row["answer"]) == ("-7", QUESTION, TRUE)
    [scored] = json.loads((tmp_path / "out.json").read_text())
    assert (scored["id"], scored["verdict"]) == ("-7", "send")
    for ending in ("csv", "json"):
        report = klopt("report", tmp_path / f"out.{ending}", "--log", log, "--format", "json")
        assert (report.code, json.loads(report.out)["answers"]) == (0, 1)


@pytest.mark.parametrize(
    ("encoding", "code"),
    [(None, 0), ("cp850", 0), ("utf-16", 3), ("idna", 3), ("klingon", 2), ("base64", 2)],
)
def test_an_encoding_is_detected_or_stated(klopt, pages, tmp_path, encoding, code):
    log = tmp_path / "log.csv"
    data = f"id;vraag;antwoord;bron\n1;{QUESTION};{TRUE} Eén week is te kort.;retour\n"
    log.write_bytes(data.encode(encoding if code == 0 and encoding else "cp1252"))
    options = () if encoding is None else ("--encoding", encoding)
    run = klopt("score", log, "--pages", pages, *options, "-o", tmp_path / "out.csv")
    assert run.code == code
    assert code != 3 or f"log.csv: cannot be read as {encoding}: " in run.err
    assert code or "Eén week" in (tmp_path / "out.csv").read_text("utf-8")


def test_a_log_without_answers_of_a_bot_needs_the_option_of_the_error(klopt, pages, tmp_path):
    log = tmp_path / "log.json"
    sent = [("customer", "Piet", QUESTION), ("agent", "Anna", UNTRUE)]
    messages = [{"sender_type": kind, "name": name, "text": text} for kind, name, text in sent]
    log.write_text(json.dumps([{"id": 1, "thread": messages}]))
    run = klopt("score", log, "--pages", pages, "--retrieve", "1")
    assert (run.code, run.rows) == (3, [])
    assert 'people answered (Anna). If that is the bot: --map "bot=Anna"' in run.err
    run = klopt("score", log, "--pages", pages, "--retrieve", "1", "--map", "bot=Anna")
    assert [row["verdict"] for row in run.rows] == ["block"]


@pytest.mark.parametrize("name", ["log.zip", "log.tar", "log.jsonl"])
def test_archives_are_refused(klopt, tmp_path, name):
    log = tmp_path / name
    log.write_bytes(b"PK\x03\x04" if name != "log.tar" else b"x".ljust(257, b"\0") + b"ustar\x00")
    run = klopt("score", log)
    assert (run.code, "is an archive (" in run.err) == (3, True)


EXPORTS_WITHOUT_ROWS = ("zendesk_articles.json",)


def test_every_export_of_the_shared_data_is_scored(klopt, data):
    """All rows have a score; those without contexts, with the option of the warning."""
    cases = data / "cases"
    if not cases.is_dir():
        pytest.skip(f"there is no {cases}")
    for log in sorted((cases / "logs").iterdir()):
        given = ("score", log, "--pages", cases / "logs-pages")
        run = klopt(*given)
        if log.name in EXPORTS_WITHOUT_ROWS:
            assert "klopt score LOG --pages" in run.err
            continue
        if "--retrieve 3" in run.err:
            run = klopt(*given, "--retrieve", "3")
        assert run.code == 0, (log.name, run.err)
        assert [row["id"] for row in run.rows if row["score"] is None] == [], log.name
