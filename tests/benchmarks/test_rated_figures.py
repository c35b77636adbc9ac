"""What the accuracy benchmark adds to `klopt.evaluation`."""

from __future__ import annotations

import pytest

from benchmarks import labelled, text_tables
from benchmarks.rated_figures import by_system, mean_auc
from klopt import Scorer, Turn
from klopt.evaluation.rated import Rated

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


def test_labelled_answers_to_one_question_are_held_out_together(monkeypatch) -> None:
    seen = []

    def held_out_scores(samples, profile, settings):
        seen.extend(samples)
        assert (profile.name, settings.folds) == ("default", 5)
        return [None, 4.1234567]

    monkeypatch.setattr(labelled, "held_out_scores", held_out_scores)
    rows = judged({"a": [(1.0, False)], "b": [(2.0, True)]})
    assert [(row.place, row.score) for row in labelled.held_out(rows)] == [(1, 4.123457)]
    assert {one.group for one in seen} == {"Kan dat?"}


def test_lines_have_no_blanks_at_the_end() -> None:
    lines = text_tables.grid("Title", ["", "n", "p"], [["all", "10", ""]])
    assert lines == ["", "Title", "        n  p", "  all  10"]
