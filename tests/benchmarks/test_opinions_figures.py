"""What the benchmark of second opinions counts, by hand."""

from __future__ import annotations

import json

import pytest

from benchmarks import opinions
from klopt import Measurement, Turn
from klopt.evaluation.asked import Outcome
from klopt.measurement import Evidence
from klopt.scoring.learnt_rows import row_of
from klopt.tuning.lines import Lines
from klopt.tuning.samples import Sample
from training.profile import base_profile
from training.rated_turns import Centre

CENTRE = Centre("wad", "nl", "turns.jsonl", "nl")
LINES = Lines(2.0, 4.0)
ROWS = [
    {"id": "a", "question": "Kan dat?", "answer": "Ja.", "rating": 5, "rating_blind": 4},
    {"id": "b", "question": "Kan dit?", "answer": "Nee.", "rating": 1, "rating_blind": 1},
]


def sample(row: dict, *faults: Evidence) -> Sample:
    names = {"abstention", *base_profile().review_on}
    found = {name: Measurement(1.0) for name in names}
    found["weakest_statement"] = Measurement(0.1, evidence=faults)
    known_by = row_of(row["question"], row["answer"])
    return Sample(found, row["rating"], "nl", "page", row=known_by, held=bool(faults))


def test_blind_ratings_are_replayed_from_a_file(tmp_path):
    (tmp_path / "turns.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    recorded = opinions.record(CENTRE, tmp_path, tmp_path)
    turns = {
        row_of(row["question"], row["answer"]): Turn(row["question"], row["answer"], id=row["id"])
        for row in ROWS
    }
    fault = Evidence("unsupported", "Nee.", 0, 4)
    own = [sample(ROWS[0]), sample(ROWS[1], fault)]
    found = opinions.advised(own, [3.0, 4.5], LINES, turns, recorded)
    assert [one.before for one in found] == [Outcome(3.0, "review"), Outcome(4.5, "review")]
    assert [one.after for one in found] == [Outcome(4.0, "send"), Outcome(1.0, "block")]
    assert [(one.judgement, one.is_untrue) for one in found] == [(5, False), (1, True)]


def test_a_share_of_them_is_turned_round(tmp_path):
    (tmp_path / "turns.jsonl").write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    recorded = opinions.record(CENTRE, tmp_path, tmp_path, wrong=1.0)
    said = [recorded.ask(opinions.Asked(Turn("", "", id=id))).truth for id in ("a", "b")]
    assert said == [0.25, 1.0]


def test_what_a_question_costs():
    from klopt.models.calls import Call

    calls = [(Call("a", "t", "", "x" * 400, "y" * 400), 2)]
    found = opinions._cost("statements", calls)
    assert (found["tokens_in"], found["tokens_out"]) == (200, 75)
    assert found["usd"] == pytest.approx((200 * 0.15 + 75 * 0.60) / 1e6, abs=1e-6)


def test_without_the_data_it_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["opinions", "--data", str(tmp_path / "none")])
    opinions.main()
    assert "no company can be left out" in capsys.readouterr().out
