"""Complex Answer (AFAS paper, section 5.2): does the answer reason, compare, give examples?"""

from __future__ import annotations

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How many of the four kinds of signal words the answer uses.

    Perspective ("volgens"), comparison ("in tegenstelling tot"), example ("bijvoorbeeld") and
    reasoning ("omdat"): an answer that is too simple or vague is less likely to be true.

    Args:
        material: Reads the answer; needs the lexicon ``signal_words``.
        options: None.

    Returns:
        0 to 1: lists with at least one hit / number of lists (0, 0.25, 0.5, 0.75 or 1). None
        when the answer has no text. Evidence: the first hit of each list, ``found``.

    Source:
        Lassche et al., section 5.2 (Complex Answer), after Kumar et al. (2019).

    Differs:
        The paper says that "words from various lists" raise the likelihood; here each list
        counts once, so that a long answer does not win by repeating "omdat". The lists are our
        own: the paper's stand in its replication package.
    """
    text = material.answer.plain.text
    if not text:
        return Measurement.missing("the answer has no text")
    lists = material.lexicons["signal_words"].phrases
    evidence = tuple(
        material.evidence("found", *match.span(), entry=f"{name}: {match[0].lower()}")
        for name, phrases in sorted(lists.items())
        if (match := phrases.search(text)) is not None
    )
    value = len(evidence) / len(lists)
    return Measurement(value, None, tuple(sorted(evidence, key=lambda one: one.start)))


HEURISTIC = Heuristic(
    name="complex_answer",
    symbol="ρ□",
    reads=frozenset({"answer"}),
    needs=frozenset(),
    measure=measure,
)
