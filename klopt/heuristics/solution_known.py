"""Solution Known: does the answer know of the solution that the page gives?"""

from __future__ import annotations

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.lexicons.patterns import apart
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How little the answer says to be missing, where a page has the solution.

    "The documentation does not mention this", "more information is needed": where a page has a
    part under a heading such as "Solution", an answer that says so has likely not found it,
    whatever else it says. Where no page has one it may well be right, and nothing is measured.

    Args:
        material: Reads answer and pages; needs the lexicon ``doubts``.
        options: None.

    Returns:
        1 / (1 + n) for n expressions of the group ``gap``, above 0 to 1. None when no page has
        such a heading with something under it. Evidence: the expressions, ``found``.

    Source:
        Ours; Lassche et al., section 4.4.2 (General Answer).

    Differs:
        From Abstention, which is about an answer as a whole that leaves the question open.
    """
    if not any(len(context.index.solution) for context in material.contexts):
        return Measurement.missing("no page has a part under a heading such as Solution")
    spans = apart(material.lexicons["doubts"].group("gap"), material.answer.plain.text)
    evidence = tuple(material.evidence("found", *span) for span in spans)
    return Measurement(1.0 / (1 + len(spans)), evidence=evidence)


HEURISTIC = Heuristic(
    name="solution_known",
    symbol="",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset(),
    measure=measure,
)
