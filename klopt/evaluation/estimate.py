"""A figure with its interval, or the reason why there is none; shares of rows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy import stats


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure that was measured on rows, and how sure it is.

    Attributes:
        value: The figure; None when it could not be computed. Never NaN.
        low: Lower end of the 95% interval; None when there is none.
        high: Upper end of it.
        n: Rows that it rests on.
        p: Two-sided p-value that there is no relation at all; for correlations only.
        reason: Why value, or the interval, is None; None when both are there.

    Raises:
        ValueError: A figure is NaN or infinite, or neither value nor reason is given.

    >>> Estimate.missing(2, "fewer than 3 rows").value is None
    True
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    p: float | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        figures = [one for one in (self.value, self.low, self.high, self.p) if one is not None]
        if not all(map(math.isfinite, figures)):
            raise ValueError(f"an estimate holds finite figures, not {self!r}")
        if self.value is None and self.reason is None:
            raise ValueError("an estimate without a value says why")

    @classmethod
    def missing(cls, n: int, reason: str) -> Estimate:
        """An estimate that could not be made, with the reason."""
        return cls(None, n=n, reason=reason)


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
