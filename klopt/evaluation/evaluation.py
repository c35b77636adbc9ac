"""Everything that can be said of scores beside human judgements, from one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final

from klopt.errors import InputError
from klopt.evaluation.agreement import Agreement, slices
from klopt.evaluation.asked import AskedPoint, asked_points
from klopt.evaluation.columns import (
    ColumnAgreement,
    NumberColumn,
    check_columns,
    column_agreement,
)
from klopt.evaluation.comparison import ProfileComparison, compare
from klopt.evaluation.disagreements import Disagreement, disagreements
from klopt.evaluation.estimate import Resampling
from klopt.evaluation.features import Ablation, Feature, ablation, features
from klopt.evaluation.message_types import MessageTypes, message_types
from klopt.evaluation.pictures import Pictures, pictures
from klopt.evaluation.rated import (
    InputColumn,
    LearntRows,
    Rated,
    TranslatedRows,
    counted_by,
    is_rated,
    learnt_rows,
    select,
    translated_rows,
)
from klopt.evaluation.thresholds import Costs, StarRow, costs, judged_scores, star_rows
from klopt.models.in_order import in_order
from klopt.records import Turn
from klopt.scoring.assessment import Assessment
from klopt.scoring.notebook import cards, table
from klopt.scoring.scorer import Scorer
from klopt.version import VERSION

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_DECIMALS: Final = 6
_IN_NOTEBOOK: Final = 5
_UNREAD: Final = "row"
"""The reason code of rows that could not be read, as in an `Assessment`."""


@dataclass(frozen=True, slots=True)
class Rows:
    """How many rows there were, and of what kind.

    Attributes:
        total: All, those that could not be read included.
        not_scored: Reason code → rows, by the first profile.
        languages: Language → rows, as klopt told it.
        message_types: Message type → rows, as stated or found.
    """

    total: int
    rated: int
    labelled: int
    not_scored: dict[str, int]
    languages: dict[str, int]
    message_types: dict[str, int]


@dataclass(frozen=True, slots=True)
class ProfileEvaluation:
    """One profile beside the judgements: the papers' tables.

    Attributes:
        name: Of the scorer: the profile's, and what it reads in translation.
        fingerprints: Of the rows that were scored, each once, sorted.
        send_from: The profile's: an answer that scores less is not sent.
        translation: How many rows were read in translation; None when none was to be.
        learnt_rows: How many of the judged rows the profile was learnt from; None when of none is
            known that it was.
        asked: What second opinions bring, by the share of the answers that is asked about; empty
            when nobody was asked.
    """

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
    asked: tuple[AskedPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `evaluate` found; a report reads it.

    Attributes:
        klopt: The version.
        file: Where the rows came from; empty when they came from Python.
        seed: Of the resampling.
        resamples: How many.
        rows: What the rows were.
        profiles: One, or two that are compared.
        comparison: The first less the second, or None.
        message_types: Table 3, or None when no row states a type.
        columns: Numbers from elsewhere beside the score of the first profile.
    """

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
        """What a notebook shows: the figures of each profile, and where the first is furthest off.

        Of an ``Estimate`` the figure with its interval; `klopt.plots` has pictures.
        """
        heads = ("profile", "n", "spearman", "auc", "send_from", "caught", "held_back")
        rows = []
        for profile in self.profiles:
            overall, at = profile.agreement[0], profile.costs.at[0]
            figures = (overall.spearman, overall.auc, at.caught, at.held_back)
            rho, auc, caught, held_back = map(str, figures)
            n, line = max(overall.spearman.n, overall.auc.n), f"{profile.send_from:g}"
            rows.append((profile.name, n, rho, auc, line, caught, held_back))
        worst = self.profiles[0].disagreements[:_IN_NOTEBOOK]
        return table(heads, rows) + cards(map(for_json, worst))

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON, fields in order; figures to six decimals, p to six digits.

        There is a key ``columns``, and in a profile ``asked``, only where there are any.
        """
        found = for_json(self)
        for part, name in (
            (found, "columns"),
            *((profile, "asked") for profile in found["profiles"]),
        ):
            if not part[name]:
                del part[name]
        return found


def evaluate(
    turns: Iterable[Turn],
    scorer: Scorer,
    *,
    against: Scorer | None = None,
    groups: InputColumn | None = None,
    columns: Sequence[NumberColumn] = (),
    seed: int = 0,
    resamples: int = 2000,
    worst: int = 20,
    file: str = "",
    unread_count: int = 0,
    advance: Callable[[], object] | None = None,
) -> Evaluation:
    """Scores each turn once and holds the scores against the ratings or labels.

    Turns that a scorer was to translate and scored on the original are in its figures, as they
    are in use; `ProfileEvaluation.translation` counts them. A scorer that requires the
    translation does not score them, so they are in none. ``groups`` is a field by which agreement
    is also given; ``columns`` stand beside the first scorer's; ``unread_count`` are rows of
    ``file`` that could not be read as turns; the same seed gives the same bytes.

    Raises:
        InputError: No turn has a rating or a label.
        ValueError: A column does not have one value for each turn, or two go by one name.
        PipelineError: A profile names a pipeline that is not installed.

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
        rows=_rows(every, assessments[0], unread_count),
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
    return tuple(in_order(scored, turns, scorer.at_once, progress))


def _rows(turns: Sequence[Turn], assessments: Sequence[Assessment], unread_count: int) -> Rows:
    codes = (assessment.reason_code for assessment in assessments if assessment.score is None)
    reasons = [*codes, *[_UNREAD] * unread_count]
    return Rows(
        total=len(turns) + unread_count,
        rated=sum(turn.rating is not None for turn in turns),
        labelled=sum(turn.label is not None for turn in turns),
        not_scored=counted_by(reasons),
        languages=counted_by(assessment.language for assessment in assessments),
        message_types=counted_by(assessment.message_type for assessment in assessments),
    )


def _grouped(rows: Sequence[Rated], groups: InputColumn | None) -> Mapping[str, Sequence[Rated]]:
    """The rated rows of each group, by ``field: value``, sorted."""
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
        asked=asked_points(rows, scorer.profile, resampling),
    )


def for_json(value: DataclassInstance) -> dict[str, Any]:
    """A frozen value as JSON has it: figures to six decimals, p-values to six digits.

    >>> from klopt.evaluation import Estimate
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
