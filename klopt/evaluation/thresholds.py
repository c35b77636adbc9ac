"""Scores on either side of a threshold: table 5 of the AFAS paper, cost curve and charts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from klopt.evaluation.agreement import accuracy_margin_1
from klopt.evaluation.estimate import FEWEST_FOR_INTERVAL, Estimate, share
from klopt.evaluation.features import walked
from klopt.evaluation.rated import Rated, apart, is_true, is_untrue, rating_of
from klopt.scoring.profile import Profile
from klopt.scoring.tree import HIGHEST, LOWEST, printed

STARS: Final = (1, 2, 3, 4, 5)
HELD_BACK_MOST_SHARE: Final = 0.10
LINES: Final = tuple(step / 10 for step in range(10, 51))  # thresholds of the curves, 1.0 to 5.0
_QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)
_BAND: Final = 0.5


@dataclass(frozen=True, slots=True)
class StarRow:
    """The ``n`` answers rated with one number of stars, and shares of them by score."""

    rating: int
    n: int
    margin_1: Estimate
    score_1: Estimate
    below_send: Estimate
    above_send: Estimate
    score_5: Estimate


def star_rows(rows: Sequence[Rated], send_from: float) -> tuple[StarRow, ...]:
    """Five rows, from 1 star to 5; shares of no answers are undefined."""
    return tuple(_star_row(stars, rows, send_from) for stars in STARS)


def _star_row(stars: int, rows: Sequence[Rated], send_from: float) -> StarRow:
    scores, ratings = apart(
        (row.score, row.turn.rating)
        for row in rows
        if row.turn.rating is not None and math.floor(row.turn.rating + 0.5) == stars
    )
    lowest, highest = scores.count(LOWEST), scores.count(HIGHEST)
    below, above = (sum(one < send_from for one in scores), sum(one > send_from for one in scores))
    shares = (share(count, len(scores)) for count in (lowest, below, above, highest))
    return StarRow(stars, len(scores), accuracy_margin_1(scores, ratings), *shares)


@dataclass(frozen=True, slots=True)
class CostPoint:
    """One threshold on the curve; a share of no answers is None."""

    threshold: float
    caught_share: float | None
    held_back_share: float | None


@dataclass(frozen=True, slots=True)
class CostAt:
    """The share of untrue answers caught and of true ones held back at one threshold."""

    threshold: float
    caught: Estimate
    held_back: Estimate


@dataclass(frozen=True, slots=True)
class Costs:
    """The curve from 1.0 to 5.0, and two points: the profile's own, and at most 10% held back."""

    untrue_count: int
    true_count: int
    points: tuple[CostPoint, ...]
    at: tuple[CostAt, ...]


class JudgedScore(NamedTuple):
    """A scored and judged answer; ``is_held``: a contradiction holds it at any threshold."""

    score: float
    rating: float
    is_sent: bool
    is_held: bool


Judged = Mapping[JudgedScore, int]  # Judged score → number of answers


def judged_scores(rows: Sequence[Rated], profile: Profile) -> Counter[JudgedScore]:
    """Count the rows by `JudgedScore`."""
    found: Counter[JudgedScore] = Counter()
    for row in rows:
        assessment, rating = row.assessment, rating_of(row.turn)
        own, is_sent = walked(assessment, profile).score, assessment.verdict == "send"
        is_held = not is_sent and own is not None and profile.verdict(own) == "send"
        is_held = is_held and not assessment.opinions  # Opinions change the score as well.
        if rating is not None:
            found[JudgedScore(printed(row.score), rating, is_sent, is_held)] += 1
    return found


def costs(judged: Judged, own: float) -> Costs:
    """The costs of not sending answers that score below a threshold.

    At the profile's ``own`` threshold the verdicts decide; at any other, the printed score and
    contradictions. Source: AFAS paper, section 6.2.3, with ratings 1 and 2 as untrue, 4 and 5 as
    true.
    """
    untrue, true = (
        {answer: count for answer, count in judged.items() if is_side(answer.rating)}
        for is_side in (is_untrue, is_true)
    )

    def at(threshold: float) -> CostAt:
        return CostAt(threshold, *(_stopped(some, threshold, own) for some in (untrue, true)))

    steps = [at(step) for step in LINES]
    cautious = [step for step in steps if (step.held_back.value or 0.0) <= HELD_BACK_MOST_SHARE]
    return Costs(
        sum(untrue.values()),
        sum(true.values()),
        tuple(CostPoint(step.threshold, step.caught.value, step.held_back.value) for step in steps),
        (at(own), *(cautious[-1:] if true else ())),
    )


