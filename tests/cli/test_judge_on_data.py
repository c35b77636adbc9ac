"""The proof, by the command: a recorded run gives back every published score and the figures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

FILES = ("dev.jsonl", "transcripts-gpt-4o-mini.jsonl")
AGREEMENT = {
    "gpt-4o-mini": ("0.9237", "0.6895"),
    "llama-3-70b": ("0.8653", "0.6945"),
    "llama-3-8b": ("0.8937", "0.7869"),
}


@pytest.fixture(scope="module")
def folder(data: Path) -> Path:
    for name in FILES:
        path = data / "techqa" / name
        if not path.is_file():
            pytest.skip(f"there is no {path}")
    return data / "techqa"


@pytest.fixture(scope="module")
def replayed(klopt, folder, tmp_path_factory):
    output = tmp_path_factory.mktemp("proof") / "scores.jsonl"
    run = klopt(
        *("judge", folder / FILES[0], "--reference-field", "ground_truth"),
        *("--solver", "recorded", "--transcripts", folder / FILES[1]),
        *("--grading", "published", "--by", "system", "-o", output),
    )
    return run, [json.loads(line) for line in output.read_text("utf-8").splitlines()]


def test_every_published_score_comes_back(folder, replayed):
    run, rows = replayed
    lines = (folder / FILES[1]).read_text("utf-8").splitlines()
    published = {row["id"]: row["published_score"] for row in map(json.loads, lines)}
    assert (run.code, run.out) == (0, "")
    assert {row["id"]: row["score"] for row in rows} == published
    assert len(published) == 423


def test_so_does_the_agreement_with_people(replayed):
    run, _ = replayed
    told = re.findall(r"^  system (\S+), 141: AUC (\S+), Pearson r (\S+)\.$", run.err, re.MULTILINE)
    assert {system: (area, r) for system, area, r in told} == AGREEMENT


def test_the_words_alone_reach_their_floor(klopt, folder, tmp_path):
    output = tmp_path / "scores.jsonl"
    run = klopt("judge", folder / FILES[0], "--by", "system", "-o", output)
    areas = [float(one) for one in re.findall(r"^  system .*: AUC (\S+),", run.err, re.MULTILINE)]
    assert run.code == 0
    assert len(areas) == 3
    assert sum(areas) / 3 >= 0.87
