"""Labels against labels: kappa, precision, recall and F1 by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.evaluation.estimate import Resampling
from klopt.evaluation.message_types import all_kinds, cohen_kappa, one_kind

QUICK = Resampling(resamples=50)
MEANT = ["a", "a", "b", "b", "b"]
FOUND = ["a", "b", "b", "b", "a"]
LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1)


def test_kappa_by_hand():
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: 0.7 agreed, 0.5 by chance; 0.2 / 0.5."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = cohen_kappa(first, second)
    assert found.value == pytest.approx(0.4)
    assert found.low < 0.4 < found.high
    assert (found.n, found.p) == (50, None)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], "fewer than 3 rows"),
        (["a", "a", "a"], ["a", "a", "a"], "all labels are the same"),
    ],
)
def test_no_kappa(first, second, reason):
    assert cohen_kappa(first, second).value is None
    assert cohen_kappa(first, second).reason == reason


def test_kappa_of_one_label_against_two_is_nought():
    assert cohen_kappa(["a", "a", "a"], ["a", "b", "a"]).value == 0


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


@given(LABELS)
def test_f1_is_the_harmonic_mean_and_the_two_sides_swap(pairs):
    meant, found = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = one_kind(meant, found, ["a"], QUICK), one_kind(found, meant, ["a"], QUICK)
    assert there.precision.value == back.recall.value
    assert there.f1.value == back.f1.value
    p, r = there.precision.value, there.recall.value
    if p and r:
        assert there.f1.value == pytest.approx(2 * p * r / (p + r))


@given(LABELS)
def test_kappa_is_symmetric_and_at_most_one(pairs):
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    there, back = cohen_kappa(first, second, QUICK), cohen_kappa(second, first, QUICK)
    assert there.reason == back.reason
    if there.value is not None:
        assert there.value == pytest.approx(back.value)
        assert there.value <= 1
        assert (there.value == pytest.approx(1)) == (first == second)


def test_labels_that_do_not_pair_up():
    with pytest.raises(ValueError, match="3 and 4 labels do not belong together"):
        cohen_kappa(["a", "b", "c"], ["a", "b", "c", "a"])
