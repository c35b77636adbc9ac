"""Numbers from elsewhere beside klopt's score."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from klopt import Scorer, Turn
from klopt.evaluation import InputColumn, NumberColumn, Resampling, agreement, evaluate
from klopt.evaluation.agreement import auc, auc_difference, spearman_difference
from klopt.evaluation.columns import column_agreement
from tests.evaluation.rated_rows import judged

FEW = Resampling(resamples=100)
RATINGS = (1, 2, 2, 3, 4, 5, 5, 1, 4, 3, 2, 5)
BLEU = (0.1, 0.3, 0.2, 0.2, 0.6, 0.5, 0.9, 0.4, 0.4, 0.1, 0.1, 0.8)
SCORES = (1.0, 1.5, 3.0, 2.5, 4.0, 3.5, 5.0, 2.0, 3.0, 4.5, 1.0, 4.0)
FIGURES = ("spearman", "kendall", "pearson")
DIFFERENCES = ("spearman_difference", "auc_difference")


def rows(ratings=RATINGS, scores=SCORES):
    found = [judged(score, rating) for score, rating in zip(scores, ratings, strict=True)]
    return [dataclasses.replace(row, place=place) for place, row in enumerate(found)]


def beside(values, *, ratings=RATINGS, scores=SCORES, kept=None):
    every = rows(ratings, scores)
    turns = [row.turn for row in every]
    return column_agreement(
        NumberColumn("x", tuple(values)), turns, every if kept is None else kept(every), FEW
    )


def test_the_figures_are_those_of_a_score():
    found = beside(BLEU)
    for name in FIGURES:
        assert getattr(found, name) == getattr(agreement, name)(BLEU, RATINGS, FEW)
    sided = [
        (value, rating > 3) for value, rating in zip(BLEU, RATINGS, strict=True) if rating != 3
    ]
    assert found.auc == auc(*zip(*sided, strict=True), FEW)
    assert (found.name, found.n, found.missing_count) == ("x", 12, 0)


def test_the_difference_is_that_of_two_scorers_on_the_same_rows():
    values = (*BLEU[:-1], None)
    found = beside(values)
    wanted = spearman_difference(SCORES[:-1], BLEU[:-1], RATINGS[:-1], FEW).estimate
    assert found.spearman_difference == wanted
    decided = zip(SCORES[:-1], BLEU, [rating > 3 for rating in RATINGS], RATINGS, strict=False)
    first, second, truth, _ = zip(*(row for row in decided if row[-1] != 3), strict=True)
    assert found.auc_difference == auc_difference(first, second, truth, FEW).estimate
    assert (found.n, found.missing_count) == (11, 1)


def test_its_own_figures_rest_on_answers_that_klopt_does_not_score_too():
    found = beside(BLEU, kept=lambda every: every[:10])
    assert (found.n, found.spearman.n, found.auc.n) == (12, 12, 10)
    assert (found.spearman_difference.n, found.auc_difference.n) == (10, 8)
    none = beside(BLEU, kept=lambda _: [])
    assert none.spearman == found.spearman
    assert {getattr(none, name).reason for name in DIFFERENCES} == {"fewer than 3 rows"}


def test_ratings_and_labels_are_not_mixed():
    """A column that stands on labelled rows only has no correlation with ratings."""
    turns = [Turn("Kan dat?", "Ja.", rating=rating) for rating in (1, 3, 5)]
    turns += [Turn("Kan dat?", "Ja.", label=one) for one in (True, False, True)]
    column = NumberColumn("x", (None, None, None, 0.9, 0.1, 0.5))
    found = column_agreement(column, turns, [], FEW)
    assert (found.spearman.value, found.spearman.n) == (None, 0)
    assert (found.auc.value, found.auc.n) == (1, 3)
    assert (found.n, found.missing_count) == (3, 3)


def test_what_differs_by_noise_is_a_tie():
    noisy = (0.1 + 0.2, *BLEU[1:])
    assert noisy[0] != 0.3
    assert beside(noisy) == beside((0.3, *BLEU[1:]))


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 100.0, 1e12, 1e300])
def test_the_scale_does_not_matter(scale):
    found, plain = beside([value * scale for value in BLEU]), beside(BLEU)
    for name in (*FIGURES, "auc", *DIFFERENCES):
        for end in ("value", "low", "high"):
            assert getattr(getattr(found, name), end) == pytest.approx(
                getattr(getattr(plain, name), end), abs=1e-9
            )


PAGE = "# Verlof\n\n1. Klik op **Verlof**.\n2. Klik op **Aanvragen**."
ANSWERS = (("Klik op **Verlof**.", 5), ("Klik op **Intrekken**.", 1), ("", 4))


@pytest.fixture(scope="module")
def turns():
    return [
        Turn("Hoe vraag ik verlof aan?", answer, [PAGE], language="nl", rating=rating)
        for answer, rating in ANSWERS * 5
    ]


def test_a_whole_evaluation(turns):
    values = tuple(
        None if place == 3 else rating / 5 for place, (_, rating) in enumerate(ANSWERS * 5)
    )
    columns = (NumberColumn("b", values), NumberColumn("a", (1.0,) * 15))
    found = evaluate(turns, Scorer.load("afas"), columns=columns, resamples=100).to_dict()
    assert list(found)[-2:] == ["message_types", "columns"]
    first, second = found["columns"]
    assert list(first) == ["name", "n", "missing_count", *FIGURES, "auc", *DIFFERENCES]
    assert (first["name"], first["n"], first["missing_count"]) == ("b", 14, 1)
    assert (first["spearman"]["value"], first["spearman_difference"]["n"]) == (1, 9)
    assert second["spearman"]["reason"] == "all scores are the same"
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    ("columns", "groups", "message"),
    [
        ([NumberColumn("x", (1.0,))], None, 'column "x" has 1 values for 15 turns'),
        ([], InputColumn("team", ("a", "b")), 'column "team" has 2 values for 15 turns'),
        (
            [NumberColumn("x", (1.0,) * 15)] * 2,
            None,
            'two columns are named "x"; give each its own name',
        ),
    ],
)
def test_columns_are_checked_before_anything_is_scored(turns, columns, groups, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        evaluate(turns, None, columns=columns, groups=groups)
