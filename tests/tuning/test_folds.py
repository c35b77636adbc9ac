"""Folds: answers on one page stay together, and the same seed gives the same folds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from klopt.tuning.folds import fold_numbers, picked, splits
from tests.tuning.judged import judged

PAGES = st.lists(st.sampled_from("abcdefgh"), max_size=20)


@given(PAGES, st.integers(2, 12), st.integers(0, 3))
def test_a_page_is_never_on_both_sides(pages: list[str], count: int, seed: int):
    samples = [judged(3, page=page) for page in pages]
    held_out: list[int] = []
    for inside, outside in splits(samples, count=count, seed=seed):
        assert {pages[place] for place in inside}.isdisjoint(pages[place] for place in outside)
        assert sorted([*inside, *outside]) == list(range(len(pages)))
        assert outside
        held_out += outside
    assert sorted(held_out) == list(range(len(pages)))


@given(PAGES, st.integers(2, 12))
def test_fewer_pages_than_folds_make_fewer_folds(pages: list[str], count: int):
    samples = [judged(3, page=page) for page in pages]
    found = list(splits(samples, count=count))
    assert len(found) == min(count, len(set(pages)))


def test_folds_have_as_many_pages_as_can_be():
    samples = [judged(3, page=str(number)) for number in range(23)]
    numbers = fold_numbers(samples, count=5)
    assert sorted(numbers.count(fold) for fold in range(5)) == [4, 4, 5, 5, 5]


def test_same_seed_same_folds_whatever_the_order_of_the_rows():
    samples = [judged(3, page=str(number % 17)) for number in range(40)]
    first = fold_numbers(samples, count=5, seed=3)
    assert fold_numbers(samples, count=5, seed=3) == first
    assert fold_numbers(samples[::-1], count=5, seed=3) == first[::-1]
    assert fold_numbers(samples, count=5, seed=4) != first


def test_picked():
    assert picked("abcd", [3, 0, 0]) == ["d", "a", "a"]
    assert picked("abcd", []) == []
