"""The answers on which score and person differ most, with their measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from klopt.evaluation.rated import Rated
from klopt.scoring.assessment import CheckedClaim
from klopt.scoring.tree import HIGHEST, LOWEST
from klopt.types import Evidence

_MARGIN: Final = 1.0 + 1e-9
_PASSAGE_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class Weighed:
    """The value of one heuristic (or why it has none), its weight and its evidence."""

    name: str
    value: float | None
    reason: str | None
    weight: float | None
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer on which score and person differ, with passages cut to 2,000 characters.

    ``gap`` is the distance of score and rating; a label counts as 1 or 5.
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
    claims: tuple[CheckedClaim, ...]
    measurements: tuple[Weighed, ...]


def disagreements(rows: Sequence[Rated], most: int) -> tuple[Disagreement, ...]:
    """The ``most`` widest disagreements.

    A score more than 1 from the rating, the paper's margin; or an untrue answer that is sent, or a
    true one that is not.
    """
    found = [(gap, row) for row in rows if (gap := _gap(row)) is not None]
    found.sort(key=lambda pair: -pair[0])
    return tuple(_disagreement(gap, row) for gap, row in found[:most])


def _gap(row: Rated) -> float | None:
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
        claims=tuple(map(_bounded, one.claims)),
        measurements=tuple(
            Weighed(name, each.value, each.reason, one.weights[name], each.evidence)
            for name, each in one.measurements.items()
        ),
    )


def _bounded(claim: CheckedClaim) -> CheckedClaim:
    if claim.passage is None or len(claim.passage.text) <= _PASSAGE_CHARS:
        return claim
    passage = replace(claim.passage, text=claim.passage.text[:_PASSAGE_CHARS])
    kept = tuple(span for span in claim.differing if span[1] <= _PASSAGE_CHARS)
    return replace(claim, passage=passage, differing=kept)
