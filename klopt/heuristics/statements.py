"""How true the statements of an answer are by the pages: all together, and the weakest."""

from __future__ import annotations

import math
from typing import cast

from klopt.comparing.statements import HOLDS_FROM
from klopt.heuristics.declaration import NO_COMPARATOR, Material, Options, heuristic
from klopt.measurement import Evidence, EvidenceKind, Measurement


@heuristic(reads=("question", "answer", "contexts"), needs=("match", "comparator"))
def statements_hold(material: Material, options: Options) -> Measurement:
    """The chance that every statement of the answer is true.

    One untrue sentence makes an answer untrue, however well the others are borne out.

    Args:
        material: Reads question, answer and pages.
        options: None.

    Returns:
        0 to 1: the product of the chances of the statements (`klopt.comparing.statements`). None
        when the answer makes no statement, or when nothing compares statements in its language.
        Evidence: each statement with the place of the pages that speaks most for or against it,
        ``supported`` where it holds, else ``unsupported``.

    Source:
        Lassche et al., section 4.4.2 (Non-appearing Statements, Answer Contradiction), which
        table 2 names and the paper does not measure.

    Differs:
        From all measures of shared words: bots say untrue things in the page's words, and true
        ones in others.
    """
    statements = material.statements
    if statements is None:
        return Measurement.missing(NO_COMPARATOR)
    if not statements:
        return Measurement.missing("the answer makes no statement")
    evidence: list[Evidence] = []
    for one in statements:
        kind: EvidenceKind = "supported" if one.says == "supported" else "unsupported"
        evidence.append(material.evidence(kind, one.start, one.end, at=material.place(one)))
    value = math.prod(one.truth for one in statements)
    return Measurement(value, evidence=tuple(evidence))


@heuristic(
    reads=("question", "answer", "contexts"), needs=("match", "comparator"), fault_below=HOLDS_FROM
)
def weakest_statement(material: Material, options: Options) -> Measurement:
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
