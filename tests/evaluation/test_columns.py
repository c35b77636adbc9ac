"""Numbers from elsewhere beside klopt's score."""

import dataclasses

import pytest

from klopt import Turn
from klopt.evaluation import NumberColumn, Resampling
from klopt.evaluation.agreement import auc_difference, spearman_difference
from klopt.evaluation.features import column_agreement
from tests.evaluation.rated_rows import judged

FEW = Resampling(resamples=100)
RATINGS = (1, 2, 2, 3, 4, 5, 5, 1, 4, 3, 2, 5)
BLEU = (0.1, 0.3, 0.2, 0.2, 0.6, 0.5, 0.9, 0.4, 0.4, 0.1, 0.1, 0.8)
SCORES = (1.0, 1.5, 3.0, 2.5, 4.0, 3.5, 5.0, 2.0, 3.0, 4.5, 1.0, 4.0)
FIGURES = ("spearman", "kendall", "pearson")


def rows(ratings=RATINGS, scores=SCORES):
    found = [judged(score, rating) for score, rating in zip(scores, ratings, strict=True)]
    return [dataclasses.replace(row, place=place) for place, row in enumerate(found)]


def beside(values, *, ratings=RATINGS, scores=SCORES, kept=None):
    every = rows(ratings, scores)
    turns = [row.turn for row in every]
    return column_agreement(
        NumberColumn("x", tuple(values)), turns, every if kept is None else kept(every), FEW
    )


def test_the_difference_is_that_of_two_scorers_on_the_same_rows():
    values = (*BLEU[:-1], None)
    found = beside(values)
    wanted = spearman_difference(SCORES[:-1], BLEU[:-1], RATINGS[:-1], FEW).estimate
    assert found.spearman_difference == wanted
    decided = zip(SCORES[:-1], BLEU, [rating > 3 for rating in RATINGS], RATINGS, strict=False)
    first, second, truth, _ = zip(*(row for row in decided if row[-1] != 3), strict=True)
    assert found.auc_difference == auc_difference(first, second, truth, FEW).estimate
    assert (found.n, found.missing_count) == (11, 1)


PAGE = "# Verlof\n\n1. Klik op **Verlof**.\n2. Klik op **Aanvragen**."
ANSWERS = (("Klik op **Verlof**.", 5), ("Klik op **Intrekken**.", 1), ("", 4))


@pytest.fixture(scope="module")
def turns():
    return [
        Turn(f"Hoe vraag ik verlof aan?{' ' * n}", answer, [PAGE], language="nl", rating=rating)
        for n, (answer, rating) in enumerate(ANSWERS * 5)  # no answer repeats another
    ]
