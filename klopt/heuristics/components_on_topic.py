"""Components on Topic: are the answer's components those of the page that the question is about?"""

from __future__ import annotations

import math

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.measurement import Measurement


def measure(material: Material, options: Options) -> Measurement:
    """How likely the answer's components stand on the page that answers the question.

    The steps to delete a contact are no answer to the question how to unlink two: each page may
    be quoted word for word, and still be the wrong one.

    Args:
        material: Reads question, answer and pages.
        options: None.

    Returns:
        0 to 1: for each component the chance that a page which names it is the page that the
        question is about, on average over the components, each place counted. None when the
        answer names no component, or no page has text. Evidence: each component, ``supported``
        when the likeliest page names it, else ``unsupported``.

    Source:
        Lassche et al., section 4.4.2 (Off-Context), which the paper measures by HAL alone.

    Differs:
        The paper asks whether words stand together; this asks whether they stand on the right
        page, told by its title, headings and text (`klopt.matching.match`).
    """
    named = tuple(one for one in material.answer.components if one.kind != "code")
    if not named:
        return Measurement.missing("the answer names no component")
    chances = material.match.relevance
    likeliest = chances.index(max(chances))
    total = math.fsum(
        chance
        for pages in material.match.named
        for chance, is_named in zip(chances, pages, strict=True)
        if is_named
    )
    evidence = tuple(
        material.evidence(
            "supported" if pages[likeliest] else "unsupported", one.start, one.end, entry=one.entry
        )
        for one, pages in zip(named, material.match.named, strict=True)
    )
    return Measurement(min(1.0, total / len(named)), evidence=evidence)


HEURISTIC = Heuristic(
    name="components_on_topic",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    looks_for_faults=True,
)
