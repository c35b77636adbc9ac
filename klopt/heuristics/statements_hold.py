"""Statements Hold: are all statements of the answer true by the pages?"""

from __future__ import annotations

import math

from klopt.heuristics.declaration import NO_COMPARATOR, Heuristic, Material, Options
from klopt.measurement import Evidence, EvidenceKind, Measurement


def measure(material: Material, options: Options) -> Measurement:
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


HEURISTIC = Heuristic(
    name="statements_hold",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match", "comparator"}),
    measure=measure,
)
