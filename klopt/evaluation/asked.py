"""What second opinions bring: truth against the share of the answers that is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.agreement import spearman
from klopt.evaluation.estimate import DEFAULT, Estimate, Resampling, share
from klopt.evaluation.rated import Rated, apart, judgements, truth
from klopt.scoring.assessment import Assessment
from klopt.scoring.profile import Profile, Verdict

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A score and its verdict."""

    score: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Advised:
    """A judged answer, without and with a second opinion.

    Attributes:
        judgement: What people said of it: a rating, or a label as 0 or 1; None for neither.
        is_untrue: Whether people called it untrue.
        before: Without the opinion.
        after: With it, or with its failing; None when nobody was asked about the answer.
    """

    judgement: float | None
    is_untrue: bool
    before: Outcome
    after: Outcome | None


@dataclass(frozen=True, slots=True)
class AskedPoint:
    """What comes of asking about a share of the answers."""

    share: float
    asked: int
    spearman: Estimate
    sent: Estimate
    untrue_of_sent: Estimate


def asked_points(
    rows: Sequence[Rated], profile: Profile, resampling: Resampling
) -> tuple[AskedPoint, ...]:
    """The points of rated answers, some of them with an opinion; none where there is no opinion."""
    found = judgements(row.turn for row in rows)
    advised = [
        Advised(judgement, truth(row.turn) is False, *_outcomes(row.assessment))
        for row, judgement in zip(rows, found, strict=True)
    ]
    if all(answer.after is None for answer in advised):
        return ()
    return tuple(points(advised, profile.block_below, profile.send_from, resampling))


def points(
    rows: Sequence[Advised], block_below: float, send_from: float, resampling: Resampling = DEFAULT
) -> Iterator[AskedPoint]:
    """A point for each of `SHARES` that was asked about, and one for all that were.

    Asked first is what is least certain: the score that lies nearest to the middle between the
    lines of the verdicts.

    >>> rows = [
    ...     Advised(1, True, Outcome(3.0, "review"), Outcome(1.0, "block")),
    ...     Advised(5, False, Outcome(4.5, "send"), None),
    ...     Advised(1, True, Outcome(4.8, "send"), Outcome(1.0, "block")),
    ... ]
    >>> [(one.asked, one.untrue_of_sent.value) for one in points(rows, 2.0, 4.0)]
    [(0, 0.5), (1, 0.5), (2, 0.0)]
    """
    middle = (block_below + send_from) / 2
    asked = [place for place, row in enumerate(rows) if row.after is not None]
    asked.sort(key=lambda place: abs(rows[place].before.score - middle))
    counts = {round(part * len(rows)) for part in SHARES}
    for count in sorted({count for count in counts if count < len(asked)} | {len(asked)}):
        chosen = set(asked[:count])
        outcomes = [
            (row.after or row.before) if place in chosen else row.before
            for place, row in enumerate(rows)
        ]
        scores, judged = apart(
            (outcome.score, row.judgement)
            for row, outcome in zip(rows, outcomes, strict=True)
            if row.judgement is not None
        )
        sent = [
            row.is_untrue
            for row, outcome in zip(rows, outcomes, strict=True)
            if outcome.verdict == "send"
        ]
        yield AskedPoint(
            count / len(rows),
            count,
            spearman(scores, judged, resampling),
            share(len(sent), len(rows)),
            share(sum(sent), len(sent)),
        )


def _outcomes(assessment: Assessment) -> tuple[Outcome, Outcome | None]:
    """Without and with opinions; several on one answer count as one."""
    after = Outcome(assessment.score or 0.0, assessment.verdict)
    if not assessment.opinions:
        return after, None
    first = assessment.opinions[0]
    before = Outcome(first.score_before, first.verdict_before)
    is_asked = any(note.status != "not_asked" for note in assessment.opinions)
    return before, after if is_asked else None
