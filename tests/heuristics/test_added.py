"""A heuristic that is added as CONTRIBUTING describes scores a turn."""

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
    """The function, its texts, and its entry in `ALL`."""
    monkeypatch.setattr(heuristics, "ALL", (*heuristics.ALL, hedges_nothing))
    monkeypatch.setitem(heuristics.BY_NAME, hedges_nothing.name, hedges_nothing)
    vars(hedges_nothing)["texts"] = tomllib.loads(WORDS)
    return hedges_nothing.name


def test_a_heuristic_is_added_by_function_texts_and_entry(tmp_path, hedging):
    file = tmp_path / "hedging.toml"
    file.write_text(PROFILE.format(name=hedging), "utf-8")
    scorer = Scorer.load(file)
    good, bad = (
        scorer.score(Turn("Can I save the file?", answer, PAGES, language="en"))
        for answer in ("You may save it.", "You may save it, maybe.")
    )
    assert (good.score, good.verdict) == (5.0, "send")
    assert (bad.score, bad.verdict) == (1.0, "block")
    assert [one.text for one in bad.measurements[hedging].evidence] == ["maybe"]
    assert heuristic_name(hedging, "en") == "hedges nothing"
