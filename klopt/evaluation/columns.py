"""Agreement of other numbers with people: metrics, LLM judges, another tool's score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from klopt.evaluation.agreement import auc, kendall, pearson, score_differences, spearman
from klopt.evaluation.estimate import Estimate, Resampling
from klopt.evaluation.rated import InputColumn, Rated, apart, is_rated, judgements, truth
from klopt.types import Turn

_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A finite number for each answer on any scale, higher meaning more likely true; or None."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """Agreement of one column with people, on all ``n`` rated answers with a value.

    The differences are klopt's score less the column, on the answers that have both.
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
    """Raise ValueError unless columns have one value for each turn and unique names."""
    names = [column.name for column in columns]
    lengths = [] if groups is None else [(groups.field, len(groups.values))]
    for name, length in (*lengths, *((column.name, len(column.values)) for column in columns)):
        if length != turn_count:
            raise ValueError(f'column "{name}" has {length} values for {turn_count} turns')
        if names.count(name) > 1:
            raise ValueError(f'two columns are named "{name}"; give each its own name')


def column_agreement(
    column: NumberColumn, turns: Sequence[Turn], rows: Sequence[Rated], resampling: Resampling
) -> ColumnAgreement:
    """Compare one column with the judgements; values equal to twelve digits are a tie.

    Source: HR chatbot paper, table 9; TechSupportEval, table IV. Intervals and differences are
    ours.

    >>> turns = [Turn("Kan dat?", "Ja.", rating=rating) for rating in (1, 2, 4, 5)]
    >>> bleu = NumberColumn("bleu", (0.1, 0.2, 0.3, 0.4))
    >>> column_agreement(bleu, turns, [], Resampling(resamples=100)).kendall.value
    1.0
    """
    values = _scaled(column.values)
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


def _scaled(values: Sequence[float | None]) -> tuple[float | None, ...]:
    """The values scaled by a power of 2 to at most 1, so that no square overflows."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    _, exponent = math.frexp(largest)
    return tuple(
        None if value is None else float(f"{math.ldexp(value, -exponent):.{_DIGITS}g}")
        for value in values
    )
