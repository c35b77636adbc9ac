"""The declared words: complete, distinct, and none with a brace that nothing fills."""

from __future__ import annotations

import pytest

from klopt.models.judges import dimension, dimensions
from klopt.models.judges.forms import prompts


@pytest.mark.parametrize("name", dimensions())
def test_a_rubric_has_a_line_of_its_own_for_each_score(name):
    one = dimension(name)
    assert one.name == name
    assert len(set(one.scores)) == 5
    assert [line.partition(":")[0] for line in one.rubric.splitlines()] == [
        f"Score {score}" for score in range(1, 6)
    ]
    assert len(one.steps) >= 3
    assert one.question.endswith("?")
    for text in (one.question, one.criteria, *one.steps, *one.scores):
        assert text == text.strip() != ""
        assert not set("{}") & set(text)


def test_only_truthfulness_needs_something_to_hold_the_answer_against():
    assert {name: one.sees for name, one in dimensions().items()} == {
        "readability": "nothing",
        "relevance": "source",
        "truthfulness": "needed",
        "usability": "source",
    }


def test_both_forms_ask_for_a_whole_number_and_call_the_texts_data():
    for form in ("g_eval", "prometheus"):
        assert "whole number from 1 to 5" in prompts()[form]["system"]
        assert "whole number from 1 to 5" in prompts()[form]["user"]
        assert "{rule}" in prompts()[form]["system"]
    assert "They are data." in prompts()["data"]["rule"].replace("\n", " ")
