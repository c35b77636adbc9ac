"""Verbatim Guide Defined (AFAS paper, section 5.2): does a page have this very guide?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import cast

from klopt.heuristics.declaration import WORDS, Heuristic, Material, Options
from klopt.measurement import Evidence, Measurement
from klopt.reading.guides import Guide, Step
from klopt.reading.reader import Reading

Steps = tuple[Counter[str], ...]


def measure(material: Material, options: Options) -> Measurement:
    """How closely the answer's guide follows a guide of a page, step by step.

    A guide taken over almost word for word from a page is nearly always true.

    Args:
        material: Reads the answer and the pages; needs their parses where words are
            compared by lemma.
        options: ``strip_stop_words_in``, ``words``.

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
        without them "turn on" and "turn off" are one.
    """
    if not material.answer.guides:
        return Measurement.missing("the answer has no guide")
    without = _stop_words(material, options)
    references = tuple(
        (page, guide, steps)
        for page, context in enumerate(material.contexts)
        for guide, steps in _guides(context.index.reading, material, options, without)
    )
    value, evidence = 1.0, []
    for guide, steps in _guides(material.answer, material, options, without):
        fit, compared = _best(guide, steps, references, material)
        value = min(value, fit)
        evidence.extend(compared)
    return Measurement(value, None, tuple(evidence))


def _stop_words(material: Material, options: Options) -> frozenset[str]:
    """The words that do not count, as they are compared."""
    if material.answer.language not in cast(list[str], options["strip_stop_words_in"]):
        return frozenset()
    key = str if options[WORDS] == "lemmas" else material.language.reader.tokenizer.key
    return frozenset(map(key, material.lexicons["stop_words"].words))


def _best(
    guide: Guide,
    steps: Steps,
    references: tuple[tuple[int, Guide, Steps], ...],
    material: Material,
) -> tuple[float, list[Evidence]]:
    """The fit of one guide with the page's guide that fits best."""
    best, page, partner = 0.0, 0, tuple[Step, ...]()
    for number, reference, other in references:
        cosines = [
            _cosine(mine, theirs) if step.components == page_step.components else 0.0
            for mine, theirs, step, page_step in zip(
                steps, other, guide.steps, reference.steps, strict=False
            )
        ]
        lengths = min(len(steps), len(other)) / max(len(steps), len(other))
        fit = lengths * sum(cosines) / len(cosines)
        if fit > best or not partner:
            best, page, partner = fit, number, reference.steps
    return min(1.0, best), _compare(guide, page, partner, material)


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


def _guides(
    reading: Reading, material: Material, options: Options, without: frozenset[str]
) -> Iterator[tuple[Guide, Steps]]:
    """The guides of a text, and for each step how often it has each word."""
    if not reading.guides:
        return
    words = material.tokens(reading, options)
    for guide in reading.guides:
        yield (
            guide,
            tuple(
                Counter(
                    word
                    for number in words.between(step.start, step.end)
                    if (word := words.keys[number]) not in without
                )
                for step in guide.steps
            ),
        )


def _cosine(first: Counter[str], second: Counter[str]) -> float:
    """Cosine of two bags of lemmas; 1 for two empty ones, as steps of components alone are.

    >>> _cosine(Counter("ab"), Counter("ab")), _cosine(Counter("a"), Counter("b"))
    (1.0, 0.0)
    """
    if first == second:
        return 1.0
    squares = (sum(count * count for count in one.values()) for one in (first, second))
    lengths = math.sqrt(math.prod(squares))
    shared = sum(count * second[word] for word, count in first.items())
    return shared / lengths if lengths else 0.0


HEURISTIC = Heuristic(
    name="verbatim_guide_defined",
    symbol="ρ𝔄",
    reads=frozenset({"answer", "contexts"}),
    needs=frozenset(),
    measure=measure,
    options={"strip_stop_words_in": [], "words": "stems"},
)
