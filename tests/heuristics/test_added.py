"""What it takes to add a heuristic: a dummy scores a turn.

It is a function, its words beside it, and a line in the tuple; its case table is the one that
`test_cases` would read. Nothing else is told of it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from klopt import Scorer, Turn, heuristics
from klopt.heuristics import Material, Options
from klopt.heuristics.declaration import heuristic
from klopt.records import Measurement
from klopt.scoring.explanation import heuristic_name

WORDS = """
[nl]
name = "vraagt niets terug"
asks = "Stelt het antwoord geen vraag?"
fault = "Het antwoord vraagt: {items}."

[en]
name = "asks nothing back"
asks = "Does the answer ask no question?"
fault = "The answer asks: {items}."
"""
PROFILE = """
[profile]
name = "asking"
description = "Asks back or not."
source = "ours"
classifier = "scored"
message_types = ["binary"]

[languages.en]
pipeline = "klopt"

[heuristics.{name}]

[[tree]]
node = "sum"
sum = ["{name}"]
en = "The sum."

[verdict]
block_below = 2.0
send_from = 3.0
"""
PAGES = ["You may save the file."]


@heuristic(reads=("answer",))
def asks_nothing(material: Material, options: Options) -> Measurement:
    """0 when the answer asks something, else 1."""
    at = material.answer.plain.text.find("?")
    if at < 0:
        return Measurement(1.0)
    return Measurement(0.0, evidence=(material.evidence("unsupported", at, at + 1),))


@pytest.fixture
def asks_back(monkeypatch: pytest.MonkeyPatch) -> str:
    """The function, its words, and the tuple's line."""
    monkeypatch.setattr(heuristics, "ALL", (*heuristics.ALL, asks_nothing))
    monkeypatch.setitem(heuristics.BY_NAME, asks_nothing.name, asks_nothing)
    vars(asks_nothing)["texts"] = tomllib.loads(WORDS)
    return asks_nothing.name


def profile(folder: Path, name: str) -> Path:
    file = folder / "asking.toml"
    file.write_text(PROFILE.format(name=name), "utf-8")
    return file


def test_a_heuristic_is_added_by_function_words_and_line(tmp_path: Path, asks_back: str):
    scorer = Scorer.load(profile(tmp_path, asks_back))
    good, bad = (
        scorer.score(Turn("Can I save the file?", answer, PAGES, language="en"))
        for answer in ("You may save it.", "You may save it, right?")
    )
    assert (good.score, good.verdict) == (5.0, "send")
    assert (bad.score, bad.verdict) == (1.0, "block")
    assert [one.text for one in bad.measurements[asks_back].evidence] == ["?"]
    assert heuristic_name(asks_back, "en") == "asks nothing back"
