"""What the benchmark of few ratings counts, by hand, and that the guide has its figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import learning
from benchmarks.learning_tables import DUTCH, LABELLED, lines_table, table
from klopt.tuning.lines import Sent
from tests.tuning.judged import judged, many, profile

FOUND = json.loads(learning.OUTPUT.read_text("utf-8"))
GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text("utf-8")


def test_the_guide_has_the_tables_as_they_are_printed():
    for places in (DUTCH, [LABELLED]):
        assert table(FOUND, places) in GUIDE
    shipped = [f"{one['spearman'][0]:.2f}" for one in FOUND[LABELLED]["near_6"].values()]
    assert "{}, {}, {}\n  and {}; the last".format(*shipped) in GUIDE
    assert lines_table(FOUND, [name for name in FOUND if name != LABELLED]) in GUIDE


def test_pages_of_what_is_learnt_from_are_not_in_the_part_that_is_scored():
    place = learning.Place("wad", many(60), profile())
    for part, others in learning.drawn(place, 3):
        assert not {one.group for one in part} & {one.group for one in others}
        assert len(part) + len(others) == 60
    assert list(learning.drawn(place, 3)) == list(learning.drawn(place, 3))
    assert list(learning.drawn(place, 3)) != list(learning.drawn(place, 4))


def test_figures_of_a_part_by_hand():
    """Of the true 5 and 4 the 5 alone is sent; of two untrue ones the one at 4 is."""
    part = [judged(rating) for rating in (5, 4, 3, 2, 1)]
    found = learning.figure([4.5, 3.0, 2.0, 4.0, 1.0], part, 3.5)
    assert found.spearman == pytest.approx(0.7)
    assert (found.auc, found.sent) == (0.75, Sent(2, 1, 1, 5, 2))
    assert learning.figure([4.0, 4.5], [judged(5), judged(4)], 3.0).auc is None


def test_the_nearness_is_chosen_by_other_companies():
    def ways(best: float) -> dict:
        return {
            f"near_{one:g}": {"25": {"spearman": [0.5 if one == best else 0.4]}}
            for one in learning.NEARNESS
        }

    curves = {"a nl": ways(3.0), "a en": ways(3.0), "b nl": ways(12.0), "c nl": ways(12.0)}
    companies = {name: name[0] for name in curves}
    assert learning.chosen_elsewhere(curves, companies, "a nl") == 12.0
    del curves["c nl"]
    assert learning.chosen_elsewhere(curves, companies, "b nl") == 3.0


def test_fifty_tell_whether_they_brought_anything_and_25_do_not():
    """How much of what a fit brings is had by taking it only where it is better held out."""
    kept, fitted, before = (
        {count: one["spearman"][0] for count, one in FOUND[LABELLED][way].items()}
        for way in ("where_better", "near_6", "default")
    )
    brought = {count: (kept[count] - before["0"]) / (fitted[count] - before["0"]) for count in kept}
    assert brought["25"] < 0.8 < 0.9 < brought["50"]
