from datetime import date, timedelta

import pytest

from klopt.evaluation.thresholds import RiskPoint
from klopt.report import page_counts
from klopt.report.log_figures import LogFigures
from klopt.report.scored import LogRow, ScoredRow
from tests.report.scored_log import (
    ANSWER,
    PAGE,
    QUESTION,
    claim,
    counted,
    faulty,
    naming,
    place,
    scored,
)


def pages(figures: LogFigures) -> list[dict]:
    return figures.to_dict()["pages"]


def unscored(id: str, code: str) -> dict:
    nothing = {"statements": [], "measurements": {}, "score": None, "message_type": None}
    return scored(id, verdict="unscored", status="not_scorable", reason_code=code, **nothing)


def test_verdicts_types_and_reasons():
    figures = counted(scored("1"), scored("2", verdict="send"), unscored("3", "no_contexts"))
    found = figures.to_dict()
    assert found["verdicts"] == {"send": 1, "review": 0, "block": 1, "unscored": 1}
    assert found["not_scored"] == {"no_contexts": 1}
    assert list(found["by_message_type"]) == ["instruction", "unknown"]


def test_the_page_where_statements_go_wrong_stands_first():
    other = [claim("Open Passen.", "supported", passage=place("Open Passen.", "b.md"))]
    rows = [scored(str(number), claims=other) for number in range(3)]
    first, second = counted(*rows, scored("9")).to_dict()["pages"]
    assert (first["page"], first["block"], first["contradicted"]) == (PAGE, 1, 1)
    assert (second["page"], second["block"], second["contradicted"]) == ("b.md", 3, 0)
    assert first["passages"] == [{"line": 3, "text": "Blokkeren duurt 30 minuten.", "count": 1}]


def test_pages_of_one_name_in_two_languages_are_two():
    found = counted(scored("1"), scored("2", language="en")).to_dict()["pages"]
    assert [(one["page"], one["language"], one["block"]) for one in found] == [
        (PAGE, "nl", 1),
        (PAGE, "en", 1),
    ]


def test_nothing_in_an_answer_that_is_sent_goes_wrong():
    (page,) = counted(scored(verdict="send")).to_dict()["pages"]
    assert (page["send"], page["contradicted"]) == (1, 0)


def test_pages_without_a_name_are_counted_apart():
    row = scored(claims=[claim("Open", "supported", passage=place("Open", "context-1"))])
    found = counted(row).to_dict()
    assert (found["pages"], found["pages_without_a_name"]) == ([], 1)


def test_names_are_counted_once_an_answer_whatever_their_case():
    rows = (scored("1", measurements=naming("Opslaan", "opslaan")), scored("2"))
    rows += (scored("3", measurements=naming("OPSLAAN")),)
    assert counted(*rows).to_dict()["names_of_no_page"] == [
        {"name": "opslaan", "answers": 2, "id": "1"},
        {"name": "Blokkeer direct", "answers": 1, "id": "2"},
    ]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (unscored("1", "no_contexts"), "no_pages"),
        (scored(abstained=True, verdict="send"), "abstained"),
        (scored(abstained=True, rule="abstains_too_soon"), ""),
        (scored(claims=[claim("Nee.", "not_stated")]), "nothing_said"),
        (scored(claims=[claim("Nee.", "not_stated", passage=place("Ja."))]), ""),
        (scored(claims=[claim("Nee.", "not_stated")], verdict="send"), ""),
        (scored(claims=[]), ""),
        (scored(), ""),
    ],
)
def test_questions_that_no_page_answers(row, why):
    found = counted(row, asked=LogRow(QUESTION)).to_dict()["unanswered"]
    assert {one["why"] for one in found["questions"]} == ({why} if why else set())


def test_the_same_question_is_counted_once():
    figures = counted(scored("1", abstained=True), asked=LogRow("Kan  dat?"))
    figures.add(ScoredRow.from_mapping(scored("2", abstained=True)), LogRow("kan dat?"))
    assert figures.to_dict()["unanswered"]["questions"] == [
        {"question": "Kan dat?", "asked": 2, "id": "1", "why": "abstained"}
    ]


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ("Goedemorgen team, kan dat?", "Kan dat", 1),
        ("Hoi! Kan dat?", "Hallo, kan dat?", 1),
        ("Dag en nacht?", "En nacht?", 2),
        ("Hallo", "Hoi", 2),
    ],
)
def test_greetings_do_not_split_questions(first, second, count):
    figures = LogFigures(0)
    for question in (first, second):
        figures.add(ScoredRow.from_mapping(scored(abstained=True)), LogRow(question))
    assert len(figures.unanswered) == count


