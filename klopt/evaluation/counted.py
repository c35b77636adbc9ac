"""The figures on many resamples at once, each row counted as often as it was drawn.

A figure on the rows themselves is the case in which every count is 1; the tests hold these
against scipy on the drawn rows written out. Ranks, pairs and classes are sums of whole and half
numbers, which floats hold exactly: no order of adding up changes a byte.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from klopt.evaluation.estimate import Counts, Floats

_SMALLEST_SPREAD = 1e-18


def midranks(counts: Counts, values: Floats) -> Floats:
    """The rank of each row's value in each resample, from 1, ties at their mean rank.

    Args:
        counts: Resamples × rows.
        values: One a row.

    Returns:
        Resamples × rows; the rank of a row that was not drawn means nothing.

    >>> midranks(np.array([[1.0, 2.0, 1.0]]), np.array([0.5, 0.7, 0.9]))
    array([[1. , 2.5, 4. ]])
    """
    tied, group = _tied(counts, values)
    ranks: Floats = (np.cumsum(tied, axis=1) - tied + (tied + 1) / 2)[:, group]
    return ranks


def pearson(counts: Counts, first: Floats, second: Floats) -> Floats:
    """Pearson's r in each resample; ``first`` and ``second`` hold rows, or resamples × rows."""
    total = counts.sum(axis=-1, keepdims=True)
    left = first - (counts * first).sum(axis=-1, keepdims=True) / total
    right = second - (counts * second).sum(axis=-1, keepdims=True) / total
    weighted = counts * left
    spread = (weighted * left).sum(axis=-1), (counts * right * right).sum(axis=-1)
    product = spread[0] * spread[1]
    usable = np.minimum(*spread) > _SMALLEST_SPREAD * total[..., 0]
    r = ratio((weighted * right).sum(axis=-1), np.where(usable, np.sqrt(product), 0.0))
    clipped: Floats = np.clip(r, -1, 1)
    return clipped


def spearman(counts: Counts, first: Floats, second: Floats) -> Floats:
    """Spearman's rho in each resample: Pearson's r of the midranks."""
    return pearson(counts, midranks(counts, first), midranks(counts, second))


def kendall(counts: Counts, first: Floats, second: Floats) -> Floats:
    """Kendall's tau-b in each resample; quick when either has few different values."""
    if len(np.unique(first)) < len(np.unique(second)):
        first, second = second, first
    tied, group = _tied(counts, first)
    below = np.cumsum(tied, axis=1) - tied
    lower = np.zeros_like(tied)
    surplus = np.zeros(len(counts))
    same = np.zeros(len(counts))
    for level in np.unique(second):
        columns = np.flatnonzero(second == level)
        here = np.zeros_like(tied)
        here[:, np.unique(group[columns])], _ = _tied(counts[:, columns], first[columns])
        here_below = np.cumsum(here, axis=1) - here
        surplus += (here * (2 * lower + here_below - below)).sum(axis=1)
        lower += here_below
        same += _pairs(here.sum(axis=1))
    every = _pairs(counts.sum(axis=1))
    untied = (every - _pairs(tied).sum(axis=1)) * (every - same)
    return ratio(surplus, np.sqrt(untied))


def auc(counts: Counts, scores: Floats, is_true: NDArray[np.bool_]) -> Floats:
    """The share of (true, untrue) pairs in which the true one scores higher, ties half."""
    drawn = counts[:, is_true]
    true_count, false_count = drawn.sum(axis=1), counts[:, ~is_true].sum(axis=1)
    above = (drawn * midranks(counts, scores)[:, is_true]).sum(axis=1) - (
        true_count * (true_count + 1) / 2
    )
    return ratio(above, true_count * false_count)


def kappa_quadratic(counts: Counts, first: Floats, second: Floats) -> Floats:
    """Quadratic weighted kappa in each resample: 1 - observed / expected squared distance."""
    total = counts.sum(axis=1)
    observed = total * (counts @ (first - second) ** 2)
    squares = total * (counts @ (first**2 + second**2))
    expected = squares - 2 * (counts @ first) * (counts @ second)
    kappa: Floats = 1 - ratio(observed, expected)
    return kappa


def ratio(part: Floats, whole: Floats) -> Floats:
    """``part / whole``, NaN where there is no whole."""
    quotient: Floats = np.full(np.shape(part), np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient


def _tied(counts: Counts, values: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """How often each different value was drawn, and the place of each row's among them."""
    order = np.argsort(values, kind="stable")
    distinct, group = np.unique(values, return_inverse=True)
    starts = np.searchsorted(values[order], distinct)
    tied: Floats = np.add.reduceat(counts[:, order], starts, axis=1)
    return tied, group


def _pairs(counts: Floats) -> Floats:
    return counts * (counts - 1) / 2
