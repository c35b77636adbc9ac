"""Solution Known: does the answer know of the solution that its page gives?"""

from __future__ import annotations

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.lexicons import apart
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How little the answer says to be missing, where its page has the solution.

    "The documentation does not mention this", "more information is needed": where the page that
    the question is about has a part under a heading such as "Solution", an answer that says so has
    likely not found it, whatever else it says. Elsewhere it may well be right: nothing is measured.

    Args:
        material: Reads question, answer and pages; needs the lexicon ``doubts``.
        options: None.

    Returns:
        1 / (1 + n) for n expressions of the group ``gap``, above 0 to 1. None when the likeliest
        page (`klopt.matching.match.Match.relevance`) has no such heading with something under it.
        Evidence: the expressions, ``found``.

    Source:
        Ours; Lassche et al., section 4.4.2 (General Answer).

    Differs:
        From Abstention, which is about an answer as a whole that leaves the question open.
    """
    chances = material.match.relevance
    likeliest = [
        context.index
        for context, chance in zip(material.contexts, chances, strict=True)
        if chance == max(chances)
    ]
    if not any(len(index.solution) for index in likeliest):
        return Measurement.missing("the likeliest page has no heading such as Solution")
    spans = apart(material.lexicons["doubts"].group("gap"), material.answer.plain.text)
    evidence = tuple(material.evidence("found", *span) for span in spans)
    return Measurement(1.0 / (1 + len(spans)), evidence=evidence)


HEURISTIC = Heuristic(
    name="solution_known",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
)
