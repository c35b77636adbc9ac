"""Numbers from elsewhere beside klopt's score: metrics, LLM judges, another tool's score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.agreement import auc, kendall, pearson, score_differences, spearman
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import InputColumn, Rated, apart, is_rated, judgements, truth
from klopt.records import Turn

_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A finite number that somebody has for each answer, on any scale; higher is taken as truer.

    >>> NumberColumn("bleu", (0.31, None, 0.08)).values[1] is None
    True
    """

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """How well one column agrees with people, and how much better klopt's score does.

    The column's own figures rest on every rated answer that has a value, also those that klopt
    does not score. The differences rest on the answers that have both: only they compare like
    with like.

    Attributes:
        name: The column's.
        n: Rated answers with a value.
        missing_count: Rated answers without.
        spearman: With the ratings, or the labels where nothing is rated; so kendall and pearson.
        auc: The chance that a true answer has a higher value than an untrue one.
        spearman_difference: Rho of klopt's score less rho of the column, same rows and draws.
        auc_difference: AUC of klopt's score less AUC of the column, same rows and draws.
    """

    name: str
    n: int
    missing_count: int
    spearman: Estimate
    kendall: Estimate
    pearson: Estimate
    auc: Estimate
    spearman_difference: Estimate
    auc_difference: Estimate


def check_columns(
    columns: Sequence[NumberColumn], turn_count: int, groups: InputColumn | None = None
) -> None:
    """Stops at columns and fields that do not belong to the turns, or cannot be told apart.

    Raises:
        ValueError: A column does not have one value for each turn, or two go by one name.
    """
    names = [column.name for column in columns]
    lengths = [] if groups is None else [(groups.field, len(groups.values))]
    for name, length in (*lengths, *((column.name, len(column.values)) for column in columns)):
        if length != turn_count:
            raise ValueError(f'column "{name}" has {length} values for {turn_count} turns')
        if names.count(name) > 1:
            raise ValueError(f'two columns are named "{name}"; give each its own name')


def column_agreement(
    column: NumberColumn,
    turns: Sequence[Turn],
    rows: Sequence[Rated],
    resampling: Resampling,
) -> ColumnAgreement:
    """Holds one column against the same judgements as klopt's score.

    Nothing is turned round: a column in which lower is better (seconds, a count of errors) has
    negative correlations and an AUC below 0.5. The scale does not matter. Values that are the
    same to twelve digits are a tie, as noise makes no order.

    Source: HR chatbot paper, section 4.3 and table 9 (Spearman and Kendall of each metric with
    the ratings of people); TechSupportEval, table IV (AUC and Pearson's r with labels). The
    intervals and the differences are ours.

    >>> turns = [Turn("Kan dat?", "Ja.", rating=rating) for rating in (1, 2, 4, 5)]
    >>> bleu = NumberColumn("bleu", (0.1, 0.2, 0.3, 0.4))
    >>> column_agreement(bleu, turns, [], Resampling(resamples=100)).kendall.value
    1.0
    """
    values = _comparable(column.values)
    every = [(turn, value) for turn, value in zip(turns, values, strict=True) if is_rated(turn)]
    held = [(turn, value) for turn, value in every if value is not None]
    figures = apart(
        (value, person)
        for value, person in zip(values, judgements(turns), strict=True)
        if value is not None and person is not None
    )
    sides = apart((value, side) for turn, value in held if (side := truth(turn)) is not None)
    others = {place: value for place, value in enumerate(values) if value is not None}
    both = [row for row in rows if row.place in others]
    by_rank, by_class = score_differences(both, others, resampling)
    return ColumnAgreement(
        name=column.name,
        n=len(held),
        missing_count=len(every) - len(held),
        spearman=spearman(*figures, resampling),
        kendall=kendall(*figures, resampling),
        pearson=pearson(*figures, resampling),
        auc=auc(*sides, resampling),
        spearman_difference=by_rank.estimate,
        auc_difference=by_class.estimate,
    )


def _comparable(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """The values on a scale of at most 1, on which nothing overflows; no figure depends on it."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    _, exponent = math.frexp(largest)
    return tuple(
        None if value is None else float(f"{math.ldexp(value, -exponent):.{_DIGITS}g}")
        for value in values
    )
