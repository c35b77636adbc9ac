"""What was found stays mended; a few hundred inputs break nothing; the harness itself works."""

from __future__ import annotations

import dataclasses
import json

import pytest

from klopt import Scorer
from tests.fuzz import checks, running
from tests.fuzz.__main__ import main
from tests.fuzz.inputs import KINDS, Input, made
from tests.fuzz.running import FOUND, ROOT, Tally, problem_of, run

SEED = 1
COUNT = 200


@pytest.fixture(autouse=True, scope="module")
def loaded():
    """What is read once does not count as time of the first input."""
    for profile in ("default", "afas"):
        for language in checks.LANGUAGES:
            checks.scorer(profile).prepare(language)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.json")), ids=lambda path: path.stem)
def test_what_was_found_stays_mended(path):
    assert problem_of(Input.from_json(path.read_text(encoding="utf-8"))) is None


def test_a_few_hundred_inputs_break_nothing(tmp_path):
    tally = run(SEED, 0, COUNT, tmp_path)
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == []
    assert (tally.inputs.total(), tally.compared, tally.findings) == (COUNT, COUNT // 10, [])


def test_an_input_is_made_of_seed_and_number_alone():
    inputs = [made(SEED, number) for number in range(300)]
    assert {one.kind for one in inputs} == set(KINDS)
    assert made(SEED, 17) == inputs[17] != made(SEED + 1, 17)
    assert all(Input.from_json(one.to_json()).to_json() == one.to_json() for one in inputs)


def test_what_breaks_is_kept_with_as_little_text_as_breaks(tmp_path, monkeypatch):
    def score(self, turn, *, measure_all=False):
        if "e" in turn.answer:
            raise ValueError(turn.answer[:5])
        return scores(self, turn, measure_all=measure_all)

    scores = Scorer.score
    monkeypatch.setattr(Scorer, "score", score)
    tally = run(SEED, 0, 10, tmp_path)
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(tmp_path.iterdir())]
    assert len(tally.findings) >= len(kept) > 1
    assert {one["fields"]["answer"] for one in kept} == {"e"}
    assert all(one["problem"].startswith("ValueError") for one in kept)
    assert {one["number"] for one in kept} <= set(tally.findings)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"score": 5.5}, "the score is not 1 to 5"),
        ({"verdict": "unscored"}, "a verdict of none"),
        ({"status": "done"}, "an unknown status"),
        ({"reason": "because"}, "a reason"),
        ({"span": (0, 10_000)}, "what decided the type lies outside its text"),
    ],
)
def test_an_assessment_that_is_not_whole_is_told(monkeypatch, wrong, says):
    fields = {"question": "Kan dat?", "answer": "U kunt dat aanpassen.", "profile": "default"}
    one = Input("turn", {**fields, "contexts": [{"text": "U kunt dit aanpassen."}]})
    scores = Scorer.score

    def score(self, turn, **options):
        return dataclasses.replace(scores(self, turn, **options), **wrong)

    assert problem_of(one) is None
    monkeypatch.setattr(Scorer, "score", score)
    assert (problem_of(one) or "").startswith(says)


def test_another_result_in_another_process_is_told(monkeypatch):
    number = next(number for number in range(100) if made(SEED, number).kind == "message")
    one = made(SEED, number)
    assert problem_of(one, (SEED, number)) is None
    monkeypatch.setattr(running, "outcome", lambda one: checks.outcome(one) + " ")
    assert problem_of(one, (SEED, number)) == "another process comes to another result"


def test_an_input_that_takes_too_long_is_told(monkeypatch):
    monkeypatch.setattr(running, "MOST_S", -1e6)
    assert (problem_of(made(SEED, 0)) or "").startswith("TooSlowError")


def test_a_run_goes_on_where_the_last_one_ended(tmp_path, capsys):
    state, figures = tmp_path / "state.json", tmp_path / "figures.json"

    def command(*arguments):
        return main([f"--state={state}", f"--found={tmp_path}", *arguments])

    assert command("--count=3") == 0
    assert command("--count=2", f"--record={figures}") == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("seed 13: 5 inputs of ")
    assert Tally.load(state, 13) == Tally.load(figures, 13)
    assert Tally.load(state, 13).next == 5
    assert command("--from=1", "--count=1") == 0
    assert capsys.readouterr().out.startswith("seed 13: 1 inputs of ")
    assert Tally.load(state, 13) == Tally.load(figures, 13)
    with pytest.raises(SystemExit):
        command()
    assert "give --count or --seconds" in capsys.readouterr().err


def test_the_docs_say_what_was_run():
    tally = Tally.load(ROOT / "benchmarks" / "fuzz.json", 13)
    assert f"\n{tally}\n" in (ROOT / "docs" / "fuzzing.md").read_text(encoding="utf-8")
    assert tally.findings == []
