"""The estimate of untrue answers in a log."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.report.untrue import LEAST_RATED, Calibration, ScoredLabel

SHIPPED = Calibration.load()
SCORES = st.integers(10, 50).map(lambda tenths: tenths / 10)
LABELS = st.builds(ScoredLabel, SCORES, st.sampled_from((None, True, False)))
LOGS = st.dictionaries(LABELS, st.integers(1, 1000), min_size=1, max_size=50)


@given(LOGS)
def test_the_interval_contains_the_estimate_within_the_possible_counts(log):
    found = SHIPPED.untrue(log)
    assert 0 <= found.low <= found.count + 1e-6
    assert found.count <= found.high + 1e-6
    assert found.high <= sum(log.values()) + 1e-6


@given(LOGS, SCORES, SCORES)
def test_a_higher_score_is_less_often_untrue(log, one, other):
    low, high = (
        SHIPPED.untrue(Counter(log) + Counter({ScoredLabel(score): 5})).count
        for score in sorted((one, other))
    )
    assert high <= low + 1e-6


@pytest.mark.parametrize(("is_untrue", "count"), [(True, 50), (False, 0)])
def test_rated_answers_count_as_rated(is_untrue, count):
    found = SHIPPED.untrue({ScoredLabel(3.0, is_untrue): 50})
    assert (found.low, found.count, found.high, found.rated_count) == (count, count, count, 50)


@pytest.mark.parametrize(("rated", "is_used"), [(LEAST_RATED - 1, False), (LEAST_RATED, True)])
def test_enough_ratings_narrow_the_interval(rated, is_used):
    log = {ScoredLabel(2.5): 500, ScoredLabel(2.5, is_untrue=False): rated}
    found, without = SHIPPED.untrue(log), SHIPPED.untrue({ScoredLabel(2.5): 500 + rated})
    assert (found.high - found.low < without.high - without.low - 1) is is_used
    assert (found.count < without.count - 1) is is_used
