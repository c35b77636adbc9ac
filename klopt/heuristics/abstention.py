"""Abstention: does an answer that says it does not know say so rightly?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How far the pages leave the question open, for an answer that leaves it open too.

    "The documentation does not say" is a true answer when it does not.

    Args:
        material: Reads question, answer and pages.
        options: ``beside_a_solution``.

    Returns:
        0 to 1: 1 minus how much of the question the sentence, or two, that cover it best have
        (`klopt.matching.match`); at most ``beside_a_solution`` when the bot was given one page,
        and that page solves a problem under a heading such as "Solution". None when the answer
        neither says that it does not know nor merely refers to people; when it goes on all the
        same, and so is to be judged as any other: with steps, with a component that no page
        names, or with a statement of its own, beside what it says of the pages ("They only
        describe ..."); when the question has no words of its own, or no page has text. Evidence:
        what says it, ``found``.

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
    if _goes_on(material):
        return Measurement.missing("the answer says that it does not know, and goes on", evidence)
    covered = material.match.asked_share()
    if covered is None:
        return Measurement.missing("the question has no words of its own", evidence)
    value = 1.0 - covered
    if len(material.contexts) == 1 and len(material.contexts[0].index.solution):
        value = min(value, cast(float, options["beside_a_solution"]))
    return Measurement(value, evidence=evidence)


def _goes_on(material: Material) -> bool:
    """Whether the answer has claims of its own beside saying that it does not know."""
    match, refusals = material.match, material.lexicons["refusals"]
    if material.answer.guides or not all(any(pages) for pages in match.named):
        return True
    text, units = material.answer.plain.text, match.answer
    statements = (text[units.starts[unit] : units.ends[unit]] for unit in match.statements)
    return any(refusals.first("goes_along", one) is None for one in statements)


HEURISTIC = Heuristic(
    name="abstention",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"beside_a_solution": 0.35},
)
