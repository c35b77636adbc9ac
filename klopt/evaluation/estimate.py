"""A measured figure with its 95% interval: bootstrap percentiles, or Wilson's for shares."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from klopt._internal.imports import needs

Floats: TypeAlias = NDArray[np.float64]


Statistic: TypeAlias = Callable[..., Floats]  # shape ``(..., rows)`` → ``(...)``, NaN if undefined


FEWEST_ROWS: Final = 3
FEWEST_FOR_INTERVAL: Final = 10
FEW: Final = f"fewer than {FEWEST_ROWS} rows"
_PERCENTILES: Final = (2.5, 97.5)
_NORMAL: Final = 1.959963984540054  # The 97.5th percentile of the standard normal distribution
_BATCH_CELLS: Final = 500_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure measured on ``n`` rows, with its 95% interval, or None with the reason.

    ``p`` is the two-sided p-value of a correlation. Raises ValueError for figures that are NaN or
    infinite.

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
        figures = (self.value, self.low, self.high, self.p)
        if not all(math.isfinite(figure) for figure in figures if figure is not None):
            raise ValueError(f"every figure of an estimate must be finite: {self!r}")
        if self.value is None and self.reason is None:
            raise ValueError("an estimate without a value needs a reason")

    def __str__(self) -> str:
        """The figure with its interval, or the reason there is none.

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
        """An undefined figure, with the reason."""
        return cls(None, n=n, reason=reason)


def stats() -> Any:  # noqa: ANN401 (a module without types)
    """Import ``scipy.stats``; raises ExtraMissingError when scipy is not installed."""
    with needs("evaluate", "figures beside people's ratings need scipy"):
        from scipy import stats
    return stats


def share(count: int, n: int) -> Estimate:
    """``count / n`` with the 95% interval of Wilson (1927); undefined for no rows.

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
    """The bootstrap of rows by ``scipy.stats.bootstrap``, with a fixed seed."""

    seed: int = 0
    resamples: int = 1000

    def __post_init__(self) -> None:
        if self.seed < 0 or self.resamples < 1:
            raise ValueError(f"seed must be at least 0 and resamples at least 1: {self!r}")

    def estimate(
        self,
        statistic: Statistic,
        *columns: NDArray[Any],
        value: float | None = None,
        p: float | None = None,
        undefined: str = "undefined on these rows",
    ) -> Estimate:
        """A statistic of paired columns with its 95% percentile interval.

        There is no interval with fewer than 10 rows, where it would be far too narrow, nor when the
        statistic is undefined on more than half of the resamples; the others are dropped. ``value``
        and ``p`` are given when known; ``undefined`` is the reason for NaN on all rows.
        """
        n, reason = len(columns[0]), f"no interval with fewer than {FEWEST_FOR_INTERVAL} rows"
        figure = float(statistic(*columns)) if value is None else value
        if not math.isfinite(figure):
            return Estimate.missing(n, undefined)
        if self.resamples == 1 and n >= FEWEST_FOR_INTERVAL:
            reason = "no interval from a single resample"
        elif n >= FEWEST_FOR_INTERVAL:
            values = self._resampled(statistic, columns)
            usable = values[np.isfinite(values)]
            if 2 * len(usable) >= len(values):
                low, high = np.percentile(usable, _PERCENTILES)
                return Estimate(figure, float(low), float(high), n, p)
            reason = "no interval: undefined in most resamples"
        return Estimate(figure, n=n, p=p, reason=reason)

    def _resampled(self, statistic: Statistic, columns: tuple[NDArray[Any], ...]) -> Floats:
        with warnings.catch_warnings():  # Undefined resamples; `estimate` drops them.
            warnings.simplefilter("ignore", stats().DegenerateDataWarning)
            result = stats().bootstrap(
                columns,
                statistic,
                paired=True,
                vectorized=True,
                method="percentile",
                n_resamples=self.resamples,
                batch=max(1, _BATCH_CELLS // len(columns[0])),
                random_state=np.random.default_rng(self.seed),
            )
        return np.asarray(result.bootstrap_distribution, dtype=np.float64)


DEFAULT: Final = Resampling()
