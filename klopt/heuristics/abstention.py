"""Abstention: does an answer that says it does not know say so rightly?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How far the pages leave the question open, for an answer that says it does not know.

    "The documentation does not say" is a true answer when it does not.

    Args:
        material: Reads question, answer and pages.
        options: ``beside_a_solution``, ``most_sentences``.

    Returns:
        0 to 1: 1 minus how much of the question the sentence, or two, that cover it best have
        (`klopt.matching.match`); at most ``beside_a_solution`` when the bot was given one page,
        and that page solves a problem under a heading such as "Solution". None when the answer does
        not say that it does not know; when it goes on all the same, with steps, a component that
        no page names or more than ``most_sentences`` sentences, and so is to be judged as any
        other; when the question has no words of its own, or no page has text. Evidence: what
        says it, ``found``.

    Source:
        Ours. The paper (section 4.2) rates such answers like any other.

    Differs:
        A sentence that shares the question's words need not answer it, so a low value says that
        the answer can be looked for, not that it is there.
    """
    refusal = material.refusal
    if refusal is None:
        return Measurement.missing("the answer does not say that it does not know")
    evidence = (
        material.evidence("found", refusal.start, refusal.end, entry="says that it does not know"),
    )
    if _goes_on(material, cast(int, options["most_sentences"])):
        return Measurement.missing("the answer says that it does not know, and goes on", evidence)
    covered = material.match.asked_share()
    if covered is None:
        return Measurement.missing("the question has no words of its own", evidence)
    value = 1.0 - covered
    if len(material.contexts) == 1 and len(material.contexts[0].index.solution):
        value = min(value, cast(float, options["beside_a_solution"]))
    return Measurement(value, evidence=evidence)


def _goes_on(material: Material, most_sentences: int) -> bool:
    """Whether the answer has claims of its own beside saying that it does not know."""
    if material.answer.guides or len(material.match.statements) > most_sentences:
        return True
    return not all(any(pages) for pages in material.match.named)


HEURISTIC = Heuristic(
    name="abstention",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"beside_a_solution": 0.35, "most_sentences": 6},
)
