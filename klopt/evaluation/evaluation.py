"""Evaluate scores against human judgements, in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

from klopt.errors import InputError
from klopt.evaluation.agreement import Agreement, slices
from klopt.evaluation.estimate import Resampling
from klopt.evaluation.features import (
    Ablation,
    ColumnAgreement,
    Disagreement,
    Feature,
    NumberColumn,
    ProfileComparison,
    ablation,
    check_columns,
    column_agreement,
    compare,
    disagreements,
    features,
)
from klopt.evaluation.message_types import MessageTypes, message_types
from klopt.evaluation.rated import (
    InputColumn,
    LearntRows,
    Rated,
    TranslatedRows,
    counted_by,
    is_rated,
    learnt_rows,
    merged,
    select,
    translated_rows,
)
from klopt.evaluation.thresholds import (
    Costs,
    Pictures,
    StarRow,
    costs,
    judged_scores,
    pictures,
    star_rows,
)
from klopt.llm.calls import ordered_map
from klopt.scoring.assessment import Assessment
from klopt.scoring.scorer import Scorer
from klopt.types import Turn
from klopt.version import VERSION

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

_DECIMALS: Final = 6
_UNREAD: Final = "row"  # The reason code of rows that cannot be read, as in an `Assessment`


@dataclass(frozen=True, slots=True)
class Rows:
    """Numbers of rows, by reason code, detected language and message type.

    ``total`` includes unreadable rows, but not those that repeat an earlier one.
    """

    total: int
    repeated: int
    rated: int
    labelled: int
    not_scored: dict[str, int]
    languages: dict[str, int]
    message_types: dict[str, int]


@dataclass(frozen=True, slots=True)
class ProfileEvaluation:
    """One profile against the judgements: the papers' tables."""

    name: str
    fingerprints: tuple[str, ...]
    send_from: float
    translation: TranslatedRows | None
    agreement: tuple[Agreement, ...]
    stars: tuple[StarRow, ...]
    features: tuple[Feature, ...]
    ablation: tuple[Ablation, ...]
    costs: Costs
    pictures: Pictures
    disagreements: tuple[Disagreement, ...]
    learnt_rows: LearntRows | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of `evaluate`: one profile or two, and the first less the second."""

    klopt: str
    file: str
    seed: int
    resamples: int
    rows: Rows
    profiles: tuple[ProfileEvaluation, ...]
    comparison: ProfileComparison | None
    message_types: MessageTypes | None
    columns: tuple[ColumnAgreement, ...] = ()

    def _repr_html_(self) -> str:
        """A notebook's view: the figures of each profile and the worst disagreements."""
        # By name, since klopt.report builds on this module.
        html: str = import_module("klopt.report.notebook").evaluation_html(self)
        return html

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON; ``columns`` only where there are any."""
        found = for_json(self)
        if not found["columns"]:
            del found["columns"]
        return found


def evaluate(
    turns: Iterable[Turn],
    scorer: Scorer,
    *,
    against: Scorer | None = None,
    groups: InputColumn | None = None,
    columns: Sequence[NumberColumn] = (),
    seed: int = 0,
    resamples: int = 1000,
    worst: int = 20,
    file: str = "",
    unread_count: int = 0,
    advance: Callable[[], object] | None = None,
) -> Evaluation:
    """Score each turn once per scorer and compare the scores with the ratings or labels.

    Turns with the same question, answer and pages count once, with their mean rating. ``groups`` is
    a field by whose values agreement is also given, ``columns`` are other numbers, ``worst`` is the
    number of disagreements to keep, ``file`` and its ``unread_count`` are for the result;
    ``advance`` is called after each scored turn. The same seed gives the same bytes. Raises
    InputError without any rating or label, and ValueError for columns of another length or with one
    name.

    >>> from klopt import Scorer, Turn
    >>> page = "Klik op **Bestand**. Klik op **Opslaan**."
    >>> turns = [
    ...     Turn("Hoe sla ik het op?", "Klik op **Bewaren**.", [page], rating=1),
    ...     Turn("Hoe sla ik het op?", "Klik op **Opslaan**.", [page], rating=5),
    ...     Turn("Hoe sla ik het op?", "Klik op **Bestand** en **Opslaan**.", [page], rating=5),
    ... ]
    >>> evaluate(turns, Scorer.load("afas"), resamples=100).profiles[0].agreement[0].auc.value
    1.0
    """
    every = tuple(turns)
    if not any(map(is_rated, every)):
        raise InputError(
            "no turn has a rating (1 to 5) or a label (0 or 1), so there is nothing to compare "
            "the scores with"
        )
    check_columns(columns, len(every), groups)
    kept = merged(every)
    repeated_count = len(every) - len(kept)
    every, places = tuple(kept.values()), tuple(kept)
    columns = [replace(one, values=_at(places, one.values)) for one in columns]
    if groups is not None:
        groups = replace(groups, values=_at(places, groups.values))
    resampling = Resampling(seed, resamples)
    scorers = (scorer,) if against is None else (scorer, against)
    assessments = [_score(every, by, advance) for by in scorers]
    rated = [select(every, found) for found in assessments]
    comparison = None
    if against is not None:
        others = {row.place: row for row in rated[1]}
        pairs = [(row, others[row.place]) for row in rated[0] if row.place in others]
        comparison = compare((scorer.name, against.name), pairs, resampling)
    return Evaluation(
        klopt=VERSION,
        file=file,
        seed=seed,
        resamples=resamples,
        rows=_rows(every, assessments[0], unread_count, repeated_count),
        profiles=tuple(
            _profile(every, own, found, by, _grouped(own, groups), resampling, worst)
            for own, found, by in zip(rated, assessments, scorers, strict=True)
        ),
        comparison=comparison,
        message_types=message_types(every, scorer, resampling),
        columns=tuple(column_agreement(column, every, rated[0], resampling) for column in columns),
    )


def _score(
    turns: Sequence[Turn], scorer: Scorer, advance: Callable[[], object] | None
) -> tuple[Assessment, ...]:
    def scored(turn: Turn) -> Assessment:
        return scorer.score(turn, measure_all=True)

    progress = None if advance is None else lambda _: advance()
    return tuple(ordered_map(scored, turns, scorer.at_once, progress))


def _at(places: Iterable[int], values: Sequence[T]) -> tuple[T, ...]:
    return tuple(values[place] for place in places)


def _rows(
    turns: Sequence[Turn], assessments: Sequence[Assessment], unread_count: int, repeated_count: int
) -> Rows:
    codes = (assessment.reason_code for assessment in assessments if assessment.score is None)
    reasons = [*codes, *[_UNREAD] * unread_count]
    return Rows(
        total=len(turns) + unread_count,
        repeated=repeated_count,
        rated=sum(turn.rating is not None for turn in turns),
        labelled=sum(turn.label is not None for turn in turns),
        not_scored=counted_by(reasons),
        languages=counted_by(assessment.language for assessment in assessments),
        message_types=counted_by(assessment.message_type for assessment in assessments),
    )


def _grouped(rows: Sequence[Rated], groups: InputColumn | None) -> Mapping[str, Sequence[Rated]]:
    """``field: value`` → the rated rows with it, sorted."""
    if groups is None:
        return {}
    found: dict[str, list[Rated]] = {}
    for row in rows:
        value = groups.values[row.place]
        if value is not None:
            found.setdefault(f"{groups.field}: {value}", []).append(row)
    return dict(sorted(found.items()))


def _profile(
    turns: Sequence[Turn],
    rows: Sequence[Rated],
    assessments: Sequence[Assessment],
    scorer: Scorer,
    groups: Mapping[str, Sequence[Rated]],
    resampling: Resampling,
    worst: int,
) -> ProfileEvaluation:
    send_from = scorer.profile.send_from
    judged = judged_scores(rows, scorer.profile)
    scored = {assessment.fingerprint for assessment in assessments if assessment.score is not None}
    return ProfileEvaluation(
        name=scorer.name,
        fingerprints=tuple(sorted(scored)),
        send_from=send_from,
        translation=translated_rows(assessments),
        agreement=slices(rows, groups, resampling),
        stars=star_rows(rows, send_from),
        features=features(rows, scorer, resampling),
        ablation=ablation(rows, scorer, resampling),
        costs=costs(judged, send_from),
        pictures=pictures(judged, send_from),
        disagreements=disagreements(rows, worst),
        learnt_rows=learnt_rows(turns, scorer.profile),
    )


def for_json(value: DataclassInstance) -> dict[str, Any]:
    """A dataclass as a dictionary for JSON: six decimals, p-values with six digits.

    >>> from klopt.evaluation.estimate import Estimate
    >>> for_json(Estimate(1 / 3, reason="too few rows for an interval", n=2, p=1e-9))["p"]
    1e-09
    """
    return {field.name: _plain(getattr(value, field.name), field.name) for field in fields(value)}


def _plain(value: object, name: str = "") -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return for_json(value)
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):  # A p-value may be far below the sixth decimal.
        return float(f"{value:.6g}") if name == "p" else round(value, _DECIMALS) + 0.0
    return value
