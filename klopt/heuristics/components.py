"""Whether pages name the components that an answer names, and one page all of them."""

from __future__ import annotations

from collections.abc import Iterator

from klopt.heuristics.declaration import Material, Options, heuristic
from klopt.matching import Context
from klopt.matching.index import runs_of
from klopt.measurement import Evidence, Measurement
from klopt.reading.components import Component
from klopt.reading.identifiers import has_identifier, identifiers


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
    named = tuple(one for one in material.answer.components if one.kind != "code")
    evidence = [_evidence(component, material, options) for component in named]
    if options["identifiers_count"]:
        evidence += _unknown_identifiers(material)
    if not evidence:
        return Measurement.missing("the answer names no component")
    supported = sum(one.kind == "supported" for one in evidence)
    return Measurement(supported / len(evidence), evidence=tuple(evidence))


def _unknown_identifiers(material: Material) -> Iterator[Evidence]:
    """The phone numbers, addresses and codes that the bot cannot have copied."""
    answer = material.answer
    named = [(one.start, one.end) for one in answer.components]
    for span in identifiers(answer.plain.text):
        if any(start < span.end and span.start < end for start, end in named):
            continue
        identifier = answer.plain.text[span.start : span.end]
        sources = (one.index.reading.plain.source for one in material.contexts)
        known = (material.question.plain.source, *sources)
        if not any(has_identifier(text, identifier) for text in known):
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
    found = [
        (not context.index.sets_apart(key), page, span)
        for page, context in enumerate(contexts)
        if (span := context.index.place(key)) is not None
    ]
    if not found:
        return None
    _, page, span = min(found)
    return page, span.start, span.end


@heuristic(reads=("answer", "contexts"), needs=("match",), looks_for_faults=True)
def components_together(material: Material, options: Options) -> Measurement:
    """The share of the answer's components that stand on the page which supports it best.

    An answer that mixes two guides names components that all exist, on different pages.

    Args:
        material: Reads the answer and the pages.
        options: None.

    Returns:
        0 to 1: components on the page that covers most of the answer / components named, each
        place counted; of pages that cover as much, the highest. None when the answer names no
        component, or no page has text. Evidence: each component, ``supported`` or
        ``unsupported`` by that page.

    Source:
        Lassche et al., section 4.4.2 (Off-Context), for what Components Defined cannot see.

    Differs:
        From Components Defined, for which any page will do. It works against Context Synthesis
        (two pages rightly joined), which the paper's table 2 holds to be a sign of truth; on
        rated answers mixing is the more frequent case. A name that the company allows is
        everywhere.
    """
    named = tuple(one for one in material.answer.components if one.kind != "code")
    if not named:
        return Measurement.missing("the answer names no component")
    match = material.match
    is_settled = all(len(set(pages)) == 1 for pages in match.named)
    best_pages = [0] if is_settled else match.best_pages
    known = max(([pages[best] for pages in match.named] for best in best_pages), key=sum)
    evidence = tuple(
        material.evidence(
            "supported" if is_known else "unsupported", one.start, one.end, entry=one.entry
        )
        for one, is_known in zip(named, known, strict=True)
    )
    return Measurement(sum(known) / len(known), evidence=evidence)
