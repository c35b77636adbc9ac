"""`make profile` on the demo company: its steps, not its quality."""

import itertools
import sys
from pathlib import Path

import pytest

from klopt import Page, Profile, Turn
from klopt.scoring.tree import Weigh
from klopt.verification import VerifierWeights
from training import profile as training
from training.answers import Labelled
from training.rated_turns import demo_turns

SOLUTION = (
    "# Printer\n\nThe printer stops.\n\n## Resolving the problem\n\nRestart printer {number}."
)


def labelled() -> list[Turn]:
    """Return answers with the solution of their page, or with another one."""
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


def test_the_base_has_the_heuristics_of_the_default_profile_and_no_weights():
    base, default = training.base_profile(), Profile.load("default")
    assert base.weights == default.weights
    assert base.options == default.options
    assert base.tree[-1] == default.tree[-1]
    assert isinstance(base.tree[-1], Weigh)
    assert {node.node for node in default.tree} <= {node.node for node in base.tree}
    assert {(one.base, len(one.terms)) for one in base.evidence.values()} == {(0.0, 0)}
    assert set(training.LABELLED) <= set(base.tree[-1].heuristics)


def real(data: Path, *names: str) -> list[Labelled]:
    """Return the demo company's turns twice, as labelled answers."""
    return [
        Labelled("demo", "demo", turn, turn.rating > 3)
        for turn in demo_turns() * 2
        if turn.rating is not None
    ]


@pytest.mark.slow
def test_the_command_writes_a_profile(tmp_path, monkeypatch, capsys):
    (tmp_path / "real").mkdir()
    monkeypatch.setattr(training, "real_answers", real)
    monkeypatch.setattr(training, "pairs", lambda data: [])
    monkeypatch.setattr(training, "trained_without", lambda group: VerifierWeights.load())
    monkeypatch.setattr(training, "techqa_turns", lambda data: labelled())
    output = tmp_path / "default.toml"
    monkeypatch.setattr(sys, "argv", ["profile", "--data", str(tmp_path), "-o", str(output)])
    training.main()
    profile = Profile.load(output)
    base = training.base_profile()
    assert (profile.name, profile.weights) == ("default", base.weights)
    terms = {name: set(one.terms) for name, one in profile.evidence.items()}
    labelled_terms = set(training.LABELLED)
    assert terms["nl"] - labelled_terms == terms["en"] - labelled_terms
    assert "solution_coverage" in terms["en"]
    assert profile.block_below <= profile.send_from
    output_text = capsys.readouterr().out
    assert output_text.startswith(
        f"block below {profile.block_below:g}, send from {profile.send_from:g}"
    )
    assert output_text.endswith(f"Written to {output}\n")
    assert str(tmp_path) not in output.read_text("utf-8")
