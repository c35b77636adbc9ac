"""Whether an answer has what its pages have: their solution, or that they say nothing."""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Material, Options, heuristic
from klopt.lexicons import apart
from klopt.measurement import Measurement


@heuristic(reads=("question", "answer", "contexts"), needs=("match",), beside_a_solution=0.35)
def abstention(material: Material, options: Options) -> Measurement:
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


@heuristic(reads=("question", "answer", "contexts"), needs=("match",))
def solution_coverage(material: Material, options: Options) -> Measurement:
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


@heuristic(reads=("question", "answer", "contexts"), needs=("match",))
def solution_known(material: Material, options: Options) -> Measurement:
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
