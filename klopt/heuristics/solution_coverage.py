"""Solution Coverage: does the answer give the solution that the page gives?"""

from __future__ import annotations

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How much of the page's solution the answer gives, for the page that it gives most of.

    A general answer may be supported word for word and still pass over the one command that
    solves the problem.

    Args:
        material: Reads question, answer and pages.
        options: None.

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
    own, asked = material.match.answer.ids, material.match.question.ids
    shares = []
    for context in material.contexts:
        index = context.index
        words = [index.units.words[number] for number in index.solution.tolist()]
        wanted = [word for word in words if word not in asked]
        if wanted:
            shares.append(sum(word in own for word in wanted) / len(wanted))
    if not shares:
        return Measurement.missing("no page has a part under a heading such as Solution")
    return Measurement(max(shares))


HEURISTIC = Heuristic(
    name="solution_coverage",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
)
