"""Components Defined (AFAS paper, section 5.2): does every named component exist?"""

from __future__ import annotations

from klopt.heuristics.declaration import NO_CONTEXT, Context, Heuristic, Material
from klopt.measurement import Evidence, Measurement
from klopt.reading.components import Component


def measure(material: Material) -> Measurement:
    """The share of the answer's components that the pages name.

    A menu item, button, tab, field, setting or key that stands in no page was most likely made
    up: the bot knows the product from the pages alone.

    Args:
        material: Reads the answer and the pages; needs their components.

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
        section 5.2 does not).
    """
    named = tuple(one for one in material.answer.components if one.kind != "code")
    if not named:
        return Measurement.missing("the answer names no component")
    if not material.contexts:
        return Measurement.missing(NO_CONTEXT)
    evidence = tuple(_evidence(component, material) for component in named)
    supported = sum(one.kind == "supported" for one in evidence)
    return Measurement(supported / len(evidence), evidence=evidence)


def _evidence(component: Component, material: Material) -> Evidence:
    place = _place(component.key, material.contexts)
    known = place is not None or (
        bool(material.options["question_counts"])
        and material.question.folded.find(component.key) is not None
    )
    return material.evidence(
        "supported" if known else "unsupported",
        component.start,
        component.end,
        entry=component.entry,
        at=place,
    )


def _place(key: str, contexts: tuple[Context, ...]) -> tuple[Context, int, int] | None:
    """Where a page has the component; a component of a page goes before mere words."""
    for context in contexts:
        for component in context.reading.components:
            if component.key == key:
                return context, component.start, component.end
    for context in contexts:
        span = context.reading.folded.find(key)
        if span is not None:
            return context, span.start, span.end
    return None


HEURISTIC = Heuristic(
    name="components_defined",
    symbol="⌘",
    reads=frozenset({"question", "answer", "contexts"}),
    needs=frozenset({"components"}),
    lexicons=frozenset({"components"}),
    measure=measure,
    options={"question_counts": False},
    looks_for_faults=True,
    message_types=("general", "reasoning", "instruction"),
)
