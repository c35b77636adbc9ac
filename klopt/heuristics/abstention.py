"""Abstention: does an answer that says it does not know say so rightly?"""

from __future__ import annotations

from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.measurement import Measurement


def measure(material: Material) -> Measurement:
    """How far the pages leave the question open, for an answer that says it does not know.

    "The documentation does not say" is a true answer when it does not.

    Args:
        material: Reads question, answer and pages; needs the alignment.

    Returns:
        0 to 1: 1 minus how much of the question the sentence, or two, that cover it best have
        (`klopt.alignment`). None when the answer does not say that it does not know, when the
        question has no words of its own, or no page has text. Evidence: what says it, ``found``.

    Source:
        Ours. The paper (section 4.2) rates such answers like any other.

    Differs:
        A sentence that shares the question's words need not answer it, so a low value says that
        the answer can be looked for, not that it is there.
    """
    text = material.answer.plain.text
    patterns = material.lexicons["refusals"].group("does_not_know")
    matches = [match for one in patterns if (match := one.search(text)) is not None]
    if not matches:
        return Measurement.missing("the answer does not say that it does not know")
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    alignment = material.alignment
    if not alignment.question.places:
        return Measurement.missing("the question has no words of its own")
    covered = max(alignment.asked(page).share for page in alignment.pages)
    evidence = tuple(
        material.evidence("found", *match.span(), entry=match[0]) for match in matches[:1]
    )
    return Measurement(1.0 - covered, evidence=evidence)


HEURISTIC = Heuristic(
    name="abstention",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"alignment"}),
    lexicons=frozenset({"refusals", "synonyms"}),
    measure=measure,
)
