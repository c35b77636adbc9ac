"""A share of rows with its interval."""

from __future__ import annotations

from scipy import stats

from klopt.evaluation.estimate import Estimate


def share(count: int, n: int) -> Estimate:
    """``count`` of ``n`` rows as a share, with Wilson's 95% interval.

    The bootstrap has no interval to give where none or all of a few rows count: 5 of 5 would
    be 100% to 100%. Wilson's is honest there (57% to 100%). Source: Wilson (1927).

    Args:
        count: Rows that count, at most ``n``.
        n: Rows.

    Returns:
        The share, 0 to 1; no value when there are no rows.

    >>> found = share(5, 5)
    >>> found.value, round(found.low, 2), found.high
    (1.0, 0.57, 1.0)
    """
    if n == 0:
        return Estimate.missing(0, "no rows")
    ends = stats.binomtest(count, n).proportion_ci(method="wilson")
    return Estimate(count / n, float(ends.low), float(ends.high), n)
