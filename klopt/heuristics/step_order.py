"""Step Order: are the answer's steps in the order of the guide that they were taken from?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Final, cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Evidence, Measurement
from klopt.reading.guides import Guide, Step

_EQUAL: Final = 1e-9
_MOST_STEPS: Final = 100
_MOST_PAGE_STEPS: Final = 2_000
Pair = tuple[Step, int]


def measure(material: Material, options: Options) -> Measurement:
    """How many of the answer's steps stand in the order of the best matching guide.

    Args:
        material: Reads the answer and the pages.
        options: ``match_share``, ``word_share``.

    Returns:
        0 to 1: 1 minus pairs of steps in the wrong order / (matched steps − 1), at least 0, for
        the guide of the pages whose steps match the answer's best; of equals the highest. A step
        matches the one that it is most like, when it is at least ``match_share`` like it. None
        when the answer has no guide, no page has one, or fewer than two steps match. Evidence:
        each step that a later one should have preceded, ``unsupported``, with its place.

    Source:
        techsupporteval, section 3 (StepRestore), whose steps come from a reference answer.

    Differs:
        No reference and no LLM: the best matching guide of the pages is the reference. How like
        two steps are is ``word_share`` × the words covered + the rest × the components shared.
    """
    if not material.answer.guides:
        return Measurement.missing("the answer has no step-by-step guide")
    word_share = cast(float, options["word_share"])
    compared = [
        _Compared(own, page, other, _likeness(own, other, page, material, word_share))
        for own in _first(material.answer.guides, _MOST_STEPS)
        for page, context in enumerate(material.contexts)
        for other in _first(context.index.reading.guides, _MOST_PAGE_STEPS)
    ]
    if not compared:
        return Measurement.missing("no page has a step-by-step guide")
    enough = cast(float, options["match_share"])
    highest = max(one.mean for one in compared)
    orders = [_order(one, enough) for one in compared if one.mean >= highest - _EQUAL]
    known = [one for one in orders if one is not None]
    if not known:
        return Measurement.missing("fewer than two steps match those of a page's guide")
    value, found, early = max(known, key=lambda one: one[0])
    return Measurement(value, evidence=_evidence(found, early, material))


@dataclass(frozen=True, slots=True)
class _Compared:
    """A guide of the answer beside one of a page; the table is that of `_likeness`."""

    own: Guide
    page: int
    other: Guide
    table: list[list[float]]

    @property
    def mean(self) -> float:
        return sum(map(max, self.table)) / len(self.table)


def _order(compared: _Compared, enough: float) -> tuple[float, _Compared, list[Pair]] | None:
    """The value, and each step too early, with its place; None when fewer than two match."""
    matched: list[Pair] = []
    for step, row in zip(compared.own.steps, compared.table, strict=True):
        if max(row) >= enough:
            matched.append((step, _place(row, matched[-1][1] if matched else 0)))
    if len(matched) < 2:
        return None
    early = [one for one, other in combinations(matched, 2) if other[1] < one[1]]
    value = max(0.0, 1.0 - len(early) / (len(matched) - 1))
    return value, compared, list(dict.fromkeys(early))


def _place(row: list[float], previous: int) -> int:
    """The likest step; of equals ("Klik op Volgende") the first that is not before the previous."""
    equals = [place for place, share in enumerate(row) if share >= max(row) - _EQUAL]
    return next((place for place in equals if place >= previous), equals[0])


def _first(guides: tuple[Guide, ...], most_steps: int) -> list[Guide]:
    """The guides up to so many steps together; what is longer is no guide for a person."""
    ends = accumulate(len(one.steps) for one in guides)
    return [one for one, end in zip(guides, ends, strict=True) if end <= most_steps]


def _likeness(
    own: Guide, other: Guide, page: int, material: Material, word_share: float
) -> list[list[float]]:
    """Shape ``(own steps, other steps)``: how like the steps are, 0 to 1."""
    match = material.match
    units = material.contexts[page].index.units
    covered = match.covered(
        [match.answer.between(step.start, step.end) for step in own.steps],
        [units.between(step.start, step.end) for step in other.steps],
        page,
    )
    return [
        [
            word_share * share + (1 - word_share) * _shared(step, counterpart, share)
            for counterpart, share in zip(other.steps, row, strict=True)
        ]
        for step, row in zip(own.steps, covered, strict=True)
    ]


def _shared(step: Step, other: Step, otherwise: float) -> float:
    """The share of a step's components that another names; ``otherwise`` when it has none."""
    if not step.components:
        return otherwise
    named = set(step.components)
    return len(named & set(other.components)) / len(named)


def _evidence(found: _Compared, early: list[Pair], material: Material) -> tuple[Evidence, ...]:
    theirs = found.other.steps
    places = ((step, (found.page, theirs[at].start, theirs[at].end)) for step, at in early)
    return tuple(
        material.evidence("unsupported", step.start, step.end, entry="step order", at=at)
        for step, at in places
    )


HEURISTIC = Heuristic(
    name="step_order",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"match_share": 0.5, "word_share": 0.6},
    looks_for_faults=True,
)
