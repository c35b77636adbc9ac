"""Alignment by lengths: worked by hand, and what holds for any texts."""

from __future__ import annotations

from itertools import chain
from math import erfc, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt.translation.gale_church import (
    BLOCKS,
    SENTENCES,
    AlignedPiece,
    FormPrices,
    Group,
    align,
    joined,
)

LENGTHS = st.lists(st.integers(1, 300), max_size=8)
PIECES = st.lists(
    st.builds(
        AlignedPiece,
        st.integers(1, 300),
        st.sampled_from(["", "item", "heading"]),
        st.frozensets(st.sampled_from(["5", "8", "orl.ini"])),
        st.integers(0, 3),
    ),
    max_size=8,
)
PRICES = st.sampled_from([SENTENCES, BLOCKS])


def align_sentences(source: list[int], target: list[int]) -> tuple[Group, ...]:
    return align([AlignedPiece(one) for one in source], [AlignedPiece(one) for one in target])


@pytest.mark.parametrize(
    ("source", "target", "groups"),
    [
        ([], [], ()),
        ([7], [], (((0,), ()),)),
        ([7], [900], (((0,), (0,)),)),
        ([20, 60, 31], [22, 58, 30], (((0,), (0,)), ((1,), (1,)), ((2,), (2,)))),
        # 2.3 for a merged pair of 100 and 98 characters, against 4.5 and more for one left out
        ([50, 50, 40], [98, 41], (((0, 1), (0,)), ((2,), (1,)))),
        ([120, 30], [60, 58, 30], (((0,), (0, 1)), ((1,), (2,)))),
        # a short one is merged for little more than 2.3, where leaving it out begins at 4.5
        ([150, 5, 90], [150, 90], (((0, 1), (0,)), ((2,), (1,)))),
        # a sentence break that was moved: both together are as long, neither pair is
        ([30, 130], [125, 35], (((0, 1), (0, 1)),)),
    ],
)
def test_lengths(source: list[int], target: list[int], groups: tuple[Group, ...]) -> None:
    assert align_sentences(source, target) == groups


def test_a_cost_worked_by_hand() -> None:
    """The limit between one for one and two for one lies where the paper's formula puts it.

    1-1 twice costs the lengths 40:60 and 40:20; 2-1 is not possible, 2-2 costs 4.4 and nothing for
    the lengths 80:80. The prices of 2-2 just below and above the cost of the two pairs decide.
    """
    apart = sum(-log(erfc(20 / sqrt(6.8 * (40 + other)))) for other in (60, 20))
    pieces = [[AlignedPiece(40), AlignedPiece(40)], [AlignedPiece(60), AlignedPiece(20)]]
    below, above = (
        FormPrices(lone=50, merged=50, crossed=apart + more, lone_by_length=True)
        for more in (-0.001, 0.001)
    )
    assert align(*pieces, below) == (((0, 1), (0, 1)),)
    assert align(*pieces, above) == (((0,), (0,)), ((1,), (1,)))


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        # the lengths say the first, the number, kind or names say the second
        ({}, {"signs": frozenset({"5"})}, 1),
        ({"kind": "heading"}, {"kind": "item"}, 1),
        ({}, {"names": 4}, 1),
        # near miss: the same without what tells them apart
        ({}, {}, 0),
    ],
)
def test_more_than_lengths(first, second, place) -> None:
    source = [AlignedPiece(30, **first), AlignedPiece(33, **second)]
    groups = align(source, [AlignedPiece(30, **second)], BLOCKS)
    assert groups == ((((0,), ()), ((1,), (0,))) if place else (((0,), (0,)), ((1,), ())))


def test_a_missing_long_block_is_left_out_and_not_merged() -> None:
    page = [AlignedPiece(chars, "paragraph") for chars in (80, 200, 95, 60)]
    shorter = [page[0], *page[2:]]
    left_out = (((0,), (0,)), ((1,), ()), ((2,), (1,)), ((3,), (2,)))
    assert align(page, shorter, BLOCKS) == left_out
    assert align(page, shorter, SENTENCES) != left_out


def assert_covers(groups: tuple[Group, ...], *sides: list[AlignedPiece]) -> None:
    """Each piece of both sides is in one group, in order."""
    for number, pieces in enumerate(sides):
        places = chain.from_iterable(group[number] for group in groups)
        assert list(places) == list(range(len(pieces)))


@given(source=PIECES, target=PIECES, prices=PRICES)
def test_groups_cover_both_sides_in_order(source, target, prices) -> None:
    groups = align(source, target, prices)
    assert_covers(groups, source, target)
    assert all(1 <= len(own) + len(theirs) <= 4 for own, theirs in groups)
    assert all(len(own) <= 2 and len(theirs) <= 2 for own, theirs in groups)
    assert groups == align(source, target, prices)


@given(source=LENGTHS, target=LENGTHS)
def test_swapped_sides_mirror(source: list[int], target: list[int]) -> None:
    groups = align_sentences(source, target)
    mirrored = [(own, theirs) for theirs, own in align_sentences(target, source)]
    paired = [group for group in groups if all(group)]
    assert paired == [group for group in mirrored if all(group)]
    assert sorted(groups) == sorted(mirrored)


@given(pieces=PIECES, prices=PRICES)
def test_the_same_text_is_one_for_one(pieces: list[AlignedPiece], prices: FormPrices) -> None:
    assert align(pieces, pieces, prices) == tuple(((one,), (one,)) for one in range(len(pieces)))


@given(source=PIECES, target=PIECES, prices=PRICES)
def test_joined(source, target, prices) -> None:
    groups = joined(align(source, target, prices))
    assert_covers(groups, source, target)
    if source and target:
        assert all(own and theirs for own, theirs in groups)
    else:
        assert len(groups) == bool(source or target)


@pytest.mark.parametrize("sizes", [(700, 1200), (1500, 3), (3, 1500), (1500, 0), (0, 1500)])
def test_hostile_sizes(sizes, monkeypatch) -> None:
    """Where the band is as narrow as the limit makes it, there is still a way through."""
    monkeypatch.setattr("klopt.translation.gale_church.MOST_CELLS", 5_000)
    source, target = ([AlignedPiece(10 + n % 90) for n in range(size)] for size in sizes)
    assert_covers(align(source, target), source, target)
