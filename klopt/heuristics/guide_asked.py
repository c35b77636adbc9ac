"""Guide Asked: are the steps of the answer those of the guide that was asked for?"""

from __future__ import annotations

from typing import cast

from klopt.heuristics.declaration import Heuristic, Material, Options
from klopt.matching.guides import WordedGuide, likeness, worded_guides
from klopt.measurement import Evidence, EvidenceKind, Measurement
from klopt.reading.reader import Reading


def measure(material: Material, options: Options) -> Measurement:
    """Whether each guide of the answer comes from a guide that may be the one asked for.

    The steps for turning something on, word for word, do not tell how to turn it off.

    Args:
        material: Reads question, answer and pages.
        options: ``fewest_like``.

    Returns:
        1 when the guide of the pages that is likest to each of the answer's may be the one that
        was asked for (`klopt.matching.guides`), 0 when one is not. Only guides count that are at
        least ``fewest_like`` like one of a page: elsewhere it is not sure where the steps come
        from. None when there is no such guide. Evidence: the steps of each such guide,
        ``unsupported`` with those of the page when it was not asked for.

    Source:
        Lassche et al., section 4.4.2 (Off-Context, Guide Verbatim).

    Differs:
        The paper holds a verbatim guide to be true whatever was asked.
    """
    fewest = cast(float, options["fewest_like"])
    references = [
        (page, number, guide)
        for page, context in enumerate(material.contexts)
        for number, guide in enumerate(_guides(context.index.reading))
    ]
    value, evidence = 1.0, list[Evidence]()
    for own in _guides(material.answer) if references else ():
        fits = [likeness(own, other) for _, _, other in references]
        page, number, other = references[fits.index(max(fits))]
        if max(fits) >= fewest:
            is_asked = material.asked_guides.includes(page, number)
            value = min(value, float(is_asked))
            kind: EvidenceKind = "supported" if is_asked else "unsupported"
            for step, step_there in zip(own.guide.steps, other.guide.steps, strict=False):
                at = None if is_asked else (page, step_there.start, step_there.end)
                evidence.append(material.evidence(kind, step.start, step.end, entry="step", at=at))
    if not evidence:
        return Measurement.missing("no guide of the answer is like one of a page")
    return Measurement(value, evidence=tuple(evidence))


def _guides(reading: Reading) -> list[WordedGuide]:
    return list(worded_guides(reading, reading.tokens, ()))


HEURISTIC = Heuristic(
    name="guide_asked",
    symbol="",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"match"}),
    measure=measure,
    options={"fewest_like": 0.9},
    looks_for_faults=True,
)
