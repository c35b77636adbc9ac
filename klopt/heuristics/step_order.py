"""Step Order: are the answer's steps in the order of the guide that they were taken from?"""

from __future__ import annotations

from itertools import combinations
from typing import cast

from klopt.alignment import Index, Unit
from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.measurement import Evidence, Measurement
from klopt.reading.guides import Guide, Step


def measure(material: Material) -> Measurement:
    """How many of the answer's steps stand in the order of the best matching guide.

    Args:
        material: Reads the answer and the pages; needs guides, components and the alignment.

    Returns:
        0 to 1: 1 minus pairs of steps in the wrong order / (matched steps − 1), at least 0, for
        the guide of the pages whose steps match the answer's best. A step matches the step that
        it is most like, when it is at least ``match_share`` like it. None when the answer has no
        guide, no page has one, or fewer than two steps match. Evidence: each step that a later
        one should have preceded, ``unsupported``, with its place.

    Source:
        techsupporteval, section 3 (StepRestore), whose steps come from a reference answer.

    Differs:
        No reference and no LLM: the best matching guide of the pages is the reference. How like
        two steps are is 0.6 × the words covered + 0.4 × the components shared.
    """
    if not material.answer.guides:
        return Measurement.missing("the answer has no step-by-step guide")
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    enough = cast(float, material.options["match_share"])
    best: list[list[float]] = []
    found: tuple[float, Guide, int, Guide] | None = None
    for own in material.answer.guides:
        for number, context in enumerate(material.contexts):
            for other in context.reading.guides:
                table = _likeness(own, other, number, material)
                mean = sum(map(max, table)) / len(table)
                if found is None or mean > found[0]:
                    found, best = (mean, own, number, other), table
    if found is None:
        return Measurement.missing("no page has a step-by-step guide")
    _, own, number, other = found
    matched = [
        (step, row.index(max(row)))
        for step, row in zip(own.steps, best, strict=True)
        if max(row) >= enough
    ]
    if len(matched) < 2:
        return Measurement.missing("fewer than two steps match those of a page's guide")
    reversed_pairs = [
        (first, place) for (first, place), (_, later) in combinations(matched, 2) if later < place
    ]
    value = max(0.0, 1.0 - len(reversed_pairs) / (len(matched) - 1))
    return Measurement(value, evidence=_evidence(reversed_pairs, other, number, material))


def _likeness(own: Guide, other: Guide, number: int, material: Material) -> list[list[float]]:
    """Shape ``(own steps, other steps)``: how like the steps are, 0 to 1."""
    alignment = material.alignment
    page = alignment.pages[number]
    mine = [_keys(step, alignment.answer) for step in own.steps]
    theirs = [_keys(step, page.index) for step in other.steps]
    return [
        [
            0.6 * alignment.coverage(keys, page, words)
            + 0.4 * _shared(step, counterpart, alignment.coverage(keys, page, words))
            for counterpart, words in zip(other.steps, theirs, strict=True)
        ]
        for step, keys in zip(own.steps, mine, strict=True)
    ]


def _shared(step: Step, other: Step, otherwise: float) -> float:
    """The share of a step's components that another names; ``otherwise`` when it has none."""
    if not step.components:
        return otherwise
    named = set(step.components)
    return len(named & set(other.components)) / len(named)


def _keys(step: Step, index: Index) -> frozenset[str]:
    inside: list[Unit] = [one for one in index.units if step.start <= one.start < step.end]
    return frozenset(key for unit in inside for key in unit.keys)


def _evidence(
    pairs: list[tuple[Step, int]], guide: Guide, number: int, material: Material
) -> tuple[Evidence, ...]:
    context = material.contexts[number]
    steps = dict.fromkeys(pairs)
    return tuple(
        material.evidence(
            "unsupported",
            step.start,
            step.end,
            entry="step order",
            at=(context, guide.steps[place].start, guide.steps[place].end),
        )
        for step, place in steps
    )


HEURISTIC = Heuristic(
    name="step_order",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset({"alignment", "components", "guides"}),
    lexicons=frozenset({"components", "guides", "synonyms"}),
    measure=measure,
    options={"match_share": 0.5},
    message_types=("error", "binary", "instruction"),
)
