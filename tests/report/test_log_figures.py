"""The figures of a scored log, and the estimate of its untrue answers."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.evaluation.thresholds import RiskPoint
from klopt.report import page_counts
from klopt.report.log_figures import LogFigures
from klopt.report.scored import LogRow
from klopt.report.untrue import MIN_RATED, Calibration, ScoredLabel
from tests.report.scored_log import (
    ANSWER,
    PAGE,
    QUESTION,
    claim,
    faulty,
    figures_of,
    naming,
    place,
    scored,
)

SHIPPED = Calibration.load()
SCORES = st.integers(10, 50).map(lambda tenths: tenths / 10)
LABELS = st.builds(ScoredLabel, SCORES, st.sampled_from((None, True, False)))
LOGS = st.dictionaries(LABELS, st.integers(1, 1000), min_size=1, max_size=50)


def pages(figures: LogFigures) -> list[dict]:
    return figures.to_dict()["pages"]


def unscored(id: str, code: str) -> dict:
    nothing = {"statements": [], "measurements": {}, "score": None, "message_type": None}
    return scored(id, verdict="unscored", status="not_scorable", reason_code=code, **nothing)


def test_verdicts_types_and_reasons_are_counted():
    figures = figures_of(scored("1"), scored("2", verdict="send"), unscored("3", "no_contexts"))
    found = figures.to_dict()
    assert found["verdicts"] == {"send": 1, "review": 0, "block": 1, "unscored": 1}
    assert found["not_scored"] == {"no_contexts": 1}
    assert list(found["by_message_type"]) == ["instruction", "unknown"]


def test_the_page_that_contradicts_answers_comes_first():
    other = [claim("Open Passen.", "supported", passage=place("Open Passen.", "b.md"))]
    rows = [scored(str(number), claims=other) for number in range(3)]
    first, second = pages(figures_of(*rows, scored("9")))
    assert (first["page"], first["block"], first["contradicted"]) == (PAGE, 1, 1)
    assert (second["page"], second["block"], second["contradicted"]) == ("b.md", 3, 0)
    assert first["passages"] == [{"line": 3, "text": "Blokkeren duurt 30 minuten.", "count": 1}]


def sure(text: str, truth: float = 0.1, relation: str = "contradicted") -> dict:
    """Return a claim at fault beside a passage of its own, with the words that differ."""
    more = {"truth": truth, "differing": [[0, 2]], "wrong": [[0, 2]]}
    return claim(f"Niet {text}", relation, fault=True, passage=place(text), **more)


@pytest.mark.parametrize(
    ("rows", "first", "example"),
    [
        ([("block", sure("A")), ("review", sure("B", 0.05))], "A", "A"),
        ([("review", sure("A")), ("review", sure("B", 0.05))], "A", "B"),
        ([("review", sure("A", 0.05)), ("block", sure("B") | {"wrong": []})], "A", "B"),
        ([("block", sure("A", 0.01, "not_stated"))] * 2 + [("review", sure("B"))], "B", "B"),
        ([("block", sure("A"))] + [("review", sure("B"))] * 2, "B", "A"),
        ([("review", sure(f"{n}")) for n in range(99)] + [("block", sure("A"))] * 2, "A", "A"),
        ([("block", sure(f"{n}", 0.1, "not_stated")) for n in range(99)] * 2
         + [("review", sure("A"))], "A", "A"),
    ],
)  # fmt: skip
def test_the_passage_contradicted_most_comes_first_and_a_blocked_answer_is_the_example(
    rows, first, example
):
    made = [scored(str(n), verdict=verdict, claims=[own]) for n, (verdict, own) in enumerate(rows)]
    figures = figures_of(*made)
    (page,) = figures.pages.values()
    assert pages(figures)[0]["passages"][0]["text"] == first
    assert page.worst.claim.passage.text == example


def test_pages_with_one_name_in_two_languages_are_counted_separately():
    found = pages(figures_of(scored("1"), scored("2", language="en")))
    counts = [(page["page"], page["language"], page["block"]) for page in found]
    assert counts == [(PAGE, "nl", 1), (PAGE, "en", 1)]


def test_no_page_contradicts_an_answer_that_is_sent():
    (page,) = pages(figures_of(scored(verdict="send")))
    assert (page["send"], page["contradicted"]) == (1, 0)


def test_pages_without_a_name_are_counted_separately():
    row = scored(claims=[claim("Open", "supported", passage=place("Open", "context-1"))])
    found = figures_of(row).to_dict()
    assert (found["pages"], found["pages_without_a_name"]) == ([], 1)


def test_names_are_counted_once_per_answer_in_any_case():
    rows = [scored("1", measurements=naming("Opslaan", "opslaan")), scored("2")]
    rows.append(scored("3", measurements=naming("OPSLAAN")))
    assert figures_of(*rows).to_dict()["names_of_no_page"] == [
        {"name": "opslaan", "answers": 2, "id": "1"},
        {"name": "Blokkeer direct", "answers": 1, "id": "2"},
    ]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (unscored("1", "no_contexts"), "no_pages"),
        (unscored("1", "nothing_found"), "nothing_found"),
        (scored(abstained=True, verdict="send"), "abstained"),
        (scored(abstained=True, rule="abstains_too_soon"), ""),
        (scored(claims=[claim("Nee.", "not_stated")]), "nothing_said"),
        (scored(claims=[claim("Nee.", "not_stated", passage=place("Ja."))]), ""),
        (scored(claims=[claim("Nee.", "not_stated")], verdict="send"), ""),
        (scored(claims=[]), ""),
        (scored(), ""),
    ],
)
def test_unanswered_questions_have_a_reason(row, why):
    found = figures_of(row, log=LogRow(QUESTION)).to_dict()["unanswered"]
    assert {one["why"] for one in found["questions"]} == ({why} if why else set())


def test_thanks_for_which_no_page_is_found_are_no_question():
    rows = [unscored("1", "nothing_found"), unscored("2", "nothing_found")]
    log = [LogRow("ok top dankje", "<p>Graag gedaan!</p>"), LogRow("Is er een laadpaal?", "Ja.")]
    found = figures_of(*rows, log=log).to_dict()["unanswered"]
    assert [one["question"] for one in found["questions"]] == ["Is er een laadpaal?"]


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ("Kan  dat?", "kan dat?", 1),
        ("Goedemorgen team, kan dat?", "Kan dat", 1),
        ("Hoi! Kan dat?", "Hallo, kan dat?", 1),
        ("Dag en nacht?", "En nacht?", 2),
        ("Hallo", "Hoi", 2),
    ],
)
def test_questions_that_differ_in_greeting_case_or_spaces_are_one(first, second, count):
    rows = [scored("1", abstained=True), scored("2", abstained=True)]
    found = figures_of(*rows, log=[LogRow(first), LogRow(second)]).to_dict()["unanswered"]
    assert len(found["questions"]) == count
    question = " ".join(first.split())
    if count == 1:
        assert found["questions"] == [
            {"question": question, "asked": 2, "id": "1", "why": "abstained"}
        ]


def test_a_repeated_answer_counts_once_for_its_page():
    other = claim("Passen zijn gratis.", "contradicted", fault=True, passage=place("12 euro", "b"))
    rows = [scored(str(number), claims=[other]) for number in range(5)]
    rows += [scored("8"), faulty(9) | {"claims": scored()["statements"], "question": "?"}]
    found = pages(figures_of(*rows))
    found = {page["page"]: (page["contradicting"], page["contradicted"]) for page in found}
    assert found == {"b": (1, 5), PAGE: (1, 2)}


def test_the_worst_answers_are_different_and_not_sent():
    rows = [scored("1"), scored("2", score=1.2), scored("3", claims=[]), faulty(4), faulty(5)]
    sent = scored("6", score=1.0, verdict="send", claims=faulty(6)["claims"])
    assert [kept.row.id for kept in figures_of(*rows, sent).worst_answers()] == ["2", "4", "5"]


@pytest.mark.parametrize(
    ("count", "changed", "is_estimated"),
    [(10, {}, True), (9, {}, False), (10, {"fingerprint": "klopt:1|profile:afas@0"}, False)],
)
def test_untrue_answers_are_estimated_for_the_calibrated_profile(count, changed, is_estimated):
    figures = figures_of(*(scored(str(n)) for n in range(count - 1)), scored(**changed))
    assert (figures.untrue() is not None) is is_estimated


def test_answers_that_abstain_are_not_untrue():
    figures = figures_of(*(scored(str(number), abstained=True) for number in range(10)))
    assert figures.untrue().count == 0


def test_the_lowest_scores_are_kept_and_a_repeated_answer_once():
    scores = enumerate((3.0, 2.0, 1.0, 4.0, 2.0, 1.0))
    rows = (scored(str(number), score=score) for number, score in scores)
    figures = figures_of(*rows, worst=2, log=LogRow(QUESTION, ANSWER))
    assert [(one.row.id, one.count) for one in figures.kept()] == [("2", 2), ("1", 2)]


@pytest.mark.parametrize(
    ("days", "unit", "count"),
    [(1, "day", 1), (35, "day", 35), (36, "week", 6), (365, "month", 13), (4000, "year", 12)],
)
def test_periods_are_consecutive(days, unit, count):
    first = date(2026, 3, 4)
    log = [LogRow(day=first), LogRow(day=first + timedelta(days - 1))]
    found, periods = figures_of(scored(), scored(), log=log).periods()
    assert (found, len(periods)) == (unit, count)
    assert sum(one.verdicts.total() for one in periods) == 2


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(page_counts, "_KEPT", 10)
    rows = [
        faulty(n) | {"measurements": naming(f"Knop {n}", "Altijd"), "abstained": True}
        for n in range(500)
    ]
    figures = figures_of(*rows, worst=3, log=[LogRow(f"Vraag {n}?") for n in range(500)])
    assert all(len(one) <= 20 for one in (figures.names, figures.pages, figures.unanswered))
    assert len(figures.kept()) == 3
    assert figures.to_dict()["names_of_no_page"][0] == {"name": "Altijd", "answers": 500, "id": "0"}


def test_scores_are_compared_with_ratings():
    scores = ((4.5, "send"), (4.6, "send"), (2.0, "block"), (None, "unscored"))
    rows = (scored(score=score, verdict=verdict) for score, verdict in scores)
    figures = figures_of(*rows, log=[LogRow(rating=rating) for rating in (5, 1, 1.2, 1)])
    found = figures.pictures()
    assert (found.n, found.chosen) == (3, RiskPoint(4.5, 2 / 3, 0.5))
    assert figures.to_dict()["beside_ratings"]["scores"][0]["n"] == 2


@given(LOGS)
def test_the_interval_contains_the_estimate_within_the_possible_counts(log):
    found = SHIPPED.untrue(log)
    assert 0 <= found.low <= found.count + 1e-6
    assert found.count <= found.high + 1e-6
    assert found.high <= sum(log.values()) + 1e-6


@given(LOGS, SCORES, SCORES)
def test_a_higher_score_is_less_often_untrue(log, one, other):
    low, high = (
        SHIPPED.untrue(Counter(log) + Counter({ScoredLabel(score): 5})).count
        for score in sorted((one, other))
    )
    assert high <= low + 1e-6


@pytest.mark.parametrize(("is_untrue", "count"), [(True, 50), (False, 0)])
def test_rated_answers_count_as_rated(is_untrue, count):
    found = SHIPPED.untrue({ScoredLabel(3.0, is_untrue): 50})
    assert (found.low, found.count, found.high, found.rated_count) == (count, count, count, 50)


@pytest.mark.parametrize(("rated", "is_used"), [(MIN_RATED - 1, False), (MIN_RATED, True)])
def test_enough_ratings_narrow_the_interval(rated, is_used):
    log = {ScoredLabel(2.5): 500, ScoredLabel(2.5, is_untrue=False): rated}
    found, without = SHIPPED.untrue(log), SHIPPED.untrue({ScoredLabel(2.5): 500 + rated})
    assert (found.high - found.low < without.high - without.low - 1) is is_used
    assert (found.count < without.count - 1) is is_used
