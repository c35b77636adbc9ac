"""What an answer names, states and leaves open, held against its pages."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import cast

from klopt.comparing.statements import HOLDS_FROM
from klopt.heuristics.declaration import NO_COMPARATOR, Material, Options, heuristic
from klopt.lexicons import apart
from klopt.matching import Context
from klopt.matching.index import runs_of
from klopt.reading.components import Component, component_key
from klopt.reading.identifiers import identifiers, keys_of
from klopt.records import Evidence, EvidenceKind, Measurement


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

    A menu item, button, tab, field, setting or key that stands in no page was most likely made
    up: the bot knows the product from the pages alone.

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
        a component is defined when a page has it as a component, or has its name as whole words
        of its text, letter case, quotes and trailing dots apart. Code that is no key, such as a
        command or an example of input, is no component. With the option
        ``question_counts`` a name that the user gave counts too (section 4.4.2 allows it,
        section 5.2 does not); with ``forms_count`` so does one whose words stand there in a row
        in another form, and one with a word such as "knop" too many: neither is surely made up.
        So do the names that the company's lexicon ``product_names`` allows. With
        ``identifiers_count`` a phone number, an e-mail address or a code that neither a page nor
        the question has counts as a component that is not found.
    """
    evidence = [_evidence(component, material, options) for component in material.answer.named]
    if options["identifiers_count"]:
        evidence += _unknown_identifiers(material)
    if not evidence:
        return Measurement.missing("the answer names no component")
    supported = sum(one.kind == "supported" for one in evidence)
    return Measurement(supported / len(evidence), evidence=tuple(evidence))


def _unknown_identifiers(material: Material) -> Iterator[Evidence]:
    """The phone numbers, addresses and codes that the bot cannot have copied."""
    answer, allowed = material.answer, material.language.relations.allowed_names
    own = [
        (span, key)
        for span, key in identifiers(answer.plain.text)
        if not any(name.start < span.end and span.start < name.end for name in answer.named)
    ]
    if not own:
        return
    plains = (
        material.question.plain,
        *(context.index.reading.plain for context in material.contexts),
    )
    known = keys_of(text for plain in plains for text in (plain.text, plain.source))
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
    """Whether a page, or also the question, has the words of a name in a row, in any form."""
    tokens, tokenizer = material.answer.tokens, material.language.reader.tokenizer
    numbers = tokens.between(component.start, component.end)
    if not numbers or any(tokens.stops[number] for number in numbers):
        return False
    words = tuple(tokens.keys[number] for number in numbers)
    general = set(map(tokenizer.key, material.lexicons["general_words"].words))
    words = tuple(word for word in words if word not in general) or words
    known = (context.index.runs(len(words)) for context in material.contexts)
    return any(words in runs for runs in known) or (
        asks and words in runs_of(material.match.question, len(words))
    )


def _place(key: str, contexts: tuple[Context, ...]) -> tuple[int, int, int] | None:
    """The first page that has the component, and where; a component goes before mere words."""
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
    return any(refusals.first("goes_along", statement) is None for statement in statements)


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


@heuristic(reads=("question", "answer", "contexts"), needs=("match", "comparator"))
def statements_hold(material: Material, options: Options) -> Measurement:
    """The chance that every statement of the answer is true.

    One untrue sentence makes an answer untrue, however well the others are borne out.

    Args:
        material: Reads question, answer and pages.
        options: None.

    Returns:
        0 to 1: the product of the chances of the statements (`klopt.comparing.statements`). None
        when the answer makes no statement, or when nothing compares statements in its language.
        Evidence: each statement with the place of the pages that speaks most for or against it,
        ``supported`` where that is the likeliest thing, else ``unsupported``, also of what no page
        states.

    Source:
        Lassche et al., section 4.4.2 (Non-appearing Statements, Answer Contradiction), which
        table 2 names and the paper does not measure.

    Differs:
        From all measures of shared words: bots say untrue things in the page's words, and true
        ones in others.
    """
    statements = material.statements
    if statements is None:
        return Measurement.missing(NO_COMPARATOR)
    if not statements:
        return Measurement.missing("the answer makes no statement")
    evidence: list[Evidence] = []
    for statement in statements:
        kind: EvidenceKind = "supported" if statement.says == "supported" else "unsupported"
        evidence.append(
            material.evidence(kind, statement.start, statement.end, at=material.place(statement))
        )
    value = math.prod(statement.truth for statement in statements)
    return Measurement(value, evidence=tuple(evidence))


@heuristic(
    reads=("question", "answer", "contexts"), needs=("match", "comparator"), fault_below=HOLDS_FROM
)
def weakest_statement(material: Material, options: Options) -> Measurement:
    """The chance that the weakest statement of the answer is true.

    Args:
        material: Reads question, answer and pages.
        options: ``fault_below``.

    Returns:
        0 to 1: the lowest chance of a statement (`klopt.comparing.statements`). None as for
        Statements Hold. Evidence: each statement below ``fault_below``, ``unsupported``, with the
        place of the pages that it goes against, or that is nearest to it.

    Source:
        Lassche et al., section 4.4.2 (Answer Contradiction), which table 2 names and the paper
        does not measure.

    Differs:
        From Statements Hold, which sinks with the number of statements: here a long answer is as
        good as its worst sentence.
    """
    statements = material.statements
    if statements is None:
        return Measurement.missing(NO_COMPARATOR)
    if not statements:
        return Measurement.missing("the answer makes no statement")
    below = cast(float, options["fault_below"])
    evidence = tuple(
        material.evidence(
            "unsupported", statement.start, statement.end, at=material.place(statement)
        )
        for statement in statements
        if statement.truth < below
    )
    return Measurement(min(statement.truth for statement in statements), evidence=evidence)
