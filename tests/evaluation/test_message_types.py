"""Labels against labels: precision, recall and F1 by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
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


def test_a_kind_that_is_never_found_or_never_meant():
    never_found = one_kind(["a", "b", "b"], ["a", "a", "a"], ["b"])
    assert never_found.precision.reason == "it is never found"
    assert (never_found.recall.value, never_found.f1.value) == (0, 0)
    never_meant = one_kind(["a", "a", "a"], ["a", "b", "a"], ["b"])
    assert never_meant.recall.reason == "it is never meant"
    assert (never_meant.precision.value, never_meant.f1.value) == (0, 0)
    assert one_kind(["a"], ["a"], ["b"]).f1.reason == "it is neither meant nor found"


def test_all_kinds_by_hand():
    """a: 1/2 in both, meant twice; b: 2/3 in both, meant three times."""
    found = all_kinds(MEANT, FOUND)
    for one in (found.f1, found.accuracy, found.precision, found.recall):
        assert one.value == pytest.approx((2 * 1 / 2 + 3 * 2 / 3) / 5)


def test_no_rows():
    assert all_kinds([], []).f1.reason == "no rows"
    assert one_kind([], [], ["a"]).accuracy.reason == "no rows"


@given(LABELS)
def test_weighted_recall_is_accuracy(pairs):
    meant, found = [a for a, _ in pairs], [b for _, b in pairs]
    table = all_kinds(meant, found, QUICK)
    assert table.recall.value == pytest.approx(table.accuracy.value)
    assert table.accuracy.value == sum(a == b for a, b in pairs) / len(pairs)


def test_labels_that_do_not_pair_up():
    with pytest.raises(ValueError, match="3 and 4 labels do not belong together"):
        all_kinds(["a", "b", "c"], ["a", "b", "c", "a"])
