"""What is shown of companies that were tuned."""

from __future__ import annotations

import json

import pytest

from benchmarks import tuned
from tests.conftest import ROOT

FIGURES = json.loads(tuned.OUTPUT.read_text("utf-8"))
PAGE = (ROOT / "docs/guide.md").read_text("utf-8")


def test_splits_become_a_mean_with_the_lowest_and_the_highest():
    one = {"spearman": 0.4, "auc": 0.7, "untrue_of_sent": [1, 5], "sent_of_true": [4, 9]}
    other = {"spearman": 0.5, "auc": 0.8, "untrue_of_sent": [0, 5], "sent_of_true": [5, 8]}
    assert tuned._summed([one, other]) == {
        "spearman": [pytest.approx(0.45), 0.4, 0.5],
        "auc": [pytest.approx(0.75), 0.7, 0.8],
        "untrue_of_sent": [1, 10],
        "sent_of_true": [9, 17],
    }


def test_the_guide_has_the_figures_as_they_are_printed():
    for line in tuned.shown(FIGURES).splitlines():
        assert line in PAGE
