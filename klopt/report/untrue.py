"""How many answers of a log are probably untrue, from their scores.

The probability of an untrue answer follows from its score by a logistic curve, fitted to real
labelled answers (``python -m training.calibration``). How far the curve shifts from one bot to
another is known from the sets of these answers; ratings of the log itself narrow it down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, Self

from klopt._internal import shipped
from klopt.scoring.tree import HIGHEST, LOWEST

LEAST: Final = 10  # Answers from which the number of untrue ones is estimated
MIN_RATED: Final = 10  # Ratings of the log from which they count
LEVEL: Final = 0.8  # The share of logs whose interval should contain the number
_DEVIATIONS: Final = 1.2816  # from the mean that contain `LEVEL` of a normal distribution
_END: Final = 0.02  # The log-odds of a score are bounded to those of this share and its complement
_FARTHEST: Final = 30.0  # How far from the calibrated base the most probable one is searched for
_HALVINGS: Final = 40  # Steps of that search, each of which halves the range


class ScoredLabel(NamedTuple):
    """A score as printed, and whether people found the answer untrue; None where unknown."""

    score: float
    is_untrue: bool | None = None


def log_odds(score: float) -> float:
    """Return the log-odds of a score from 1 to 5 as a share, bounded at both ends.

    >>> log_odds(3.0), round(log_odds(1.0), 1)
    (0.0, -3.9)
    """
    share = min(max((score - LOWEST) / (HIGHEST - LOWEST), _END), 1 - _END)
    return math.log(share / (1 - share))


@dataclass(frozen=True, slots=True)
class UntrueEstimate:
    """A number of untrue answers with its 80% interval, and the ratings that it rests on too."""

    count: float
    low: float
    high: float
    rated_count: int = 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """The logistic curve from scores to probabilities.

    ``slope`` is how much the log-odds of an untrue answer fall when those of its score rise by 1;
    ``base`` those with a score in the middle, in the mean of the sets of labelled answers;
    ``below`` and ``above`` how far the 80% interval of the base reaches for a bot outside the sets,
    down to good bots too.
    """

    slope: float
    base: float
    below: float
    above: float
    answers: int = 0

    @classmethod
    @cache
    def load(cls) -> Self:
        """Return the calibration that ships, of the profile ``default``."""
        table = shipped.table("klopt.report", "calibration.toml")
        return cls(*(table[name] for name in ("slope", "base", "below", "above", "answers")))

    def untrue(self, answers: Mapping[ScoredLabel, int]) -> UntrueEstimate:
        """Estimate how many of these answers, by score and label, are untrue; labels count as such.

        >>> found = Calibration(1.0, 0.0, 1.5, 1.0).untrue({ScoredLabel(3.0): 100})
        >>> round(found.low), round(found.count), round(found.high)
        (18, 50, 74)
        """
        rated = {answer: n for answer, n in answers.items() if answer.is_untrue is not None}
        rated_count = sum(rated.values())
        if rated_count < MIN_RATED:
            rated, rated_count = {}, 0
        base, low_base, high_base = self._bases(rated)
        known = sum(n for answer, n in rated.items() if answer.is_untrue)
        others = {answer: n for answer, n in answers.items() if answer not in rated}

        def total(at: float) -> float:
            return sum(n * self._chance(answer, at) for answer, n in others.items())

        middle = total(base)
        chances = ((n, self._chance(answer, base)) for answer, n in others.items())
        noise = _DEVIATIONS * math.sqrt(sum(n * chance * (1 - chance) for n, chance in chances))
        low = middle - math.hypot(middle - total(low_base), noise)
        high = middle + math.hypot(total(high_base) - middle, noise)
        most = sum(others.values())
        return UntrueEstimate(
            known + middle, known + max(0.0, low), known + min(most, high), rated_count
        )

    def _chance(self, answer: ScoredLabel, base: float) -> float:
        return 1 / (1 + math.exp(self.slope * log_odds(answer.score) - base))

    def _bases(self, rated: Mapping[ScoredLabel, int]) -> tuple[float, float, float]:
        """Return the most probable base given ratings, and the ends of its 80% interval."""
        if not rated:
            return self.base, self.base - self.below, self.base + self.above
        precision = (_DEVIATIONS / self.below) ** 2

        def slopes(base: float) -> tuple[float, float]:
            """Return the first and second derivative of what the base minimises."""
            chances = [(n, answer, self._chance(answer, base)) for answer, n in rated.items()]
            first = sum(n * (chance - bool(answer.is_untrue)) for n, answer, chance in chances)
            second = sum(n * chance * (1 - chance) for n, _, chance in chances)
            return precision * (base - self.base) + first, precision + second

        low, high = self.base - _FARTHEST, self.base + _FARTHEST
        for _ in range(_HALVINGS):
            base = (low + high) / 2
            low, high = (low, base) if slopes(base)[0] > 0 else (base, high)
        _, curvature = slopes(base)
        reach = _DEVIATIONS * curvature**-0.5
        return base, base - reach, base + reach
