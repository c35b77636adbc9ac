"""The papers' tables for one data set, each way of scoring in a column of its own."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.labelled import held_out
from benchmarks.measured import Scored
from benchmarks.rated_figures import LINE, RESAMPLING, by_system, mean_auc
from benchmarks.rated_sets import TECHQA
from klopt import Scorer
from klopt.evaluation import Estimate
from klopt.evaluation.agreement import Agreement, slices
from klopt.evaluation.comparison import Comparison, compare
from klopt.evaluation.estimate import share
from klopt.evaluation.message_types import SCORED_BY_THE_PAPER, MessageTypes, message_types
from klopt.evaluation.rated import Rated, decided
from klopt.evaluation.thresholds import CostAt, Costs, StarRow, costs, star_rows

THRESHOLDS: Final = (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5)
PAPER_SCOPE: Final = "binary or instruction"


@dataclass(frozen=True, slots=True)
class Way:
    """The figures of one way of scoring.

    Attributes:
        name: ``afas``, ``default``, ``default, in sample`` or ``default, held out``.
        agreement: All rows, then by message type, for the paper's scope, and by system.
        mean_auc: Over the systems; no value when there are none.
        stars: Table 5; no rows where there are labels.
        costs: The curve, with intervals at some thresholds.
    """

    name: str
    agreement: tuple[Agreement, ...]
    mean_auc: Estimate
    stars: tuple[StarRow, ...]
    costs: Costs


@dataclass(frozen=True, slots=True)
class SetFigures:
    """All figures of one data set.

    Attributes:
        name: The data set's.
        about: What it is.
        language: Of its answers.
        learnt_from: Whether the default profile is learnt from it.
        turn_count: Its turns.
        judged_count: Profile → those that it scores and a person judged.
        ways: Ways of scoring.
        comparisons: Ways of the default profile less ``afas``, on the same turns.
        types: Profile → table 3, where turns state their type.
    """

    name: str
    about: str
    language: str
    learnt_from: bool
    turn_count: int
    judged_count: Mapping[str, int]
    ways: tuple[Way, ...]
    comparisons: tuple[Comparison, ...]
    types: Mapping[str, MessageTypes]


def set_figures(scored: Scored, scorers: Mapping[str, Scorer]) -> SetFigures:
    """All figures of a data set.

    Args:
        scored: The data set.
        scorers: Profile → its scorer, for classifying.
    """
    rows = scored.judged
    name = scored.data_set.name
    ways: dict[str, tuple[Rated, ...]] = {"afas": rows["afas"]}
    if name == TECHQA:
        ways["default, held out"] = held_out(rows["default"])
    learnt_from = scored.data_set.learnt_from
    ways["default, in sample" if learnt_from else "default"] = rows["default"]
    types = {
        profile: found
        for profile, scorer in scorers.items()
        if (found := message_types(scored.turns, scorer, RESAMPLING)) is not None
    }
    return SetFigures(
        name=name,
        about=scored.data_set.about,
        language=scored.data_set.language,
        learnt_from=learnt_from,
        turn_count=len(scored.turns),
        judged_count={profile: len(some) for profile, some in rows.items()},
        ways=tuple(_way(one, some) for one, some in ways.items()),
        comparisons=tuple(
            _comparison(one, some, rows["afas"]) for one, some in ways.items() if one != "afas"
        ),
        types=types,
    )


def _way(name: str, rows: Sequence[Rated]) -> Way:
    scope = [row for row in rows if row.assessment.message_type in SCORED_BY_THE_PAPER]
    groups = {f"message type: {PAPER_SCOPE}": scope}
    groups |= {f"system: {one}": some for one, some in by_system(rows).items()}
    rated = any(row.turn.rating is not None for row in rows)
    return Way(
        name,
        slices(rows, groups, RESAMPLING),
        mean_auc(rows),
        star_rows(rows, LINE) if rated else (),
        _costs(rows),
    )


def _costs(rows: Sequence[Rated]) -> Costs:
    """The costs with intervals at the thresholds that are printed, then where a tenth is lost."""
    found = costs(rows, LINE)
    judged, is_true = decided(rows)

    def below(threshold: float, kind: bool) -> Estimate:
        own = [
            row.score < threshold for row, one in zip(judged, is_true, strict=True) if one is kind
        ]
        return share(sum(own), len(own))

    at = [CostAt(one, below(one, False), below(one, True)) for one in THRESHOLDS]
    return dataclasses.replace(found, at=(*at, *found.at[1:]))


def _comparison(name: str, rows: Sequence[Rated], afas: Sequence[Rated]) -> Comparison:
    other = {row.place: row for row in afas}
    pairs = [(row, other[row.place]) for row in rows if row.place in other]
    return compare((name, "afas"), pairs, RESAMPLING)
