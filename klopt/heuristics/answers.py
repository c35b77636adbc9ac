"""Heuristics of named components, claims, and questions left open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from klopt.heuristics.declaration import NO_COMPARATOR, Material, Options, heuristic
from klopt.lexicons import matched_spans
from klopt.text.components import Component, component_key
from klopt.text.inline import identifiers, keys_of
from klopt.types import Evidence, EvidenceKind, Measurement
from klopt.verification import Claim, Context
from klopt.verification.claims import SUPPORTED_FROM
from klopt.verification.index import runs_of
from klopt.verification.networks import support_of_answer


@heuristic(
    "⌘",
    reads=("question", "answer", "contexts"),
    looks_for_faults=True,
    forms_count=False,
    identifiers_count=False,
    question_counts=False,
)
def components_defined(material: Material, options: Options) -> Measurement:
    """The share of the answer's components that the pages name.

    A menu item, button, tab, field, setting or key that no page has was most likely made up: the
    bot knows the product from the pages alone.

    Args:
        material: Reads the answer and the pages; the question with ``question_counts``.
        options: ``forms_count``, ``identifiers_count``, ``question_counts``.

    Returns:
        0 to 1: components found / components named, each place counted. None when the answer
        names no component. Evidence: each component, ``supported`` with its place in the first
        page that has it, or ``unsupported``.

    Source:
        Lassche et al., section 5.2 (Components Defined) and 4.4.2 (Unspecified Components).

    Differs:
        The paper says "not defined in the context" and leaves open what counts as defined. Here
        a component is defined when a page, in whatever language, has it as a component, or has its
        name as whole words of its text, letter case, quotes and trailing dots apart. Code that is
        no key, such as a command or an example of input, is no component. With the option
        ``question_counts`` a name of the question counts too (section 4.4.2 allows it, section 5.2
        does not); with ``forms_count`` so does a name whose words a page has in another form, and
        one with an extra word such as "knop". So do the names that the company's lexicon
        ``product_names`` allows. With ``identifiers_count`` a phone number, an address, a
        placeholder or a code that neither a page nor the question has counts as a component that
        is not found.
    """
    evidence = [_evidence(component, material, options) for component in material.answer.named]
    if options["identifiers_count"]:
        evidence += _unknown_identifiers(material)
    if not evidence:
        return Measurement.missing("the answer names no component")
    supported = sum(one.kind == "supported" for one in evidence)
    return Measurement(supported / len(evidence), evidence=tuple(evidence))


def _unknown_identifiers(material: Material) -> Iterator[Evidence]:
    """Yield the phone numbers, addresses and codes that neither a page nor the question has."""
    answer, allowed = material.answer, material.language.relations.allowed_names
    own = [
        (span, key)
        for span, key in identifiers(answer.plain.text)
        if not any(name.start < span.end and span.start < name.end for name in answer.named)
    ]
    if not own:
        return
    pages = (*material.contexts, *material.others)
    plains = (material.question.plain, *(one.index.reading.plain for one in pages))
    texts = (text for plain in plains for text in (plain.text, plain.source))
    known = keys_of((*texts, *(name for one in pages for name in (one.page, one.address))))
    for span, key in own:
        name = component_key(answer.plain.text[span.start : span.end])
        if key not in known and name not in allowed:
            yield material.evidence("unsupported", span.start, span.end, entry="identifier")


def _evidence(component: Component, material: Material, options: Options) -> Evidence:
    place = _place(component.key, material.contexts)
    asks = bool(options["question_counts"])
    known = (
        place is not None
        or component.key in material.language.relations.allowed_names
        or any(other.index.named_at(component.key) for other in material.others)
        or (asks and material.question.folded.find(component.key) is not None)
        or (bool(options["forms_count"]) and _in_a_row(component, material, asks=asks))
    )
    return material.evidence(
        "supported" if known else "unsupported",
        component.start,
        component.end,
        entry=component.entry,
        at=place,
    )


def _in_a_row(component: Component, material: Material, *, asks: bool) -> bool:
    """Return whether a page, or the question, has the words of a name in a row, in any form."""
    tokens = material.answer.tokens
    numbers = tokens.between(component.start, component.end)
    if not numbers or any(tokens.stops[number] for number in numbers):
        return False
    words = tuple(tokens.keys[number] for number in numbers)
    general = material.language.general_words
    words = tuple(word for word in words if word not in general) or words
    known = (one.index.runs(len(words)) for one in (*material.contexts, *material.others))
    return any(words in runs for runs in known) or (
        asks and words in runs_of(material.match.question, len(words))
    )


def _place(key: str, contexts: tuple[Context, ...]) -> tuple[int, int, int] | None:
    """Return the first page that has the component, and where; marked components first."""
    places = [
        (not context.index.sets_apart(key), page, span)
        for page, context in enumerate(contexts)
        if (span := context.index.named_at(key)) is not None
    ]
    if not places:
        return None
    _, page, span = min(places)
    return page, span.start, span.end


@heuristic(reads=("question", "answer", "contexts"), needs=("match",), beside_a_solution=0.35)
def abstention(material: Material, options: Options) -> Measurement:
    """How far the pages leave the question open, for an answer that abstains.

    "The documentation does not say" is a true answer when it does not.

    Args:
        material: Reads question, answer and pages.
        options: ``beside_a_solution``.

    Returns:
        0 to 1: 1 minus how much of the question the sentence, or two, that cover it best have
        (`klopt.verification.match`); at most ``beside_a_solution`` when the bot was given one page,
        and that page has a part under a heading such as "Solution". None when the answer neither
        says that it does not know nor only refers to people; when it makes claims all the same:
        steps, a component that no page names, or a claim of its own beside what it says of the
        pages ("They only describe …"); when the question has no words of its own, or no page has
        text. Evidence: the words that abstain, ``found``.

    Source:
        Ours. The paper (section 4.2) rates such answers like any other.

    Differs:
        A sentence that shares the question's words need not answer it, so a low value means that
        the pages may answer the question, not that they do.
    """
    refusal = material.match.refusal
    if refusal is None:
        return Measurement.missing("the bot does not say that it does not know")
    evidence = (
        material.evidence("found", refusal.start, refusal.end, entry="says that it does not know"),
    )
    if _makes_claims(material):
        return Measurement.missing("the bot says that it does not know, but continues", evidence)
    covered = material.match.question_share()
    if covered is None:
        return Measurement.missing("the question has no words of its own", evidence)
    value = 1.0 - covered
    if len(material.contexts) == 1 and len(material.contexts[0].index.solution):
        value = min(value, cast(float, options["beside_a_solution"]))
    return Measurement(value, evidence=evidence)


def _makes_claims(material: Material) -> bool:
    """Return whether an answer that abstains makes claims all the same."""
    match, refusals = material.match, material.lexicons["refusals"]
    if material.answer.guides or not all(any(pages) for pages in match.named):
        return True
    text, units = material.answer.plain.text, match.answer
    claims = (text[units.starts[unit] : units.ends[unit]] for unit in match.claims)
    return any(refusals.first("goes_along", claim) is None for claim in claims)


@heuristic(reads=("question", "answer", "contexts"), needs=("match",))
def solution_coverage(material: Material, options: Options) -> Measurement:
    """How much of a page's solution the answer gives, for the page with the most.

    A general answer may be supported word for word and still omit the one command that solves the
    problem.

    Args:
        material: Reads question, answer and pages.
        options: None.

    Returns:
        0 to 1: distinct words of the solution that the answer has / distinct words of the
        solution, those of the question excluded. The solution is the part under a heading such as
        "Resolving the problem", up to one such as "Related information" or to the end. The page
        with the highest share counts. None when no page has such a part. No evidence.

    Source:
        techsupporteval, section 3 (ClozeFact: the key terms of a reference answer); Lassche et
        al., section 3 (completeness) and 4.4.2 (General Answer).

    Differs:
        The reference is the page itself. The papers tell completeness from truthfulness; on
        support questions with one right solution, an answer that lacks it is wrong.
    """
    own, question = material.match.answer.ids, material.match.question.ids
    shares = []
    for context in material.contexts:
        index = context.index
        words = [index.units.words[number] for number in index.solution.tolist()]
        wanted = [word for word in words if word not in question]
        if wanted:
            shares.append(sum(word in own for word in wanted) / len(wanted))
    if not shares:
        return Measurement.missing("no page has text under a heading such as Solution")
    return Measurement(max(shares))


@heuristic(reads=("question", "answer", "contexts"), needs=("match",))
def solution_known(material: Material, options: Options) -> Measurement:
    """How little the answer calls missing, where its page has the solution.

    "The documentation does not mention this", "more information is needed": where the only page
    that the bot was given has a part under a heading such as "Solution", such an answer has likely
    not found it. Elsewhere it may be right, and nothing is measured.

    Args:
        material: Reads question, answer and pages; needs the lexicon ``doubts``.
        options: None.

    Returns:
        1 / (1 + n) for n expressions of the group ``gap``, above 0 to 1. None with several pages,
        or when the page has no such heading with something under it. Evidence: the expressions,
        ``found``.

    Source:
        Ours; Lassche et al., section 4.4.2 (General Answer).

    Differs:
        From Abstention, which measures answers that abstain as a whole.
    """
    if len(material.contexts) > 1:
        return Measurement.missing("the bot was given several pages")
    if not len(material.contexts[0].index.solution):
        return Measurement.missing("the page has no heading such as Solution")
    spans = matched_spans(material.lexicons["doubts"].group("gap"), material.answer.plain.text)
    evidence = tuple(material.evidence("found", *span) for span in spans)
    return Measurement(1.0 / (1 + len(spans)), evidence=evidence)


@heuristic(reads=("question", "answer", "contexts"), needs=("match", "comparator"))
def statements_hold(material: Material, options: Options) -> Measurement:
    """The probability that the answer is faithful to the pages, from those of its claims.

    Args:
        material: Reads question, answer and pages.
        options: None.

    Returns:
        0 to 1: the claims' odds of a fault, averaged by their square roots
        (`klopt.verification.networks.support_of_answer`), as a probability. None when the answer
        makes no claim, or when its language has no comparator. Evidence: each claim with its best
        passage, ``supported`` where that is its label, else ``unsupported``.

    Source:
        Lassche et al., section 4.4.2 (Non-appearing Statements, Answer Contradiction), which
        table 2 names and the paper does not measure.

    Differs:
        From measures of shared words: the weights are trained on answers that people labelled.
        From a product: a long answer scores no lower than a short one with claims as likely.
    """
    if not material.claims:
        return _without_claims(material)
    evidence = tuple(_of_claim(material, one, one.label == "supported") for one in material.claims)
    value = support_of_answer([(one.truth, one.words) for one in material.claims])
    return Measurement(value, evidence=evidence)


def _without_claims(material: Material) -> Measurement:
    is_compared = material.claims is not None
    return Measurement.missing("the answer makes no claim" if is_compared else NO_COMPARATOR)


def _of_claim(material: Material, claim: Claim, is_supported: bool) -> Evidence:
    """Return a claim with its best passage as evidence."""
    kind: EvidenceKind = "supported" if is_supported else "unsupported"
    at = None if claim.passage is None else (claim.passage.page, *claim.passage.span)
    return material.evidence(kind, claim.start, claim.end, at=at)


@heuristic(
    reads=("question", "answer", "contexts"),
    needs=("match", "comparator"),
    fault_below=SUPPORTED_FROM,
)
def weakest_statement(material: Material, options: Options) -> Measurement:
    """The probability of the answer's least likely claim.

    Args:
        material: Reads question, answer and pages.
        options: ``fault_below``.

    Returns:
        0 to 1: the lowest probability of a claim (`klopt.verification.claims`). None as for
        Statements Hold. Evidence: each claim below ``fault_below``, ``unsupported``, with its
        best passage.

    Source:
        Lassche et al., section 4.4.2 (Answer Contradiction), which table 2 names and the paper
        does not measure.

    Differs:
        From Statements Hold, an average: here an answer is as good as its worst claim.
    """
    if not material.claims:
        return _without_claims(material)
    faults = (one for one in material.claims if one.truth < cast(float, options["fault_below"]))
    evidence = tuple(_of_claim(material, one, False) for one in faults)
    return Measurement(min(one.truth for one in material.claims), evidence=evidence)
