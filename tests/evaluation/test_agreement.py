"""Every figure of agreement by hand, its identities, and what cannot be computed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.evaluation.agreement import accuracy_margin_1, auc, kendall, pearson, spearman
from klopt.evaluation.agreement import quadratic_weighted_kappa as kappa
from klopt.evaluation.estimate import Resampling

QUICK = Resampling(resamples=50)
CORRELATIONS = (spearman, kendall, pearson)

SCORES = st.floats(1, 5).map(lambda value: round(value, 3))
PAIRS = st.lists(st.tuples(SCORES, st.integers(1, 5)), min_size=3, max_size=40)


def split(pairs):
    return [one for one, _ in pairs], [one for _, one in pairs]


@pytest.mark.parametrize(
    ("figure", "scores", "ratings", "value"),
    [
        # One swap of neighbours: 1 - 6 (1 + 1) / (4 (16 - 1)).
        (spearman, [1, 2, 3, 4], [1, 3, 2, 4], 0.8),
        # Ranks 1, 2.5, 2.5, 4 and 1 to 4: 4.5 / sqrt(4.5 x 5).
        (spearman, [1, 2, 2, 3], [1, 2, 3, 4], 4.5 / math.sqrt(22.5)),
        (spearman, [5, 4, 3, 2], [1, 2, 4, 5], -1.0),
        # Five pairs of six in the same order, one the other way round.
        (kendall, [1, 2, 3, 4], [1, 3, 2, 4], 4 / 6),
        # Tau-b: five concordant, one tied in the scores: 5 / sqrt(5 x 6).
        (kendall, [1, 2, 2, 3], [1, 2, 3, 4], 5 / math.sqrt(30)),
        # Deviations -1, 0, 1 and -4/3, -1/3, 5/3: 3 / sqrt(2 x 14/3).
        (pearson, [1, 2, 3], [1, 2, 4], 3 / math.sqrt(28 / 3)),
        # Observed 1/3; expected 15/9 over all nine pairs; 1 - 0.2.
        (kappa, [1, 2, 3], [1, 3, 3], 0.8),
        # 2.5 is three stars, 2.49 two.
        (kappa, [1, 2.5, 2.49], [1, 3, 2], 1.0),
        (kappa, [3, 3, 3], [1, 3, 5], 0.0),
        # True 3 and 5 over untrue 1 and 3: 1, 1/2, 1, 1 of four pairs.
        (auc, [1, 3, 3, 5], [False, False, True, True], 3.5 / 4),
        (auc, [2, 2, 2], [False, True, True], 0.5),
        # The margin's own ends count: |2 - 1| and |4 - 5|.
        (accuracy_margin_1, [2, 2.001, 4, 1], [1, 1, 5, 5], 0.5),
    ],
)
def test_by_hand(figure, scores, ratings, value):
    assert figure(scores, ratings).value == pytest.approx(value, abs=1e-12)


FEW = "fewer than 3 rows"
UNRELATED = [
    ([], [], FEW),
    ([1, 2], [1, 2], FEW),
    ([3, 3, 3], [1, 2, 5], "all scores are the same"),
    ([3, 3 + 1e-12, 3], [1, 2, 5], "all scores are the same"),
    ([1, 2, 3], [4, 4, 4], "all ratings are the same"),
]


@pytest.mark.parametrize(
    ("figure", "scores", "judged", "reason"),
    [
        *((figure, *case) for figure in CORRELATIONS for case in UNRELATED),
        (auc, [], [], FEW),
        (auc, [1, 2, 3], [True, True, True], "no untrue answers"),
        (auc, [1, 2, 3], [False, False, False], "no true answers"),
        (kappa, [3, 3], [1, 5], FEW),
        (kappa, [3, 3.2, 2.9], [3, 3, 3], "all scores and ratings are the same star"),
    ],
)
def test_no_figure(figure, scores, judged, reason):
    found = figure(scores, judged)
    assert (found.value, found.low, found.high, found.p) == (None, None, None, None)
    assert (found.n, found.reason) == (len(scores), reason)


@pytest.mark.parametrize("figure", [*CORRELATIONS, kappa, accuracy_margin_1, auc])
def test_lengths_that_do_not_pair_up(figure):
    with pytest.raises(ValueError, match="3 scores for 2 judgements"):
        figure([1, 2, 3], [1, 2])


@given(PAIRS)
def test_bounds_and_intervals(pairs):
    scores, ratings = split(pairs)
    is_true = [rating > 3 for rating in ratings]
    found = [figure(scores, ratings, QUICK) for figure in CORRELATIONS]
    found += [kappa(scores, ratings, QUICK), auc(scores, is_true, QUICK)]
    for one in found:
        assert (one.value is None) <= (one.reason is not None)
        assert one.value is None or -1 <= one.value <= 1
        assert (one.low is None) == (one.high is None)
        if one.low is not None:
            assert -1 <= one.low <= one.high <= 1
