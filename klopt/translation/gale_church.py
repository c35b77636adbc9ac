"""Which sentences of a text and its translation belong together, by their lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import erfc, exp, inf, log, sqrt
from typing import Final, TypeAlias

Group: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The pieces of the source and those of the target that say the same, as indices from 0."""

VARIANCE: Final = 6.8
"""Of the length of a translation, per character of the original (the paper, section 2.2)."""


@dataclass(frozen=True, slots=True)
class FormPrices:
    """What a group costs for its form: how much rarer it is than 1-1, as a natural logarithm.

    1-0 and 0-1 are ``lone``, with ``lone_by_length`` the dearer the longer; 2-1 and 1-2 are
    ``merged``, 2-2 is ``crossed``.
    """

    lone: float
    merged: float
    crossed: float
    lone_by_length: bool


SENTENCES: Final = FormPrices(lone=4.5, merged=2.3, crossed=4.4, lone_by_length=True)
"""Those of the paper (table 5), which counted sentences."""

BLOCKS: Final = FormPrices(lone=6.0, merged=6.0, crossed=10.0, lone_by_length=False)
"""For blocks: whoever translates keeps them apart, but pages get and lose whole blocks."""

MOST_LENGTH_COST: Final = 25.0
"""However badly the lengths fit."""
_LEAST_SHARE: Final = exp(-MOST_LENGTH_COST)

KIND_COST: Final = 3.0
"""For pieces of different kinds, such as a heading for an item: about as e^3 = 20 to 1."""

SIGN_COST: Final = 1.5
"""For each sign that stands on one side only, such as a number."""

NAME_COST: Final = 0.75
"""For each name that the one side has more than the other."""

MOST_COUNTED: Final = 6
"""Signs or names that one group pays for at most."""

LEAST_HALF_BAND: Final = 24
MOST_CELLS: Final = 100_000
"""Bounds the time (a few seconds) and the memory, whatever the input."""


@dataclass(frozen=True, slots=True)
class AlignedPiece:
    """A sentence or block: its length, kind, names, and what both languages write alike."""

    chars: int
    kind: str = ""
    signs: frozenset[str] = frozenset()
    names: int = 0


def align(
    source: Sequence[AlignedPiece], target: Sequence[AlignedPiece], prices: FormPrices = SENTENCES
) -> tuple[Group, ...]:
    """Which pieces of two texts that say the same belong together; each index stands there once.

    The cheapest way by groups of 1-1, 1-0, 0-1, 2-1, 1-2 and 2-2 pieces, as in Gale & Church
    (1993), "A Program for Aligning Sentences in Bilingual Corpora", Computational Linguistics
    19(1), sections 2 and 3: a group costs what its form is rarer than 1-1, and how unlikely the
    difference of its lengths is, measured against the mean of both sides, as in the program of its
    appendix. Ours differs in three ways: pieces of other kinds, other signs or other numbers of
    names cost more; blocks have prices of their own; only a band around the diagonal is looked at,
    as wide as the texts differ in their numbers of pieces and 24 more to either side, or narrower
    beyond `MOST_CELLS`.

    >>> lengths = {"heading": 12, "paragraph": 70, "item": 30}
    >>> blocks = [AlignedPiece(length, kind) for kind, length in lengths.items()]
    >>> align(blocks, blocks[::2], BLOCKS)
    (((0,), (0,)), ((1,), ()), ((2,), (1,)))
    """
    if len(source) == len(target) == 1:
        return (((0,), (0,)),)
    if len(source) < len(target):
        return tuple((one, other) for other, one in _cheapest(target, source, prices))
    return tuple(_cheapest(source, target, prices))


def joined(groups: Iterable[Group]) -> tuple[Group, ...]:
    """The groups with what has no partner joined to the group before it, or to the first.

    >>> joined([((), (0,)), ((0,), (1, 2)), ((1,), ())])
    (((0, 1), (0, 1, 2)),)
    """
    whole: list[tuple[list[int], list[int]]] = []
    for source, target in groups:
        if not whole or (source and target and all(whole[-1])):
            whole.append(([], []))
        whole[-1][0].extend(source)
        whole[-1][1].extend(target)
    return tuple((tuple(source), tuple(target)) for source, target in whole)


