"""Assessments, scored tables and evaluations in a notebook."""

import dataclasses
import re

import pyarrow as pa
import pytest
from hypothesis import given

import klopt
from klopt import Page, Scorer, Turn
from klopt.evaluation.evaluation import evaluate
from klopt.report.notebook import rows_html, table
from tests.report.reader import MARKUP

PAGE = Page("Klik op **Opslaan**.\n\nHet duurt 30 minuten.", id="opslaan.md")
ANSWER = "Kies **Bewaren**. Klik op **Opslaan**. Het duurt 60 minuten."
TURN = Turn("Hoe sla ik het op?", ANSWER, [PAGE], id="7", rating=1)
TAGS = {"div", "p", "b", "table", "tr", "th", "td", "mark", "small", "br"}


@pytest.fixture(scope="module")
def assessment():
    return Scorer.load().score(TURN)


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def marked(html: str) -> list[str]:
    return re.findall("<mark[^>]*>(.*?)</mark>", html)


def test_an_assessment_marks_the_words_that_differ_from_the_page(assessment):
    shown = assessment._repr_html_()
    assert marked(shown) == ["Bewaren", "60 minuten", "30 minuten"]
    assert "✓ Klik op Opslaan. “Klik op Opslaan.” opslaan.md, regel 1" in words(shown)
    assert "✗ Het duurt 60 minuten ." in words(shown)


def test_an_answer_that_is_sent_has_no_marks(assessment):
    sent = dataclasses.replace(assessment, verdict="send")
    assert marked(sent._repr_html_()) == []


def test_a_scored_table_shows_the_lowest_scores_first(assessment):
    rows = {"id": ["a", "b", "c"], "question": [TURN.question] * 3}
    rows |= {"answer": ["Klik op **Opslaan**.", ANSWER, ""], "contexts": [[PAGE.text]] * 3}
    scores = klopt.score_frame(pa.table(rows))
    shown = klopt.show_frame(scores)._repr_html_()
    assert re.findall("<b>(.)</b>", shown) == ["b", "a", "c"]
    assert marked(shown) == marked(assessment._repr_html_())
    assert re.findall("<b>(.)</b>", klopt.show_frame(scores, 1)._repr_html_()) == ["b"]


def test_an_evaluation_shows_its_figures_and_the_worst_disagreements():
    questions = (f"{TURN.question}{' ' * number}" for number in (1, 2))  # no answer repeats another
    rows = [TURN, *(dataclasses.replace(TURN, question=one, rating=5, id="8") for one in questions)]
    shown = evaluate(rows, Scorer.load(), resamples=100)._repr_html_()
    assert "default 3 all scores are the same" in words(shown)
    assert "8 (★ 5)" in words(shown)
    assert "60 minuten" in marked(shown)


@given(MARKUP)
def test_no_text_becomes_markup(assessment, hostile):
    row = assessment.to_dict() | {"id": hostile or "7", "explanation": hostile, "language": hostile}
    row["claims"] = [
        one
        | {"text": hostile, "wrong": [[0, 3], [2, 9], [40, 50]]}
        | {"passage": {"page": hostile, "text": hostile * 50, "start": 0, "end": 9, "line": 1}}
        for one in row["claims"]
    ]
    shown = rows_html([row]) + table([hostile], [[hostile]])
    assert set(re.findall("</?([a-z]+)", shown)) <= TAGS
    assert set(re.findall(" ([a-z]+)=", re.sub(">[^<]*<", "><", shown))) <= {"dir", "lang", "style"}
    assert not re.search("[\x00\u202e\ud800]", shown)
