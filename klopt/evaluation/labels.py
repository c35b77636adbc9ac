"""How well two sequences of labels agree: what was meant and what was found, or two people."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from klopt.evaluation import counted
from klopt.evaluation.agreement import DEFAULT, FEW
from klopt.evaluation.estimate import Estimate, share
from klopt.evaluation.resampling import FEWEST_ROWS, Floats, Resampling


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How well a label was found: F1, accuracy, precision and recall, each from 0 to 1."""

    f1: Estimate
    accuracy: Estimate
    precision: Estimate
    recall: Estimate


def cohen_kappa(
    first: Sequence[str], second: Sequence[str], resampling: Resampling = DEFAULT
) -> Estimate:
    """Cohen's kappa: agreement of two people's labels beyond chance, from -1 to 1.

    No value with fewer than 3 rows, or when both give one and the same label throughout.
    Source: Cohen (1960); AFAS paper, section 4.4.1, for the message types.

    >>> cohen_kappa(["a", "a", "b", "b"], ["a", "b", "b", "b"]).value
    0.5
    """
    n = len(first)
    if n < FEWEST_ROWS:
        return Estimate.missing(n, FEW)
    codes, size = _codes(first, second)
    value = float(counted.kappa(counted.confusion(np.ones((1, n)), *codes, size))[0])
    if not np.isfinite(value):
        return Estimate.missing(n, "all labels are the same")
    return resampling.estimate(
        value, n, lambda counts: counted.kappa(counted.confusion(counts, *codes, size))
    )


def one_kind(
    meant: Sequence[str],
    found: Sequence[str],
    kinds: Collection[str],
    resampling: Resampling = DEFAULT,
) -> Retrieval:
    """How well "is it one of ``kinds``" is answered.

    Precision: of those found, how many were meant; recall: of those meant, how many were
    found; F1: their harmonic mean; accuracy: the share of rows answered right. Source: AFAS
    paper, table 3, which does not say what the accuracy of one type is; this is ours.

    >>> one_kind(["a", "a", "b", "b"], ["a", "b", "b", "b"], ["b"]).recall.value
    1.0
    """
    inside = [[label in kinds for label in labels] for labels in (meant, found)]
    both = np.array([a and b for a, b in zip(*inside, strict=True)], dtype=float)
    wanted, given = (np.array(one, dtype=float) for one in inside)
    right = sum(a == b for a, b in zip(*inside, strict=True))
    return Retrieval(
        f1=_ratio(2 * both, wanted + given, resampling, "it is neither meant nor found"),
        accuracy=share(right, len(meant)),
        precision=_ratio(both, given, resampling, "it is never found"),
        recall=_ratio(both, wanted, resampling, "it is never meant"),
    )


def all_kinds(
    meant: Sequence[str], found: Sequence[str], resampling: Resampling = DEFAULT
) -> Retrieval:
    """The mean over the labels, each weighted by how often it is meant.

    A label that is never found has precision 0. Recall is then the accuracy, as in the paper's
    own figures. Source: AFAS paper, table 3, the rows "all".

    >>> all_kinds(["a", "a", "b", "b"], ["a", "b", "b", "b"]).accuracy.value
    0.75
    """
    n = len(meant)
    if n == 0:
        return Retrieval(*[Estimate.missing(0, "no rows")] * 4)
    codes, size = _codes(meant, found)

    def estimate(column: int) -> Estimate:
        def figure(counts: Floats) -> Floats:
            return _weighted(counted.confusion(counts, *codes, size))[column]

        return resampling.estimate(float(figure(np.ones((1, n)))[0]), n, figure)

    f1, precision, recall = map(estimate, range(3))
    right = sum(a == b for a, b in zip(meant, found, strict=True))
    return Retrieval(f1=f1, accuracy=share(right, n), precision=precision, recall=recall)


def _weighted(table: Floats) -> tuple[Floats, Floats, Floats]:
    """F1, precision and recall weighted by how often each label is meant."""
    hits = np.diagonal(table, axis1=1, axis2=2)
    wanted, given = table.sum(axis=2), table.sum(axis=1)
    weights = wanted / wanted.sum(axis=1, keepdims=True)
    parts = ((2 * hits, wanted + given), (hits, given), (hits, wanted))
    f1, precision, recall = (
        (weights * np.nan_to_num(counted.ratio(part, whole))).sum(axis=1) for part, whole in parts
    )
    return f1, precision, recall


def _ratio(part: Floats, whole: Floats, resampling: Resampling, reason: str) -> Estimate:
    n, total = len(part), float(whole.sum())
    if total == 0:
        return Estimate.missing(n, reason)
    return resampling.estimate(
        float(part.sum()) / total, n, lambda counts: counted.ratio(counts @ part, counts @ whole)
    )


def _codes(
    first: Sequence[str], second: Sequence[str]
) -> tuple[tuple[np.typing.NDArray[np.intp], np.typing.NDArray[np.intp]], int]:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} labels do not belong together")
    names = {name: code for code, name in enumerate(sorted({*first, *second}))}
    left, right = (np.array([names[one] for one in labels]) for labels in (first, second))
    return (left, right), len(names)
