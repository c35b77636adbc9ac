"""A figure with its interval (the bootstrap, Wilson's for shares), or why there is none."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.extras import needs

Floats: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.float64]
"""How often each row is drawn: resamples × rows, whole numbers, each line sums to the rows."""

Statistic: TypeAlias = Callable[[Counts], Floats]
"""Resamples × rows → one figure a resample, NaN where it cannot be computed."""

FEWEST_ROWS: Final = 3
FEWEST_FOR_INTERVAL: Final = 10
FEW: Final = f"fewer than {FEWEST_ROWS} rows"
_ENDS: Final = (2.5, 97.5)
_NORMAL: Final = 1.959963984540054
"""Between this and its negative lie 95% of the standard normal distribution."""
_BLOCK_CELLS: Final = 1_000_000


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
        figures = [
            figure for figure in (self.value, self.low, self.high, self.p) if figure is not None
        ]
        if not all(map(math.isfinite, figures)):
            raise ValueError(f"an estimate holds finite figures, not {self!r}")
        if self.value is None and self.reason is None:
            raise ValueError("an estimate without a value says why")

    def __str__(self) -> str:
        """The figure with its interval, or why there is none.

        >>> str(Estimate(0.5, 0.25, 0.75)), str(Estimate.missing(0, "no rows"))
        ('0.50 (0.25 to 0.75)', 'no rows')
        """
        if self.value is None:
            return str(self.reason)
        if self.low is None or self.high is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"

    @classmethod
    def missing(cls, n: int, reason: str) -> Estimate:
        """An estimate that could not be made, with the reason."""
        return cls(None, n=n, reason=reason)


def stats() -> Any:  # noqa: ANN401 (a module without types)
    """``scipy.stats``, imported when the first figure needs it.

    Raises:
        ExtraMissingError: scipy is not installed.
    """
    with needs("evaluate", "figures beside people's ratings need scipy"):
        from scipy import stats
    return stats


def share(count: int, n: int) -> Estimate:
    """``count`` of ``n`` rows as a share from 0 to 1, with Wilson's 95% interval.

    The bootstrap has no interval to give where none or all of a few rows count: 5 of 5 would
    be 100% to 100%. Wilson's is honest there (57% to 100%). No value when there are no rows.
    Source: Wilson (1927).

    >>> found = share(5, 5)
    >>> found.value, round(found.low, 2), found.high
    (1.0, 0.57, 1.0)
    """
    if n == 0:
        return Estimate.missing(0, "no rows")
    value, squared = count / n, _NORMAL**2
    middle = (count + squared / 2) / (n + squared)
    reach = _NORMAL / (n + squared) * math.sqrt(n * value * (1 - value) + squared / 4)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return Estimate(value, low if count else 0.0, high if count < n else 1.0, n)


@dataclass(frozen=True, slots=True)
class Resampling:
    """The bootstrap: how much a figure moves when other rows of the same kind had been rated.

    The draws depend on the seed and the number of rows only, so that figures on the same rows
    are compared draw by draw. They come from the raw stream of PCG64, which numpy keeps the
    same from version to version.

    Raises:
        ValueError: A negative seed, or no resamples.

    >>> Resampling(seed=0, resamples=2).counts(4).sum(axis=1)
    array([4., 4.])
    """

    seed: int = 0
    resamples: int = 2000

    def __post_init__(self) -> None:
        if self.seed < 0 or self.resamples < 1:
            raise ValueError(f"a seed is 0 or more and resamples 1 or more, not {self!r}")

    def counts(self, n: int) -> Counts:
        """How often each of ``n`` rows is drawn in each resample: resamples × n."""
        return _counts(self.seed, self.resamples, n).astype(np.float64)

    def values(self, statistic: Statistic, n: int) -> Floats:
        """The figure of each resample, NaN where it cannot be computed."""
        counts = _counts(self.seed, self.resamples, n)
        step = max(1, _BLOCK_CELLS // n)
        blocks = (counts[start : start + step] for start in range(0, self.resamples, step))
        return np.concatenate([statistic(block.astype(np.float64)) for block in blocks])

    def estimate(
        self, value: float, n: int, statistic: Statistic, *, p: float | None = None
    ) -> Estimate:
        """A figure with the 95% percentile interval of its resamples."""
        return with_interval(value, n, self.values(statistic, n), p=p)

    def figure(self, statistic: Statistic, n: int, none: str, least: int = FEWEST_ROWS) -> Estimate:
        """The same for the figure on the rows as they are; ``none`` says why it may be NaN."""
        if n < least:
            return Estimate.missing(n, FEW)
        value = float(statistic(np.ones((1, n)))[0])
        if not math.isfinite(value):
            return Estimate.missing(n, none)
        return self.estimate(value, n, statistic)


DEFAULT: Final = Resampling()


def with_interval(value: float, n: int, values: Floats, *, p: float | None = None) -> Estimate:
    """A figure with the 95% percentile interval of its resampled ``values``.

    Resamples in which the figure cannot be computed (one class only, one value only) are left
    out; when that is more than half of them there is no interval. Nor is there one with fewer
    than 10 rows: the few ways to draw them would make it look far too sure.
    """
    if n < FEWEST_FOR_INTERVAL:
        reason = f"no interval with fewer than {FEWEST_FOR_INTERVAL} rows"
        return Estimate(value, n=n, p=p, reason=reason)
    usable = values[np.isfinite(values)]
    if 2 * len(usable) < len(values):
        reason = "no interval: in most resamples it cannot be computed"
        return Estimate(value, n=n, p=p, reason=reason)
    low, high = np.percentile(usable, _ENDS)
    return Estimate(value, float(low), float(high), n, p)


@lru_cache(maxsize=4)
def _counts(seed: int, resamples: int, n: int) -> NDArray[np.uint16]:
    stream = np.random.PCG64(seed)
    counts = np.empty((resamples, n), dtype=np.uint16)
    for line in counts:
        drawn = (stream.random_raw(n) % np.uint64(n)).astype(np.intp)
        line[:] = np.bincount(drawn, minlength=n)
    counts.setflags(write=False)
    return counts
