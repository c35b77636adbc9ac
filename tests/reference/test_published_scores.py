"""Recorded replies reproduce the published scores, row by row.

The agreement with people is in tests/cli/test_judge_models.py.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from klopt.llm.transcripts import Transcripts
from klopt.reference.check import Checker
from klopt.reference.llm_solver import LlmSolver
from training.rated_turns import techqa_turns

COLUMN = "tseval|gpt-4o-mini-2024-07-18"
FILES = ("dev.jsonl", "transcripts-gpt-4o-mini.jsonl", "baseline_scores.jsonl")


@pytest.fixture(scope="module")
def folder(data):
    for name in FILES:
        path = data / "techqa" / name
        if not path.is_file():
            pytest.skip(f"there is no {path}")
    return data / "techqa"


@pytest.fixture(scope="module")
def turns(folder):
    return techqa_turns(folder.parent)


@pytest.fixture(scope="module")
def model(folder):
    return Transcripts.read(folder / FILES[1])


@pytest.fixture(scope="module")
def published(turns, model):
    checker = Checker(LlmSolver(model, reading="published"), "published")
    return {turn.id: checker.check(turn) for turn in turns}


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def test_every_published_score_is_reproduced(folder, published):
    expected = {row["id"]: row["published_score"] for row in rows(folder / FILES[1])}
    assert len(expected) == 423
    assert {id: check.score for id, check in published.items()} == expected


def test_the_scores_of_the_baseline_table_are_reproduced(folder, published):
    expected = {row["id"]: row[COLUMN] for row in rows(folder / FILES[2]) if COLUMN in row}
    ours = {id: check.score for id, check in published.items()}
    assert ours == {id: expected[id] for id in ours}


@pytest.mark.parametrize("grading", ["strict", "published"])
def test_the_strict_reading_refuses_no_reply(turns, model, grading):
    checker = Checker(LlmSolver(model), grading, key_terms="bold")
    checks = [checker.check(turn) for turn in turns]
    assert {check.status for check in checks} == {"scored"}
    uncalled = [check for check in checks if "klopt called no model" in " ".join(check.notes)]
    empty = [turn.id for turn in turns if not turn.answer.strip()]
    assert [check.id for check in uncalled] == empty
    assert len(empty) == 2
    assert all(check.score == 0.0 for check in uncalled)
