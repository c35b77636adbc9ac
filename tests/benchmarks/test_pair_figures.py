"""What the benchmark of pairs counts, by hand."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from benchmarks import pairs
from training.pair_rows import PairRow, pair_rows


def judged(
    true: float, untrue: float, words_alone: float = 0.0, *, sent: bool = False, named: bool = False
) -> pairs.Judged:
    answers = ("Ja.", "Nee.", (0, 3), "Het mag.")
    row = PairRow("bc", "nl", "p", "bc-nl", ("a.md",), "Mag het?", *answers, words_alone, "role")
    return pairs.Judged(row, true, untrue, (True, sent), named)


@pytest.mark.parametrize(
    ("true", "untrue", "share"),
    [
        ([4.0, 3.0], [2.0, 2.0], 1.0),
        ([4.0, 3.0], [4.0, 2.0], 0.75),
        ([4.0, 2.0], [4.0, 2.0], 0.5),
        ([1.0, 2.0], [4.0, 3.0], 0.0),
        ([], [], None),
    ],
)
def test_a_tie_counts_half(true, untrue, share):
    assert pairs.above(np.array(true), np.array(untrue)) == share


def test_the_line_sends_at_least_its_share_of_the_true_ones():
    assert pairs.line_of(np.array([1.0, 2.0, 3.0, 4.0, 5.0])) == 3.0
    assert pairs.line_of(np.array([5.0, 5.0, 5.0, 1.0])) == 5.0
    assert pairs.line_of(np.array([2.0])) == 2.0


def test_figures_of_four_pairs():
    some = [
        judged(4.0, 3.0, 0.1, sent=True),
        judged(3.0, 3.5, -0.1, named=True),
        judged(3.0, 3.0, 0.2),
        judged(2.0, 1.0, 0.0),
    ]
    found = pairs.figures(some)
    assert (found["n"], found["above"], found["hard"], found["hard_above"]) == (4, 0.625, 2, 0.5)
    assert found["untrue_over_line"] == 0.75
    assert (found["true_sent"], found["untrue_sent"]) == (1.0, 0.25)
    assert found["held_named"] == pytest.approx(1 / 3, abs=0.001)


def test_the_worst_is_the_lowest_where_more_is_better_and_the_highest_where_less_is():
    centres = {
        "bc nl": pairs.figures([judged(4.0, 3.0), judged(3.0, 2.0)]),
        "sp en": pairs.figures([judged(3.0, 4.0, sent=True)]),
    }
    found = pairs.over_all(centres)
    assert (found["mean"]["n"], found["mean"]["above"], found["worst"]["above"]) == (3, 0.5, 0.0)
    assert (found["worst"]["untrue_over_line"], found["worst"]["untrue_sent"]) == (1.0, 1.0)
    assert found["mean"]["held_named"] == 0.0, "a centre of which none is held back has no share"


def test_pairs_are_read_with_their_company_and_without_those_in_another_language(tmp_path):
    row = {
        "id": "p1", "help": "shop-en", "page": "a.md", "question": "May I?", "true": "Yes, today.",
        "untrue": "Yes, tomorrow.", "untrue_span": "tomorrow", "page_says": "today",
        "words_alone": 0.0, "kind": "number",
    }  # fmt: skip
    (tmp_path / "pairs").mkdir()
    for name in ("shop-en", "shop-en-2", "x-shop-nl"):
        text = json.dumps({**row, "page": ["a.md", "b.md"] if name.endswith("2") else "a.md"})
        (tmp_path / "pairs" / f"{name}.jsonl").write_text(text + "\n", encoding="utf-8")
    found = list(pair_rows(tmp_path))
    assert [(one.centre, one.pages) for one in found] == [
        ("shop en", ("a.md", "b.md")),
        ("shop en", ("a.md",)),
    ]
    assert found[0].untrue[slice(*found[0].untrue_span)] == "tomorrow"
    assert found[0].is_hard


def test_without_the_pairs_none_is_scored(monkeypatch, capsys, tmp_path):
    output = tmp_path / "pairs.json"
    monkeypatch.setattr(sys, "argv", ["pairs", "--data", str(tmp_path), "-o", str(output)])
    pairs.main()
    assert "none is scored" in capsys.readouterr().out
    assert not output.exists()
