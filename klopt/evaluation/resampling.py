"""The bootstrap: how much a figure moves when other rows of the same kind had been rated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt.evaluation.estimate import Estimate

Floats: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.float64]
"""How often each row is drawn: resamples × rows, whole numbers, each line sums to the rows."""

Statistic: TypeAlias = Callable[[Counts], Floats]
"""Resamples × rows → one figure a resample, NaN where it cannot be computed."""

FEWEST_ROWS: Final = 3
FEWEST_FOR_INTERVAL: Final = 10
_ENDS: Final = (2.5, 97.5)
_BLOCK_CELLS: Final = 1_000_000
NO_INTERVAL: Final = f"no interval with fewer than {FEWEST_FOR_INTERVAL} rows"
_UNSURE: Final = "no interval: in most resamples it cannot be computed"


@dataclass(frozen=True, slots=True)
class Resampling:
    """Which rows are drawn, how often.

    The draws depend on the seed and the number of rows only, so that figures on the same rows
    are compared draw by draw. They come from the raw stream of PCG64, which numpy keeps the
    same from version to version.

    Attributes:
        seed: Of the random numbers, 0 or more.
        resamples: How many times the rows are drawn, at least 1.

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
        return np.concatenate(
            [
                statistic(counts[start : start + step].astype(np.float64))
                for start in range(0, self.resamples, step)
            ]
        )

    def estimate(
        self, value: float, n: int, statistic: Statistic, *, p: float | None = None
    ) -> Estimate:
        """A figure with the 95% percentile interval of its resamples."""
        return with_interval(value, n, self.values(statistic, n), p=p)


def with_interval(value: float, n: int, values: Floats, *, p: float | None = None) -> Estimate:
    """A figure with the 95% percentile interval of its resampled ``values``.

    Resamples in which the figure cannot be computed (one class only, one value only) are left
    out; when that is more than half of them there is no interval. Nor is there one with fewer
    than 10 rows: the few ways to draw them would make it look far too sure.
    """
    if n < FEWEST_FOR_INTERVAL:
        return Estimate(value, n=n, p=p, reason=NO_INTERVAL)
    usable = values[np.isfinite(values)]
    if 2 * len(usable) < len(values):
        return Estimate(value, n=n, p=p, reason=_UNSURE)
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
