"""What the benchmark of claims counts, by hand."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks import claims
from klopt.comparing.comparator import joined
from training import joining
from training.claims import FOLDS, Example

SURE = np.eye(3, dtype=np.float32) * 0.8 + 0.1


def example(company: str, language: str, label: int, claim_only: int) -> Example:
    return Example(company, language, (), 0, label, tuple(np.eye(3)[claim_only]))


def test_right_and_areas_are_of_the_claims_alone():
    found = claims.figures(SURE[[0, 1, 0, 2]], np.array([0, 1, 2, 2]))
    assert found == {
        "right": 0.75,
        "auc_supported": pytest.approx(2.5 / 3, abs=0.001),
        "auc_contradicted": 1.0,
        "auc_not_stated": 0.75,
    }


def test_hard_are_the_claims_whose_words_point_to_another_label():
    rows = [example("bc", "nl", 0, 0), example("hr", "nl", 1, 0), example("bc", "en", 2, 0)]
    found = claims.by_group(rows, {"both": SURE[[0, 0, 2]]})
    assert list(found) == ["bc+hr+bank nl", "bc+hr+bank en", "all"]
    assert {name: (one["all"]["n"], one["hard"]["n"]) for name, one in found.items()} == {
        "bc+hr+bank nl": (2, 1),
        "bc+hr+bank en": (1, 1),
        "all": (3, 2),
    }
    assert found["bc+hr+bank nl"]["hard"]["both"]["right"] == 0.0
    assert found["all"]["all"]["both"]["right"] == pytest.approx(2 / 3, abs=0.001)


def test_every_kind_is_told_beside_its_label():
    rows = [example("bc", "nl", 0, 0), example("bc", "nl", 1, 0), example("bc", "nl", 1, 0)]
    assert claims.by_kind(rows, ["close", "value", "value"], SURE[[0, 1, 2]]) == [
        ["supported", "close", "1", "1.00"],
        ["contradicted", "value", "2", "0.50"],
    ]


def test_what_was_learnt_without_its_company_compares_each_claim(monkeypatch):
    asked = []
    monkeypatch.setattr(joining, "numbers_of", lambda some: [np.zeros((len(some), 2))])

    class Stored:
        def __init__(self, company: str) -> None:
            asked.append(company)
            self.network = company
            self.weighing = lambda numbers: np.full((len(numbers), 3), 0.5)

    class Coordinates:
        coordinates = np.zeros((0, 2))

    monkeypatch.setattr(joining, "learnt_without", Stored)
    monkeypatch.setattr(
        joining, "chances", lambda network, some, _: np.full((len(some), 3), len(network) / 10)
    )
    rows = [example("alch", "nl", 0, 0), example("gnome", "nl", 0, 0)]
    found = claims.thought(rows, Coordinates())
    assert asked == [fold[0] for fold in FOLDS]
    assert found["network"][:, 0] == pytest.approx([0.4, 0.5])
    assert found["slots"][:, 0] == pytest.approx([0.5, 0.5])
    assert np.array_equal(found["both"], joined(found["network"], found["slots"]))


def test_what_two_count_together_is_regressed():
    labels = np.array([0, 1, 2] * 40)
    sure, blind = np.log(SURE[labels]), np.log(np.full((120, 3), 1 / 3))
    counts = joining.regressed([blind, sure], np.zeros((120, 3)), labels)
    assert counts[1] > 1
    known = np.log(SURE[np.where(labels == 1, 0, labels)])
    leant = joining.regressed([blind, blind], known, labels)
    assert leant[3] > leant[2]  # what words alone give away is not learnt again


def test_without_the_claims_none_is_compared(monkeypatch, capsys, tmp_path):
    output = tmp_path / "claims.json"
    arguments = ["claims", "--data", str(tmp_path), "-o", str(output)]
    monkeypatch.setattr(sys, "argv", arguments)
    claims.main()
    assert "none is compared" in capsys.readouterr().out
    assert not output.exists()
