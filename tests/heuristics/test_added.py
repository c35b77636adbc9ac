"""What it takes to add a heuristic: a dummy scores a turn.

It is a function, its words beside it, and a line in the tuple; its case table is the one that
`test_cases` would read. Nothing else is told of it.
"""

import tomllib
from pathlib import Path

import pytest

from klopt import Scorer, Turn, heuristics
from klopt.heuristics import Material, Options
from klopt.heuristics.declaration import heuristic
from klopt.scoring.explanation import heuristic_name
from klopt.types import Measurement

PROFILE = Path(__file__).with_name("added.toml").read_text("utf-8")
WORDS = Path(__file__).with_name("added_words.toml").read_text("utf-8")
PAGES = ["You may save the file."]


@heuristic(reads=("answer",))
def hedges_nothing(material: Material, options: Options) -> Measurement:
    """0 when the answer hedges, else 1."""
    at = material.answer.plain.text.find("maybe")
    if at < 0:
        return Measurement(1.0)
    return Measurement(0.0, evidence=(material.evidence("unsupported", at, at + 5),))


@pytest.fixture
def hedging(monkeypatch):
    """The function, its words, and the tuple's line."""
    monkeypatch.setattr(heuristics, "ALL", (*heuristics.ALL, hedges_nothing))
    monkeypatch.setitem(heuristics.BY_NAME, hedges_nothing.name, hedges_nothing)
    vars(hedges_nothing)["texts"] = tomllib.loads(WORDS)
    return hedges_nothing.name


def profile(folder: Path, name: str) -> Path:
    file = folder / "hedging.toml"
    file.write_text(PROFILE.format(name=name), "utf-8")
    return file


def test_a_heuristic_is_added_by_function_words_and_line(tmp_path, hedging):
    scorer = Scorer.load(profile(tmp_path, hedging))
    good, bad = (
        scorer.score(Turn("Can I save the file?", answer, PAGES, language="en"))
        for answer in ("You may save it.", "You may save it, maybe.")
    )
    assert (good.score, good.verdict) == (5.0, "send")
    assert (bad.score, bad.verdict) == (1.0, "block")
    assert [one.text for one in bad.measurements[hedging].evidence] == ["maybe"]
    assert heuristic_name(hedging, "en") == "hedges nothing"
