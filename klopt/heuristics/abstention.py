"""Abstention: does an answer that says it does not know say so rightly?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.matching import solution_of
from klopt.measurement import Measurement


def measure(material: Material) -> Measurement:
    """How far the pages leave the question open, for an answer that says it does not know.

    "The documentation does not say" is a true answer when it does not.

    Args:
        material: Reads question, answer and pages; needs components, guides and the alignment.

    Returns:
        0 to 1: 1 minus how much of the question the sentence, or two, that cover it best have
        (`klopt.matching`); at most ``beside_a_solution`` when the bot was given one page, and that
        page solves a problem under a heading such as "Solution". None when the answer does
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
    text = material.answer.plain.text
    patterns = material.lexicons["refusals"].group("does_not_know")
    match = next((found for one in patterns if (found := one.search(text)) is not None), None)
    if match is None:
        return Measurement.missing("the answer does not say that it does not know")
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    evidence = (material.evidence("found", *match.span(), entry="says that it does not know"),)
    if _goes_on(material):
        return Measurement.missing("the answer says that it does not know, and goes on", evidence)
    alignment = material.alignment
    if not alignment.question.places:
        return Measurement.missing("the question has no words of its own", evidence)
    value = 1.0 - max(alignment.asked(page).share for page in alignment.pages)
    tables = material.lexicons
    if len(alignment.pages) == 1 and solution_of(alignment.pages[0].index, tables):
        value = min(value, cast(float, material.options["beside_a_solution"]))
    return Measurement(value, evidence=evidence)


def _goes_on(material: Material) -> bool:
    """Whether the answer has claims of its own beside saying that it does not know."""
    alignment = material.alignment
    if material.answer.guides:
        return True
    if len(alignment.units) > cast(int, material.options["most_sentences"]):
        return True
    named = (one for one in material.answer.components if one.kind != "code")
    return any(not any(page.index.names(one.key) for page in alignment.pages) for one in named)


HEURISTIC = Heuristic(
    name="abstention",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"alignment", "components", "guides"}),
    lexicons=frozenset({"refusals", "solutions", "synonyms"}),
    measure=measure,
    options={"beside_a_solution": 0.35, "most_sentences": 6},
)
