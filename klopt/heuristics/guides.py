"""Heuristics of step-by-step guides: same steps, same order, the guide that fits the question."""

from __future__ import annotations

from operator import itemgetter
from typing import Final, cast

from klopt.heuristics.declaration import WORDS, Material, Options, heuristic
from klopt.text.guides import Guide, Step
from klopt.text.reader import Reading
from klopt.types import Evidence, EvidenceKind, Measurement
from klopt.verification.guides import (
    EQUAL,
    WordedGuide,
    compared_guides,
    likeness,
    steps_conflict,
    worded_guides,
)

_MAX_COMPARED: Final = 20
"""Guides with the best fit that are checked against the question."""


@heuristic(
    "ρ𝔄",
    reads=("question", "answer", "contexts"),
    as_asked=False,
    strip_stop_words_in=[],
    words="stems",
)
def verbatim_guide_defined(material: Material, options: Options) -> Measurement:
    """How closely the answer's guide follows a guide of a page, step by step.

    A guide copied almost word for word from a page is nearly always true.

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
        without them "turn on" and "turn off" are the same. With ``as_asked`` a guide of a page
        counts only if the question may ask for it and no step contradicts the answer's
        (`klopt.verification.guides`).
    """
    if not material.answer.guides:
        return Measurement.missing("the answer has no guide")
    references = _references(material, options)
    value, evidence = 1.0, []
    for guide in _guides(material.answer, material, options):
        fits = [likeness(guide, other) for _, _, other in references]
        ranked = sorted(range(len(fits)), key=lambda place: -fits[place])
        fit, page, others = 0.0, 0, tuple[Step, ...]()
        for place in ranked[:_MAX_COMPARED]:
            page, number, other = references[place]
            if not options["as_asked"] or (
                material.matching_guides.includes(page, number)
                and not steps_conflict(guide, other, material.language)
            ):
                fit, others = fits[place], other.guide.steps
                break
        value = min(value, fit)
        evidence += _compare(guide.guide, page, others, material)
    return Measurement(value, None, tuple(evidence))


def _guides(reading: Reading, material: Material, options: Options) -> tuple[WordedGuide, ...]:
    """Return the guides of a text, with words in the form that the options ask for."""
    if not reading.guides or WORDS not in options:
        return worded_guides(reading, reading.tokens, frozenset())
    without: frozenset[str] = frozenset()
    if material.answer.language in cast(list[str], options["strip_stop_words_in"]):
        key = str if options[WORDS] == "lemmas" else material.language.reader.tokenizer.key
        without = frozenset(map(key, material.lexicons["stop_words"].words))
    return worded_guides(reading, material.tokens(reading, options), without)


def _references(material: Material, options: Options) -> list[tuple[int, int, WordedGuide]]:
    """Return the guides of the pages, each with the numbers of page and guide."""
    return [
        (page, number, guide)
        for page, context in enumerate(material.contexts)
        for number, guide in enumerate(_guides(context.index.reading, material, options))
    ]


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


@heuristic(
    reads=("question", "answer", "contexts"),
    needs=("match",),
    looks_for_faults=True,
    fewest_like=0.9,
)
def guide_asked(material: Material, options: Options) -> Measurement:
    """Whether each guide of the answer is one that the question asks for.

    The steps for turning something on, word for word, do not answer how to turn it off.

    Args:
        material: Reads question, answer and pages.
        options: ``fewest_like``.

    Returns:
        1 when the question may ask for the page's guide that is most like each of the answer's
        (`klopt.verification.guides`), else 0. Only guides with a likeness of at least
        ``fewest_like`` to one of a page count. None when there is no such guide. Evidence: the
        steps of each such guide, ``unsupported`` with those of the page if the question asks for
        another one.

    Source:
        Lassche et al., section 4.4.2 (Off-Context, Guide Verbatim).

    Differs:
        The paper takes a verbatim guide to be true whatever the question.
    """
    fewest = cast(float, options["fewest_like"])
    references = _references(material, options)
    value, evidence = 1.0, list[Evidence]()
    for own in _guides(material.answer, material, options) if references else ():
        fits = [likeness(own, other) for _, _, other in references]
        page, number, other = references[fits.index(max(fits))]
        if max(fits) >= fewest:
            is_wanted = material.matching_guides.includes(page, number)
            value = min(value, float(is_wanted))
            kind: EvidenceKind = "supported" if is_wanted else "unsupported"
            for step, step_there in zip(own.guide.steps, other.guide.steps, strict=False):
                at = None if is_wanted else (page, step_there.start, step_there.end)
                evidence.append(material.evidence(kind, step.start, step.end, entry="step", at=at))
    if not evidence:
        return Measurement.missing("no guide in the answer resembles one on a page")
    return Measurement(value, evidence=tuple(evidence))


@heuristic(
    reads=("answer", "contexts"),
    needs=("match",),
    looks_for_faults=True,
    match_share=0.5,
    word_share=0.6,
)
def step_order(material: Material, options: Options) -> Measurement:
    """How many of the answer's steps are in the order of the best matching guide.

    Args:
        material: Reads the answer and the pages.
        options: ``match_share``, ``word_share``.

    Returns:
        0 to 1: 1 minus pairs of steps in the wrong order / (matched steps − 1), at least 0, for
        the guide of the pages whose steps match best. A step matches the most similar step if
        their likeness is at least ``match_share``. None
        when the answer has no guide, no page has one, or fewer than two steps match. Evidence:
        each step that a later one should have preceded, ``unsupported``, with its place.

    Source:
        techsupporteval, section 3 (StepRestore), whose steps come from a reference answer.

    Differs:
        No reference and no LLM: the best matching guide of the pages is the reference. The
        likeness of two steps is ``word_share`` × words covered + the rest × components shared.
    """
    if not material.answer.guides:
        return Measurement.missing("the answer has no step-by-step guide")
    compared = compared_guides(material.match, cast(float, options["word_share"]))
    if not compared:
        return Measurement.missing("no page has a step-by-step guide")
    enough = cast(float, options["match_share"])
    highest = max(beside.mean for beside in compared)
    ordered = ((one.order(enough), one) for one in compared if one.mean >= highest - EQUAL)
    known = [(*order, beside) for order, beside in ordered if order is not None]
    if not known:
        return Measurement.missing("fewer than two steps match those of a guide on a page")
    value, early, best = max(known, key=itemgetter(0))
    evidence = []
    for step, number in early:
        other = best.other.steps[number]
        at = best.page, other.start, other.end
        one = material.evidence("unsupported", step.start, step.end, entry="step order", at=at)
        evidence.append(one)
    return Measurement(value, evidence=tuple(evidence))