def _cheapest(
    source: Sequence[AlignedPiece], target: Sequence[AlignedPiece], prices: FormPrices
) -> list[Group]:
    """The cheapest way; the source has at least as many pieces as the target."""
    cost_of = _cost_of(source, target, prices)
    forms = (  # pieces of the source, pieces of the target, price; the likeliest first
        (1, 1, 0.0),
        (2, 1, prices.merged),
        (1, 2, prices.merged),
        (1, 0, prices.lone),
        (0, 1, prices.lone),
        (2, 2, prices.crossed),
    )
    rows, columns = len(source), len(target)
    half = min(LEAST_HALF_BAND + rows - columns, max(2, MOST_CELLS // (2 * rows + 2)))
    empty = [inf] * (columns + 3)  # column j stands at j + 2, so that j - 2 is always there
    costs = [empty, empty, empty]  # of this row, the last and the one before it
    back: list[tuple[int, bytearray]] = []
    for row in range(rows + 1):
        middle = row * columns // max(rows, 1)
        first, end = max(0, middle - half), min(columns, middle + half) + 1
        costs = [empty.copy(), costs[0], costs[1]]
        own, moves = costs[0], bytearray()
        for column in range(first, end):
            best, taken = (0.0, 0) if row == column == 0 else (inf, 0)
            for number, (down, right, rare) in enumerate(forms):
                cost = costs[down][column - right + 2] + rare
                if cost < best:
                    cost += cost_of(row - down, row, column - right, column)
                    if cost < best:
                        best, taken = cost, number
            own[column + 2] = best
            moves.append(taken)
        back.append((first, moves))
    groups: list[Group] = []
    row, column = rows, columns
    while row or column:
        first, moves = back[row]
        down, right, _ = forms[moves[column - first]]
        groups.append((tuple(range(row - down, row)), tuple(range(column - right, column))))
        row, column = row - down, column - right
    return groups[::-1]


def _cost_of(
    source: Sequence[AlignedPiece], target: Sequence[AlignedPiece], prices: FormPrices
) -> Callable[[int, int, int, int], float]:
    """What pairing pieces costs beside its form, by the bounds of both: source, then target."""
    chars = list(accumulate((one.chars for one in source), initial=0))
    other_chars = list(accumulate((one.chars for one in target), initial=0))
    is_plain = not any(one.kind or one.signs or one.names for one in (*source, *target))

    def cost(start: int, end: int, other_start: int, other_end: int) -> float:
        is_lone = start == end or other_start == other_end
        if is_lone and not prices.lone_by_length:
            return 0.0
        lengths = _length_cost(
            chars[end] - chars[start], other_chars[other_end] - other_chars[other_start]
        )
        if is_plain or is_lone:
            return lengths
        return lengths + _unlikeness(source[start:end], target[other_start:other_end])

    return cost


def _unlikeness(source: Sequence[AlignedPiece], target: Sequence[AlignedPiece]) -> float:
    """What pieces of other kinds, with other signs and names, cost."""
    kinds = {piece.kind for piece in (*source, *target)}
    signs, others = (set[str]().union(*(one.signs for one in side)) for side in (source, target))
    names = abs(sum(one.names for one in source) - sum(one.names for one in target))
    return (
        KIND_COST * (len(kinds) - 1)
        + SIGN_COST * min(len(signs ^ others), MOST_COUNTED)
        + NAME_COST * min(names, MOST_COUNTED)
    )


def _length_cost(one: int, other: int) -> float:
    """How unlikely it is that texts of these lengths translate each other, 0 to 25."""
    if one == other:
        return 0.0
    share = erfc(abs(one - other) / sqrt(VARIANCE * (one + other)))
    return -log(share) if share > _LEAST_SHARE else MOST_LENGTH_COST
