"""Weakest Statement: how true is the statement of the answer that is least so?"""

from __future__ import annotations

from typing import cast

from klopt.comparing.statements import HOLDS_FROM
from klopt.heuristics.declaration import NO_COMPARATOR, Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """The chance that the weakest statement of the answer is true.

    Args:
        material: Reads question, answer and pages.
        options: ``fault_below``.

    Returns:
        0 to 1: the lowest chance of a statement (`klopt.comparing.statements`). None as for
        Statements Hold. Evidence: each statement below ``fault_below``, ``unsupported``, with the
        place of the pages that it goes against, or that is nearest to it.

    Source:
        Lassche et al., section 4.4.2 (Answer Contradiction), which table 2 names and the paper
        does not measure.

    Differs:
        From Statements Hold, which sinks with the number of statements: here a long answer is as
        good as its worst sentence.
    """
    statements = material.statements
    if statements is None:
        return Measurement.missing(NO_COMPARATOR)
    if not statements:
        return Measurement.missing("the answer makes no statement")
    below = cast(float, options["fault_below"])
    evidence = tuple(
        material.evidence("unsupported", one.start, one.end, at=material.place(one))
        for one in statements
        if one.truth < below
    )
    return Measurement(min(one.truth for one in statements), evidence=evidence)


HEURISTIC = Heuristic(
    name="weakest_statement",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match", "comparator"}),
    measure=measure,
    options={"fault_below": HOLDS_FROM},
)
