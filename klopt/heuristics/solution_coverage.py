"""Solution Coverage: does the answer give the solution that the page gives?"""

from __future__ import annotations

from klopt.heuristics.declaration import NO_CONTEXT, Heuristic, Material
from klopt.matching import solution_of
from klopt.measurement import Measurement


def measure(material: Material) -> Measurement:
    """How much of the page's solution the answer gives, for the page that it gives most of.

    A general answer may be supported word for word and still pass over the one command that
    solves the problem.

    Args:
        material: Reads question, answer and pages; needs the alignment.

    Returns:
        0 to 1: distinct words of the solution that the answer has / distinct words of the
        solution, those of the question left out. The solution is what stands under a heading
        such as "Resolving the problem", up to one such as "Related information" or to the end.
        The highest of the pages counts. None when no page has such a heading with something
        under it. No evidence: it is about what the answer lacks.

    Source:
        techsupporteval, section 3 (ClozeFact: the key terms of a reference answer); Lassche et
        al., section 3 (completeness) and 4.4.2 (General Answer).

    Differs:
        The reference is the page itself. The papers tell completeness from truthfulness; on
        support questions with one right solution, an answer that lacks it is wrong.
    """
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    alignment = material.alignment
    own, asked = alignment.answer.places, alignment.question.places
    shares = [
        sum(key in own for key in keys) / len(keys)
        for page in alignment.pages
        if (keys := solution_of(page.index, material.lexicons) - asked.keys())
    ]
    if not shares:
        return Measurement.missing("no page has a part under a heading such as Solution")
    return Measurement(max(shares))


HEURISTIC = Heuristic(
    name="solution_coverage",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"alignment"}),
    lexicons=frozenset({"solutions", "synonyms"}),
    measure=measure,
    message_types=("error", "instruction"),
)
