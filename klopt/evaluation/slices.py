"""Agreement for all rows and for each language, message type and group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from klopt.evaluation.agreement import (
    accuracy_within,
    auc,
    kendall,
    pearson,
    quadratic_weighted_kappa,
    spearman,
)
from klopt.evaluation.estimate import Estimate
from klopt.evaluation.rated import Rated, decided, graded
from klopt.evaluation.resampling import Resampling
from klopt.records import MESSAGE_TYPES


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the scores of one slice of the rows agree with people.

    Attributes:
        slice: ``all``, or a field and its value such as ``language: nl``.
        spearman: Spearman's rho with the ratings.
        kendall: Kendall's tau-b with the ratings.
        pearson: Pearson's r with the ratings.
        kappa_quadratic: Quadratic weighted kappa of the stars.
        auc: The chance that a true answer scores higher than an untrue one.
        accuracy_margin_1: The share of scores at most 1 from the rating.
    """

    slice: str
    spearman: Estimate
    kendall: Estimate
    pearson: Estimate
    kappa_quadratic: Estimate
    auc: Estimate
    accuracy_margin_1: Estimate


def slices(
    rows: Sequence[Rated], groups: Mapping[str, Sequence[Rated]], resampling: Resampling
) -> tuple[Agreement, ...]:
    """Agreement for all rows, each language, each message type, and each group by its name."""
    return tuple(_agreement(name, part, resampling) for name, part in _parts(rows, groups))


def _parts(
    rows: Sequence[Rated], groups: Mapping[str, Sequence[Rated]]
) -> Iterator[tuple[str, Sequence[Rated]]]:
    yield "all", rows
    for language in sorted({str(row.assessment.language) for row in rows}):
        yield f"language: {language}", [r for r in rows if r.assessment.language == language]
    for kind in MESSAGE_TYPES:
        part = [row for row in rows if row.assessment.message_type == kind]
        if part:
            yield f"message type: {kind}", part
    yield from groups.items()


def _agreement(name: str, rows: Sequence[Rated], resampling: Resampling) -> Agreement:
    kept, ratings = graded(rows)
    scores = [row.score for row in kept]
    rated = [(row.score, row.turn.rating) for row in rows if row.turn.rating is not None]
    stars, given = [score for score, _ in rated], [rating for _, rating in rated]
    sorted_rows, is_true = decided(rows)
    return Agreement(
        slice=name,
        spearman=spearman(scores, ratings, resampling),
        kendall=kendall(scores, ratings, resampling),
        pearson=pearson(scores, ratings, resampling),
        kappa_quadratic=quadratic_weighted_kappa(stars, given, resampling),
        auc=auc([row.score for row in sorted_rows], is_true, resampling),
        accuracy_margin_1=accuracy_within(stars, given),
    )
