"""What the accuracy benchmark adds to `klopt.evaluation`."""

from __future__ import annotations

import pytest

from benchmarks import targets, text_tables
from benchmarks.held_out import WHOLE, Variant, linked, rescored, variants
from benchmarks.over_seeds import OverSeeds, by_system, mean_auc
from klopt import Scorer, Turn
from klopt.evaluation import Estimate
from klopt.evaluation.rated import Rated
from klopt.scoring.tree import Cut, Weigh
from training.profile import LABELLED, base_profile

PAGE = "Klik op **Orlinde**. Daarna klik je op **Opslaan**."


def judged(scores_by_system: dict[str, list[tuple[float, bool]]]) -> list[Rated]:
    assessment = Scorer.load("afas").score(Turn("Kan dat?", "Klik op **Orlinde**.", [PAGE]))
    every = [(name, *one) for name, some in scores_by_system.items() for one in some]
    return [
        Rated(
            place,
            Turn("Kan dat?", "Ja.", [PAGE], label=label, meta={"system": name}),
            assessment,
            score,
        )
        for place, (name, score, label) in enumerate(every)
    ]


def test_the_mean_auc_is_that_of_the_systems_and_not_of_all_answers_together() -> None:
    rows = judged(
        {
            "b": [(4.0, False), (5.0, True), (4.0, False), (5.0, True)],
            "a": [(1.0, False), (2.0, True), (1.5, True), (1.5, False)],
        }
    )
    assert list(by_system(rows)) == ["a", "b"]
    found = mean_auc(rows)
    assert found.value == pytest.approx((3.5 / 4 + 1.0) / 2)
    assert found.n == 8


def test_without_systems_there_is_no_mean_auc() -> None:
    assert mean_auc([]).value is None


@pytest.mark.parametrize(
    ("pairs", "groups"),
    [
        ([], {}),
        ([("a", "x")], {"a": "a", "x": "a"}),
        ([("a", "x"), ("b", "y")], {"a": "a", "x": "a", "b": "b", "y": "b"}),
        ([("a", "x"), ("b", "y"), ("b", "x")], {"a": "a", "x": "a", "b": "a", "y": "a"}),
        ([("c", "x"), ("a", "x"), ("c", "z")], {"a": "a", "c": "a", "x": "a", "z": "a"}),
    ],
)
def test_pages_that_one_answer_or_its_translation_rests_on_are_one_group(
    pairs: list[tuple[str, str]], groups: dict[str, str]
) -> None:
    assert linked(pairs) == groups


def test_every_heuristic_and_every_cut_is_left_out_once() -> None:
    base = base_profile()
    for variant in variants():
        tree = variant.profile().tree
        last, whole = tree[-1], base.tree[-1]
        assert isinstance(last, Weigh)
        assert isinstance(whole, Weigh)
        assert set(whole.heuristics) - set(last.heuristics) == {variant.unweighed} - {None}
        gone = {node.heuristic for node in base.tree if isinstance(node, Cut)} - {
            node.heuristic for node in tree if isinstance(node, Cut)
        }
        assert gone == {variant.uncut} - {None}
    assert WHOLE.profile().tree == base.tree


def test_a_heuristic_that_is_left_out_is_not_learnt_from_labels_either() -> None:
    assert WHOLE.labelled == LABELLED
    assert LABELLED[0] not in Variant("without", unweighed=LABELLED[0]).labelled


def test_rows_without_a_score_are_left_out() -> None:
    rows = judged({"a": [(1.0, False), (2.0, True)]})
    assert [(row.place, row.score) for row in rescored(rows, [None, 4.1234567])] == [(1, 4.123457)]


@pytest.mark.parametrize(
    ("figure", "mean", "met"),
    [
        ("Spearman's rho", 0.55, True),
        ("Spearman's rho", 0.5499, False),
        ("rated 5 and below 3", 0.10, True),
        ("rated 5 and below 3", 0.1001, False),
    ],
)
def test_a_target_is_met_at_its_edge_and_never_by_rounding(
    figure: str, mean: float, met: bool
) -> None:
    one = OverSeeds(mean, mean, mean, Estimate(mean, n=9, reason="few"), 1)
    high = OverSeeds(1.0, 1.0, 1.0, Estimate(1.0, n=9, reason="few"), 1)
    found = {t.data_set: {} for t in targets.TARGETS}
    for target in targets.TARGETS:
        found[target.data_set][target.figure] = one if target.figure == figure else high
    results = {result.target.figure: result.met for result in targets.results(found)}
    assert results[figure] is met


def test_lines_have_no_blanks_at_the_end() -> None:
    lines = text_tables.grid("Title", ["", "n", "p"], [["all", "10", ""]])
    assert lines == ["", "Title", "        n  p", "  all  10"]