def _stopped(judged: Judged, threshold: float, own: float) -> Estimate:
    is_sent = _is_sent if threshold == own else partial(passes, line=threshold)
    total = sum(judged.values())
    return share(total - sum(count for answer, count in judged.items() if is_sent(answer)), total)


def _is_sent(answer: JudgedScore) -> bool:
    return answer.is_sent


def passes(answer: JudgedScore, line: float) -> bool:
    """Whether an answer would be sent at a threshold other than its profile's."""
    return not answer.is_held and answer.score >= line


@dataclass(frozen=True, slots=True)
class RatingScores:
    """Quantiles of the scores of the ``n`` answers with one rating, from 10% to 90%."""

    rating: int
    n: int
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """The share of the judged answers sent at a threshold, and the share of those untrue."""

    line: float
    sent: float
    untrue: float


@dataclass(frozen=True, slots=True)
class ScoreBand:
    """The share true of the decided answers with a score in a band."""

    low: float
    high: float
    true: Estimate


@dataclass(frozen=True, slots=True)
class Pictures:
    """The data of three charts; ``chosen`` is the point of the profile's own verdicts."""

    n: int
    scores: tuple[RatingScores, ...]
    risk: tuple[RiskPoint, ...]
    chosen: RiskPoint | None
    bands: tuple[ScoreBand, ...]

    @property
    def is_worth_it(self) -> bool:
        """Whether there are enough answers for a chart."""
        return self.n >= FEWEST_FOR_INTERVAL


def pictures(judged: Judged, send_from: float) -> Pictures:
    """The data of the charts of judged answers.

    >>> judged = {JudgedScore(4.5, 5.0, True, False): 3, JudgedScore(4.5, 1.0, True, False): 1}
    >>> found = pictures(judged, 4.4)
    >>> found.chosen, found.bands[0].true.value
    (RiskPoint(line=4.4, sent=1.0, untrue=0.25), 0.75)
    """
    points = (one for line in LINES if (one := _risk(judged, line, partial(passes, line=line))))
    starts = [LOWEST + _BAND * step for step in range(round((HIGHEST - LOWEST) / _BAND))]
    bands = (ScoreBand(low, low + _BAND, _true(judged, low, low + _BAND)) for low in starts)
    stars = ((rating, _sorted_scores(judged, rating)) for rating in STARS)
    scores = (
        RatingScores(star, len(own), *(own[int(part * len(own))] for part in _QUANTILES))
        for star, own in stars
        if own
    )
    bands = (band for band in bands if band.true.n)
    chosen = _risk(judged, send_from, _is_sent)
    return Pictures(sum(judged.values()), tuple(scores), tuple(points), chosen, tuple(bands))


def _risk(judged: Judged, line: float, is_sent: Callable[[JudgedScore], bool]) -> RiskPoint | None:
    sent = {answer: count for answer, count in judged.items() if is_sent(answer)}
    total = sum(sent.values())
    if not total:
        return None
    untrue = sum(count for answer, count in sent.items() if is_untrue(answer.rating))
    return RiskPoint(line, total / sum(judged.values()), untrue / total)


def _true(judged: Judged, low: float, high: float) -> Estimate:
    """The share true; the last band includes the highest score."""
    own = [
        (is_true(answer.rating), count)
        for answer, count in judged.items()
        if low <= answer.score < high or high == answer.score == HIGHEST
        if is_true(answer.rating) or is_untrue(answer.rating)
    ]
    return share(sum(count for true, count in own if true), sum(count for _, count in own))


def _sorted_scores(judged: Judged, rating: int) -> list[float]:
    own = sorted(answer for answer in judged if int(answer.rating + 0.5) == rating)
    return [answer.score for answer in own for _ in range(judged[answer])]
