"""What the pictures of judged answers show: scores by rating, risk by what is sent, reliability."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL, Estimate, share
from klopt.evaluation.rated import is_true, is_untrue
from klopt.evaluation.thresholds import LINES, STARS, Judged, JudgedScore, passes
from klopt.scoring.tree import HIGHEST, LOWEST

_SHARES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)
_BAND: Final = 0.5


@dataclass(frozen=True, slots=True)
class RatingScores:
    """The scores of the ``n`` answers with one rating: a tenth of them lie at ``low`` or below.

    A quarter lie at ``quarter`` or below, and so on; ``high`` has nine tenths below it.
    """

    rating: int
    n: int
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Of the judged answers the share that a line sends; of what it sends the share untrue."""

    line: float
    sent: float
    untrue: float


@dataclass(frozen=True, slots=True)
class ScoreBand:
    """The share true of the answers between two scores that people called true or untrue."""

    low: float
    high: float
    true: Estimate


@dataclass(frozen=True, slots=True)
class Pictures:
    """The figures of three pictures.

    Attributes:
        n: Judged answers behind them.
        scores: For each rating that was given (halves are rounded up), its scores.
        risk: The lines from 1.0 to 5.0 that send something.
        chosen: What is sent by the verdicts, at the line of the profile; None when nothing is.
        bands: Half a star each, those without answers left out.
    """

    n: int
    scores: tuple[RatingScores, ...]
    risk: tuple[RiskPoint, ...]
    chosen: RiskPoint | None
    bands: tuple[ScoreBand, ...]

    @property
    def is_worth_it(self) -> bool:
        """Whether there are answers enough to draw."""
        return self.n >= FEWEST_FOR_INTERVAL


def pictures(judged: Judged, send_from: float) -> Pictures:
    """The figures of judged answers, at most one answer behind each count.

    >>> judged = {JudgedScore(4.5, 5.0, True, False): 3, JudgedScore(4.5, 1.0, True, False): 1}
    >>> found = pictures(judged, 4.4)
    >>> found.chosen, found.bands[0].true.value
    (RiskPoint(line=4.4, sent=1.0, untrue=0.25), 0.75)
    """
    lines = ((line, _sending(judged, line, partial(passes, line=line))) for line in LINES)
    starts = [LOWEST + _BAND * step for step in range(round((HIGHEST - LOWEST) / _BAND))]
    bands = [(start, _true(judged, start, start + _BAND)) for start in starts]
    stars = ((rating, _ordered(judged, rating)) for rating in STARS)
    return Pictures(
        sum(judged.values()),
        tuple(
            RatingScores(star, len(own), *(own[int(part * len(own))] for part in _SHARES))
            for star, own in stars
            if own
        ),
        tuple(point for _, point in lines if point is not None),
        _sending(judged, send_from, lambda answer: answer.is_sent),
        tuple(ScoreBand(start, start + _BAND, true) for start, true in bands if true.n),
    )


def _sending(
    judged: Judged, line: float, is_sent: Callable[[JudgedScore], bool]
) -> RiskPoint | None:
    sent = {answer: count for answer, count in judged.items() if is_sent(answer)}
    total = sum(sent.values())
    if not total:
        return None
    untrue = sum(count for answer, count in sent.items() if is_untrue(answer.rating))
    return RiskPoint(line, total / sum(judged.values()), untrue / total)


def _true(judged: Judged, low: float, high: float) -> Estimate:
    """The share true; the last band has the highest score too."""
    own = [
        (is_true(answer.rating), count)
        for answer, count in judged.items()
        if low <= answer.score < high or high == answer.score == HIGHEST
        if is_true(answer.rating) or is_untrue(answer.rating)
    ]
    return share(sum(count for true, count in own if true), sum(count for _, count in own))


def _ordered(judged: Judged, rating: int) -> list[float]:
    """The scores of a rating, the lowest first."""
    own = sorted(answer for answer in judged if int(answer.rating + 0.5) == rating)
    return [answer.score for answer in own for _ in range(judged[answer])]
