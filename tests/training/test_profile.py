"""`make profile` on the demo company, not the real help centre: all its steps, no quality."""

from __future__ import annotations

import dataclasses
import itertools
import sys
from pathlib import Path

import pytest

from klopt import Page, Profile, Turn
from klopt.scoring.profile import BUILT_IN
from klopt.scoring.tree import Weigh
from training import profile as training
from training.rated_turns import demo_turns

DEMO = Path(__file__).parent.parent.parent / "data" / "demo"
DATA = Path("the data")
SOLUTION = (
    "# Printer\n\nThe printer stops.\n\n## Resolving the problem\n\nRestart printer {number}."
)


def demo(language: str) -> list[Turn]:
    """Rated turns of a language, twice each, so that English has enough of them too."""
    own = [turn for turn in demo_turns() if turn.language == language]
    return [dataclasses.replace(turn, id=f"{turn.id}-{n}") for n in (1, 2) for turn in own[:16]]


def pages(language: str) -> list[Page]:
    files = sorted((DEMO / "pages" / language).glob("*.md"))[:6]
    return [Page(file.read_text("utf-8"), id=file.name) for file in files]


def labelled() -> list[Turn]:
    """Answers that give a page's solution, or another page's."""
    return [
        Turn(
            f"Why does printer {number} stop?",
            f"Restart printer {number}." if right else "Buy a new scanner and call support.",
            [Page(SOLUTION.format(number=number), id=f"{number}.md")],
            language="en",
            label=right,
        )
        for number, right in itertools.product(range(12), (True, False))
    ]


@pytest.fixture(scope="module")
def small():
    """The training on small sets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "real_turns", lambda data: demo("nl"))
        patch.setattr(training, "english_turns", lambda data: demo("en"))
        patch.setattr(training, "real_pages", lambda data, language: pages(language))
        patch.setattr(training, "techqa_turns", lambda data: labelled())
        patch.setattr(training, "MADE_COUNT", 12)
        patch.setattr(
            training, "Settings", lambda **given: training_settings(**{**given, "folds": 2})
        )
        yield


training_settings = training.Settings


def test_the_base_has_the_heuristics_of_the_default_profile_and_no_weights():
    base, default = training.base_profile(), Profile.load("default")
    assert base.weights == default.weights
    assert base.options == default.options
    assert base.tree[-1] == default.tree[-1]
    assert isinstance(base.tree[-1], Weigh)
    assert {node.node for node in default.tree} <= {node.node for node in base.tree}
    assert {(one.base, len(one.terms)) for one in base.evidence.values()} == {(0.0, 0)}
    assert set(training.LABELLED) <= set(base.tree[-1].heuristics)
    assert training.OUTPUT.stem in BUILT_IN


@pytest.mark.slow
def test_all_steps(small, tmp_path, monkeypatch, capsys):
    output = tmp_path / "default.toml"
    monkeypatch.setattr(sys, "argv", ["profile", "--data", str(tmp_path), "-o", str(output)])
    training.main()
    profile = Profile.load(output)
    base = training.base_profile()
    assert (profile.name, profile.weights) == ("default", base.weights)
    terms = {name: set(one.terms) for name, one in profile.evidence.items()}
    assert terms["nl"]
    assert "solution_coverage" in terms["en"]
    head = output.read_text("utf-8").partition("[profile]")[0]
    said = capsys.readouterr().out
    for what in ("Rated turns, nl", "Rated turns, en", "TechQA answers, en"):
        assert f"{what}, held out by page:\n" in said
        assert f"# {what}, held out by page:\n" in head
    assert said.endswith(f"Written to {output}\n")
    assert str(tmp_path) not in head


def test_data_that_are_not_there(tmp_path, monkeypatch):
    missing = tmp_path / "weg"
    monkeypatch.setattr(sys, "argv", ["profile", "--data", str(missing)])
    with pytest.raises(SystemExit) as stop:
        training.main()
    assert stop.value.code == (
        f"There is no folder {missing}: the default profile is learnt from it."
    )
