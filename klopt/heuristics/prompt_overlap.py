"""Prompt Overlap (AFAS paper, section 5.2): does the answer take up the question's words?"""

from __future__ import annotations

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """The share of the question's content words that come back in the answer.

    Some overlap is expected of an answer to the question that was asked.

    Args:
        material: Reads question and answer; needs their parses.
        options: None.

    Returns:
        0 to 1: distinct content lemmas of the question that the answer has / all of them. None
        when the question has no word with content. Evidence: the first place in the answer of
        each shared lemma, ``found``.

    Source:
        Lassche et al., section 5.2 (Prompt Overlap), after Kumar et al. (2019); the opposite,
        Prompt Uniqueness of Roychowdhury et al. (2023), correlated less in the paper.

    Differs:
        The paper leaves open what overlaps and by what it is divided: here lemmas of nouns,
        names, verbs, adjectives and numbers that are no stop words, divided by the question's.
    """
    asked = material.parse(material.question).content_lemmas
    if not asked:
        return Measurement.missing("the question has no word with content")
    parse = material.parse(material.answer)
    shared = sorted(
        (lemma for lemma in asked if lemma in parse.first_by_lemma),
        key=lambda lemma: parse.first_by_lemma[lemma],
    )
    evidence = tuple(
        material.evidence("found", span.start, span.end, entry=lemma)
        for lemma in shared
        for span in (parse.spans[parse.first_by_lemma[lemma]],)
    )
    return Measurement(len(shared) / len(asked), None, evidence)


HEURISTIC = Heuristic(
    name="prompt_overlap",
    symbol="□",
    reads=frozenset({"question", "answer"}),
    needs=frozenset({"parse"}),
    measure=measure,
)
