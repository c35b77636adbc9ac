"""Verbatim Guide Defined (AFAS paper, section 5.2): does a page have this very guide?"""

from __future__ import annotations

from typing import Final, cast

from klopt.heuristics.declaration import WORDS, Heuristic, Material, Options
from klopt.matching.guides import WordedGuide, likeness, stray, worded_guides
from klopt.measurement import Evidence, Measurement
from klopt.reading.guides import Guide, Step
from klopt.reading.reader import Reading

_MOST_COMPARED: Final = 20
"""So many of the guides that fit best are held against the question."""


def measure(material: Material, options: Options) -> Measurement:
    """How closely the answer's guide follows a guide of a page, step by step.

    A guide taken over almost word for word from a page is nearly always true.

    Args:
        material: Reads the answer and the pages, and the question with ``as_asked``; needs
            their parses where words are compared by lemma.
        options: ``as_asked``, ``strip_stop_words_in``, ``words``.

    Returns:
        0 to 1: of the answer's guides the one that fits worst, each against the page's guide
        that fits best: shorter length / longer length × mean cosine of the steps in order. A
        step whose components are not exactly the page's has cosine 0. None when the answer has
        no guide. Evidence: each step with the step it was compared with, ``supported`` when the
        components are the same, else ``unsupported``.

    Source:
        Lassche et al., section 5.2 (Verbatim Guide Defined) and 4.4.2 (Guide Verbatim).

    Differs:
        The paper takes the cosine of spaCy's word vectors, which small pipelines do not have and
        which hardly tell "aan" from "uit"; here it is the cosine of lemma counts. The paper
        leaves open how several guides count: all must be verbatim. Components are compared
        exactly, since a guide with one other button is another guide. Stop words count, but in
        the languages of ``strip_stop_words_in`` (the paper's choice for English, section 6.1):
        without them "turn on" and "turn off" are one. With ``as_asked`` a guide of a page counts
        only when it may be the one that was asked for, and no step of the answer strays from it
        (`klopt.matching.guides`).
    """
    if not material.answer.guides:
        return Measurement.missing("the answer has no guide")
    references = [
        (page, number, guide)
        for page, context in enumerate(material.contexts)
        for number, guide in enumerate(_guides(context.index.reading, material, options))
    ]
    value, evidence = 1.0, []
    for guide in _guides(material.answer, material, options):
        fits = [likeness(guide, other) for _, _, other in references]
        ranked = sorted(range(len(fits)), key=lambda place: -fits[place])
        fit, page, others = 0.0, 0, tuple[Step, ...]()
        for place in ranked[:_MOST_COMPARED]:
            page, number, other = references[place]
            if not options["as_asked"] or (
                material.asked_guides.includes(page, number)
                and not stray(guide, other, material.language)
            ):
                fit, others = fits[place], other.guide.steps
                break
        value = min(value, fit)
        evidence += _compare(guide.guide, page, others, material)
    return Measurement(value, None, tuple(evidence))


def _guides(reading: Reading, material: Material, options: Options) -> list[WordedGuide]:
    """The guides of a text, with their words as the options say."""
    if not reading.guides:
        return []
    without = _stop_words(material, options)
    return list(worded_guides(reading, material.tokens(reading, options), without))


def _stop_words(material: Material, options: Options) -> frozenset[str]:
    """The words that do not count, as they are compared."""
    if material.answer.language not in cast(list[str], options["strip_stop_words_in"]):
        return frozenset()
    key = str if options[WORDS] == "lemmas" else material.language.reader.tokenizer.key
    return frozenset(map(key, material.lexicons["stop_words"].words))


def _compare(
    guide: Guide, page: int, others: tuple[Step, ...], material: Material
) -> list[Evidence]:
    evidence: list[Evidence] = []
    for number, step in enumerate(guide.steps):
        other = others[number] if number < len(others) else None
        if other is not None and step.components == other.components:
            at, name = (page, other.start, other.end), f"step {number + 1}"
            evidence.append(material.evidence("supported", step.start, step.end, entry=name, at=at))
        else:
            evidence.append(material.evidence("unsupported", step.start, step.end, entry="step"))
    return evidence


HEURISTIC = Heuristic(
    name="verbatim_guide_defined",
    symbol="ρ𝔄",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset(),
    measure=measure,
    options={"as_asked": False, "strip_stop_words_in": [], "words": "stems"},
)
