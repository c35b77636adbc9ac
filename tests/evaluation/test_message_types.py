"""Labels against labels: precision, recall and F1 by hand."""

import pytest
from hypothesis import strategies as st

from klopt.evaluation.estimate import Resampling
from klopt.evaluation.message_types import all_kinds, one_kind

QUICK = Resampling(resamples=50)
MEANT = ["a", "a", "b", "b", "b"]
FOUND = ["a", "b", "b", "b", "a"]
LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1)


def test_one_kind_by_hand():
    """b: meant 3 times, found 3 times, 2 of them the same rows; 3 of 5 rows right."""
    found = one_kind(MEANT, FOUND, ["b"])
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.recall.value == pytest.approx(2 / 3)
    assert found.f1.value == pytest.approx(2 / 3)
    assert found.accuracy.value == pytest.approx(3 / 5)
    assert {one.n for one in (found.precision, found.recall, found.f1, found.accuracy)} == {5}


def test_all_kinds_by_hand():
    """a: 1/2 in both, meant twice; b: 2/3 in both, meant three times."""
    found = all_kinds(MEANT, FOUND)
    for one in (found.f1, found.accuracy, found.precision, found.recall):
        assert one.value == pytest.approx((2 * 1 / 2 + 3 * 2 / 3) / 5)


def test_no_rows():
    assert all_kinds([], []).f1.reason == "no rows"
    assert one_kind([], [], ["a"]).accuracy.reason == "no rows"
