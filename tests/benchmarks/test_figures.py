"""What the benchmarks count, by hand; and that the guide has the figures that were stored."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks import claims, learning, pairs
from tests.conftest import ROOT
from training.claims import Example, figures
from training.command import given
from training.pair_rows import PairRow, pair_rows

SURE = np.eye(3, dtype=np.float32) * 0.8 + 0.1
LEARNT = json.loads((ROOT / "benchmarks" / "learning.json").read_text("utf-8"))
GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8")


def test_without_the_data_nothing_is_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["pairs", "--data", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        given("", needs="pairs")
    assert stop.value.code == 0
    assert capsys.readouterr().out.endswith("pairs: nothing is measured or learnt.\n")


def claim(company: str, language: str, label: int, claim_only: int) -> Example:
    return Example(company, language, None, 0, label, tuple(np.eye(3)[claim_only]))


def test_right_areas_and_kinds_of_claims():
    assert figures(SURE[[0, 1, 0, 2]], np.array([0, 1, 2, 2])) == {
        "right": 0.75,
        "auc_supported": pytest.approx(2.5 / 3, abs=0.001),
        "auc_contradicted": 1.0,
        "auc_not_stated": 0.75,
    }
    rows = [claim("bc", "nl", 0, 0), claim("bc", "nl", 1, 0), claim("bc", "nl", 1, 0)]
    assert claims.by_kind(rows, ["close", "value", "value"], SURE[[0, 1, 2]]) == [
        ["supported", "close", "1", "1.00"],
        ["contradicted", "value", "2", "0.50"],
    ]


def test_hard_are_the_claims_whose_words_point_to_another_label():
    rows = [claim("bc", "nl", 0, 0), claim("hr", "nl", 1, 0), claim("bc", "en", 2, 0)]
    found = claims.by_group(rows, {"both": SURE[[0, 0, 2]]})
    counts = {name: group["both"]["n"] for name, group in found.items()}
    assert counts == {"all": 3, "nl": 2, "en": 1, "hard": 2}
    assert found["nl"]["both"]["right"] == 0.5
    assert found["all"]["both"]["right"] == pytest.approx(2 / 3, abs=0.001)


def pair(
    true: float, untrue: float, words_alone: float = 0.0, *, sent: bool = False, named: bool = False
) -> pairs.Judged:
    answers = ("Ja.", "Nee.", (0, 3))
    row = PairRow("bc", "nl", "bc-nl", ("a.md",), "Mag het?", *answers, words_alone, "role")
    return pairs.Judged(row, (true, untrue), (True, sent), named)


def test_figures_of_pairs():
    found = pairs.figures(
        [
            pair(4.0, 3.0, 0.1, sent=True),
            pair(3.0, 3.5, -0.1, named=True),
            pair(3.0, 3.0, 0.2),
            pair(2.0, 1.0, 0.0),
        ]
    )
    assert (found["n"], found["above"], found["hard"], found["hard_above"]) == (4, 0.625, 2, 0.5)
    assert found["untrue_over_line"] == 0.75
    assert (found["true_sent"], found["untrue_sent"]) == (1.0, 0.25)
    assert found["held_named"] == pytest.approx(1 / 3, abs=0.001)
    centres = {
        "bc nl": pairs.figures([pair(4.0, 3.0), pair(3.0, 2.0)]),
        "sp en": pairs.figures([pair(3.0, 4.0, sent=True)]),
    }
    mean, worst = pairs.over_all(centres).values()
    assert (mean["n"], mean["above"], worst["above"]) == (3, 0.5, 0.0)
    assert (worst["untrue_over_line"], worst["untrue_sent"]) == (1.0, 1.0)
    assert mean["held_named"] == 0.0, "a centre of which none is held back has no share"


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


def test_the_guide_has_what_few_ratings_are_worth_as_it_is_printed():
    for places in (learning.DUTCH, [learning.LABELLED]):
        assert learning.table(LEARNT, places) in GUIDE
    shipped = [f"{one['spearman']:.2f}" for one in LEARNT[learning.LABELLED]["near_6"].values()]
    assert "{}, {}, {}\n  and {}; the last".format(*shipped) in GUIDE
    centres = [name for name in LEARNT if name != learning.LABELLED]
    assert learning.lines_table(LEARNT, centres) in GUIDE
