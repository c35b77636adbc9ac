"""LLM judges: prompts, valid and invalid replies, and failures."""

import re
from dataclasses import replace

import pytest

from klopt import Page, Turn
from klopt.errors import ReplyError
from klopt.llm import judges
from klopt.llm.calls import Usage
from klopt.llm.judges import Judge, dimensions, judge, judge_names, read
from tests.llm.scripted import Scripted
from tests.tables import tables

CASES = tables("llm", "judges")
PAGE = Page("1. Open **Orders**.\n2. Klik op **Sluiten**.", id="orders.md", title="Orders sluiten")
TURN = Turn(
    "Hoe sluit ik een order?",
    "Open Orders en klik op Sluiten.",
    [PAGE],
    id="w1",
    reference="Kies Orders en dan Sluiten.",
)
GOOD = {
    "g_eval": '{"explanation": "Klopt.", "score": 4}',
    "prometheus": "Feedback: Klopt. [RESULT] 4",
}


YES = Turn("Hoe?", "Ja.")
LONG_ANSWER = "the answer has 20001 characters, more than 20000"
BOOK = Turn("Hoe?", "Ja.", ["x" * 300_000, "x" * 200_001])
LONG_BOOK = "the pages have 500001 characters, more than 500000"


def judge_of(name, *replies, against="auto"):
    form, _, about = name.partition(".")
    model = Scripted(*(replies or (GOOD[form],)))
    return Judge(model, form, dimensions()[about], against), model


@pytest.mark.parametrize("name", judge_names())
def test_each_judge_sends_its_dimension_and_reads_the_score(name):
    own, model = judge_of(name)
    (found,) = judge(TURN, [own])
    assert (found.name, found.score, found.feedback, found.reason) == (name, 4, "Klopt.", None)
    assert found.usage.calls == 1
    (call,) = model.calls
    assert (call.id, call.technique, call.json) == ("w1", name, name.startswith("g_eval"))
    prompt = call.system + call.user
    assert own.dimension.title in prompt
    assert own.dimension.criteria in prompt
    for line in own.dimension.rubric.splitlines():
        assert prompt.count(line) == 1
    assert call.task in call.user


@pytest.mark.parametrize(
    ("name", "turn", "against", "reason"),
    [
        ("g_eval.readability", Turn("Hoe?", " \n"), "auto", "the answer is empty"),
        ("g_eval.relevance", Turn("", "Ja."), "auto", "the question is empty"),
        ("prometheus.usability", Turn(" ", "Ja."), "auto", "the question is empty"),
        ("g_eval.truthfulness", YES, "auto", "there is neither a reference answer nor a page"),
        ("prometheus.truthfulness", replace(YES, reference="Ja."), "pages", "there are no pages"),
        ("prometheus.readability", replace(YES, answer="x" * 20_001), "auto", LONG_ANSWER),
        ("g_eval.truthfulness", BOOK, "auto", LONG_BOOK),
    ],
)
def test_a_missing_or_long_text_costs_no_call(name, turn, against, reason):
    own, model = judge_of(name, against=against)
    (found,) = judge(turn, [own])
    assert (found.score, found.reason_code, found.reason) == (None, "not_judgeable", reason)
    assert found.usage == Usage()
    assert model.calls == []


@pytest.mark.parametrize("text", CASES["hostile"])
@pytest.mark.parametrize("form", ["g_eval", "prometheus"])
def test_hostile_texts_cannot_end_their_block(form, text):
    turn = Turn(text, text, [Page(text, title=text)], id="w1")
    call = judge_of(f"{form}.truthfulness")[0].call(turn)
    mark = re.match(r"\[BEGIN QUESTION (\w+)\]", call.task)[1]
    assert mark not in text
    for name in ("QUESTION", "ANSWER", "PAGE 1"):
        assert call.task.count(f"[BEGIN {name} {mark}]\n{text}") == 1
        assert call.task.count(f"\n[END {name} {mark}]") == 1
    assert text not in call.system
    assert "are data" in " ".join(call.system.split())
    assert mark in call.system
    assert call.user.index("The data end here. ", len(call.task)) >= len(call.task)


@pytest.mark.parametrize(("form", "text", "score", "feedback"), CASES["valid"])
def test_valid_replies(form, text, score, feedback):
    assert read(form, text) == (score, feedback)


@pytest.mark.parametrize(("form", "code", "text"), CASES["invalid"])
def test_invalid_replies(form, code, text):
    with pytest.raises(ReplyError) as caught:
        read(form, text)
    assert caught.value.reason_code == code


def test_a_judge_with_invalid_replies_gives_no_score_and_others_continue():
    pairs = judge_of("prometheus.relevance", "5 out of 5!"), judge_of("g_eval.usability")
    found, other = judge(TURN, [one for one, _ in pairs])
    assert other.score == 4
    assert (found.score, found.reason_code, found.feedback) == (None, "bad_shape", None)
    assert found.reason.startswith("row 'w1', prometheus.relevance: 3 invalid replies")
    assert (found.usage.calls, len(found.problems)) == (3, 3)


@pytest.mark.parametrize("name", dimensions())
def test_a_rubric_has_five_different_scores_and_no_placeholder(name):
    about = dimensions()[name]
    assert len(set(about.scores)) == 5
    for text in (about.question, about.criteria, *about.steps, *about.scores):
        assert text == text.strip() != ""
        assert not set("{}") & set(text)
    for form in ("g_eval", "prometheus"):
        assert "whole number from 1 to 5" in judges.prompts()[form]["user"]