def test_a_repeated_answer_counts_once_for_its_page():
    other = claim("Passen zijn gratis.", "contradicted", fault=True, passage=place("12 euro", "b"))
    rows = [scored(str(number), claims=[other]) for number in range(5)]
    rows += [scored("8"), faulty(9) | {"claims": scored()["statements"], "question": "?"}]
    figures = counted(*rows)
    found = {page["page"]: (page["contradicting"], page["contradicted"]) for page in pages(figures)}
    assert found == {"b": (1, 5), PAGE: (1, 2)}


def test_the_worst_answers_are_different_and_not_sent():
    rows = [scored("1"), scored("2", score=1.2), scored("3", claims=[]), faulty(4), faulty(5)]
    sent = scored("6", score=1.0, verdict="send", claims=faulty(6)["claims"])
    assert [kept.row.id for kept in counted(*rows, sent).worst_answers()] == ["2", "4", "5"]


@pytest.mark.parametrize(
    ("count", "changed", "is_estimated"),
    [(10, {}, True), (9, {}, False), (10, {"fingerprint": "klopt:1|profile:afas@0"}, False)],
)
def test_untrue_answers_are_estimated_for_the_profile_that_is_calibrated(
    count, changed, is_estimated
):
    figures = counted(*(scored(str(number)) for number in range(count - 1)), scored(**changed))
    assert (figures.untrue() is not None) is is_estimated


def test_abstaining_answers_are_not_untrue():
    figures = counted(*(scored(str(number), abstained=True) for number in range(10)))
    assert figures.untrue().count == 0


def test_the_worst_are_kept_and_the_same_answer_once():
    scores = enumerate((3.0, 2.0, 1.0, 4.0, 2.0, 1.0))
    rows = (scored(str(number), score=score) for number, score in scores)
    figures = counted(*rows, worst=2, asked=LogRow(QUESTION, ANSWER))
    assert [(one.row.id, one.count) for one in figures.kept()] == [("2", 2), ("1", 2)]


@pytest.mark.parametrize(
    ("days", "unit", "count"),
    [(1, "day", 1), (35, "day", 35), (36, "week", 6), (365, "month", 13), (4000, "year", 12)],
)
def test_periods_follow_on_one_another(days, unit, count):
    figures = LogFigures(0)
    first = date(2026, 3, 4)
    for day in (first, first + timedelta(days - 1)):
        figures.add(ScoredRow.from_mapping(scored()), LogRow(day=day))
    found, periods = figures.periods()
    assert (found, len(periods)) == (unit, count)
    assert sum(one.verdicts.total() for one in periods) == 2


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(page_counts, "_KEPT", 10)
    figures = LogFigures(3)
    for number in range(500):
        names = naming(f"Knop {number}", "Altijd")
        row = {**faulty(number), "measurements": names, "abstained": True}
        figures.add(ScoredRow.from_mapping(row), LogRow(f"Vraag {number}?"))
    assert all(len(one) <= 20 for one in (figures.names, figures.pages, figures.unanswered))
    assert len(figures.kept()) == 3
    assert figures.to_dict()["names_of_no_page"][0] == {"name": "Altijd", "answers": 500, "id": "0"}


def test_ratings_stand_beside_scores():
    figures = LogFigures(0)
    for score, verdict, rating in ((4.5, "send", 5), (4.6, "send", 1), (2.0, "block", 1.2)):
        row = ScoredRow.from_mapping(scored(score=score, verdict=verdict))
        figures.add(row, LogRow(rating=rating))
    figures.add(ScoredRow.from_mapping(scored(score=None, verdict="unscored")), LogRow(rating=1))
    found = figures.pictures()
    assert (found.n, found.chosen) == (3, RiskPoint(4.5, 2 / 3, 0.5))
    assert figures.to_dict()["beside_ratings"]["scores"][0]["n"] == 2
