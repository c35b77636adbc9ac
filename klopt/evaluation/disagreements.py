"""The answers on which score and person differ most, with everything that was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt.evaluation.rated import Rated
from klopt.records import Evidence
from klopt.scoring.assessment import CheckedStatement
from klopt.scoring.tree import HIGHEST, LOWEST

_MARGIN: Final = 1.0 + 1e-9
_PASSAGE_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class Weighed:
    """What one heuristic measured on an answer, why not, what it counts, and its evidence."""

    name: str
    value: float | None
    reason: str | None
    weight: float | None
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One answer on which they differ: the turn, and what its `Assessment` says of it.

    Attributes:
        rating: The person's, 1 to 5; None when there is only a label.
        label: Whether the person called it true; None without a label.
        gap: How far the score is from the rating, a label counting as 1 or 5.
        statements: What the answer says beside the pages, a passage to its first 2,000 characters.
    """

    id: str
    question: str
    answer: str
    rating: float | None
    label: bool | None
    score: float
    gap: float
    verdict: str
    rule: str | None
    message_type: str | None
    language: str | None
    explanation: str
    statements: tuple[CheckedStatement, ...]
    measurements: tuple[Weighed, ...]


def disagreements(rows: Sequence[Rated], most: int) -> tuple[Disagreement, ...]:
    """At most ``most`` of them, the widest gap first, equal gaps in the order of the rows.

    A rated answer counts when its score is more than 1 from the rating, the paper's margin; a
    labelled one when an untrue answer is sent, or a true one is not.
    """
    found = [(gap, row) for row in rows if (gap := _gap(row)) is not None]
    found.sort(key=lambda pair: -pair[0])
    return tuple(_disagreement(gap, row) for gap, row in found[:most])


def _gap(row: Rated) -> float | None:
    """How far off the score is; None where it is not off."""
    if row.turn.rating is not None:
        gap = abs(row.score - row.turn.rating)
        return gap if gap > _MARGIN else None
    if (row.assessment.verdict == "send") is row.turn.label:
        return None
    return HIGHEST - row.score if row.turn.label else row.score - LOWEST


def _disagreement(gap: float, row: Rated) -> Disagreement:
    turn, one = row.turn, row.assessment
    return Disagreement(
        *(one.id, turn.question, turn.answer, turn.rating, turn.label, row.score, gap),
        *(one.verdict, one.rule, one.message_type, one.language, one.explanation),
        statements=tuple(map(_bounded, one.statements)),
        measurements=tuple(
            Weighed(name, each.value, each.reason, one.weights[name], each.evidence)
            for name, each in one.measurements.items()
        ),
    )


def _bounded(statement: CheckedStatement) -> CheckedStatement:
    """The same with the beginning of a passage without end."""
    if statement.passage is None or len(statement.passage.text) <= _PASSAGE_CHARS:
        return statement
    passage = replace(statement.passage, text=statement.passage.text[:_PASSAGE_CHARS])
    kept = tuple(span for span in statement.differing if span[1] <= _PASSAGE_CHARS)
    return replace(statement, passage=passage, differing=kept)
